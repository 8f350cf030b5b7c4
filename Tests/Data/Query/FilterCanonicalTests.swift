import FreshetBase
import FreshetJSON
import FreshetQuery
import Testing

/// The contract's meaning table, word by word and slow: what a canonical form must not change.
private enum Reference {
    static func holds(_ filter: Filter, _ document: Document) -> Bool {
        switch filter {
        case .constant(let value): return value
        case .and(let parts): return parts.allSatisfy { holds($0, document) }
        case .or(let parts): return parts.contains { holds($0, document) }
        case .not(let part): return !holds(part, document)
        case .compare(let path, let comparison, let literal):
            return compare(path, comparison, literal, document)
        case .matches: return false
        case .isIn(let path, let list):
            return list.contains { compare(path, .equal, $0, document) }
        case .has(let path, let literal): return hasAny(path, [literal], document) ?? false
        case .hasAny(let path, let list): return hasAny(path, list, document) ?? false
        case .hasAll(let path, let list):
            return document.view(at: path)?.kind == .array
                && list.allSatisfy { hasAny(path, [$0], document) ?? false }
        case .exists(let path): return document.view(at: path) != nil
        case .isNull(let path): return document.view(at: path)?.isNull ?? true
        case .startsWith(let path, let text):
            return string(path, document)?.starts(with: text.string ?? []) ?? false
        case .endsWith(let path, let text):
            return string(path, document)?.reversed().starts(with: (text.string ?? []).reversed())
                ?? false
        case .contains(let path, let text):
            guard let string = string(path, document), let part = text.string else { return false }
            return (0...string.count).contains { string[$0...].starts(with: part) }
        case .size(let path, let comparison, let value):
            guard let view = document.view(at: path), view.kind == .array else { return false }
            let count = view.elements.reduce(0) { sum, _ in sum + 1 }
            return ordered(count < value ? -1 : (count == value ? 0 : 1), comparison)
        case .isTrue(let path): return document.view(at: path)?.bool == true
        }
    }

    private static func string(_ path: PropertyPath, _ document: Document) -> [UInt8]? {
        if path.isID { return Array(document.idBytes) }
        return document.view(at: path)?.string.map { Array($0.utf8) }
    }

    private static func hasAny(
        _ path: PropertyPath, _ list: [Literal], _ document: Document
    ) -> Bool? {
        guard let view = document.view(at: path), view.kind == .array else { return nil }
        return view.elements.contains { element in
            list.contains { $0.withView { JSONEquality.equal(element, $0) } }
        }
    }

    private static func ordered(_ result: Int, _ comparison: Comparison) -> Bool {
        switch comparison {
        case .equal: result == 0
        case .notEqual: result != 0
        case .less: result < 0
        case .lessOrEqual: result <= 0
        case .greater: result > 0
        case .greaterOrEqual: result >= 0
        }
    }

    private static func compare(
        _ path: PropertyPath, _ comparison: Comparison, _ literal: Literal, _ document: Document
    ) -> Bool {
        literal.withView { literal in
            if path.isID {
                guard let other = try? EntityID(json: literal) else {
                    guard comparison != .notEqual, comparison != .equal, literal.kind == .number
                    else { return comparison == .notEqual }
                    // Behind all numbers stands what is no integer.
                    let order =
                        EntityID.integer(of: document.idBytes) == nil
                        ? 1 : JSONNumber.compare(document.idBytes, literal.bytes)
                    return ordered(order, comparison)
                }
                let order = document.id < other ? -1 : (document.id == other ? 0 : 1)
                return ordered(order, comparison)
            }
            let view = document.view(at: path)
            let isNull = view?.isNull ?? true
            if comparison == .equal || comparison == .notEqual {
                let isEqual =
                    if let view, !isNull { JSONEquality.equal(view, literal) } else {
                        isNull && literal.isNull
                    }
                return isEqual == (comparison == .equal)
            }
            guard let view, view.kind == literal.kind, !isNull else { return false }
            return ordered(ValueOrder.compare(view, literal), comparison)
        }
    }
}

@Suite struct FilterCanonicalTests {
    private static let documents: [Document] = {
        var documents: [Document] = []
        for (index, value) in (FilterMaker.values + ["{}", "{\"z\":1}", "3", "1.5"]).enumerated() {
            for other in FilterMaker.values {
                let text =
                    "{\"id\":\(index == 3 ? "7" : "\"\(index)\""),\"x\":\(value),\"y\":\(other),"
                    + "\"and\":\(other),\"a b\":[\(value),\(other)],\"size\":{\"z\":\(value)}}"
                if let document = try? makeDocument(text) { documents.append(document) }
            }
        }
        if let empty = try? makeDocument(#"{"id":"a"}"#) { documents.append(empty) }
        return documents
    }()

