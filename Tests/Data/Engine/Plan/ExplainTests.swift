import FreshetJSON
import FreshetQuery
import Testing

@testable import FreshetEngine

/// What `explain` shows of the ways that a search can take.
@Suite struct ExplainTests {
    /// 4,000 things: `kind` of 8 values, `n` of 1,000, `at` different for each, `tags` of two of 50.
    private static func table(_ definitions: [String]) throws -> TableView {
        var table = Table()
        for text in definitions {
            let definition = try #require(IndexDefinition(try keys(text)))
            table.addIndex(definition)
        }
        for id in 0..<4_000 {
            let json = """
                {"id":\(id),"kind":"k\(id % 8)","n":\(id * 7 % 1_000),"at":\(id * 37 % 4_001),\
                "name":"name \(id % 97)","tags":["t\(id % 50)","t\(id % 49)"]}
                """
            _ = table.insert(try document(json))
        }
        return table.view(seq: 1)
    }

    private static func keys(_ text: String) throws -> [OrderKey] {
        var parser = QueryParser(type: try #require(TypeName("t")))
        try parser.take(name: "order", value: text)
        guard case .keys(let keys) = try parser.finish().order else { return [] }
        return keys
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let indexes: [String]
        let query: [(String, String)]
        /// Members of the plan that must be so.
        let shows: [String: JSONValue]
        /// The most rows.
        let examined: Int

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(
            name: "equality", indexes: ["n"], query: [("filter", "n == 7")],
            shows: [
                "index": "n", "kind": "index", "ranges": ["n: 7"], "orderFromIndex": true,
                "filterImplied": true, "filter": "n == 7",
            ], examined: 4),
        Case(
            name: "in", indexes: ["n"], query: [("filter", "n in [7,9,7.0]")],
            shows: ["index": "n", "ranges": ["n: 7", "n: 9"], "rangeCount": 2], examined: 8),
        Case(
            name: "a range", indexes: ["n"],
            query: [("filter", "n >= 7 and n < 9 and kind == 'k1'")],
            shows: ["index": "n", "ranges": ["n: [7, 9)"], "filterImplied": false], examined: 8),
        Case(
            name: "a prefix", indexes: ["name"],
            query: [("filter", "startsWith(name, 'name 9')"), ("limit", "1000")],
            shows: ["index": "name", "ranges": [#"name: ["name 9", "name 9"…]"#]], examined: 340),
        Case(
            name: "null and absent", indexes: ["n"], query: [("filter", "isNull(n)")],
            shows: ["index": "n", "ranges": ["n: null"]], examined: 0),
        Case(
            name: "the first key of a compound", indexes: ["kind,n"],
            query: [("filter", "kind == 'k3' and n > 990")],
            shows: ["index": "kind,n", "ranges": [#"kind: "k3", n: (990, …string)"#]],
            examined: 10),
        Case(
            name: "order behind an equality", indexes: ["kind,-at"],
            query: [("filter", "kind == 'k3'"), ("order", "-at"), ("limit", "20")],
            shows: ["index": "kind,-at", "orderFromIndex": true, "filterImplied": true],
            examined: 20),
        Case(
            name: "the reverse of an index", indexes: ["kind,-at"],
            query: [("filter", "kind == 'k3'"), ("order", "at"), ("limit", "20")],
            shows: ["index": "kind,-at", "orderFromIndex": true], examined: 20),
        Case(
            name: "order of all", indexes: ["at"], query: [("order", "-at"), ("limit", "5")],
            shows: ["index": "at", "orderFromIndex": true, "filter": .null], examined: 5),
        Case(
            name: "a deep offset", indexes: ["at"],
            query: [("order", "at"), ("limit", "5"), ("offset", "3000")],
            shows: ["index": "at", "orderFromIndex": true], examined: 5),
        Case(
            name: "several values and an order", indexes: ["kind,at"],
            query: [("filter", "kind in ['k1','k2']"), ("order", "at"), ("limit", "5")],
            shows: ["index": "kind,at", "orderFromIndex": false, "rangeCount": 2], examined: 12),
        Case(
            name: "an order that the index has the beginning of", indexes: ["n"],
            query: [("order", "n,at"), ("limit", "4")],
            shows: ["index": "n", "orderFromIndex": false], examined: 9),
        Case(
            name: "an order that does not fit", indexes: ["n"],
            query: [("filter", "n < 10"), ("order", "-at"), ("limit", "4")],
            shows: ["index": "n", "orderFromIndex": false], examined: 40),
        Case(
            name: "has", indexes: ["tags"], query: [("filter", "tags has 't49'")],
            shows: ["index": "tags", "kind": "elements", "filterImplied": true], examined: 80),
        Case(
            name: "hasAny", indexes: ["tags"], query: [("filter", "tags hasAny ['t49','t1']")],
            shows: ["index": "tags", "kind": "elements", "rangeCount": 2], examined: 245),
        Case(
            name: "a disjunction of two properties", indexes: ["n", "at"],
            query: [("filter", "n == 7 or at == 8")],
            shows: ["index": "n | at", "kind": "union"], examined: 5),
        Case(
            name: "an intersection", indexes: ["kind", "name"],
            query: [("filter", "kind == 'k3' and startsWith(name, 'name 1')"), ("count", "true")],
            shows: ["index": "kind & name", "kind": "intersection"], examined: 60),
        Case(
            name: "a count", indexes: ["n"],
            query: [("filter", "n != 7"), ("count", "true"), ("limit", "0")],
            shows: ["index": "n", "kind": "count", "countFromIndex": true], examined: 0),
        Case(
            name: "a count beside a window", indexes: ["kind,at"],
            query: [
                ("filter", "kind == 'k3'"), ("order", "at"), ("count", "true"), ("limit", "3"),
            ],
            shows: ["index": "kind,at", "countFromIndex": true], examined: 3),
        Case(
            name: "ids that the filter names", indexes: ["n"], query: [("filter", "id in [1,2]")],
            shows: ["index": "id", "kind": "id"], examined: 2),
        Case(
            name: "ids", indexes: ["n"], query: [("ids", "1,2")],
            shows: ["index": "ids", "kind": "ids"], examined: 2),
        Case(
            name: "a contradiction", indexes: ["n"], query: [("filter", "n > 3 and n < 2")],
            shows: ["index": "none", "kind": "none"], examined: 0),
        Case(
            name: "nothing that an index knows", indexes: ["n"], query: [("filter", "at == 7")],
            shows: ["index": "scan", "kind": "scan"], examined: 4_000),
    ]

    @Test(arguments: cases)
    func thePlanNamesTheWay(_ asked: Case) throws {
        let view = try Self.table(asked.indexes)
        var parser = QueryParser(type: try #require(TypeName("t")))
        try parser.take(name: "explain", value: "true")
        for (name, value) in asked.query { try parser.take(name: name, value: value) }
        let query = try parser.finish()
        let result = try SearchPlan(query).run(on: view)
        let plan = try JSONValue.parse(try #require(result.explanation))
        for (name, value) in asked.shows {
            #expect(plan[name] == value, "\(name) of \(plan.text)")
        }
        #expect(result.rowsExamined <= asked.examined, "\(plan.text)")
        #expect(plan["rowsExamined"]?.int64Value == Int64(result.rowsExamined))
        #expect(plan["rowsReturned"]?.int64Value == Int64(result.documents.count))
        // The same rows as without an index.
        let scanned = try SearchPlan(query).run(on: try Self.table([]))
        #expect(result.documents.map(text) == scanned.documents.map(text))
        #expect(result.total == scanned.total)
    }

    @Test func aWayThatTakesTooLongIsGivenUp() throws {
        var table = Table()
        table.addIndex(try #require(IndexDefinition(try Self.keys("at"))))
        table.addIndex(try #require(IndexDefinition(try Self.keys("n"))))
        // What matches is all at the far end of the order.
        for id in 0..<30_000 {
            let json = "{\"id\":\(id),\"at\":\(id),\"n\":\(id < 28_000 ? id % 90 : 99)}"
            _ = table.insert(try document(json))
        }
        var parser = QueryParser(type: try #require(TypeName("t")))
        try parser.take(name: "explain", value: "true")
        try parser.take(name: "filter", value: "n == 99")
        try parser.take(name: "order", value: "at")
        try parser.take(name: "limit", value: "10")
        let result = try SearchPlan(try parser.finish()).run(on: table.view(seq: 1))
        let plan = try JSONValue.parse(try #require(result.explanation))
        #expect(ids(result.documents) == (28_000..<28_010).map { "\($0)" })
        #expect(plan["index"] == "n" && plan["replanned"] == true, "\(plan.text)")
        #expect(result.rowsExamined < 10_000)
    }
}
