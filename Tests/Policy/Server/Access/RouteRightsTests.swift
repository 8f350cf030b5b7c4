import FreshetConfig
import FreshetHTTP
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// Every line of the route table against every kind of caller.
@Suite struct RouteRightsTests {
    private enum Outcome: Equatable {
        case passes
        case unauthenticated
        case forbidden
    }

    /// The path of a route, with something in each place.
    private func path(_ route: Route) -> String {
        let segments = route.pattern.description.split(separator: "/").map { segment in
            switch segment {
            case "{type}": "task"
            case "{id}": "1"
            case "{code}": "forbidden"
            default: segment.hasPrefix("{") ? "x" : String(segment)
            }
        }
        return "/" + segments.joined(separator: "/")
    }

    private func send(
        _ route: Route, _ caller: String?, _ server: TestServer, as method: String? = nil,
        accepting media: String = "*/*"
    ) throws -> TestResponse {
        var headers = ["Accept: \(media)"]
        switch caller {
        case "wrong": headers += ["Authorization: Bearer wrong"]
        case let caller?: headers += [AccessScene.bearer(caller)]
        case nil: break
        }
        let hasBody = [.post, .put, .patch, .query].contains(route.method)
        if route.method == .patch { headers.append("Content-Type: application/merge-patch+json") }
        return try server.send(
            method ?? route.method.name, path(route), hasBody ? "{}" : nil, headers: headers,
            readsBody: media != "text/event-stream")
    }

    private func expected(_ need: RouteNeed, _ caller: String?) -> Outcome {
        switch (need, caller) {
        // The description, without the types that are declared.
        case (.nothing, _), (.description, _): .passes
        case (_, "wrong"): .unauthenticated
        case (_, "root"): .passes
        case (.admin, nil), (.server, nil), (.liveQueries, nil), (.token, nil): .unauthenticated
        case (.token, _): .passes
        case (.admin, _), (.server, _), (.liveQueries, _): .forbidden
        case (.read, nil), (.write, nil): .unauthenticated
        // Nobody in particular may read the type "open".
        // As JSON; a browser's page is shown to everybody.
        case (.page, _): expected(.caller, caller)
        case (.caller, nil), (.operations, nil), (.ticket, nil): .passes
        case (.caller, "mute"), (.operations, "mute"), (.ticket, "mute"): .forbidden
        case (.caller, _), (.operations, _), (.ticket, _): .passes
        case (.read, "mute"), (.write, "mute"), (.write, "reader"): .forbidden
        case (.read, _), (.write, _): .passes
        }
    }

    @Test func everyRouteAsksForWhatItNeeds() throws {
        let server = try AccessScene.server()
        _ = try server.ask("root", "PUT", "/v1/task/1", "{}")
        for route in RouteTable.routes {
            for caller in [nil, "wrong", "mute", "reader", "writer", "root"] {
                let response = try send(route, caller, server)
                let name = "\(route.method.name) \(route.pattern) by \(caller ?? "nobody")"
                switch expected(route.need, caller) {
                case .passes: #expect(![401, 403, 429].contains(response.status), "\(name)")
                case .forbidden:
                    #expect(response.status == 403, "\(name)")
                    #expect(response.body.contains(#""code":"forbidden""#), "\(name)")
                case .unauthenticated where caller == "wrong":
                    // Behind the tenth wrong token of a minute there is a wait.
                    #expect([401, 429].contains(response.status), "\(name)")
                case .unauthenticated:
                    #expect(response.status == 401, "\(name)")
                    #expect(response.header("WWW-Authenticate") == "Bearer", "\(name)")
                }
            }
        }
    }