    @Test func theCanonicalFormMeansTheSameForEveryDocument() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of theCanonicalFormMeansTheSame: \(seed)")
        var maker = FilterMaker(numbers: SeededNumbers(state: seed))
        #expect(Self.documents.count > 300)
        for _ in 0..<1_500 {
            let filter = maker.filter(depth: 3)
            let canonical = filter.canonical()
            let sample = (0..<12).compactMap { _ in
                Self.documents.randomElement(using: &maker.numbers)
            }
            for document in sample {
                let isSame =
                    Reference.holds(filter, document) == Reference.holds(canonical, document)
                #expect(isSame, "seed \(seed): \(filter) → \(canonical) on \(document.jsonText)")
            }
            #expect(canonical.canonical() == canonical, "seed \(seed): \(filter)")
        }
    }

    @Test func simpleRearrangementsHaveOneCanonicalForm() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of simpleRearrangements: \(seed)")
        var maker = FilterMaker(numbers: SeededNumbers(state: seed))
        for _ in 0..<1_500 {
            let filter = maker.filter(depth: 3)
            let other = maker.rearranged(filter)
            #expect(filter.canonical() == other.canonical(), "seed \(seed): \(filter) | \(other)")
        }
    }

    @Test(arguments: [
        ("!(x == 3)", "x != 3"), ("!(x != 3)", "x == 3"), ("!!x", "x == true"),
        ("!(x < 3)", "!x < 3"), ("x == null", "isNull(x)"), ("x != null", "!isNull(x)"),
        ("x < null", "false"), ("x in [2,1,1.0]", "x in [1,2]"), ("x in [3]", "x == 3"),
        ("x in []", "false"), ("x == 1 or x == 2", "x in [1,2]"),
        ("x != 1 and x != 2", "!x in [1,2]"),
        ("x == 1 and x == 2", "false"), ("x in [1,2] and x in [2,3]", "x == 2"),
        ("x in [1,2] and x != 1", "x == 2"), ("x == 1 or isNull(x)", "x in [1,null]"),
        ("b and a", "a == true and b == true"),
        ("a and (b and c)", "a == true and b == true and c == true"),
        ("a and a", "a == true"), ("a and !a", "false"), ("a or !a", "true"),
        ("exists(a) and !exists(a)", "false"),
        ("a or true", "true"), ("a and true", "a == true"),
        ("!(a and b)", "a != true or b != true"),
        ("x > 1 and x > 3", "x > 3"), ("x > 1 or x > 3", "x > 1"), ("x > 1 and x >= 1", "x > 1"),
        ("x > 1 or x >= 1", "x >= 1"), ("x > 1 and x < 3", "x < 3 and x > 1"),
        ("x > 1 and x > 'a'", "x > \"a\" and x > 1"), ("x == 15e-1", "x == 1.5"),
        ("x == 1 and x == 10e-00000000000000000001", "x == 1"),
        ("x == 1e+00000000000000000000", "x == 1"),
        ("x == 1e2", "x == 100"), ("x == -0.0", "x == 0"), ("x == 1e30", "x == 1e30"),
        ("x == 1000000000000000000000000000000", "x == 1e30"), ("x == 0.000000012", "x == 12e-9"),
        ("id == 7.0", "id == \"7\""), ("id in [7,'7']", "id == \"7\""), ("x has 1.0", "x has 1"),
        ("x hasAny [1]", "x has 1"), ("x hasAll [1,1.0]", "x has 1"), ("x hasAny []", "false"),
        ("id < 5.5", "id <= \"5\""), ("id >= 5.5", "id > \"5\""), ("id > -0.5", "id > \"-1\""),
        ("id <= 1e30", "id <= \"9223372036854775807\""), ("id > -1e30", "true"),
        ("id <= -9223372036854775808.5", "false"), ("!(id < -1e999999999999)", "true"),
        ("id < 5.0", "id < \"5\""), ("id == 5.5", "id == 5.5"),
        ("x hasAll []", "x hasAll []"), ("x == [1.0,'a']", "x == [1,\"a\"]"),
    ])
    func theCanonicalFormIsThis(text: String, canonical: String) throws {
        #expect(try parse(text).canonical().description == canonical)
    }

    @Test("Numbers whose text may differ though they are equal are not merged as sets")
    func longExponents() throws {
        let (one, same) = ("1e99999999999999999", "10e99999999999999998")
        let document = try makeDocument(#"{"id":1,"x":\#(one)}"#)
        for text in [
            "x == \(one) and x == \(same)", "x in [\(one),2] and x in [\(same),3]",
            "x == \(one) and !x in [2,3] and x == \(same)",
            "x == [\(one)] or x == [\(same)] or x == \(same)",
        ] {
            let filter = try parse(text)
            #expect(Reference.holds(filter, document), "\(text)")
            #expect(Reference.holds(filter.canonical(), document), "\(text)")
        }
    }

    @Test func whatDiffersInMeaningDiffersInForm() throws {
        for (left, right) in [
            ("!(x < 3)", "x >= 3"), ("x == 1", "x == '1'"), ("exists(x)", "x != null"),
            ("x == 9007199254740993", "x == 9007199254740992"),
            ("x hasAny [1,2]", "x hasAll [1,2]"),
            ("x == \"e\u{301}\"", "x == \"\u{E9}\""), ("`e\u{301}`", "`\u{E9}`"),
            ("x == 1e999999999999999999", "x == 1e999999999999999998"),
        ] {
            #expect(try parse(left).canonical() != parse(right).canonical(), "\(left) | \(right)")
        }
    }
}
