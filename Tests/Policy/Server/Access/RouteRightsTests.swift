import FreshetHTTP
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
        _ route: Route, _ caller: String?, _ server: TestServer
    ) throws -> TestResponse {
        var headers: [String] = []
        switch caller {
        case "wrong": headers = ["Authorization: Bearer wrong"]
        case let caller?: headers = [AccessScene.bearer(caller)]
        case nil: break
        }
        let hasBody = [.post, .put, .patch, .query].contains(route.method)
        if route.method == .patch { headers.append("Content-Type: application/merge-patch+json") }
        return try server.send(
            route.method.name, path(route), hasBody ? "{}" : nil, headers: headers)
    }

    private func expected(_ need: RouteNeed, _ caller: String?) -> Outcome {
        switch (need, caller) {
        case (.nothing, _): .passes
        case (_, "wrong"): .unauthenticated
        case (_, "root"): .passes
        case (.admin, nil), (.liveQueries, nil), (.token, nil): .unauthenticated
        case (.token, _): .passes
        case (.admin, _), (.liveQueries, _): .forbidden
        case (.read, nil), (.write, nil): .unauthenticated
        // Nobody in particular may read the type "open".
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
