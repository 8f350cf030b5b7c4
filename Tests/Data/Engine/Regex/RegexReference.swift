/// An expression as a tree that tests make, print as a pattern, and match by definition: the set
/// of places where a match that begins at a place may end. Independent of what it checks, and
/// polynomial, so that no random pattern takes long.
indirect enum ReferenceRegex {
    case character(Unicode.Scalar)
    case any
    case digit(Bool), word(Bool), space(Bool)
    case members([ClosedRange<UInt32>], isNegated: Bool)
    case start, end, boundary(Bool)
    case sequence([ReferenceRegex])
    case choice([ReferenceRegex])
    case repeated(ReferenceRegex, Int, Int?, isLazy: Bool)

    /// The pattern's text; atoms that need it are in groups.
    var pattern: String {
        switch self {
        case .character(let scalar): Self.spelled(scalar)
        case .any: "."
        case .digit(let isIn): isIn ? "\\d" : "\\D"
        case .word(let isIn): isIn ? "\\w" : "\\W"
        case .space(let isIn): isIn ? "\\s" : "\\S"
        case .members(let ranges, let isNegated):
            "[\(isNegated ? "^" : "")"
                + ranges.map { range in
                    let ends = [range.lowerBound, range.upperBound].compactMap(Unicode.Scalar.init)
                    let texts = ends.map(Self.spelled)
                    return range.count == 1 ? texts[0] : "\(texts[0])-\(texts[1])"
                }.joined() + "]"
        case .start: "^"
        case .end: "$"
        case .boundary(let isIn): isIn ? "\\b" : "\\B"
        case .sequence(let parts): parts.map(\.grouped).joined()
        case .choice(let parts): parts.map(\.pattern).joined(separator: "|")
        case .repeated(let part, let low, let high, let isLazy):
            (part.isAtom ? part.pattern : "(\(part.pattern))") + Self.count(low, high)
                + (isLazy ? "?" : "")
        }
    }

    private static func count(_ low: Int, _ high: Int?) -> String {
        switch (low, high) {
        case (0, nil): "*"
        case (1, nil): "+"
        case (0, 1): "?"
        case (_, nil): "{\(low),}"
        case (_, let high?): high == low ? "{\(low)}" : "{\(low),\(high)}"
        }
    }

    private static func spelled(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\t": "\\t"
        case "a"..."z", "A"..."Z", "0"..."9", " ", "_": String(Character(scalar))
        case "\u{7F}"...: String(Character(scalar))
        default: "\\\(scalar)"
        }
    }

    private var isAtom: Bool {
        switch self {
        case .character, .any, .digit, .word, .space, .members: true
        default: false
        }
    }

    /// Whether it may take nothing; an assertion always does.
    private var mayBeEmpty: Bool {
        switch self {
        case .character, .any, .digit, .word, .space, .members: false
        case .start, .end, .boundary: true
        case .sequence(let parts): parts.allSatisfy(\.mayBeEmpty)
        case .choice(let parts): parts.contains(where: \.mayBeEmpty)
        case .repeated(let part, let low, _, _): low == 0 || part.mayBeEmpty
        }
    }

    /// Whether it repeats lazily what may take nothing. ICU, the platform's engine, does not find
    /// all that such a repeat does: `b(?:\b|.)(\b)+?a` not in `b a`, as Perl, Python and
    /// JavaScript do.
    var repeatsNothingLazily: Bool {
        switch self {
        case .sequence(let parts), .choice(let parts): parts.contains(where: \.repeatsNothingLazily)
        case .repeated(let part, _, _, let isLazy):
            isLazy && part.mayBeEmpty || part.repeatsNothingLazily
        default: false
        }
    }

    private var grouped: String {
        if case .choice = self { return "(?:\(pattern))" }
        return pattern
    }

    // MARK: Meaning

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar == "_" || Character(scalar).isLetter || Character(scalar).isNumber)
    }

    private func takes(_ scalar: Unicode.Scalar) -> Bool? {
        switch self {
        case .character(let wanted): scalar == wanted
        case .any: scalar != "\n"
        case .digit(let isIn): ("0"..."9").contains(scalar) == isIn
        case .word(let isIn): Self.isWord(scalar) == isIn
        case .space(let isIn):
            [" ", "\t", "\n", "\r", "\u{B}", "\u{C}"].contains(scalar) == isIn
        case .members(let ranges, let isNegated):
            ranges.contains { $0.contains(scalar.value) } != isNegated
        default: nil
        }
    }

    func ends(_ text: [Unicode.Scalar], from place: Int) -> Set<Int> {
        if place < text.count, let isTaken = takes(text[place]) {
            return isTaken ? [place + 1] : []
        }
        switch self {
        case .start: return place == 0 ? [place] : []
        case .end: return place == text.count ? [place] : []
        case .boundary(let isIn):
            let before = place > 0 && Self.isWord(text[place - 1])
            let after = place < text.count && Self.isWord(text[place])
            return (before != after) == isIn ? [place] : []
        case .sequence(let parts):
            var places: Set<Int> = [place]
            for part in parts {
                places = places.reduce(into: []) { $0.formUnion(part.ends(text, from: $1)) }
            }
            return places
        case .choice(let parts):
            return parts.reduce(into: []) { $0.formUnion($1.ends(text, from: place)) }
        case .repeated(let part, let low, let high, _):
            var places: Set<Int> = [place]
            var result: Set<Int> = low == 0 ? places : []
            var round = 0
            while round < (high ?? low + text.count + 1), !places.isEmpty {
                places = places.reduce(into: []) { $0.formUnion(part.ends(text, from: $1)) }
                round += 1
                if round >= low { result.formUnion(places) }
            }
            return result
        default:
            return []
        }
    }

    func isFound(in text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return (0...scalars.count).contains { !ends(scalars, from: $0).isEmpty }
    }

    // MARK: Chance

    /// - Parameter alphabet: Scalars that patterns and texts are made of.
    static func random(
        depth: Int, alphabet: [Unicode.Scalar], using generator: inout SeededGenerator
    ) -> ReferenceRegex {
        func inner() -> ReferenceRegex {
            random(depth: depth - 1, alphabet: alphabet, using: &generator)
        }
        switch generator.below(depth > 0 ? 20 : 11) {
        case 0...4: return .character(generator.pick(alphabet))
        case 5: return .any
        case 6: return generator.pick([.digit(true), .word(true), .space(true)])
        case 7: return generator.pick([.digit(false), .word(false), .space(false)])
        case 8, 9:
            let ranges = (0..<1 + generator.below(3)).map { _ -> ClosedRange<UInt32> in
                let one = generator.pick(alphabet).value
                let two = generator.below(2) == 0 ? one : generator.pick(alphabet).value
                return min(one, two)...max(one, two)
            }
            return .members(ranges, isNegated: generator.below(3) == 0)
        case 10:
            return generator.pick([.start, .end, .boundary(true), .boundary(false)])
        case 11...14:
            return .sequence((0..<1 + generator.below(4)).map { _ in inner() })
        case 15, 16:
            return .choice((0..<2 + generator.below(2)).map { _ in inner() })
        default:
            let low = generator.below(4)
            let high: Int? = generator.below(2) == 0 ? nil : low + generator.below(4)
            let part = inner()
            return .repeated(part, low, high, isLazy: generator.below(3) == 0)
        }
    }
}
