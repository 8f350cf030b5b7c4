import FreshetBase
import FreshetJSON

extension Document {
    /// Whether both say the same: same id, same members with equal values.
    ///
    /// Numbers are compared by value; the order of members and the spelling of the id do not
    /// count. A write of the same content is no change.
    ///
    /// - Complexity: One `memcmp` where the bytes are equal; else linear where the members stand
    ///   in the same order, O(m log m) in the number of members where they do not.
    package func hasSameContent(as other: Document) -> Bool {
        if self === other { return true }
        if Bytes.equal(json, other.json) { return true }
        let count = memberCount
        guard count == other.memberCount, Bytes.equal(idBytes, other.idBytes) else { return false }
        var index = 0
        while index < count {
            guard Bytes.equal(memberName(at: index), other.memberName(at: index)) else {
                return hasSameMembersSorted(as: other)
            }
            guard hasEqualValue(at: index, other, at: index) else { return false }
            index += 1
        }
        return true
    }

    private func hasSameMembersSorted(as other: Document) -> Bool {
        let mine = membersByName()
        let theirs = other.membersByName()
        for (left, right) in zip(mine, theirs) {
            guard Bytes.equal(memberName(at: left), other.memberName(at: right)) else {
                return false
            }
            guard hasEqualValue(at: left, other, at: right) else { return false }
        }
        return true
    }

    private func membersByName() -> [Int] {
        (0..<memberCount).sorted { Bytes.compare(memberName(at: $0), memberName(at: $1)) < 0 }
    }

    /// Whether two members of one name have equal values; those of `id` are known to be.
    private func hasEqualValue(at index: Int, _ other: Document, at otherIndex: Int) -> Bool {
        let left = memberValue(at: index)
        let right = other.memberValue(at: otherIndex)
        if Bytes.equal(left.bytes, right.bytes) || JSONEquality.equal(left, right) { return true }
        return memberName(at: index).elementsEqual("id".utf8)
    }
}
