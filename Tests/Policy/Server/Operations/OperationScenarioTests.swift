import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetRemote
import FreshetServer
import FreshetTestSupport
import Glibc
import Testing

/// Operations over HTTP: their documents, orders, events and gates, over a remote that the test plays.
@Suite struct OperationScenarioTests {
    private typealias Scene = FetchScenarioTests.Scene

    private static let members = [
        "id", "kind", "status", "isLoading", "isStale", "valueVersion", "valueUpdatedAt", "count",
        "error", "errorUpdatedAt", "failures", "automatic", "subscribers", "run", "lastRun",
        "edges", "controllers",
    ]

    /// A scene with the operation `todos`: the open ones.
    private static func scene(
        _ rows: [String] = [#"{"id":"a","status":"open"}"#], filter: String? = "status == 'open'",
        _ change: (inout OperationSettings) -> Void = { _ in }
    ) throws -> Scene {
        let scene = try Scene(rows)
        var query = Query(type: scene.type)
        query.filter = try filter.map { try Filter(parsing: $0) }
        var settings = OperationSettings(upstream: "api")
        change(&settings)
        scene.server.server.core.operations.board.declare(
            conditions: [ConditionDeclaration("open", initial: false)],
            specs: ["is-open": .condition("open")])
        scene.server.server.core.operations.replace([OperationDefinition("todos", query, settings)])
        return scene
    }

    private static func document(
        _ scene: Scene, _ id: String = "todos"
    ) throws -> JSONValue {
        let answer = try scene.server.send("GET", "/v1/_operations/\(id)")
        #expect(answer.status == 200)
        return try JSONValue.parse(answer.body)
    }

    private static func post(_ scene: Scene, _ order: String) throws -> TestResponse {
        try scene.server.send("POST", "/v1/_operations/todos/\(order)")
    }

    /// A server whose operation is not admitted until `open`, and whose callers wait for that.
    private static func waitingScene() throws -> Scene {
        try scene {
            $0.admit.when = .named("is-open")
            $0.admit.otherwise = .wait
            $0.admit.maxWait = .seconds(3_600)
        }
    }

    /// Sets the condition `open`.
    private static func open(_ scene: Scene, _ isOpen: Bool = true) throws {
        _ = try scene.server.server.core.operations.board.setConditions([
            ConditionWrite("open", isOpen)
        ])
    }

    // MARK: Documents

    @Test func aReadThroughARemoteBelongsToAnOperation() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a"}"#, #"{"id":"b"}"#])
            _ = try scene.get("?source=remote")
            let answer = try scene.server.send("GET", "/v1/_operations?prefix=todo:")
            let items = try JSONValue.parse(answer.body)["items"]?.arrayValue ?? []
            let operation = try #require(items.first, "\(answer.body)")
            #expect(items.count == 1)
            #expect(operation.objectValue?.map(\.name) == Self.members)
            #expect(operation["status"]?.stringValue == "success")
            #expect(operation["valueVersion"]?.doubleValue == 1)
            #expect(operation["count"]?.doubleValue == 2)
            #expect(operation["lastRun"]?["origin"]?.stringValue == "manual")
            #expect(operation["lastRun"]?["outcome"]?.stringValue == "success")
            #expect(operation["lastRun"]?["id"]?.stringValue == "r-1")
            _ = try scene.get("?source=remote&persist=none")
            _ = try scene.get("/a?source=remote")
            let all = try scene.server.send("GET", "/v1/_operations")
            #expect(try JSONValue.parse(all.body)["items"]?.arrayValue?.count == 3)
        }
    }

    @Test func aQueryEqualToAConfiguredOnesIsThatOperation() async throws {
        try await offPool {
            let scene = try Self.scene()
            #expect(try Self.document(scene)["status"]?.stringValue == "idle")
            _ = try scene.get("?filter=status%3D%3D%22open%22&source=remote")
            #expect(try Self.document(scene)["valueVersion"]?.doubleValue == 1)
            let all = try scene.server.send("GET", "/v1/_operations")
            #expect(try JSONValue.parse(all.body)["items"]?.arrayValue?.count == 1)
            _ = try scene.get("?filter=status%3D%3D%22done%22&source=remote")
            #expect(try Self.document(scene)["valueVersion"]?.doubleValue == 1)
        }
    }

    @Test func unknownOperationsAndOrdersAreRefused() async throws {
        try await offPool {
            let scene = try Self.scene()
            #expect(try scene.server.send("GET", "/v1/_operations/none").status == 404)
            #expect(try scene.server.send("POST", "/v1/_operations/none/run").status == 404)
            #expect(try Self.post(scene, "dance").status == 404)
            #expect(try Self.post(scene, "run?wait=2").status == 400)
            #expect(try Self.post(scene, "pages/next").status == 409)
            #expect(try Self.post(scene, "pages/first").status == 404)
            let path = "/v1/_operations/todos/active"
            #expect(try scene.server.send("PUT", path, #"{"active":1}"#).status == 400)
            #expect(try scene.server.send("PUT", path, #"{"active":true,"x":1}"#).status == 400)
            #expect(try scene.server.send("GET", "/v1/_operations?prefixes=a").status == 400)
            #expect(scene.remote.calls.isEmpty)
        }
    }

    @Test func theRunsOfAnOperationAreTold() async throws {
        try await offPool {
            let scene = try Self.scene()
            func runs(_ id: String = "todos") throws -> [JSONValue] {
                let answer = try scene.server.send("GET", "/v1/_operations/\(id)/runs")
                #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
                return try #require(try JSONValue.parse(answer.body)["items"]?.arrayValue)
            }
            #expect(try runs().isEmpty)
            _ = try Self.post(scene, "run?wait=1")
            let first = try #require(try runs().first)
            #expect(
                first.objectValue?.map(\.name) == [
                    "id", "origin", "outcome", "attempts", "startedAt", "durationMs", "results",
                    "count", "error",
                ])
            #expect(first["id"] == "r-1" && first["outcome"] == "success")
            #expect(first["results"] == 1 && first["count"] == 1 && first["error"] == .null)
            scene.remote.hold()
            _ = try Self.post(scene, "run")
            let underWay = try #require(try runs().first)
            #expect(underWay["id"] == "r-2" && underWay["outcome"] == .null)
            #expect(underWay["durationMs"] == .null && underWay["results"] == 0)
            _ = try Self.post(scene, "cancel")
            _ = try Self.post(scene, "reset")
            #expect(try runs().map { $0["outcome"] } == ["cancelled", "success"])
            scene.remote.release()
            for (id, status) in [("todos/runs?limit=1", 400), ("none/runs", 404)] {
                #expect(try scene.server.send("GET", "/v1/_operations/\(id)").status == status)
            }
        }
    }

    // MARK: Orders

    @Test func anOrderedRunIsAnsweredAtItsEndOrAtOnce() async throws {
        try await offPool {
            let scene = try Self.scene()
            let done = try Self.post(scene, "run?wait=1")
            #expect(done.status == 200 && done.body.contains(#""status":"success""#))
            scene.remote.hold()
            let begun = try Self.post(scene, "run")
            #expect(begun.status == 202 && begun.body.contains(#""isLoading":true"#))
            #expect(begun.body.contains(#""run":{"id":"r-2","origin":"manual","attempts":1"#))
            #expect(begun.body.contains(#""valueVersion":1"#), "a value survives loading")
            #expect(scene.remote.begins() && scene.remote.begins())
            let cancelled = try Self.post(scene, "cancel")
            #expect(cancelled.body.contains(#""status":"success","isLoading":false"#))
            #expect(cancelled.body.contains(#""outcome":"cancelled""#))
            #expect(cancelled.body.contains(#""failures":0"#))
            scene.remote.release()
            scene.remote.fail(.unreachable(.refused, detail: "no route"))
            let failed = try Self.post(scene, "run?wait=1")
            #expect(failed.status == 200 && failed.body.contains(#""status":"failure""#))
            #expect(failed.body.contains(#""code":"upstream-unreachable""#))
            #expect(failed.body.contains(#""failures":1"#) && failed.body.contains("(no route)"))
            #expect(failed.body.contains(#""valueVersion":1"#), "a value survives failure")
        }
    }

    @Test func aDroppedConnectionIsOnePartyFewer() async throws {
        try await offPool {
            let scene = try Self.scene()
            scene.remote.hold()
            let connection = try scene.server.connect()
            try connection.write(
                "POST /v1/_operations/todos/run?wait=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(scene.remote.begins())
            connection.hangUp()
            #expect(scene.remote.begins(), "it hears of the end")
            #expect(scene.remote.cancelled == 1)
            scene.remote.release()
            #expect(try Self.document(scene)["status"]?.stringValue == "idle")
        }
    }

    @Test func aResetForgetsAndADeletionIsAsNew() async throws {
        try await offPool {
            let scene = try Self.scene { $0.stale = [.never] }
            _ = try Self.post(scene, "run?wait=1")
            #expect(try Self.document(scene)["isStale"]?.boolValue == false)
            #expect(try Self.post(scene, "invalidate").body.contains(#""isStale":true"#))
            let reset = try Self.post(scene, "reset")
            #expect(reset.body.contains(#""status":"idle","isLoading":false,"isStale":true"#))
            #expect(reset.body.contains(#""valueVersion":0"#))
            _ = try scene.server.send(
                "PUT", "/v1/_operations/todos/active", #"{"active":false}"#)
            #expect(try Self.document(scene)["automatic"]?.boolValue == false)
            #expect(try scene.server.send("DELETE", "/v1/_operations/todos").status == 204)
            #expect(try Self.document(scene)["automatic"]?.boolValue == true)
            _ = try scene.get("?source=remote")
            let adHoc = try #require(
                scene.server.server.core.operations.list(prefix: "todo:").first)
            let gone = try scene.server.send("DELETE", "/v1/_operations/\(adHoc.id)")
            #expect(gone.status == 204)
            #expect(scene.server.server.core.operations.list(prefix: "todo:").isEmpty)
        }
    }

    /// That it was switched off is no edge to what it is as new.
    @Test func theDeletionOfWhatIsSwitchedOffRunsNothing() async throws {
        try await offPool {
            let scene = try Self.scene { $0.refetch.requiresSubscribers = false }
            let active = "/v1/_operations/todos/active"
            _ = try scene.server.send("PUT", active, #"{"active":false}"#)
            #expect(try Self.document(scene)["edges"]?["falls"]?.doubleValue == 1)
            #expect(try scene.server.send("DELETE", "/v1/_operations/todos").status == 204)
            let document = try Self.document(scene)
            #expect(document["automatic"]?.boolValue == true)
            #expect(document["lastRun"]?.isNull == true, "\(document.text)")
            let edges = document["edges"]
            #expect(edges?["rises"]?.doubleValue == 0 && edges?["falls"]?.doubleValue == 0)
            // It goes on as any other.
            _ = try scene.server.send("PUT", active, #"{"active":false}"#)
            _ = try scene.server.send("PUT", active, #"{"active":true}"#)
            #expect(try Self.document(scene)["edges"]?["runs"]?.doubleValue == 1)
        }
    }

    @Test func whatComesBehindAResetIsIgnored() async throws {
        try await offPool {
            let scene = try Self.scene()
            scene.remote.hold()
            _ = try Self.post(scene, "run")
            #expect(scene.remote.begins())
            _ = try Self.post(scene, "reset")
            scene.remote.release()
            let document = try Self.document(scene)
            #expect(document["status"]?.stringValue == "idle")
            #expect(document["valueVersion"]?.doubleValue == 0)
            #expect(document["lastRun"]?["outcome"]?.stringValue == "cancelled")
        }
    }

    @Test func theSwitchOfTheServiceClosesTheGates() async throws {
        try await offPool {
            let scene = try Self.scene()
            let off = try scene.server.send("PUT", "/v1/_service/active", #"{"active":false}"#)
            #expect(off.status == 200 && off.body == "{\"active\":false}\n")
            let shown = try scene.server.send("GET", "/v1/_service/active")
            #expect(shown.status == 200 && shown.body == off.body)
            #expect(try Self.document(scene)["automatic"]?.boolValue == false)
            #expect(try Self.post(scene, "run?wait=1").status == 200, "manual runs go on")
            let specs = try scene.server.send("GET", "/v1/_operations/todos/specs")
            #expect(specs.body.contains(#""automatic":{"satisfied":false"#), "\(specs.body)")
            #expect(specs.body.contains(#""trace":[{"pointer":"/automatic","value":false}"#))
        }
    }

    // MARK: Pages

    @Test func pagesAreFetchedOnRequestAndTogetherAgain() async throws {
        try await offPool {
            let rows = (0..<5).map { #"{"id":"\#($0)"}"# }
            let scene = try Scene(rows, window: true)
            var query = Query(type: scene.type)
            query.limit = 2
            var settings = OperationSettings(upstream: "api")
            settings.kind = .pages
            scene.server.server.core.operations.replace([
                OperationDefinition("todos", query, settings)
            ])
            #expect(try Self.post(scene, "run?wait=1").body.contains(#""count":2"#))
            #expect(try Self.post(scene, "pages/next?wait=1").body.contains(#""count":4"#))
            #expect(try Self.post(scene, "pages/next?wait=1").body.contains(#""count":5"#))
            #expect(scene.remote.calls.count == 3)
            let none = try Self.post(scene, "pages/next?wait=1")
            #expect(none.status == 200 && scene.remote.calls.count == 3, "there is no more")
            #expect(try Self.post(scene, "pages/previous?wait=1").status == 200)
            let all = try Self.post(scene, "run?wait=1").body
            #expect(all.contains(#""count":5"#) && all.contains(#""valueVersion":6"#), "\(all)")
            #expect(scene.remote.calls.count == 6, "a rerun fetches all held pages")
        }
    }

    /// The run under way may be of other pages.
    @Test func aPageThatIsOrderedDuringARunComesBehindIt() async throws {
        try await offPool {
            let scene = try Scene((0..<7).map { #"{"id":"\#($0)"}"# }, window: true)
            var query = Query(type: scene.type)
            query.limit = 2
            var settings = OperationSettings(upstream: "api")
            settings.kind = .pages
            scene.server.server.core.operations.replace([
                OperationDefinition("todos", query, settings)
            ])
            #expect(try Self.post(scene, "run?wait=1").body.contains(#""count":2"#))
            scene.remote.hold()
            #expect(try Self.post(scene, "run").status == 202)
            let waiting = try scene.server.connect()
            try waiting.write(
                "POST /v1/_operations/todos/pages/next?wait=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try Self.document(scene)["isLoading"]?.boolValue == true)
            scene.remote.release()
            #expect(try waiting.readResponse().body.contains(#""count":4"#))
            scene.remote.hold()
            #expect(try Self.post(scene, "run").status == 202)
            #expect(try Self.post(scene, "pages/next").status == 202)
            scene.remote.release()
            let deadline = TestDeadline("the page has come")
            while try Self.document(scene)["count"]?.int64Value != 6 { try deadline.check() }
        }
    }

    // MARK: Events

    @Test func theEventsOfARunComeInTheirOrder() async throws {
        try await offPool {
            let scene = try Self.scene()
            let stream = try TestStream(scene.server, "/v1/_operations/todos")
            #expect(try stream.next().data.contains(#""status":"idle""#))
            _ = try Self.post(scene, "run?wait=1")
            let events = try (0..<5).map { _ in try stream.next() }
            #expect(
                events.map(\.name) == ["state", "run-started", "result", "run-ended", "state"])
            #expect(events[0].data.contains(#""status":"loading""#))
            #expect(events[1].data.contains(#"{"id":"r-1","origin":"manual","attempts":1"#))
            #expect(
                events[2].data == #"{"run":"r-1","valueVersion":1,"count":1,"final":true}"#)
            #expect(events[3].data.contains(#""outcome":"success""#))
            #expect(events[4].data.contains(#""subscribers":0"#), "the stream is no subscriber")
        }
    }

    // MARK: Gates and subscribers

    @Test func aRefreshBehindAClosedGateIsGated() async throws {
        try await offPool {
            let scene = try Self.scene { $0.automatic = .named("is-open") }
            let path = "?filter=status%3D%3D%22open%22"
            #expect(try scene.get(path).status == 200, "nothing is here: the caller asks")
            let gated = try scene.get(path)
            #expect(gated.header("Freshet-Refresh") == "gated")
            #expect(gated.header("Freshet-Source") == "local")
            let stream = try TestStream(scene.server, "/v1/todo\(path)")
            var source = ""
            while source.isEmpty {
                let event = try stream.next()
                if event.name == "source" { source = event.data }
            }
            #expect(source.contains(#""state":"gated","gate":"is-open""#), "\(source)")
            let several = try TestStream(
                scene.server, "/v1/_live?q.a=/v1/todo\(path.replacing("%", with: "%25"))")
            let told = try several.next { $0.last?.name == "source" }
            let start = #"{"q":"a","state":"gated","gate":"is-open","#
            #expect(told.last?.data.hasPrefix(start) == true)
            #expect(scene.remote.calls.count == 1)
            // The default edge has the gate in it, so that its opening is one. What is here may be
            // told as fresh before the run has begun.
            scene.remote.hold()
            try Self.open(scene)
            _ = try Self.sources(stream, until: #""state":"fetching""#)
            scene.remote.release()
            _ = try Self.sources(stream, until: #""state":"fresh""#)
            #expect(scene.remote.calls.count == 2)
            let document = try Self.document(scene)
            #expect(document["lastRun"]?["origin"]?.stringValue == "when")
            #expect(document["edges"]?["rises"]?.doubleValue == 1)
            #expect(document["edges"]?["runs"]?.doubleValue == 1)
            #expect(document["subscribers"]?.doubleValue == 2)
        }
    }

    /// The `source` events of a stream up to the one whose data contains `last`.
    private static func sources(
        _ stream: TestStream, until last: String
    ) throws -> [String] {
        var sources: [String] = []
        while sources.last?.contains(last) != true {
            let event = try stream.next()
            if event.name == "source" { sources.append(event.data) }
        }
        return sources
    }

    @Test func aGateThatClosesBehindAFreshAnswerIsTold() async throws {
        try await offPool {
            let scene = try Self.scene { $0.automatic = .named("is-open") }
            try Self.open(scene)
            let stream = try TestStream(
                scene.server, "/v1/todo?filter=status%3D%3D%22open%22")
            _ = try Self.sources(stream, until: #""state":"fresh""#)
            try Self.open(scene, false)
            _ = try Self.sources(stream, until: #""state":"gated","gate":"is-open""#)
            scene.remote.hold()
            try Self.open(scene)
            _ = try Self.sources(stream, until: #""state":"fetching""#)
            scene.remote.release()
            _ = try Self.sources(stream, until: #""state":"fresh""#)
        }
    }

    @Test func aFailureIsToldBeforeTheGateThatClosesBehindIt() async throws {
        try await offPool {
            let scene = try Self.scene {
                $0.automatic = .named("is-open")
                $0.stale = [.condition("open"), .always]
            }
            try Self.open(scene)
            let stream = try TestStream(
                scene.server, "/v1/todo?filter=status%3D%3D%22open%22")
            // The run of the first subscriber is over: it may be stale before that run, too.
            _ = try Self.sources(stream, until: #""state":"fresh""#)
            _ = try Self.sources(stream, until: #""state":"stale""#)
            scene.remote.fail(.status(503, retryAfter: .seconds(60), excerpt: ""))
            scene.remote.hold()
            _ = try Self.post(scene, "run")
            _ = try Self.sources(stream, until: #""state":"fetching""#)
            try Self.open(scene, false)
            scene.remote.release()
            let told = try Self.sources(stream, until: #""state":"gated""#).suffix(2)
            #expect(told.first?.contains(#""state":"failed""#) == true, "\(told)")
            #expect(told.first?.contains(#""next":""#) == true, "\(told)")
        }
    }

    @Test func whatIsNotAdmittedFallsBackAsItsSourceAllows() async throws {
        try await offPool {
            let scene = try Self.scene { $0.admit.when = .named("is-open") }
            let path = "?filter=status%3D%3D%22open%22&source="
            let refused = try scene.get(path + "remote")
            #expect(refused.status == 503 && refused.body.contains(#""code":"gated""#))
            #expect(
                refused.body.contains(#""gate":"is-open","operation":"todos""#), "\(refused.body)")
            #expect(refused.body.contains("GET /v1/_operations/todos/specs"), "\(refused.body)")
            #expect(try Self.post(scene, "run?wait=1").body.contains(#""code":"gated""#))
            _ = try scene.server.send("PUT", "/v1/todo/x", #"{"status":"open"}"#)
            let local = try scene.get(path + "remoteOrLocal")
            #expect(local.status == 200 && local.body.contains(#""id":"x""#))
            #expect(local.header("Freshet-Source") == "fallback")
            #expect(local.header("Freshet-Refresh") == "gated")
            #expect(scene.remote.calls.isEmpty)
            try Self.open(scene)
            #expect(try scene.get(path + "remote").status == 200)
        }
    }

    @Test func aReadMayWaitToBeAdmitted() async throws {
        try await offPool {
            let scene = try Self.waitingScene()
            let waiting = scene.later("?filter=status%3D%3D%22open%22&source=remote")
            try Self.open(scene)
            #expect(try waiting.answer().status == 200)
        }
    }

    @Test(arguments: ["cancel", "reset"])
    func whoWaitsToBeAdmittedIsCancelledWithTheOperation(by order: String) async throws {
        try await offPool {
            let scene = try Self.waitingScene()
            let read = scene.later("?filter=status%3D%3D%22open%22&source=remote")
            let operation = try #require(scene.server.server.core.operations.list(prefix: "").first)
            while operation.waitsToBeAdmitted == 0 { usleep(1_000) }
            #expect(try Self.post(scene, order).status == 200)
            #expect(try read.answer().status == 503)
            try Self.open(scene)
            #expect(scene.remote.calls.isEmpty, "what was cancelled begins no more")
        }
    }

    @Test func theFirstSubscriberRunsItAndLaterOnesDoNot() async throws {
        try await offPool {
            let scene = try Self.scene()
            let path = "/v1/todo?filter=status%3D%3D%22open%22"
            scene.remote.hold()
            let first = try TestStream(scene.server, path)
            var event = try first.next()
            while !event.data.contains(#""state":"fetching""#) { event = try first.next() }
            scene.remote.release()
            while !event.data.contains(#""state":"fresh""#) { event = try first.next() }
            let second = try TestStream(scene.server, path)
            while event.name != "snapshot" { event = try second.next() }
            let document = try Self.document(scene)
            #expect(document["subscribers"]?.doubleValue == 2)
            #expect(document["lastRun"]?["origin"]?.stringValue == "subscribe")
            #expect(scene.remote.calls.count == 1)
            // Whatever starts a run, the streams are told; what is over before they look is not.
            scene.remote.hold()
            _ = try Self.post(scene, "run")
            while !event.data.contains(#""state":"fetching""#) { event = try second.next() }
            scene.remote.release()
            while !event.data.contains(#""state":"fresh""#) { event = try second.next() }
        }
    }

    @Test func operationsThatNobodyUsesAreBounded() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a"}"#])
            let operations = scene.server.server.core.operations
            operations.mostIdle = 32
            for number in 0..<100 { _ = try scene.get("/n\(number)?source=remote") }
            let kept = operations.list(prefix: "todo:")
            #expect(kept.count <= 32 && kept.count >= 28)
            #expect(try scene.get("/a?source=remote").status == 200)
        }
    }
}
