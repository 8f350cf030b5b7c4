import FreshetQuery
import Testing

@Suite struct GroupingParameterTests {
    private func query(
        _ parameters: [(String, String)], contracts: [String: Filter] = [:]
    ) throws -> Query {
        var parser = QueryParser(
            type: try #require(TypeName("task")), contracts: contracts)
        for (name, value) in parameters { try parser.take(name: name, value: value) }
        return try parser.finish()
    }

    private func query(body: String) throws -> Query {
        var parser = QueryParser(type: try #require(TypeName("task")))
        try Array(body.utf8).withUnsafeBytes { try parser.take(body: $0) }
        return try parser.finish()
    }

    private func path(_ text: String) throws -> PropertyPath { try PropertyPath(parsing: text) }

    @Test func aURLAndABodyAskTheSame() throws {
        let asked = try query([
            ("group", "author.name"), ("distinct", "`a b`"),
            ("aggregate", "count, sum(points),avg(author.points),min( x ),max(`a,b`)"),
        ])
        #expect(try asked.group == path("author.name"))
        #expect(try asked.distinct == path("`a b`"))
        #expect(
            asked.aggregates?.map(\.description)
                == ["count", "sum(points)", "avg(author.points)", "min(x)", "max(`a,b`)"])
        for list in [
            #"["count","sum(points)","avg(author.points)","min(x)","max(`a,b`)"]"#,
            #""count,sum(points),avg(author.points),min(x),max(`a,b`)""#,
        ] {
            let body = try query(
                body: #"{"group":"author.name","distinct":"`a b`","aggregate":\#(list)}"#)
            #expect(body.canonicalKey == asked.canonicalKey)
        }
    }

    @Test(arguments: [
        ("aggregate", ""), ("aggregate", "median(x)"), ("aggregate", "sum()"), ("aggregate", "sum"),
        ("aggregate", "sum(x"), ("aggregate", "sum(x)y"), ("aggregate", "count(x)"),
        ("aggregate", "count,"), ("aggregate", "count,count"), ("aggregate", "sum(x),sum(`x`)"),
        ("aggregate", "counts"), ("aggregate", "sum(x,y)"),
        ("aggregate", (0..<33).map { "sum(a\($0))" }.joined(separator: ",")),
        ("group", ""), ("group", "a,b"), ("group", "a b"), ("group", "a."), ("distinct", "-a"),
        ("contract", "card"), ("contract", ""),
    ])
    func aMistakeIsABadParameter(name: String, value: String) throws {
        let fault = #expect(throws: QueryFault.self) { try query([(name, value)]) }
        #expect(fault?.parameter == name && fault?.code == .badParameter)
    }

    @Test func whatHasNoMeaningTogetherIsRefused() throws {
        let task = Query(type: try #require(TypeName("task")))
        let place = PageMark(of: try document(#"{"id":1}"#), in: task)
        let mark = try #require(place).text
        for (parameters, name) in [
            ([("after", mark), ("distinct", "a")], "after"),
            ([("after", mark), ("aggregate", "count")], "after"),
            ([("include", "a"), ("aggregate", "count")], "include"),
        ] {
            let fault = #expect(throws: QueryFault.self) { try query(parameters) }
            #expect(fault?.parameter == name && fault?.code == .badParameter)
        }
        // Groups are made of the window, which a cursor may begin.
        #expect(try query([("after", mark), ("group", "a")]).after != nil)
    }

    @Test func aContractIsAFilterByName() throws {
        let contract = try Filter(parsing: "status != 'draft'")
        let contracts = ["card": contract]
        let alone = try query([("contract", "card")], contracts: contracts)
        #expect(alone.filter == contract)
        let both = try query(
            [("contract", "card"), ("filter", "x == 1")], contracts: contracts)
        let written = try query([("filter", "x == 1 and status != 'draft'")])
        #expect(both.canonicalKey == written.canonicalKey)
    }

    private func document(_ json: String) throws -> Document {
        var builder = DocumentBuilder()
        return try Array(json.utf8).withUnsafeBytes {
            try builder.build(json: $0, id: .fromBody)
        }
    }
}
