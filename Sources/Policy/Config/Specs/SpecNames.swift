/// The names that run specifications may mention.
package struct SpecNames: Sendable {
    package var conditions: Set<String> = []
    package var specs: Set<String> = []
    package var upstreams: Set<String> = []
    /// nil: any, since they come and go.
    package var operations: Set<String>? = []

    package init() {}

    /// What conditions, specifications and operations may be called.
    package static let expectation =
        "a name: a letter or digit, then at most 127 letters, digits, _, - or ."
    static let pattern = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$"

    package static func isName(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, bytes.count <= 128, isAlphanumeric(first) else {
            return false
        }
        return bytes.allSatisfy { isAlphanumeric($0) || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 <= 25
    }
}
