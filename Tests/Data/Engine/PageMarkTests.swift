import FreshetQuery
import Testing

@testable import FreshetEngine

/// Pages by cursor, held against the whole answer.
@Suite struct PageMarkTests {
    private static let values = [
        "null", "true", "false", "1", "1.0", "-3", "1e400", "123456789012345678901234567890",
        "123456789012345678901234567891", #""a""#, #""A""#, #""a\nb""#, "[1,2]", "[]", #"{"a":1}"#,
    ]
    private static let orders = [
        "", "x", "-x", "x,-y", "-x,y,x", "x:ci", "-id", "id:ci,x", "y,id,x", "ids:7,3,900,5",
    ]

    private func query(_ order: String, _ filter: String, _ limit: Int) throws -> Query {
        var parser = QueryParser(type: try #require(TypeName("thing")))
        if !order.isEmpty { try parser.take(name: "order", value: order) }
        if !filter.isEmpty { try parser.take(name: "filter", value: filter) }
        try parser.take(name: "limit", value: "\(limit)")
        return try parser.finish()
    }

    private func row(
        _ id: Int, _ random: inout SeededGenerator
    ) throws -> Document {
        let name = id % 5 == 0 ? "\"n\(id)\"" : "\(id)"
        var text = "{\"id\":\(name)"
        for key in ["x", "y"] {
            guard let value = Self.values.randomElement(using: &random), Bool.random(using: &random)
            else {
                continue
            }
            text += ",\"\(key)\":\(value)"
        }
        return try document(text + "}")
    }

    /// The ids of all pages, each asked for behind the one before.
    private func pages(
        _ query: Query, _ table: inout Table,
        between change: (inout Table) throws -> Void = { _ in }
    ) throws -> [[String]] {
        var pages: [[String]] = []
        var page = query
        page.looksAhead = true
        while pages.count < 1000 {
            let found = try SearchPlan(page).run(on: table.view(seq: 1))
            pages.append(ids(found.documents))
            guard found.hasMore else { break }
            let last = try #require(found.documents.last)
            let mark = try #require(PageMark(of: last, in: query))
            let read = try PageMark(text: mark.text, for: query)
            #expect(read == mark)
            page.after = read
            try change(&table)
        }
        return pages
    }

    @Test(arguments: orders, ["", "x >= -5 or y == null"])
    func pagesTogetherAreTheWholeAnswer(order: String, filter: String) throws {
        let seed = freshSeed("pages")
        var random = SeededGenerator(seed: seed)
        var table = Table()
        for id in 0..<90 { _ = table.insert(try row(id, &random)) }
        let whole = try SearchPlan(try query(order, filter, 10_000)).run(on: table.view(seq: 1))
        for limit in [1, 7, 90] {
            let all = try pages(try query(order, filter, limit), &table)
            #expect(all.flatMap { $0 } == ids(whole.documents), "seed \(seed), limit \(limit)")
            #expect(all.dropLast().allSatisfy { $0.count == limit })
            #expect(all.last?.isEmpty == false || whole.documents.isEmpty)
        }
    }

    @Test func theTotalIsThatOfAllPages() throws {
        var table = Table()
        for id in 0..<40 { _ = table.insert(try document("{\"id\":\(id),\"x\":\(id % 3)}")) }
        for (order, filter) in [("", ""), ("", "x == 1"), ("x", "x == 1"), ("-x", "")] {
            var page = try query(order, filter, 5)
            page.count = true
            page.looksAhead = true
            let first = try SearchPlan(page).run(on: table.view(seq: 1))
            page.after = PageMark(of: try #require(first.documents.last), in: page)
            let second = try SearchPlan(page).run(on: table.view(seq: 1))
            #expect(second.total == first.total)
            #expect(first.total == (filter.isEmpty ? 40 : 13))
        }
    }

    @Test func rowsThatComeAndGoShiftNothing() throws {
        var table = Table()
        for id in 0..<60 { _ = table.insert(try document("{\"id\":\(id),\"x\":\(id)}")) }
        var next = 0
        let all = try pages(try query("x", "", 10), &table) { table in
            // The page just read goes, and rows come in before it.
            for id in next..<next + 10 { _ = table.remove(EntityID(Int64(id))) }
            next += 10
            _ = table.insert(try document("{\"id\":\(1000 + next),\"x\":-\(next)}"))
        }
        #expect(all.flatMap { $0 } == (0..<60).map(String.init))
    }

    @Test func aPageByIDExaminesItsOwnRowsAlone() throws {
        var table = Table()
        for id in 0..<5000 { _ = table.insert(try document("{\"id\":\(id)}")) }
        var page = try query("", "", 20)
        page.looksAhead = true
        let far = try document("{\"id\":4000}")
        page.after = PageMark(of: far, in: page)
        let found = try SearchPlan(page).run(on: table.view(seq: 1))
        #expect(found.documents.first?.integerID == 4001)
        #expect(found.rowsExamined <= 22)
    }

    /// What a version before gave out is read by the next one, beside it in a cluster.
    @Test(arguments: [
        ("x", "x > 1", "AY69I4xj_MgdAQAAADEBAAAAMg"),
        ("-`a.b`,c.d:ci,x,-x", "x > 1 && y == null", "AWWhFyGW37i3AQAAADEAAAAAAAAAAAEAAAAy"),
        ("", "", "AWvGhnDDnaWIAQAAADE"),
        ("id:ci,x", "", "Abgf1B-Av3TuAQAAADEDAAAAIjEiAQAAADI"),
        ("-id", "", "AbNJdNFdHSQAAQAAADMDAAAAIjMi"),
    ])
    func aCursorIsTheSameInAllVersions(order: String, filter: String, text: String) throws {
        let asked = try query(order, filter, 1)
        let mark = PageMark(
            of: try document(#"{"id":"\#(order == "-id" ? 3 : 1)","x":2}"#), in: asked)
        #expect(mark?.text == text)
    }

    @Test func aCursorOfAnotherQuestionIsRefused() throws {
        let asked = try query("x", "x > 1", 5)
        let mark = try #require(PageMark(of: try document(#"{"id":1,"x":2}"#), in: asked))
        for other in [
            try query("-x", "x > 1", 5), try query("x", "x > 2", 5), try query("", "x > 1", 5),
        ] {
            #expect(throws: QueryFault.self) { try PageMark(text: mark.text, for: other) }
        }
        #expect(try PageMark(text: mark.text, for: try query("x", "x > 1", 9)) == mark)
        for cut in 0..<mark.text.count {
            #expect(throws: QueryFault.self) {
                try PageMark(text: String(mark.text.prefix(cut)), for: asked)
            }
        }
        #expect(throws: QueryFault.self) { try PageMark(text: mark.text + "AAAA", for: asked) }
    }
}
