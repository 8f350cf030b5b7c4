import FreshetJSON
import Testing

@testable import FreshetServer

/// Problems name the thing they are about and say what to do, built from the request; an empty
/// answer says what is odd about it.
@Suite struct ActionableErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let request: String
        let body: String?
        let headers: [String]
        let status: Int
        let detail: String
        let hint: String

        init(
            _ request: String, _ body: String?, headers: [String] = [], _ status: Int,
            detail: String = "", hint: String = ""
        ) {
            self.request = request
            self.body = body
            self.headers = headers
            self.status = status
            self.detail = detail
            self.hint = hint
        }

        init(
            _ request: String, headers: [String] = [], _ status: Int, detail: String = "",
            hint: String = ""
        ) {
            self.init(request, nil, headers: headers, status, detail: detail, hint: hint)
        }

        var testDescription: String { "\(request) \(body ?? "")" }
    }

    static let parameters: [Case] = [
        Case(
            "GET /v1/task?sort=title", 400, detail: "there is no parameter 'sort'",
            hint: "write order in place of sort"),
        Case("GET /v1/task?ordr=title", 400, detail: "did you mean 'order'?"),
        Case("GET /v1/task?$top=1", 400, detail: "did you mean 'limit'?"),
        Case("GET /v1/task?order_by=x", 400, detail: "did you mean 'order'?"),
        Case("GET /v1/task?q=x", 400, detail: "did you mean 'filter'?"),
        Case(
            "GET /v1/task?section=games", 400, detail: "'section'",
            hint: "filter=section=='games'"),
        Case("GET /v1/task?rank=3", 400, hint: "filter=rank==3"),
        Case("GET /v1/task?filter=a==1&&rank%3E3", 400, hint: "%26%26"),
        Case("GET /v1/task/1?field=a", 400, detail: "did you mean 'fields'?"),
        Case("GET /v1/task/1?filter=a==1", 400, detail: "there is no parameter 'filter' here"),
        Case("DELETE /v1/task?where=a==1", 400, detail: "did you mean 'filter'?"),
        Case(
            "DELETE /v1/task?filter=a==1&order=a", 400,
            detail: "'order' here: only a search has it",
            hint: "search with order first, and remove what it finds by ids=3,1,2"),
        Case("DELETE /v1/task?limit=3&filter=a==1", 400, hint: "search with limit first"),
        Case("DELETE /v1/task?filter=a==1&fields=a", 400, hint: "leave fields out"),
        Case("DELETE /v1/task?filter=a==1&&rank==3", 400, hint: "%26%26"),
        Case("DELETE /v1/task?a=1", 400, hint: "filter=a==1"),
        Case("PUT /v1/task/1?targt=local", "{}", 400, detail: "did you mean 'target'?"),
        Case("GET /v1/task?order=a%20desc,b", 400, hint: "write order=-a,b"),
        Case("GET /v1/task?order=a:ASC,%20b:desc", 400, hint: "write order=a,-b"),
        Case("GET /v1/task?order=a%20desc%20b", 400, hint: "Correct or leave out"),
        Case("GET /v1/task?limit=99999", 400, hint: "meta.next"),
        Case("PUT /v1/task/1", "", 400, detail: "the body is empty, and JSON is expected"),
        Case(
            "PUT /v1/task/1", "{}", headers: ["If-Match: 5"], 400,
            detail: "text in double quotes", hint: "If-Match: \"5\""),
        Case("GET /v1/task?aggregate=SUM(a)", 400, detail: "did you mean 'sum'?"),
        Case("GET /v1/task?aggregate=summ(a)", 400, detail: "did you mean 'sum'?"),
        Case("GET /v1/_live?since=1", 400, hint: "q.a=/v1/TYPE"),
        Case(
            "GET /v1/task?since=nonsense", 400, detail: "'since' is about a live query",
            hint: "live=delta"),
        Case("GET /v1/task/1?throttle=5&old=true", 400, detail: "'throttle'", hint: "wait=SECONDS"),
        Case("POST /v1/task/_search?heartbeat=5", "{}", 400, detail: "'heartbeat'"),
        Case("POST /v1/task/_search", #"{"max":5}"#, 400, detail: "'max'"),
        Case("DELETE /v1/task?ids=1&all=true", 400, detail: "'all' means every entity"),
        Case("DELETE /v1/task?filter=a==1&all=true", 400, hint: "leave one of them out"),
        Case(
            "POST /v1/task/_remove", #"{"ids":["1"],"all":true}"#, 400,
            detail: "'all' means every entity", hint: "leave one of them out"),
        Case("GET /v1/_operations?prefx=a", 400, detail: "did you mean 'prefix'?"),
        Case("POST /v1/task/_search", #"{"sort":"a"}"#, 400, detail: "did you mean 'order'?"),
    ]

    static let filters: [Case] = [
        Case("GET /v1/task?filter=section=games", 400, hint: "filter=section=='games'"),
        Case("GET /v1/task?filter=section==games", 400, hint: "filter=section=='games'"),
        Case("GET /v1/task?filter=a==1%20%26%20b=x", 400, hint: "filter=a==1+%26%26+b=='x'"),
        Case("GET /v1/task?filter=day%3E2026-01-01", 400, hint: "filter=day>'2026-01-01'"),
        Case("GET /v1/task?filter=a==.5", 400, hint: "filter=a==0.5"),
        Case("GET /v1/task?filter=a%20==%20%2B5", 400, hint: "filter=a+==+5"),
        Case("GET /v1/task?filter=a%20in%20[%2B.5,1.2.3]", 400, hint: "filter=a+in+[0.5,'1.2.3']"),
        Case("GET /v1/task?filter=a==1%20AND%20b=x", 400, hint: "filter=a==1+and+b=='x'"),
        Case("GET /v1/task?filter=a%20IN%20(1,2)%20Or%20b", 400, hint: "filter=a+in+(1,2)+or+b"),
        Case("GET /v1/task?filter=a%20is%20null", 400, hint: "filter=a+==+null"),
        Case("GET /v1/task?filter=a%20IS%20NOT%20None", 400, hint: "filter=a+!=+null"),
        Case("GET /v1/task?filter=a%20ge%203", 400, hint: "filter=a+>=+3"),
        Case(
            "GET /v1/task?filter=a.b%20like%20'%25x%25'%20and%20c", 400,
            hint: "filter=contains(a.b,'x')+and+c"),
        Case(
            "GET /v1/task?filter=title%20startswith%20%22x%22", 400,
            hint: "filter=startsWith(title,\"x\")"),
        // Other faults beside it: nothing is proposed that would be refused.
        Case("GET /v1/task?filter=a%20like%20%23", 400, hint: "Correct the filter at the offset"),
        Case(
            "GET /v1/task?filter=len(tags)%3E2", 400,
            detail: "'len' is none; did you mean 'size'?"),
        Case("GET /v1/task?filter=starts_with(a,'x')", 400, detail: "did you mean 'startsWith'?"),
        Case("GET /v1/task?filter=a.b.contains('x')", 400, detail: "contains(a.b, …)"),
        Case(
            "POST /v1/task/_search", #"{"filter":{"field":"a","op":"==","value":1}}"#, 400,
            detail: "did you mean 'property'?"),
        Case(
            "POST /v1/task/_search", #"{"filter":{"property":"a","op":"gte","value":1}}"#, 400,
            detail: "did you mean '>='?"),
    ]

    static let addresses: [Case] = [
        Case("GET /package", 404, detail: "/package", hint: "/v1/package"),
        Case("PUT /package/1", "{}", 404, hint: "/v1/package/1"),
        Case("GET /v1/task/", 404, hint: "did you mean /v1/task?"),
        Case("GET /v1/_operation", 404, hint: "did you mean /v1/_operations?"),
        Case("GET /v1/_serch", 404, hint: "GET /v1 lists"),
        Case("GET /v2/task", 404, hint: "did you mean /v1/task?"),
        Case("GET /healthz", 404, hint: "did you mean /livez?"),
        Case("POST /v1/task/1", "{}", 405, detail: "POST", hint: "PUT /v1/task/1 creates"),
        Case("PUT /v1/task", "{}", 405, detail: "PUT", hint: "/v1/task/_set"),
        Case("LIST /v1/task", 405, detail: "/v1/task does not take LIST"),
        Case("GET /v1/task/_set", 404, hint: "POST"),
        Case("GET /v1/_streams/5", 404, hint: "GET /v1/_streams lists what is there"),
        Case("GET /v1/task/_serch", 404, hint: "GET /v1/task lists what is there"),
        Case(
            "GET /v1/task/9", 404, detail: "'9' of type 'task'", hint: "PUT /v1/task/9 creates it"),
        Case("PATCH /v1/task/9", "{}", 404, detail: "'9'", hint: "PUT /v1/task/9 creates it"),
        Case("GET /v1/_operations/x", 404, detail: "operation 'x'"),
        Case("GET /v1/_outbox/x", 404, detail: "'x'"),
        Case("GET /v1/_conditions/x", 404, detail: "condition 'x'"),
        Case("GET /v1/_upstreams/x/credential", 404, detail: "'x'"),
        Case("GET /problems/not-fond", 404, detail: "did you mean 'not-found'?"),
    ]

    static let bodies: [Case] = [
        Case("POST /v1/task/_set", #"{"id":1}"#, 400, detail: "_set takes an array", hint: "[{"),
        Case("PUT /v1/task/1", "[]", 422, hint: "POST /v1/task/_set"),
        Case(
            "POST /v1/_batch", #"{"operations":[{"put":{}}]}"#, 400,
            detail: "there is no member 'put' here; did you mean 'set'?"),
        Case(
            "POST /v1/_batch", #"{"operations":[{"set":{"type":"a","data":{}}}]}"#, 400,
            detail: "did you mean 'entity'?"),
        Case("POST /v1/task/_remove", #"{"id":1}"#, 400, detail: "did you mean 'ids'?"),
        Case("POST /v1/_live", #"{"query":{}}"#, 400, detail: "did you mean 'queries'?"),
        Case(
            "POST /v1/_specs/evaluate", #"{"sepc":true,"spec":true}"#, 422,
            detail: ""),
    ]

    /// What is refused besides: revisions that are none.
    static let revisions: [Case] = ["-1", "1.5", "true", #""+5""#, #""\"5""#, #""""#, #"["*"]"#].map
    {
        Case(
            "POST /v1/_batch", #"{"operations":[{"remove":{"type":"a","id":1},"ifMatch":\#($0)}]}"#,
            400,
            detail: "a revision or \"*\" is expected")
    }

    static let headers: [Case] = [
        Case(
            "PUT /v1/task/1", "{}", headers: ["Content-Type: application/json; charset=latin1"],
            415, detail: "names another charset", hint: "charset=utf-8"),
        Case(
            "GET /v1/_live?q.a=/v1/task", headers: ["Accept: text/html"], 406,
            detail: "text/event-stream", hint: "send Accept: text/event-stream, or no Accept"),
        Case(
            "GET /v1", headers: ["Accept: text/event-stream"], 406, detail: "JSON",
            hint: "send Accept: application/json, or no Accept"),
        Case(
            "PUT /v1/task/1", "{}", headers: ["If-Match: 1", "If-None-Match: *"], 400,
            hint: "send the request again"),
    ]

    static let all: [Case] = parameters + filters + addresses + bodies + revisions + headers
    static let hinted: [Case] = (parameters + filters).filter { $0.hint.hasPrefix("filter=") }

    @Test(arguments: all)
    func problemsNameTheThingAndSayWhatToDo(_ example: Case) throws {
        let server = try TestServer()
        let parts = example.request.split(separator: " ")
        let response = try server.send(
            String(parts[0]), String(parts[1]), example.body, headers: example.headers)
        #expect(response.status == example.status, "\(response.body)")
        let problem = try JSONValue.parse(response.body)
        let detail = problem["detail"]?.stringValue ?? ""
        let hint = problem["hint"]?.stringValue ?? ""
        #expect(detail.contains(example.detail), "\(response.body)")
        #expect(hint.contains(example.hint), "\(response.body)")
        #expect(!hint.contains("connection"), "\(response.body)")
    }

    /// Each hint that is a filter can be sent as it stands.
    @Test(arguments: hinted)
    func aHintedFilterCanBeSent(_ example: Case) throws {
        let server = try TestServer()
        let answer = try server.send("GET", "/v1/task?\(example.hint)")
        #expect(answer.status == 200, "\(answer.body)")
    }

    @Test func aTokenWithoutItsSchemeIsTold() throws {
        let server = try AccessScene.server()
        let bare = try server.send("GET", "/v1/task", headers: ["Authorization: abcdef"])
        #expect(bare.status == 401 && bare.body.contains("write Bearer before it"), "\(bare.body)")
        let basic = try server.send("GET", "/v1/task", headers: ["Authorization: Basic abcdef"])
        #expect(basic.body.contains("another scheme"), "\(basic.body)")
    }

    // MARK: Empty answers

    private func hint(_ server: TestServer, _ target: String) throws -> String? {
        let answer = try server.send("GET", target)
        #expect(answer.status == 200, "\(answer.body)")
        return try JSONValue.parse(answer.body)["meta"]?["hint"]?.stringValue
    }

    @Test func anEmptyAnswerSaysWhatIsOdd() throws {
        let server = try TestServer()
        for row in [#"{"priority":3,"title":"a"}"#, #"{"priority":4,"done":false}"#] {
            #expect(try server.send("POST", "/v1/task", row).status == 201)
        }
        #expect(
            try hint(server, "/v1/taks")
                == "no entity of type 'taks' is stored; did you mean 'task'?")
        #expect(
            try hint(server, "/v1/task?filter=prioriy==3")
                == "no entity of type 'task' has the property 'prioriy'; did you mean 'priority'?")
        #expect(
            try hint(server, "/v1/task?filter=priority=='3'")
                == "the property 'priority' is a number in every entity that has it, "
                + "and the filter asks for a string")
        #expect(try hint(server, "/v1/task?filter=done+and+size(tags)==1") != nil)
        // A name that a filter would have to quote is written as it is.
        #expect(
            try hint(server, "/v1/task?filter=`a%20b`=='3'")
                == "no entity of type 'task' has the property 'a b'")
        // Nothing is odd about these.
        for plain in [
            "/v1/task?filter=priority==9", "/v1/task", "/v1/task?filter=done==true",
            "/v1/task?limit=0", "/v1/task?offset=10", "/v1/task?ids=x",
            "/v1/task?filter=priority==9+and+owner==null",
            "/v1/task?filter=not+exists(title)+and+priority==9",
        ] {
            #expect(try hint(server, plain) == nil, "\(plain)")
        }
    }

    /// What is odd may depend on rows that the caller may not read.
    @Test func aCallerWithARowRuleIsToldNothing() throws {
        let server = try AccessScene.server()
        #expect(try server.ask("root", "POST", "/v1/task", #"{"id":1,"team":"red"}"#).status == 201)
        for target in ["/v1/task?filter=pay==1", "/v1/task?filter=team==1"] {
            let answer = try server.ask("blue", "GET", target)
            #expect(answer.status == 200 && !answer.body.contains("hint"), "\(answer.body)")
            #expect(try server.ask("root", "GET", target).body.contains("\"hint\""))
        }
    }
}
