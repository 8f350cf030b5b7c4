import FreshetBase
import FreshetJSON
import Testing

@testable import FreshetServer

/// What `GET /v1/_access/me` tells a caller of itself.
@Suite struct DescribedCallerTests {
    private func me(_ caller: String?, _ server: TestServer) throws -> JSONValue {
        let answer = try server.ask(caller, "GET", "/v1/_access/me")
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.header("Cache-Control") == "no-store")
        return try JSONValue.parse(answer.body)
    }

    @Test("Every caller is told its name, its claims and its rights, and no rule")
    func callers() throws {
        let server = try AccessScene.server()
        let none = #"{"read":false,"write":false,"level":"none"}"#
        for (caller, expected) in [
            (
                nil,
                #"""
                {"name":"","subject":null,"role":null,"claims":{},"admin":false,"open":false,
                 "expires":null,"types":{"open":{"read":true,"write":false,"level":"remote"}},
                 "others":\#(none)}
                """#
            ),
            (
                "writer",
                #"""
                {"name":"writer","subject":"writer","role":null,"claims":{},"admin":false,
                 "open":false,"expires":null,"types":{},
                 "others":{"read":true,"write":true,"level":"remote"}}
                """#
            ),
            (
                "blue",
                #"""
                {"name":"blue","subject":"blue","role":null,"claims":{"team":"blue","most":5},
                 "admin":false,"open":false,"expires":null,
                 "types":{"note":{"read":"rule","write":true,"level":"remote"},
                          "task":{"read":"rule","write":"rule","level":"remote"}},
                 "others":\#(none)}
                """#
            ),
            (
                "root",
                #"""
                {"name":"root","subject":"root","role":null,"claims":{},"admin":true,
                 "open":false,"expires":null,"types":{},
                 "others":{"read":true,"write":true,"level":"remote"}}
                """#
            ),
        ] as [(String?, String)] {
            let told = try me(caller, server)
            #expect(try told == JSONValue.parse(expected), "\(told.text)")
            #expect(!told.text.contains("$") && !told.text.contains("=="), "\(told.text)")
        }
        #expect(try server.ask("mute", "GET", "/v1/_access/me").status == 403)
        let wrong = ["Authorization: Bearer wrong"]
        #expect(try server.send("GET", "/v1/_access/me", headers: wrong).status == 401)
        #expect(try server.ask("root", "GET", "/v1/_access/me?name=ci").status == 400)
    }

    @Test("Where nobody is asked for a token everything is open")
    func openServer() throws {
        let server = try TestServer()
        for headers in [[], ["Authorization: Bearer any"]] {
            let answer = try server.send("GET", "/v1/_access/me", headers: headers)
            let told = try JSONValue.parse(answer.body)
            #expect(told["open"] == true && told["admin"] == true && told["name"] == "")
            #expect(told["others"]?["write"] == true && told["types"]?.objectValue?.count == 0)
        }
    }

    @Test("A subject, an end and a level are told; so is what a reload changes")
    func changes() throws {
        let server = try AccessScene.server(
            #"""
            {"tokens":[{"name":"reader","sha256":"@reader","subject":"r-7",
              "expires":"2099-01-02T03:04:05Z",
              "types":{"task":{"read":true,"level":"local"},"note":{"read":true,"level":"none"}}}]}
            """#)
        let told = try me("reader", server)
        #expect(told["subject"] == "r-7" && told["expires"] == "2099-01-02T03:04:05.000Z")
        #expect(told["types"]?["task"]?["level"] == "local")
        #expect(
            try told["types"]?["note"]
                == JSONValue.parse(#"{"read":false,"write":false,"level":"none"}"#))
        server.server.service.access.replace(
            try AccessScene.settings(
                #"{"tokens":[{"name":"now","sha256":"@reader","types":{"*":{"write":true}}}]}"#))
        let changed = try me("reader", server)
        #expect(changed["name"] == "now" && changed["others"]?["write"] == true)
        #expect(changed["others"]?["read"] == false && changed["expires"] == .null)
    }

    @Test("What a caller is told is what a request then gets")
    func requests() throws {
        let server = try AccessScene.server()
        let callers: [String?] = [nil, "reader", "writer", "blue", "root"]
        for caller in callers {
            let told = try me(caller, server)
            for type in ["open", "task", "note", "other"] {
                let rights = told["types"]?[type] ?? told["others"]
                let read = try server.ask(caller, "GET", "/v1/\(type)").status
                #expect((read == 200) == (rights?["read"] != false), "\(type) by \(caller ?? "")")
                let write = try server.ask(caller, "DELETE", "/v1/\(type)/absent").status
                #expect(
                    [401, 403].contains(write) == (rights?["write"] == false),
                    "\(type) by \(caller ?? ""): \(write)")
            }
            let administrates = try server.ask(caller, "GET", "/v1/_conditions").status == 200
            #expect(told["admin"] == .bool(administrates))
        }
    }
}
