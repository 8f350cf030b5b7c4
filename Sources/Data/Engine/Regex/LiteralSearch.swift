/// A text that every match has in it, and how to find it fast.
///
/// Two of its bytes, rare ones by a guess, are looked for sixteen places at a time; only where
/// both fit the rest is compared. A text has at most 32 bytes, so that a place costs no more than
/// these, whatever stands there. A byte that ignores case is compared with its case bit set.
struct LiteralSearch: Sendable {
    static let longest = 32

    private let values: [UInt8]
    private let masks: [UInt8]
    /// Places of the rare bytes in the text; the same for a text of one byte.
    private let first: Int
    private let second: Int
    /// How well it tells texts apart.
    let score: Int

    /// - Parameters:
    ///   - values: 1...32 bytes, those that ignore case in lower case.
    ///   - masks: 0x20 for bytes that ignore case, else 0.
    init?(values: [UInt8], masks: [UInt8]) {
        guard !values.isEmpty, values.count == masks.count, values.count <= Self.longest else {
            return nil
        }
        self.values = values
        self.masks = masks
        let order = values.indices.sorted {
            (-Self.rarity(values[$0]), $0) < (-Self.rarity(values[$1]), $1)
        }
        first = order[0]
        second = order.count > 1 ? order[1] : order[0]
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
        let count = values.count
        let lastPlace = text.count - count
        guard let bytes = text.baseAddress, start <= lastPlace else { return nil }
        return values.withUnsafeBufferPointer { values in
            masks.withUnsafeBufferPointer { masks in
                func stands(at place: Int) -> Bool {
                    for index in 0..<count {
                        let byte = bytes.load(fromByteOffset: place + index, as: UInt8.self)
                        if byte | masks[index] != values[index] { return false }
                    }
                    return true
                }
                var place = start
                let wantedFirst = SIMD16<UInt8>(repeating: values[first])
                let wantedSecond = SIMD16<UInt8>(repeating: values[second])
                let maskFirst = SIMD16<UInt8>(repeating: masks[first])
                let maskSecond = SIMD16<UInt8>(repeating: masks[second])
                // The last block may look at places again that the one before had.
                let lastBlock = text.count - 16 - max(first, second)
                while place <= lastPlace, lastBlock >= start {
                    let block = min(place, lastBlock)
                    let one = (bytes + (block + first)).loadUnaligned(as: SIMD16<UInt8>.self)
                    let two = (bytes + (block + second)).loadUnaligned(as: SIMD16<UInt8>.self)
                    let hits =
                        ((one | maskFirst) .== wantedFirst)
                        .& ((two | maskSecond) .== wantedSecond)
                    let words = unsafeBitCast(hits, to: SIMD2<UInt64>.self)
                    if words.x | words.y != 0 {
                        var bits = words.x
                        var base = block
                        for _ in 0..<2 {
                            while bits != 0 {
                                let lane = bits.trailingZeroBitCount >> 3
                                let hit = base + lane
                                if hit >= place, hit <= lastPlace, stands(at: hit) { return hit }
                                bits &= ~(0xFF << UInt64(8 * lane))
                            }
                            bits = words.y
                            base = block + 8
                        }
                    }
                    place = block + 16
                }
                while place <= lastPlace {
                    if stands(at: place) { return place }
                    place += 1
                }
                return nil
            }
        }
    }
}
