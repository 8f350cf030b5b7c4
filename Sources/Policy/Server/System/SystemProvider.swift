import FreshetBase
import FreshetCore
import FreshetQuery
import FreshetRefresh

/// What the server knows of one kind of things, as rows of a system type. Any thread.
///
/// While nobody watches the type, `ids` and `append` alone are called, for one search.
protocol SystemProvider: AnyObject, Sendable {
    var type: SystemType { get }

    /// The ids of all rows that there are now, in any order.
    func ids() -> [EntityID]

    /// Appends a row as JSON without white space, `id` first.
    ///
    /// - Parameter texts: How long texts in it may be.
    /// - Returns: false where there is none with this id; then nothing is appended.
    func append(_ id: EntityID, _ texts: TextBound, to body: inout ByteBuffer) -> Bool

    /// Tells which rows may have come, changed or gone from now on, until the subscription ends.
    ///
    /// - Parameter changed: Called on any thread, also where in truth nothing has changed.
    func watch(_ changed: @escaping @Sendable (SystemChange) -> Void) -> RunSubscription
}

extension SystemProvider {
    /// All rows are looked at once a second.
    func watch(_ changed: @escaping @Sendable (SystemChange) -> Void) -> RunSubscription {
        look(every: .seconds(1)) { changed(.all) }
    }

    /// Calls `look` in a rhythm, until the subscription ends.
    func look(
        every span: Duration, _ look: @escaping @Sendable () -> Void
    ) -> RunSubscription {
        let rhythm = Rhythm(every: span, on: SystemOperationClock()) {
            look()
            return true
        }
        return RunSubscription { rhythm.cancel() }
    }
}

/// What may have changed of a system type.
enum SystemChange: Sendable {
    case row(EntityID)
    case all
}

/// How long a text of a row may be.
struct TextBound: Sendable {
    /// From how texts are shown to what a row of very many has room for.
    static let steps = [TextBound(bytes: 1_024), TextBound(bytes: 256), TextBound(bytes: 64)]

    let bytes: Int

    /// The text, or as many of its first characters as there is room for and `…`.
    func cut(_ text: String) -> String {
        guard text.utf8.count > bytes else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: bytes)
        while text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }
}
