import FreshetQuery

/// The text of an id beside the first eight bytes of its place in the id order.
///
/// Two keys with different heads are ordered by them alone; only equal heads need the texts, and
/// with them a look at the documents that carry them.
struct IDKey {
    /// `EntityID.orderPrefix` of the text.
    let head: UInt64
    /// The unescaped id, kept alive by whoever made the key.
    let text: UnsafeRawBufferPointer

    @inline(__always)
    init(_ text: UnsafeRawBufferPointer) {
        head = EntityID.orderPrefix(text)
        self.text = text
    }

    /// How this key stands to the id of `document`, whose head is known to equal this one's:
    /// below 0 where it comes before, 0 where it is the same.
    @inline(__always)
    func compareText(_ document: Document) -> Int {
        EntityID.compare(text, document.idBytes)
    }
}