    /// One of each kind of caller, nobody in particular under a row rule included.
    private static let ruled = #"""
        {"anonymous": {"*": {"read": "team == 'blue'"}, "open": {"read": true}},
         "tokens": [
          {"name": "reader", "sha256": "@reader", "types": {"task": {"read": true}}},
          {"name": "writer", "sha256": "@writer", "types": {"*": {"read": true, "write": true}}},
          {"name": "blue", "sha256": "@blue",
           "types": {"*": {"read": "team == 'blue'", "write": "team == 'blue'"}}},
          {"name": "root", "sha256": "@root", "admin": true},
          {"name": "mute", "sha256": "@mute"}
         ]}
        """#

    private static let declarations = [
        // Its rows fit, so that the first look at them has to judge them.
        #"{"types":{"task":{"properties":{"team":{"type":"string"}}}}}"#,
        // Its rows are unfit.
        #"{"types":{"task":{"properties":{"rank":{"type":"string","required":true}}},"note":{}}}"#,
        // Declared and never written.
        #"{"types":{"note":{"indexes":["team"]},"task":{"indexes":["team"]}}}"#,
        #"{"types":{}}"#,
    ]

    /// Whatever is asked by whomever, the server answers, is itself to blame for nothing, and goes
    /// on: with types that are declared and not, with counts that are known and not.
    @Test(arguments: RouteRightsTests.declarations)
    func everyRouteAnswersEveryCaller(declaration: String) throws {
        let callers = [nil, "mute", "reader", "writer", "blue", "root"]
        for caller in callers {
            let server = try AccessScene.server(Self.ruled)
            for (id, team) in [(1, "blue"), (2, "red")] {
                for type in ["task", "open"] {
                    let target = "/v1/\(type)/\(id)"
                    let body = "{\"team\":\"\(team)\",\"rank\":1}"
                    #expect(try server.ask("root", "PUT", target, body).status == 201)
                }
            }
            let file = try TemporaryFile(declaration)
            let types = ConfigurationSource(flags: [:], environment: [:], path: file.path)
                .resolve()
            #expect(types.faults.isEmpty)
            var changed = types.settings
            changed.access = try AccessScene.settings(Self.ruled)
            server.server.reload(changed)
            for route in RouteTable.routes {
                let name = "\(route.method.name) \(route.pattern) by \(caller ?? "nobody")"
                for media in ["*/*", "text/html", "text/event-stream"] {
                    let response = try send(route, caller, server, accepting: media)
                    // 501: a store in memory has no files to look after.
                    let isAnswered =
                        (200..<500).contains(response.status)
                        || response.status == 501
                    #expect(isAnswered, "\(response.status) for \(name) as \(media)")
                    if route.method == .get, media == "*/*" {
                        let head = try send(route, caller, server, as: "HEAD")
                        #expect(head.status == response.status, "HEAD \(name)")
                    }
                }
            }
            #expect(try server.send("GET", "/livez").status == 200)
        }
    }

    /// The shortest way to the fault that the walk above is for.
    @Test func typesAreDescribedUnderARowRule() throws {
        let file = try TemporaryFile(#"{"types":{"task":{}}}"#)
        let types = ConfigurationSource(flags: [:], environment: [:], path: file.path).resolve()
        for target in ["/v1/_types", "/v1/_types/task"] {
            let server = try AccessScene.server(Self.ruled) { $0.types = types.settings.types }
            _ = try server.ask("root", "PUT", "/v1/task/1", #"{"team":"blue"}"#)
            _ = try server.ask("root", "PUT", "/v1/task/2", #"{"team":"red"}"#)
            let response = try server.ask(nil, "GET", target)
            #expect(response.status == 200)
            #expect(response.body.contains(#""name":"task","count":1,"sources""#))
            #expect(try server.ask("root", "GET", target).body.contains(#""count":2,"unfit":0"#))
        }
    }

    @Test func everyRouteIsOpenWithoutAccess() throws {
        let server = try TestServer()
        for route in RouteTable.routes {
            let response = try send(route, "wrong", server)
            #expect(![401, 403, 429].contains(response.status), "\(route.pattern)")
            #expect(response.header("Vary")?.contains("Authorization") != true)
        }
    }

    @Test func aNeedIsNamedByTypeOrIsNoMatterOfEntities() {
        for route in RouteTable.routes {
            let pattern = route.pattern.description
            let namesType = pattern.hasPrefix("/v1/{type}")
            #expect(
                namesType == (route.need == .read || route.need == .write),
                "\(route.method.name) \(pattern) needs \(route.need)")
            if route.need == .nothing { #expect(!pattern.hasPrefix("/v1"), "\(pattern)") }
            let isReading = [.get, .query].contains(route.method) || pattern.hasSuffix("/_search")
            if namesType { #expect(isReading == (route.need == .read), "\(pattern)") }
        }
    }
}
