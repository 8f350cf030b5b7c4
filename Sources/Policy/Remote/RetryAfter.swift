import FreshetBase
import FreshetHTTP

/// The header field `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// A server that asks for more, by the header or an event, is asked again after this.
    package static let longest = Duration.seconds(3_600)

    /// The span from `now`, from zero to `longest`; nil for what is neither seconds nor a date.
    static func span(_ value: String?, now: WallTime) -> Duration? {
        guard let value else { return nil }
        let text = value.trimmingPrefix { $0 == " " }
        if !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
            return Int(text).map { min(.seconds($0), longest) } ?? longest
        }
        guard let date = HTTPDate.wallTime(text) else { return nil }
        return min(.milliseconds(max(0, date.milliseconds - now.milliseconds)), longest)
    }
}
