import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// Two servers of the same commits: one has rows that the caller may not read, the other has them in
/// a type that it knows nothing of. Whatever the caller asks, both answer the same bytes.
@Suite struct HiddenRowTests {
    private static let declaration = #"""
        {"types":{
          "task":{"identifier":"integer",
                  "indexes":["team","pay","state",["state","-pay"],"tags","person"],
                  "relationships":{"person":{"type":"person","association":"one"}},
                  "properties":{"team":{"type":"string"},"rank":{"type":"integer"}}},
          "person":{"indexes":["team"],
                    "relationships":{"tasks":{"type":"task","by":"person"}}},
          "note":{}}}
        """#

    private static let rules = #"""
        {"tokens": [
          {"name": "blue", "sha256": "@blue",
           "types": {"task": {"read": "team == 'blue'", "write": "team == 'blue'"},
                     "person": {"read": "team == 'blue'"}, "note": {"read": "team == 'blue'"},
                     "loose": {"read": "team == 'blue'"}, "gone": {"read": "team == 'blue'"}}},
          {"name": "root", "sha256": "@root", "admin": true}
         ]}
        """#

    private let full: TestServer
    private let bare: TestServer

    init() throws {
        let file = try TemporaryFile(Self.declaration)
        let types = ConfigurationSource(flags: [:], environment: [:], path: file.path).resolve()
        #expect(types.faults.isEmpty, "\(types.faults)")
        let servers = try (0..<2).map { _ in
            try AccessScene.server(Self.rules) { $0.types = types.settings.types }
        }
        (full, bare) = (servers[0], servers[1])
        for part in 0..<6 {
            let seen = (0..<40).map { row(part * 1000 + $0, "blue", pay: ($0 * 7 + part) % 90) }
            try write("task", seen, hidden: false)
            // Rows of the same values, of values between them, and of some that nobody else has.
            let hidden = (0..<150).map {
                row(part * 1000 + 500 + $0, "red", pay: part == 5 ? 5000 : ($0 * part) % 120)
            }
            try write("task", hidden, hidden: true)
        }
        try write("person", (0..<9).map { person($0, $0 % 3 == 0 ? "red" : "blue") }, hidden: nil)
        try write("note", [row(1, "red", pay: 1)], hidden: true)
        try write("loose", (0..<5).map { row($0, "blue", pay: $0) }, hidden: false)
        try write("loose", (5..<50).map { row($0, "red", pay: $0 % 7) }, hidden: true)
        try write("gone", (0..<20).map { row($0, "red", pay: $0) }, hidden: true)
    }

    private func row(_ id: Int, _ team: String, pay: Int) -> String {
        let secret = team == "red" ? ",\"secret\":\(id)" : ""
        return """
            {"id":\(id),"team":"\(team)","pay":\(pay),"state":"\(pay % 3 == 0 ? "open" : "done")",\
            "tags":["t\(pay % 5)","\(team)"],"rank":\(pay % 11),"person":\(pay % 12)\(secret)}
            """
    }

    private func person(_ id: Int, _ team: String) -> String {
        "{\"id\":\(id),\"team\":\"\(team)\",\"name\":\"n\(id)\"}"
    }

    /// One commit on both servers. - Parameter hidden: nil: each row by its team.
    private func write(_ type: String, _ rows: [String], hidden: Bool?) throws {
        let parts: [(rows: [String], isHidden: Bool)] =
            switch hidden {
            case let hidden?: [(rows, hidden)]
            case nil:
                [
                    (rows.filter { $0.contains("\"red\"") }, true),
                    (rows.filter { !$0.contains("\"red\"") }, false),
                ]
            }
        for part in parts {
            for server in [full, bare] {
                let name = part.isHidden && server === bare ? "elsewhere" : type
                let body = "[\(part.rows.joined(separator: ","))]"
                #expect(try server.ask("root", "POST", "/v1/\(name)/_set", body).status == 200)
            }
        }
    }

    /// All that tells answers apart, the epoch left out, also of the tag of a search: it is random for
    /// each server, and its length with it.
    private func answer(
        _ server: TestServer, _ method: String, _ target: String, _ body: String? = nil,
        _ headers: [String] = []
    ) throws -> String {
        let response = try server.ask("blue", method, target, body, headers: headers)
        let epoch = try epoch(of: server)
        var parts = response.tellingParts
            .replacing("Content-Length: \(response.header("Content-Length") ?? "")\n", with: "")
            .replacing(epoch, with: "EPOCH")
        if let tag = response.header("ETag"), tag.hasPrefix("W/\"") {
            let digest = try #require(UInt64(tag.dropFirst(3).dropLast(), radix: 16))
            let value = try #require(Epoch(epoch)).value
            parts = parts.replacing(tag, with: "W/\"\(digest ^ value)\"")
        }
        return parts
    }

    private func epoch(of server: TestServer) throws -> String {
        let list = try JSONValue.parse(try server.ask("root", "GET", "/v1").body)
        let cursor = try #require(list["meta"]?["cursor"]?.stringValue)
        return try #require(cursor.split(separator: ".").first.map(String.init))
    }

    private func expectEqual(
        _ method: String, _ target: String, _ body: String? = nil, _ headers: [String] = []
    ) throws {
        let (one, other) = (
            try answer(full, method, target, body, headers),
            try answer(bare, method, target, body, headers)
        )
        #expect(one == other, "\(method) \(target) \(body ?? "") \(headers)")
        #expect(!one.contains("\"red\"") && !one.contains("secret\":"), "\(target)")
    }

    private static let filters = [
        "", "pay==5000", "pay==5001", "pay==3", "pay>4000", "pay+in+(1,2,3,5000)", "state=='open'",
        "state=='open'+and+pay<20", "team=='red'", "team!='blue'", "tags+has+'red'",
        "tags+hasAny+['t1','red']", "not+pay==3", "pay==3+or+pay==5000", "exists(secret)",
        "secret>10", "pay==5000+and+state=='open'", "id+in+(1,501,502,1500)", "nosuch==1",
        "pay>=0+and+pay<=120", "tags+has+'t1'+and+pay==5000", "person==3+and+tags+has+'t3'",
        "startsWith(state,'o')", "state~='^o'", "size(tags)==2", "rank==1+and+pay==12",
    ]

    private static let tails = [
        "", "limit=3", "limit=0&count=true", "order=-pay&limit=5&count=true", "order=pay&offset=3",
        "distinct=state", "group=state&limit=7", "aggregate=count,sum(pay),min(pay),max(secret)",
        "aggregate=count&group=team", "fields=secret,pay&limit=4", "meta=true&limit=2",
        "include=person&limit=6", "order=state,-pay&limit=2&count=true",
    ]

    @Test func everyQuestionIsAnsweredAsIfHiddenRowsWereNot() throws {
        var asked = 0
        for filter in Self.filters {
            for tail in Self.tails {
                let parameters = ([filter.isEmpty ? "" : "filter=\(filter)", tail])
                    .filter { !$0.isEmpty }
                for explain in ["", "explain=true"] {
                    let query = (parameters + [explain]).filter { !$0.isEmpty }
                        .joined(separator: "&")
                    try expectEqual("GET", "/v1/task?\(query)")
                    asked += 1
                }
            }
            let question = filter.isEmpty ? "" : "?filter=\(filter)"
            try expectEqual("HEAD", "/v1/task\(question)")
            for type in ["loose", "note", "gone", "person", "nosuch"] {
                let more = question.isEmpty ? "?explain=true" : "\(question)&explain=true"
                try expectEqual("GET", "/v1/\(type)\(more)&count=true")
            }
        }
        #expect(asked >= 500)
    }

    @Test func otherDoorsTellNoMore() throws {
        for target in [
            "/v1", "/v1/_types", "/v1/_types/task", "/v1/_types/loose", "/v1/_types/gone",
        ] {
            try expectEqual("GET", target)
        }
        for id in [0, 1, 500, 501, 5500, 5999, 77777] {
            for tail in ["", "?meta=true", "?include=person", "?fields=secret", "?explain=true"] {
                try expectEqual("GET", "/v1/task/\(id)\(tail)")
            }
            try expectEqual("HEAD", "/v1/task/\(id)")
            try expectEqual("GET", "/v1/task?ids=\(id),1,501&explain=true")
            try expectEqual("GET", "/v1/task?order=ids:\(id),3&limit=4&explain=true&count=true")
        }
        for id in [500, 501, 5999] {
            try expectEqual("PATCH", "/v1/task/\(id)", #"{"rank":1}"#)
            try expectEqual("DELETE", "/v1/task/\(id)")
            try expectEqual("GET", "/v1/task/\(id)", nil, ["If-Match: *"])
            try expectEqual("GET", "/v1/task/\(id)", nil, ["If-None-Match: *"])
        }
        try expectEqual("DELETE", "/v1/task?filter=pay==5000")
        try expectEqual("DELETE", "/v1/task?ids=501,502")
        try expectEqual("POST", "/v1/task/_remove", #"{"filter":"secret>0"}"#)
        for body in [
            #"{"filter":"pay==5000","explain":true,"count":true}"#,
            #"{"filter":{"property":"secret","op":">","value":1},"explain":true}"#,
            #"{"order":["-pay"],"limit":3,"explain":true}"#, #"{"ids":[501,1],"explain":true}"#,
        ] {
            try expectEqual("POST", "/v1/task/_search", body)
            try expectEqual("QUERY", "/v1/task", body)
        }
        for target in ["/v1/person?include=tasks", "/v1/person/1?include=tasks", "/v1/person/3"] {
            try expectEqual("GET", target)
        }
        // Pages: their marks tell of the last row only.
        let page = try full.ask("blue", "GET", "/v1/task?order=-pay&limit=9")
        let next = try #require(try JSONValue.parse(page.body)["meta"]?["next"]?.stringValue)
        try expectEqual("GET", "/v1/task?order=-pay&limit=9&explain=true&after=\(next)")
    }

    @Test func liveQueriesBeginTheSame() throws {
        for filter in Self.filters {
            for tail in ["live=delta", "live=snapshot&order=-pay&limit=4&count=true"] {
                let query = filter.isEmpty ? tail : "filter=\(filter)&\(tail)"
                var told: [[String]] = []
                for server in [full, bare] {
                    let stream = try TestStream(
                        server, "/v1/task?\(query)", headers: [AccessScene.bearer("blue")])
                    let epoch = try epoch(of: server)
                    told.append(
                        try (0..<2).map { _ in
                            let event = try stream.next()
                            return "\(event.name) \(event.id ?? "") \(event.data)"
                                .replacing(epoch, with: "EPOCH")
                        })
                }
                #expect(told[0] == told[1], "\(query)")
            }
        }
    }
}
