import FreshetBase
import FreshetCore
import FreshetQuery

/// Searches of one event loop that were asked before, by the text of their URLs, so that what is asked
/// over and over is read and planned once. What is asked once alone is not kept.
///
/// A text has one place, and what comes there last stays: a look costs one hash and one comparison.
struct QueryCache {
    /// Places: with the bounds on texts, and on plans by `AskedQuery.isLasting`, 5 MiB at most.
    private static let capacity = 256
    private static let maximumBytes = 1024

    private struct Entry {
        let type: TypeName
        let text: [UInt8]
        /// nil: it is known not to be kept.
        let asked: AskedQuery?
    }

    private var entries = [Entry?](repeating: nil, count: capacity)
    /// The hash of the last text that was looked for in vain, by place.
    private var missed = [UInt64](repeating: 0, count: capacity)

    /// The search of `text`, the query of a URL as it was typed.
    func find(_ type: TypeName, _ text: UnsafeRawBufferPointer) -> AskedQuery? {
        guard text.count <= Self.maximumBytes else { return nil }
        return entry(of: type, text, at: Self.place(of: Self.hash(type, text)))?.asked
    }

    /// Keeps `asked` from the second time on that it comes, where that is of use.
    mutating func remember(
        _ type: TypeName, _ text: UnsafeRawBufferPointer, _ asked: AskedQuery
    ) {
        guard text.count <= Self.maximumBytes else { return }
        let hash = Self.hash(type, text)
        let place = Self.place(of: hash)
        guard missed[place] == hash else {
            missed[place] = hash
            return
        }
        guard entry(of: type, text, at: place) == nil else { return }
        entries[place] = Entry(
            type: type, text: [UInt8](text), asked: asked.isLasting ? asked : nil)
    }

    private func entry(
        of type: TypeName, _ text: UnsafeRawBufferPointer, at place: Int
    ) -> Entry? {
        guard let entry = entries[place], entry.type == type,
            entry.text.withUnsafeBytes({ Bytes.equal($0, text) })
        else { return nil }
        return entry
    }

    private static func hash(_ type: TypeName, _ text: UnsafeRawBufferPointer) -> UInt64 {
        let words = SeededHash.process
        return words.hash(text) ^ type.withBytes { words.hash($0) }
    }

    private static func place(of hash: UInt64) -> Int { Int(hash % UInt64(capacity)) }
}
