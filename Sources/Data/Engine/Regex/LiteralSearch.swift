/// A text that every match has in it, and how to find it fast.
///
/// Two of its bytes, rare ones by a guess, are looked for sixteen places at a time; only where
/// both fit the rest is compared. A text has at most 32 bytes, so that a place costs no more than
/// these, whatever stands there. A byte that ignores case is compared with its case bit set.
struct LiteralSearch: Sendable {
    static let longest = 32

    /// Its length in bytes.
    let count: Int
    // In place, so that a search counts no references.
    private var values = SIMD32<UInt8>()
    private var masks = SIMD32<UInt8>()
    /// Its bytes are spelled by themselves in a stored string, so a stored string without them
    /// stands for a text without them.
    let isPlain: Bool
    /// Places of the rare bytes in the text; the same for a text of one byte.
    private let first: Int
    private let second: Int
    private let firstValue: UInt8
    private let firstMask: UInt8
    private let secondValue: UInt8
    private let secondMask: UInt8
    /// How well it tells texts apart.
    let score: Int

    /// - Parameters:
    ///   - values: 1...32 bytes, those that ignore case in lower case.
    ///   - masks: 0x20 for bytes that ignore case, else 0.
    init?(values: [UInt8], masks: [UInt8]) {
        guard !values.isEmpty, values.count == masks.count, values.count <= Self.longest else {
            return nil
        }
        count = values.count
        for index in values.indices {
            self.values[index] = values[index]
            self.masks[index] = masks[index]
        }
        isPlain = values.allSatisfy {
            $0 >= 0x20 && $0 < 0x80 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        let order = values.indices.sorted {
            (-Self.rarity(values[$0]), $0) < (-Self.rarity(values[$1]), $1)
        }
        first = order[0]
        second = order.count > 1 ? order[1] : order[0]
        firstValue = values[first]
        firstMask = masks[first]
        secondValue = values[second]
        secondMask = masks[second]
        score =
            4 * Self.rarity(values[first]) + (order.count > 1 ? 4 * Self.rarity(values[second]) : 0)
            + values.count
    }

    /// A guess how rare a byte is in texts of any language, 0...8.
    private static func rarity(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: " "): 0
        case UInt8(ascii: "e"), UInt8(ascii: "a"), UInt8(ascii: "i"), UInt8(ascii: "o"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "s"):
            1
        case UInt8(ascii: "l"), UInt8(ascii: "d"), UInt8(ascii: "c"), UInt8(ascii: "u"): 2
        case UInt8(ascii: "j"), UInt8(ascii: "q"), UInt8(ascii: "x"), UInt8(ascii: "z"): 6
        case UInt8(ascii: "a")...UInt8(ascii: "z"): 3
        case 0x80...: 3
        case UInt8(ascii: "0")...UInt8(ascii: "9"): 5
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): 6
        default: 7
        }
    }

    /// The first place at or behind `start` where the text stands, or nil. O(bytes).
    func find(in text: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        let lastPlace = text.count - count
        guard let bytes = text.baseAddress, start <= lastPlace else { return nil }
        var place = start
        // The last block may look at places again that the one before had.
        let lastBlock = text.count - 16 - max(first, second)
        if lastBlock >= start {
            let wantedFirst = SIMD16<UInt8>(repeating: firstValue)
            let wantedSecond = SIMD16<UInt8>(repeating: secondValue)
            let maskFirst = SIMD16<UInt8>(repeating: firstMask)
            let maskSecond = SIMD16<UInt8>(repeating: secondMask)
            while place <= lastPlace {
                let block = min(place, lastBlock)
                let one = (bytes + (block + first)).loadUnaligned(as: SIMD16<UInt8>.self)
                let two = (bytes + (block + second)).loadUnaligned(as: SIMD16<UInt8>.self)
                let hits =
                    ((one | maskFirst) .== wantedFirst) .& ((two | maskSecond) .== wantedSecond)
                let words = unsafeBitCast(hits, to: SIMD2<UInt64>.self)
                if words.x | words.y != 0 {
                    for lane in 0..<16 {
                        let bits = lane < 8 ? words.x : words.y
                        guard bits >> UInt64(8 * (lane & 7)) & 1 != 0 else { continue }
                        let hit = block + lane
                        if hit >= place, hit <= lastPlace, stands(at: bytes + hit) { return hit }
                    }
                }
                place = block + 16
            }
            return nil
        }
        while place <= lastPlace {
            if bytes.load(fromByteOffset: place + first, as: UInt8.self) | firstMask == firstValue,
                stands(at: bytes + place)
            {
                return place
            }
            place += 1
        }
        return nil
    }

    private func stands(at place: UnsafeRawPointer) -> Bool {
        for index in 0..<count
        where place.load(fromByteOffset: index, as: UInt8.self) | masks[index] != values[index] {
            return false
        }
        return true
    }
}
