import FreshetBase
import FreshetHTTP
import FreshetRefresh

/// The pure parser, as the client uses it: pieces in, events out. Owned by the task that follows.
final class EventStreamReader {
    private var parser: EventStreamParser
    private let limit: Int

    @inline(never)
    init(lastID: String, limit: Int) {
        parser = EventStreamParser(lastID: lastID, limit: limit)
        self.limit = limit
    }

    var lastID: String { parser.lastID }

    /// The pause that the stream has asked for.
    var retry: Duration? { parser.retry.map { .milliseconds(Int64(min($0, 86_400_000))) } }

    /// - Throws: `.tooLarge`.
    func take(_ bytes: [UInt8]) throws(UpstreamError) -> [StreamEvent] {
        var events: [StreamEvent] = []
        let isWhole = bytes.withUnsafeBytes { bytes in
            do throws(EventStreamParser.Fault) {
                try parser.take(bytes) {
                    events.append(StreamEvent(name: $0.name, data: $0.data, id: $0.lastID))
                }
                return true
            } catch {
                return false
            }
        }
        guard isWhole else { throw .tooLarge(limit: limit) }
        return events
    }
}

extension ByteStream {
    /// Bytes that are read of an answer that is no stream.
    static let refusalLimit = 64 << 10
    /// How long they are waited for.
    private static let refusalTime = Duration.seconds(10)

    /// Whether the answer says that it is one.
    var isEventStream: Bool {
        let type = header("Content-Type")?.prefix { $0 != ";" && $0 != " " } ?? ""
        return type.lowercased() == "text/event-stream"
    }

    /// What is wrong, of an answer whose status is no success. Reads the beginning of its body.
    nonisolated(nonsending) func refusal(masking mask: SecretMask) async -> UpstreamError {
        let body = await beginning()
        return .status(
            status, retryAfter: RetryAfter.span(header("Retry-After"), now: .now),
            excerpt: Excerpt(of: body, masking: mask))
    }

    /// The first bytes of the body; what has failed by then is as good as its end.
    nonisolated(nonsending) func beginning() async -> [UInt8] {
        let clock = SystemOperationClock()
        let alarm = clock.schedule(at: clock.now + Self.refusalTime) { [weak self] in
            self?.cancel()
        }
        defer { alarm.cancel() }
        var body: [UInt8] = []
        do throws(UpstreamError) {
            while body.count < Self.refusalLimit, let bytes = try await next() { body += bytes }
        } catch {
            return body
        }
        return body
    }
}
