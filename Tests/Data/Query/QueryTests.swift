import FreshetQuery
import Testing

private func type() throws -> TypeName { try #require(TypeName("task")) }

private func query(
    _ parameters: [(String, String)], maximumLimit: Int = 10_000
) throws -> Query {
    var parser = QueryParser(type: try type(), maximumLimit: maximumLimit)
    for (name, value) in parameters { try parser.take(name: name, value: value) }
    return try parser.finish()
}

private func query(body: String) throws -> Query {
    var parser = QueryParser(type: try type())
    try Array(body.utf8).withUnsafeBytes { try parser.take(body: $0) }
    return try parser.finish()
}

private func fault(_ make: () throws -> Query) -> QueryFault? {
    do {
        _ = try make()
        return nil
    } catch {
        return error as? QueryFault
    }
}

private func id(_ text: String) throws -> EntityID { try EntityID(text) }

@Suite struct QueryParameterTests {
    @Test func withoutParametersTheFirst100OfAllAreMeant() throws {
        let query = try query([])
        #expect(query.filter == nil && query.ids == nil && query.fields == nil)
        #expect(query.order == .natural && query.offset == 0 && query.limit == 100)
        #expect(!query.count && !query.meta)
        #expect(try limit([], maximum: 10) == 10)
    }

    private func limit(_ parameters: [(String, String)], maximum: Int = 10_000) throws -> Int? {
        try query(parameters, maximumLimit: maximum).limit
    }

    private func ids(_ text: String) throws -> [EntityID]? {
        try query([("ids", text)]).ids
    }

    private func order(_ text: String) throws -> Order {
        try query([("order", text)]).order
    }

    @Test func everyParameterIsRead() throws {
        let query = try query([
            ("filter", "done==false and priority>2"), ("order", "-priority,title:ci,`a,b`.c"),
            ("offset", "20"), ("limit", "0"), ("fields", "title,author.name"), ("count", "true"),
            ("meta", "true"),
        ])
        #expect(try query.filter == parse("done == false and priority > 2"))
        #expect(
            query.order
                == .keys([
                    OrderKey(path: path("priority"), descending: true),
                    OrderKey(path: path("title"), caseInsensitive: true),
                    OrderKey(path: path("a,b", "c")),
                ]))
        #expect(query.offset == 20 && query.limit == 0)
        #expect(query.fields == [path("title"), path("author", "name")])
        #expect(query.count && query.meta)
    }

    @Test func idsHaveNoDefaultLimitAndEachOneOnce() throws {
        #expect(try ids("3,1,é/x,3") == [id("3"), id("1"), id("é/x")])
        #expect(try limit([("ids", "3,1")]) == nil)
        #expect(try limit([("ids", "1"), ("limit", "5")]) == 5)
        #expect(try ids("") == [])
        #expect(try order("ids:3,1,3") == .ids([id("3"), id("1")]))
        #expect(try order("natural") == .natural)
        #expect(try order("`natural`") == .keys([OrderKey(path: path("natural"))]))
    }

    @Test(arguments: [
        ("", "", "bad-json"), ("{", "", "bad-json"), ("[]", "", "bad-parameter"),
        (#"{"limit":1,"limit":2}"#, "", "bad-json"), (#"{"limit":"1"}"#, "limit", "bad-parameter"),
        (#"{"limit":-1}"#, "limit", "bad-parameter"), (#"{"limit":1.5}"#, "limit", "bad-parameter"),
        (#"{"count":"true"}"#, "count", "bad-parameter"), (#"{"ids":7}"#, "ids", "bad-parameter"),
        (#"{"ids":[null]}"#, "ids", "bad-parameter"), (#"{"order":7}"#, "order", "bad-parameter"),
        (#"{"order":[7]}"#, "order", "bad-parameter"),
        (#"{"order":["a,b","c"]}"#, "order", "bad-parameter"),
        (#"{"fields":[7]}"#, "fields", "bad-parameter"), (#"{"filter":7}"#, "filter", "bad-filter"),
        (#"{"filter":{"and":[7]}}"#, "filter", "bad-filter"),
        (#"{"nonsense":1}"#, "nonsense", "bad-parameter"),
        (#"{"explain":"true"}"#, "explain", "bad-parameter"),
        (#"{"source":"elsewhere"}"#, "source", "bad-parameter"),
        (#"{"source":["local"]}"#, "source", "bad-parameter"),
        (#"{"persist":"replace","limit":5}"#, "persist", "bad-parameter"),
        (#"{"persist":"replace","endpoint":"e"}"#, "persist", "bad-parameter"),
        (#"{"trustRemote":"true"}"#, "trustRemote", "bad-parameter"),
        (#"{"endpoint":""}"#, "endpoint", "bad-parameter"),
        (#"{"endpoint.x":1}"#, "endpoint", "bad-parameter"),
        (#"{"endpoint":"e","endpoint.x":[1]}"#, "endpoint.x", "bad-parameter"),
        (#"{"group":["x"]}"#, "group", "bad-parameter"),
        (#"{"group":""}"#, "group", "bad-parameter"),
        (#"{"aggregate":[]}"#, "aggregate", "bad-parameter"),
        (#"{"aggregate":["sum(x),count"]}"#, "aggregate", "bad-parameter"),
        (#"{"aggregate":7}"#, "aggregate", "bad-parameter"),
        (#"{"distinct":true}"#, "distinct", "bad-parameter"),
        (#"{"contract":1}"#, "contract", "bad-parameter"),
        (#"{"contract":"card"}"#, "contract", "bad-parameter"),
        (#"{"ids":[1],"order":"a"}"#, "order", "bad-parameter"),
    ])
    func aMistakeNamesItsMember(body: String, parameter: String, code: String) {
        let fault = fault { try query(body: body) }
        #expect(fault?.parameter == parameter)
        #expect(fault?.code.name == code, "\(fault?.detail ?? "none")")
    }

    @Test func aFilterTreeOfAnyDepthIsToldAsTooComplex() {
        for depth in [65, 130, 300, 100_000] {
            let tree =
                String(repeating: #"{"not":"#, count: depth) + "true"
                + String(repeating: "}", count: depth)
            let fault = fault { try query(body: "{\"filter\":\(tree)}") }
            #expect(fault?.code == .tooComplex, "\(depth)")
        }
    }
}

@Suite struct QueryKeyTests {
    private func key(_ parameters: [(String, String)]) throws -> String {
        String(decoding: try query(parameters).canonicalKey, as: UTF8.self)
    }

    @Test func whatMustBeOneGroupHasOneKey() throws {
        let pairs: [([(String, String)], [(String, String)])] = [
            ([("filter", "x==1 and y==2")], [("filter", "y == 2.0 && x == 1")]),
            ([("filter", "true")], []), ([("order", "id")], []), ([("order", "natural")], []),
            ([("order", "a,-a")], [("order", "a")]), ([("order", "a,id,b")], [("order", "a")]),
            ([("offset", "0"), ("limit", "100")], []), ([("fields", "a,id,a")], [("fields", "a")]),
            ([("ids", "7,8,7")], [("ids", "7,8")]), ([("count", "false")], []),
            (
                [("aggregate", " sum( a ) ,count")],
                [("aggregate", "sum(a),count"), ("limit", "0"), ("fields", "a")]
            ),
        ]
        for (left, right) in pairs { #expect(try key(left) == key(right)) }
    }

    @Test func whatAnswersOtherwiseHasAnotherKey() throws {
        let queries: [[(String, String)]] = [
            [], [("filter", "x==1")], [("filter", "x=='1'")], [("order", "a")], [("order", "-a")],
            [("order", "a:ci")], [("order", "-id")], [("order", "id:ci")], [("order", "ids:1")],
            [("ids", "1")], [("ids", "1,2")], [("ids", "2,1")], [("ids", "1"), ("limit", "100")],
            [("limit", "0")], [("offset", "1")], [("fields", "")], [("fields", "a")],
            [("count", "true")],
            [("meta", "true")], [("fields", "a,b")], [("fields", "`a,b`")],
            [("group", "a")], [("distinct", "a")], [("distinct", "a"), ("group", "a")],
            [("aggregate", "count")], [("aggregate", "sum(a)")], [("aggregate", "sum(a),count")],
            [("aggregate", "count"), ("group", "a")], [("aggregate", "count"), ("count", "true")],
        ]
        #expect(try Set(queries.map { try key($0) }).count == queries.count)
    }
}
