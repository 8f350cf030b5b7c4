import FreshetBase
import FreshetJSON
import FreshetQuery
import Testing

/// The filter of a JSON tree in any spelling.
func tree(_ json: String, depthLimit: Int = 512) throws -> Filter {
    let bytes = Array(json.utf8)
    return try bytes.withUnsafeBytes { bytes in
        var scanner = JSONScanner(depthLimit: depthLimit)
        _ = try scanner.scan(bytes)
        var canonical = ByteBuffer()
        JSONCanonical.compact(bytes, into: &canonical)
        return try Filter(json: JSONView(canonical: canonical.bytes))
    }
}

private func treeFault(_ json: String) -> FilterFault? {
    do {
        _ = try tree(json)
        return nil
    } catch {
        return error as? FilterFault
    }
}

@Suite struct FilterTreeTests {
    @Test(arguments: [
        (#"{"property":"x","op":"==","value":1.0}"#, "x == 1.0"),
        (#"{"property":"a.b","op":"!=","value":"q"}"#, "a.b != 'q'"),
        (#"{"property":"`a.b`","op":"<","value":null}"#, "`a.b` < null"),
        (#"{"property":"x","op":"<=","value":[1,[2]]}"#, "x <= [1,[2]]"),
        (#"{"property":"x","op":">","value":true}"#, "x > true"),
        (#"{"property":"x","op":">=","value":-1}"#, "x >= -1"),
        (#"{"value":"^a","op":"~=","property":"x"}"#, "x ~= '^a'"),
        (#"{"property":"x","op":">>","value":[1,2]}"#, "x >> [1,2]"),
        (#"{"property":"x","op":"in","value":[]}"#, "x in []"),
        (#"{"property":"x","op":"has","value":1}"#, "x has 1"),
        (#"{"property":"x","op":"hasAny","value":[1,2]}"#, "x hasAny [1,2]"),
        (#"{"property":"x","op":"hasAll","value":"a"}"#, "x hasAll 'a'"),
        (#"{"property":"x","op":"exists"}"#, "exists(x)"),
        (#"{"property":"x","op":"isNull"}"#, "isNull(x)"),
        (#"{"property":"x","op":"startsWith","value":"a"}"#, "startsWith(x,'a')"),
        (#"{"property":"x","op":"contains","value":"\u00e9"}"#, "contains(x,'é')"),
        (#"{"property":"x","op":"endsWith","value":"a"}"#, "endsWith(x,'a')"),
        (#"{"size":"tags","op":">","value":2}"#, "size(tags) > 2"),
        (#"{"property":"done"}"#, "done"),
        ("true", "true"), ("false", "false"),
        (#"{"not":{"property":"x"}}"#, "!x"),
        (
            #"{"and":[{"property":"x"},{"or":[{"property":"y"},{"property":"z"}]}]}"#,
            "x and (y or z)"
        ),
        (#"{"and":[]}"#, "true"), (#"{"or":[]}"#, "false"), (#"{"or":[{"property":"x"}]}"#, "x"),
        (#"" x == 'a' ""#, "x == 'a'"), (#""x == \"a\"""#, "x == 'a'"),
    ])
    func theTreeSaysWhatTheTextSays(json: String, text: String) throws {
        #expect(try tree(json) == parse(text))
    }

    @Test(arguments: [
        ("7", ""), ("null", ""), ("[]", ""), ("{}", ""), (#"{"foo":1}"#, "/foo"),
        (#"{"and":[],"or":[]}"#, ""), (#"{"and":{}}"#, "/and"), (#"{"and":[7]}"#, "/and/0"),
        (#"{"or":[true,{"not":{"property":7}}]}"#, "/or/1/not/property"),
        (#"{"and":[],"op":"=="}"#, ""), (#"{"property":"x","size":"y"}"#, ""),
        (#"{"property":"x","op":"="}"#, "/op"), (#"{"property":"x","op":7}"#, "/op"),
        (#"{"property":"x","value":7}"#, "/op"), (#"{"property":"x","op":"=="}"#, "/value"),
        (#"{"property":"x","op":"==","value":{}}"#, "/value"),
        (#"{"property":"x","op":"==","value":[{}]}"#, "/value"),
        (#"{"property":"x","op":"in","value":1}"#, "/value"),
        (#"{"property":"x","op":"exists","value":true}"#, "/value"),
        (#"{"property":"x","op":"startsWith","value":1}"#, "/value"),
        (#"{"property":"x","op":"~=","value":1}"#, "/value"),
        (#"{"property":"a b","op":"exists"}"#, "/property"), (#"{"property":""}"#, "/property"),
        (#"{"size":"x","op":">","value":1.5}"#, "/value"), (#"{"size":"x","value":1}"#, "/op"),
        (#"{"size":"x","op":"has","value":1}"#, "/op"), (#"{"and":["x == 1"]}"#, "/and/0"),
    ])
    func aMistakeIsToldWithItsPointer(json: String, pointer: String) {
        guard case .tree(let at, let expected)? = treeFault(json) else {
            Issue.record("\(json) is accepted, or another fault")
            return
        }
        #expect(at == pointer, "\(json): \(expected)")
    }

    @Test func theLimitsHoldForTreesToo() throws {
        let nots = { (count: Int) in
            String(repeating: #"{"not":"#, count: count) + "true"
                + String(repeating: "}", count: count)
        }
        #expect(treeFault(nots(64)) == nil)
        #expect(treeFault(nots(65)) == .tooComplex("a filter is at most 64 levels deep"))
        let many = { (count: Int) in
            #"{"or":["# + Array(repeating: "true", count: count).joined(separator: ",") + "]}"
        }
        #expect(treeFault(many(999)) == nil)
        #expect(treeFault(many(1000)) == .tooComplex("a filter has at most 1000 nodes"))
        let list = { (count: Int) in
            #"{"property":"x","op":"in","value":["#
                + Array(repeating: "1", count: count).joined(separator: ",") + "]}"
        }
        #expect(treeFault(list(10_000)) == nil)
        #expect(treeFault(list(10_001)) == .tooComplex("a list has at most 10000 elements"))
        #expect(
            treeFault("\"" + String(repeating: " ", count: 16_385) + "\"")
                == .tooComplex("a filter has at most 16384 bytes of text"))
        let or = { (part: String, count: Int) in
            #"{"or":["# + Array(repeating: part, count: count).joined(separator: ",") + "]}"
        }
        let pattern =
            #"{"property":"x","op":"~=","value":"\#(String(repeating: "a", count: 8_000))"}"#
        #expect(treeFault(or(pattern, 2)) == nil)
        #expect(
            treeFault(or(pattern, 3))
                == .tooComplex("a filter's regular expressions have at most 16384 bytes together"))
        let name = { (count: Int) in
            #"{"property":"\#(String(repeating: "a", count: count))","op":"exists"}"#
        }
        let size = #"{"size":"\#(String(repeating: "a", count: 16_000))","op":">","value":1}"#
        #expect(treeFault(or(name(16_000), 60)) == nil)
        for part in [name(16_000), size] {
            #expect(
                treeFault(or(part, 70))
                    == .tooComplex(
                        "the names of a filter's properties have at most 2097152 bytes, counted"
                            + " once for each level they lie deep"))
        }
        // 20 KB each, two levels deep.
        #expect(treeFault(or(list(10_000), 50)) == nil)
        #expect(
            treeFault(or(list(10_000), 60))
                == .tooComplex(
                    "a filter's values have at most 2097152 bytes, counted once for each level they"
                        + " lie deep"))
    }
}

/// Numbers from a seed (SplitMix64), so that a failure can be repeated.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

/// Random filters over few names and values, so that they often speak of the same.
struct FilterMaker {
    var numbers: SeededNumbers

    static let names = ["x", "y", "id", "and", "a b", "size", "q`\""]
    static let values = [
        "1", "1.0", "2", "-3e0", "30e-1", "true", "false", "null", "\"\"", "\"a\"", "\"b\\n\"",
        "\"7\"",
        "7", "[]", "[1]", "[1.0,\"a\"]",
    ]

    mutating func path() -> PropertyPath {
        let name = Self.names.randomElement(using: &numbers) ?? "x"
        return Int.random(in: 0..<8, using: &numbers) == 0
            ? PropertyPath([name, "z"]) : PropertyPath([name])
    }

    mutating func value() -> Literal { literal(Self.values.randomElement(using: &numbers) ?? "1") }

    mutating func string() -> Literal {
        literal(["\"\"", "\"a\"", "\"b\\n\""].randomElement(using: &numbers) ?? "\"\"")
    }

    mutating func values() -> [Literal] {
        (0..<Int.random(in: 0...4, using: &numbers)).map { _ in value() }
    }

    mutating func comparison() -> Comparison {
        [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
            .randomElement(using: &numbers) ?? .equal
    }

    mutating func filter(depth: Int) -> Filter {
        let kind = Int.random(in: 0..<(depth > 0 ? 20 : 14), using: &numbers)
        switch kind {
        case 0, 1, 2: return .compare(path(), comparison(), value())
        case 3: return .compare(path(), .equal, value())
        case 4: return .isIn(path(), values())
        case 5: return .has(path(), value())
        case 6: return .hasAny(path(), values())
        case 7: return .hasAll(path(), values())
        case 8: return .exists(path())
        case 9: return .isNull(path())
        case 10:
            let (path, string) = (path(), string())
            return [.startsWith(path, string), .endsWith(path, string), .contains(path, string)]
                .randomElement(using: &numbers) ?? .constant(true)
        case 11: return .size(path(), comparison(), Int64.random(in: -1...3, using: &numbers))
        case 12: return .isTrue(path())
        case 13: return .constant(Bool.random(using: &numbers))
        case 14, 15: return .not(filter(depth: depth - 1))
        default:
            let parts = (0..<Int.random(in: 2...4, using: &numbers)).map { _ in
                filter(depth: depth - 1)
            }
            return kind % 2 == 0 ? .and(parts) : .or(parts)
        }
    }

    /// The same meaning, written otherwise: parts shuffled, repeated, grouped, negated twice.
    mutating func rearranged(_ filter: Filter) -> Filter {
        switch filter {
        case .and(let parts): return regrouped(parts, Filter.and)
        case .or(let parts): return regrouped(parts, Filter.or)
        case .not(.and(let parts)) where Bool.random(using: &numbers):
            return .or(parts.map { rearranged(.not($0)) })
        case .not(let part): return .not(rearranged(part))
        case .isIn(let path, let list):
            return .isIn(path, (list + list.prefix(1)).shuffled(using: &numbers))
        case .compare(let path, .notEqual, let literal) where Bool.random(using: &numbers):
            return .not(.compare(path, .equal, literal))
        case let test: return Bool.random(using: &numbers) ? test : .not(.not(test))
        }
    }

    private mutating func regrouped(_ parts: [Filter], _ make: ([Filter]) -> Filter) -> Filter {
        var parts = parts.map { rearranged($0) }
        if Bool.random(using: &numbers), let first = parts.first { parts.append(first) }
        parts.shuffle(using: &numbers)
        guard parts.count > 2, Bool.random(using: &numbers) else { return make(parts) }
        return make([make(Array(parts[..<2]))] + parts[2...])
    }
}

@Suite struct FilterTextTests {
    @Test func aFilterPrintsAsTextThatReadsBackAsItself() throws {
        for text in [
            "x == 1 and (y or !z)", "!(x and y)", "(x or y) or z", "x and (y and z)", "!!x",
            "`and`.b == 'it\\'s'", "size(`a b`) >= 3 or `size`", "x ~= '\\\\d+'",
            "x in [1,null,'a\\n'] and y hasAll []", "!x == 1", "true or false",
        ] {
            let filter = try parse(String(text))
            #expect(try parse(filter.description) == filter, "\(filter)")
        }
    }

    @Test func randomFiltersPrintAndReadBack() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of randomFiltersPrintAndReadBack: \(seed)")
        var maker = FilterMaker(numbers: SeededNumbers(state: seed))
        for _ in 0..<3_000 {
            let filter = maker.filter(depth: 4)
            let text = filter.description
            guard text.utf8.count <= 16_384 else { continue }
            #expect(try parse(text) == filter, "seed \(seed): \(text)")
        }
    }

    @Test func damagedFiltersNeverCrashAndTellAnOffsetInsideTheText() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of damagedFiltersNeverCrash: \(seed)")
        var maker = FilterMaker(numbers: SeededNumbers(state: seed))
        let pieces = Array("()[]!&|=<>~'\"`\\,. -1ue\u{7F}".utf8) + [0xC3, 0xFF, 0x00, 0x0A]
        for _ in 0..<5_000 {
            var bytes = Array(maker.filter(depth: 3).description.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &maker.numbers) {
                let place = Int.random(in: 0...bytes.count, using: &maker.numbers)
                let piece = pieces.randomElement(using: &maker.numbers) ?? 0
                switch Int.random(in: 0..<3, using: &maker.numbers) {
                case 0: bytes.insert(piece, at: place)
                case 1 where place < bytes.count: bytes.remove(at: place)
                default: bytes.removeLast(bytes.count - place)
                }
            }
            bytes.withUnsafeBytes { text in
                do throws(FilterFault) {
                    let filter = try Filter(parsing: text)
                    let again = try? Filter(parsing: filter.description)
                    #expect(again == filter, "seed \(seed): \(filter)")
                } catch {
                    if case .syntax(let offset, _) = error {
                        #expect(offset >= 0 && offset <= text.count, "seed \(seed)")
                    }
                }
            }
        }
    }
}
