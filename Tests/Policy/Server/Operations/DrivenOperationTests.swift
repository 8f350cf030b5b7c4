import Freshet
import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetServer
import FreshetTestSupport
import Testing

/// Operations whose values come from controllers alone, over HTTP.
@Suite struct DrivenOperationTests {
    private struct Refusal: Error, CustomStringConvertible {
        var description: String { "the feed is closed" }
    }

    /// Hands its controls out; throws until it may begin.
    // SAFETY: all mutable state is read and written under `lock`.
    private final class Controller: OperationController, @unchecked Sendable {
        private let lock = Lock()
        private var given: OperationControls?

        let throwsAlways: Bool

        init(throwsAlways: Bool = false) {
            self.throwsAlways = throwsAlways
        }

        var controls: OperationControls? { lock.withLock { given } }

        func control(with controls: OperationControls) throws -> RunSubscription {
            if throwsAlways { throw Refusal() }
            lock.withLock { given = controls }
            controls.yield(ControlledValue(entities: [#"{"id":"1","n":1}"#]))
            return RunSubscription { [self] in lock.withLock { given = nil } }
        }
    }

    private static func document(_ server: TestServer, _ id: String) throws -> JSONValue {
        let answer = try server.send("GET", "/v1/_operations/\(id)")
        #expect(answer.status == 200, "\(answer.body)")
        return try JSONValue.parse(answer.body)
    }

    /// The first state of an operation's stream that is as wanted.
    private static func state(
        _ server: TestServer, _ id: String, where isWanted: (JSONValue) -> Bool
    ) throws -> JSONValue {
        let stream = try TestStream(server, "/v1/_operations/\(id)")
        while true {
            let event = try stream.next()
            guard event.name == "state" else { continue }
            let state = try JSONValue.parse(event.data)
            if isWanted(state) { return state }
        }
    }

    private static func configured(_ server: TestServer) throws {
        var query = Query(type: try #require(TypeName("note")))
        query.filter = try Filter(parsing: "n > 0")
        server.server.core.operations.replace([
            OperationDefinition("notes", query, OperationSettings())
        ])
    }

    @Test func aConfiguredQueryIsAnOperationWhereItsTypeHasNoRemote() async throws {
        try await offPool {
            let server = try TestServer()
            try Self.configured(server)
            let document = try Self.document(server, "notes")
            #expect(document["status"]?.stringValue == "idle")
            #expect(document["controllers"]?.arrayValue?.count == 0)
            let run = try server.send("POST", "/v1/_operations/notes/run?wait=1")
            #expect(run.status == 409 && run.body.contains("asks no remote"), "\(run.body)")
            #expect(try server.send("POST", "/v1/_operations/notes/pages/next").status == 409)
            // Nothing runs by itself either.
            #expect(try Self.document(server, "notes")["lastRun"]?.isNull == true)
            #expect(try server.send("GET", "/v1/_operations/notes/specs").status == 200)
        }
    }

    @Test func itsLiveQueriesAreSubscribersAndAreToldHowItStands() async throws {
        try await offPool {
            let server = try TestServer()
            try Self.configured(server)
            let controller = Controller()
            let driven = try server.server.drive(
                "notes", nil, by: controller, while: .subscribers(atLeast: 1))
            #expect(driven.report.state == .idle)
            // Another query is no subscriber of it.
            let other = try TestStream(server, "/v1/note?filter=n%20%3E%201&live=delta")
            _ = try other.next()
            #expect(try Self.document(server, "notes")["subscribers"]?.int64Value == 0)
            let stream = try TestStream(server, "/v1/note?filter=n%20%3E%200&live=delta")
            var sources: [String] = []
            var hasRow = false
            while !hasRow || sources.last != "fresh" {
                let event = try stream.next()
                if event.data.contains(#""n":1"#) { hasRow = true }
                guard event.name == "source" else { continue }
                let state = try JSONValue.parse(event.data)["state"]?.stringValue
                sources.append(try #require(state))
            }
            // It yields before it has begun.
            let document = try Self.state(server, "notes") {
                $0["controllers"]?[0]?["state"]?.stringValue == "running"
            }
            #expect(document["subscribers"]?.int64Value == 1)
            #expect(document["status"]?.stringValue == "success")
            #expect(document["count"]?.int64Value == 1)
            #expect(document["controllers"]?[0]?["kind"]?.stringValue == "custom")
            driven.cancel()
            #expect(try Self.document(server, "notes")["controllers"]?.arrayValue?.count == 0)
        }
    }

    @Test func whatAProgramDrivesIsAnOperationUntilItsLastControllerGoes() async throws {
        try await offPool {
            let server = try TestServer()
            let first = try server.server.drive(
                "notes", EntityQuery("note", where: "n > 0"), by: Controller(),
                while: .constant(true))
            let second = try server.server.drive(
                "notes", EntityQuery("note", where: "n>0 and n > 0"), by: Controller(),
                while: .constant(true))
            let state = try Self.state(server, "notes") {
                $0["controllers"]?.arrayValue?.allSatisfy { one in
                    one["counts"]?["values"]?.int64Value == 1
                } ?? false
            }
            #expect(state["controllers"]?.arrayValue?.count == 2)
            // It outlives a configuration that is read anew, and hides nothing of it.
            try Self.configured(server)
            #expect(try Self.document(server, "notes")["controllers"]?.arrayValue?.count == 2)
            server.server.core.operations.replace([])
            #expect(try Self.document(server, "notes")["controllers"]?.arrayValue?.count == 2)
            first.cancel()
            #expect(try Self.document(server, "notes")["controllers"]?.arrayValue?.count == 1)
            second.cancel()
            #expect(try server.send("GET", "/v1/_operations/notes").status == 404)
            // What is configured meanwhile stays.
            let third = try server.server.drive(
                "notes", EntityQuery("note", where: "n > 0"), by: Controller(),
                while: .constant(true))
            try Self.configured(server)
            third.cancel()
            #expect(try Self.document(server, "notes")["controllers"]?.arrayValue?.count == 0)
            #expect(try server.send("GET", "/v1/note/1").status == 200)
        }
    }

    @Test func whatCannotBeDrivenIsRefused() async throws {
        try await offPool {
            let server = try TestServer()
            try Self.configured(server)
            let cases: [(name: String, query: EntityQuery?, problem: String)] = [
                ("nobody", nil, "not-found"),
                ("notes", EntityQuery("note", where: "n > 1"), "bad-parameter"),
                ("no name", EntityQuery("note"), "bad-parameter"),
                ("a", EntityQuery("note", where: "("), "bad-filter"),
                ("a", EntityQuery("note", context: .remote), "bad-parameter"),
            ]
            for (name, query, problem) in cases {
                do throws(EntityProblem) {
                    _ = try server.server.drive(
                        name, query, by: Controller(), while: .constant(true))
                    Issue.record("\(name) is driven")
                } catch {
                    #expect(error.code == problem, "\(error.detail)")
                }
            }
            #expect(try server.send("GET", "/v1/_operations").body.contains("notes"))
            #expect(try server.send("GET", "/v1/_operations/a").status == 404)
        }
    }

    @Test func aControllerThatThrowsIsSeenAndTakesNothingElseDown() async throws {
        try await offPool {
            let server = try TestServer()
            let good = Controller()
            let running = try server.server.drive(
                "good", EntityQuery("note"), by: good, while: .constant(true))
            let driven = try server.server.drive(
                "bad", EntityQuery("other"), by: Controller(throwsAlways: true),
                while: .constant(true))
            let state = try Self.state(server, "bad") {
                $0["controllers"]?[0]?["counts"]?["thrown"]?.int64Value ?? 0 > 0
                    && $0["error"]?.objectValue != nil
            }
            let sentence = "the controller threw: the feed is closed"
            #expect(state["error"]?["detail"]?.stringValue == sentence)
            #expect(state["error"]?["code"]?.stringValue == "controller-failed")
            #expect(state["status"]?.stringValue == "idle")
            let controller = state["controllers"]?[0]
            #expect(controller?["lastError"]?.stringValue == sentence)
            _ = try Self.state(server, "good") { $0["status"]?.stringValue == "success" }
            #expect(try server.send("PUT", "/v1/note/2", #"{"n":2}"#).status == 201)
            let controls = try #require(good.controls)
            // There is nothing to run, and that is said.
            #expect(!controls.canYieldRerun && !controls.rerun())
            let after = try Self.document(server, "good")["controllers"]?[0]?["counts"]
            #expect(after?["refusedReruns"]?.int64Value == 1)
            let page = try server.send("GET", "/metrics").body
            let faults = "freshet_controller_faults_total{operation=\"bad\",controller=\"0\"}"
            #expect(page.contains(faults))
            driven.cancel()
            running.cancel()
        }
    }

    @Test func anErrorOfAControllerIsItsOwnAndNoRemotes() async throws {
        try await offPool {
            let server = try TestServer()
            let controller = Controller()
            let driven = try server.server.drive(
                "own", EntityQuery("note"), by: controller, while: .constant(true))
            _ = try Self.state(server, "own") { $0["status"]?.stringValue == "success" }
            let controls = try #require(controller.controls)
            #expect(controls.yield(error: Refusal()))
            let state = try Self.state(server, "own") { $0["error"]?.objectValue != nil }
            let error = state["error"]
            #expect(error?["code"]?.stringValue == "controller-failed")
            #expect(error?["status"]?.int64Value == 500)
            #expect(error?["detail"]?.stringValue == "the controller reports: the feed is closed")
            #expect(error?["upstream"] == nil)
            #expect(state["status"]?.stringValue == "success")
            driven.cancel()
        }
    }
}
