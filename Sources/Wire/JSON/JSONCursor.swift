import FreshetBase

/// A place in a canonical value. Who compares or hashes what nests goes on through its contents with it,
/// and passes every byte once: to take a container's elements as views is to look for the end of each
/// again at each level.
package struct JSONCursor {
    let base: UnsafeRawPointer
    package internal(set) var offset: Int
    let end: Int

    init(base: UnsafeRawPointer, offset: Int = 0, end: Int) {
        self.base = base
        self.offset = offset
        self.end = end
    }

    /// At the beginning of `value`; nil where that has no bytes. The value's memory must outlive it.
    package init?(_ value: JSONView) {
        guard let base = value.base else { return nil }
        self.init(base: base, end: value.count)
    }

    /// The byte here; a zero, which is nowhere in canonical text, at the end.
    @inline(__always)
    package var byte: UInt8 {
        offset < end ? base.load(fromByteOffset: offset, as: UInt8.self) : 0
    }

    /// Passes a bracket, a comma or a colon.
    @inline(__always)
    package mutating func passByte() { offset += 1 }

    /// Passes the value here, a container as a whole, and returns its bytes.
    @inline(__always)
    package mutating func passValue() -> UnsafeRawBufferPointer {
        guard offset < end else { return UnsafeRawBufferPointer(start: base + end, count: 0) }
        let start = offset
        offset = JSONLexis.valueEnd(base, from: start, to: end)
        return UnsafeRawBufferPointer(start: base + start, count: offset - start)
    }

    /// Passes the bracket that ends a container, or the comma before its next part.
    ///
    /// - Returns: Whether there is a next part.
    @inline(__always)
    package mutating func passSeparator() -> Bool {
        let isComma = byte == UInt8(ascii: ",")
        offset += 1
        return isComma
    }

    /// Passes the rest of an object, from a member's name on, and its closing brace.
    mutating func passMembers() -> [JSONMemberView] {
        var members = JSONMembers(base, from: offset, end)
        var list: [JSONMemberView] = []
        while let member = members.next() { list.append(member) }
        offset = min(members.offset, end)
        return list
    }
}
