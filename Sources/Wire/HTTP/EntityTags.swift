import FreshetBase

/// `If-Match` and `If-None-Match` (RFC 9110 13.1, 8.8.3): `*`, or a list of `"…"` and `W/"…"`.
package enum EntityTags {
    package enum Comparison: Sendable {
        /// Both strong and equal; for `If-Match`.
        case strong
        /// Equal, whether weak or not; for `If-None-Match`.
        case weak
    }

    package enum Answer: Equatable, Sendable {
        case matches
        case differs
        /// The list is no list of entity tags.
        case malformed
    }

    /// Whether the value is `*`: any entity that exists.
    package static func isAny(_ list: UnsafeRawBufferPointer) -> Bool {
        HeaderText.trim(list).equals("*")
    }

    /// Compares every tag of the list with `tag`; `*` matches.
    ///
    /// - Parameter tag: A tag as it is sent, with its quotes and `W/` if it is weak.
    package static func match(
        _ list: UnsafeRawBufferPointer, _ tag: UnsafeRawBufferPointer, _ comparison: Comparison
    ) -> Answer {
        if isAny(list) { return .matches }
        let (mine, mineIsWeak) = opaque(tag)
        var answer = Answer.differs
        var position = 0
        var isEmpty = true
        while true {
            while position < list.count,
                HeaderText.isBlank(list[position]) || list[position] == Ascii.comma
            {
                position += 1
            }
            guard position < list.count else { return isEmpty ? .malformed : answer }
            guard let end = endOfTag(list, position) else { return .malformed }
            let (opaqueTag, isWeak) = opaque(list.part(position..<end))
            if Bytes.equal(opaqueTag, mine), comparison == .weak || !isWeak && !mineIsWeak {
                answer = .matches
            }
            isEmpty = false
            position = end
            while position < list.count, HeaderText.isBlank(list[position]) { position += 1 }
            guard position == list.count || list[position] == Ascii.comma else {
                return .malformed
            }
        }
    }

    /// The same with the strong tag of a revision, `"1042"`.
    package static func match(
        _ list: UnsafeRawBufferPointer, revision: UInt64, _ comparison: Comparison
    ) -> Answer {
        // Two quotes and at most 20 digits.
        withUnsafeTemporaryAllocation(byteCount: 22, alignment: 1) { room in
            guard let base = room.baseAddress else { return .malformed }
            room[21] = Ascii.quote
            let digits = Decimal.write(revision, endingAt: base + 21)
            (digits - 1).storeBytes(of: Ascii.quote, as: UInt8.self)
            let tag = UnsafeRawBufferPointer(start: digits - 1, count: base + 23 - digits)
            return match(list, tag, comparison)
        }
    }

    /// Behind the closing quote of the tag that begins at `start`. A tag has no escapes: its
    /// characters are visible ones but the quote, and bytes from 0x80. A comma is one of them.
    private static func endOfTag(_ list: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        var position = start
        if list[position] == UInt8(ascii: "W") {
            guard position + 1 < list.count, list[position + 1] == UInt8(ascii: "/") else {
                return nil
            }
            position += 2
        }
        guard position < list.count, list[position] == Ascii.quote else { return nil }
        position += 1
        while position < list.count, list[position] != Ascii.quote {
            guard list[position] > Ascii.space, list[position] != 0x7f else { return nil }
            position += 1
        }
        return position < list.count ? position + 1 : nil
    }

    private static func opaque(
        _ tag: UnsafeRawBufferPointer
    ) -> (opaque: UnsafeRawBufferPointer, isWeak: Bool) {
        guard tag.count > 2, tag[0] == UInt8(ascii: "W"), tag[1] == UInt8(ascii: "/") else {
            return (tag, false)
        }
        return (tag.part(2..<tag.count), true)
    }
}
