/// Equality by value.
package enum JSONEquality {
    /// Whether two canonical values are equal: numbers by value, strings by their scalars, arrays
    /// element by element, objects regardless of the order of their members.
    ///
    /// - Complexity: O(bytes) while members stand in the same order, which they mostly do; O(bytes)
    ///   for each level of objects that have them in another one, and only these allocate.
    ///   Recursion is as deep as the values nest, which the scanner limits.
    package static func equal(_ left: JSONView, _ right: JSONView) -> Bool {
        if JSONText.areSame(left.bytes, right.bytes) { return true }
        guard let left = JSONCursor(left), let right = JSONCursor(right) else { return false }
        var walk = Walk(left: left, right: right)
        return walk.equalValues(depth: 0)
    }

    /// Walks two texts in step. Every byte is passed once: a container's end is found by walking
    /// its contents, not by skipping it first.
    private struct Walk {
        var left: JSONCursor
        var right: JSONCursor

        mutating func equalValues(depth: Int) -> Bool {
            guard left.byte != 0, right.byte != 0 else { return false }
            let byte = left.byte
            guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
                return equalLeaves()
            }
            guard right.byte == byte, depth < JSONScanner.highestDepth else { return false }
            left.offset += 1
            right.offset += 1
            return byte == UInt8(ascii: "{")
                ? equalMembers(depth: depth + 1) : equalElements(depth: depth + 1)
        }

        private mutating func equalLeaves() -> Bool {
            let isNumber = JSONScanner.kind(of: left.byte) == .number
            guard !isNumber || JSONScanner.kind(of: right.byte) == .number else { return false }
            guard right.byte != UInt8(ascii: "{"), right.byte != UInt8(ascii: "[") else {
                return false
            }
            let first = left.passValue()
            let second = right.passValue()
            if JSONText.areSame(first, second) { return true }
            return isNumber && JSONNumber.equal(first, second)
        }

        /// Passes what closes both or separates both.
        ///
        /// - Returns: Whether another follows; nothing if the two differ.
        @inline(__always)
        private mutating func passSeparator(_ close: UInt8) -> Bool? {
            let byte = left.byte
            guard right.byte == byte, byte == close || byte == UInt8(ascii: ",") else {
                return nil
            }
            left.offset += 1
            right.offset += 1
            return byte != close
        }

        private mutating func equalElements(depth: Int) -> Bool {
            if left.byte == UInt8(ascii: "]") || right.byte == UInt8(ascii: "]") {
                return passSeparator(UInt8(ascii: "]")) == false
            }
            while true {
                guard equalValues(depth: depth),
                    let more = passSeparator(UInt8(ascii: "]"))
                else { return false }
                if !more { return true }
            }
        }

        private mutating func equalMembers(depth: Int) -> Bool {
            if left.byte == UInt8(ascii: "}") || right.byte == UInt8(ascii: "}") {
                return passSeparator(UInt8(ascii: "}")) == false
            }
            while true {
                let starts = (left.offset, right.offset)
                guard JSONText.areSame(left.passValue(), right.passValue()) else {
                    left.offset = starts.0
                    right.offset = starts.1
                    return equalUnordered(depth: depth)
                }
                left.offset += 1
                right.offset += 1
                guard equalValues(depth: depth),
                    let more = passSeparator(UInt8(ascii: "}"))
                else { return false }
                if !more { return true }
            }
        }

        /// Names are distinct on each side, so equal counts and every name found is enough.
        private mutating func equalUnordered(depth: Int) -> Bool {
            let members = left.passMembers()
            let others = right.passMembers()
            guard members.count == others.count else { return false }
            let lookup = MemberLookup(others)
            for member in members {
                guard let position = lookup.position(of: member.name),
                    let left = JSONCursor(member.value),
                    let right = JSONCursor(others[position].value)
                else { return false }
                var walk = Walk(left: left, right: right)
                guard walk.equalValues(depth: depth) else { return false }
            }
            return true
        }
    }
}
