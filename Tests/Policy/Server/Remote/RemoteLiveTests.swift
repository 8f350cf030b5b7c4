import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetServer
import FreshetTestSupport
import Testing

/// Live queries and includes over a type with a remote.
@Suite struct RemoteLiveTests {
    private typealias Scene = FetchScenarioTests.Scene

    @Test func aRefreshReachesALiveQueryAsADelta() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a","n":1}"#])
            _ = try scene.get("?source=remote")
            scene.remote.set(rows: [#"{"id":"a","n":2}"#, #"{"id":"b","n":3}"#])
            scene.remote.hold()
            let stream = try TestStream(scene.server, "/v1/todo?live=delta&order=id")
            #expect(try stream.next().name == "hello")
            // In any order, and behind how it stood: the fetch begins in a task of its own.
            let opening = try stream.next { events in
                events.contains { $0.name == "snapshot" }
                    && events.contains { $0.data.contains(#"{"state":"fetching","since":"#) }
            }
            let snapshot = try #require(opening.first { $0.name == "snapshot" }, "\(opening)")
            #expect(snapshot.data.contains(#"{"id":"a","n":1}"#), "it waits for nothing")
            scene.remote.release()
            let events = try stream.next { events in
                events.contains { $0.name == "delta" }
                    && events.contains { $0.data.contains(#""state":"fresh""#) }
            }
            let delta = try #require(events.first { $0.name == "delta" }, "\(events)")
            #expect(delta.data.contains(#"{"id":"a","n":2}"#) && delta.data.contains(#""b""#))
        }
    }

    @Test func aFailedRefreshIsToldAndTheRowsStay() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"a","n":1}"#])
            _ = try scene.get("?source=remote")
            scene.remote.fail(.unreachable(.refused, detail: "no route"))
            scene.remote.hold()
            let stream = try TestStream(scene.server, "/v1/todo")
            var failed: TestEvent?
            var hasRows = false
            #expect(scene.remote.begins() && scene.remote.begins(), "the get, then the refresh")
            scene.remote.release()
            while failed == nil || !hasRows {
                let event = try stream.next()
                if event.name == "snapshot" { hasRows = event.data.contains(#""id":"a""#) }
                if event.data.contains(#""state":"failed""#) { failed = event }
            }
            #expect(failed?.data.contains(#""code":"upstream-unreachable""#) == true)
            #expect(failed?.data.contains("it refuses connections (no route)") == true)
        }
    }

    @Test func theLastStreamToLeaveEndsItsFetch() async throws {
        try await offPool {
            let scene = try Scene()
            scene.remote.hold()
            let stream = try TestStream(scene.server, "/v1/todo")
            _ = try stream.next()
            #expect(scene.remote.begins())
            stream.close()
            #expect(scene.remote.begins(), "it hears of the end")
            #expect(scene.remote.cancelled == 1)
        }
    }

    @Test func anEndpointsRowsAreShownOnceTheyAreKnown() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"b"}"#, #"{"id":"a"}"#])
            _ = try scene.server.send("PUT", "/v1/todo/z", "{}")
            scene.remote.hold()
            let stream = try TestStream(
                scene.server, "/v1/todo?live=snapshot&endpoint=popular&source=remote")
            #expect(try stream.next().name == "hello")
            let snapshot = try #require(
                try stream.next { $0.last?.name == "snapshot" }.last)
            #expect(snapshot.data.contains(#""items":[]"#))
            scene.remote.release()
            var rows = ""
            while !rows.contains(#""items":[{"id":"b"},{"id":"a"}]"#) {
                let event = try stream.next()
                if event.name == "snapshot" { rows = event.data }
                #expect(!rows.contains(#""z""#))
            }
        }
    }

    @Test func whoComesBackIsToldOfAnotherOrderOfTheSameRows() async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"b"}"#, #"{"id":"a"}"#])
            _ = try scene.get("?source=remote")
            let target = "/v1/todo?live=delta&source=local"
            let stream = try TestStream(scene.server, target)
            #expect(try stream.next().name == "hello")
            let first = try stream.next()
            #expect(first.data.contains(#""items":[{"id":"b"},{"id":"a"}]"#))
            let cursor = "Last-Event-ID: \(try #require(first.id))"
            let same = try TestStream(scene.server, target, headers: [cursor])
            #expect(try same.next().name == "hello")
            #expect(try same.next().name == "sync")
            scene.remote.set(rows: [#"{"id":"a"}"#, #"{"id":"b"}"#])
            _ = try scene.get("?source=remote")
            let again = try TestStream(scene.server, target, headers: [cursor])
            #expect(try again.next().name == "hello")
            let second = try again.next()
            #expect(second.data.contains(#""items":[{"id":"a"},{"id":"b"}]"#))
            #expect(second.data.contains(#""why":"update""#))
        }
    }

    @Test(arguments: [false, true])
    func whoComesBackIsToldOfRowsThatARemoteListsNoMore(isSeveral: Bool) async throws {
        try await offPool {
            let scene = try Scene([#"{"id":"b"}"#, #"{"id":"a"}"#])
            let answer = try scene.get("?endpoint=popular&source=remote")
            #expect(answer.body.contains(#""items":[{"id":"b"},{"id":"a"}]"#))
            let other = try scene.server.send("PUT", "/v1/todo/z", "{}")
            let cursor = try #require(other.header("Freshet-Cursor"))
            scene.remote.set(rows: [#"{"id":"a"}"#])
            _ = try scene.get("?endpoint=popular&source=remote")
            // No row has changed, and none of both is gone from here.
            let target =
                isSeveral
                ? "/v1/_live?q.a=/v1/todo?endpoint=popular%26source=local&since="
                : "/v1/todo?live=delta&endpoint=popular&source=local&since="
            let stream = try TestStream(scene.server, target + cursor)
            #expect(try stream.next().name == "hello")
            let event = try stream.next()
            #expect(event.name == "snapshot" && event.data.contains(#""items":[{"id":"a"}]"#))
        }
    }

    @Test func whatAnIncludeLeadsToIsFetchedInOneBatchALevel() async throws {
        try await offPool {
            let scene = try IncludeScene()
            scene.people.set(rows: [
                #"{"id":"p","boss":"q"}"#, #"{"id":"q"}"#, #"{"id":"r"}"#,
            ])
            let path = "/v1/article?include=author.boss&source=localThenRemote"
            let answer = try scene.server.send("GET", path)
            #expect(
                answer.body.contains(
                    #""included":{"person":{"p":{"id":"p","boss":"q"},"q":{"id":"q"},"r":{"id":"r"}}}"#
                ), "\(answer.body)")
            #expect(answer.body.contains(#""author":"ok","author.boss":"ok""#))
            #expect(
                scene.people.calls == [
                    .search(endpoint: nil, ids: ["p", "r"], conditions: nil),
                    .search(endpoint: nil, ids: ["q"], conditions: nil),
                ])
            _ = try scene.server.send("GET", path)
            #expect(scene.people.calls.count == 2, "what is here is not asked for")
        }
    }

    @Test func anIncludeThatCannotBeFetchedFailsAlone() async throws {
        try await offPool {
            let scene = try IncludeScene()
            scene.people.fail(.timeout)
            _ = try scene.server.send("PUT", "/v1/person/r", "{}")
            let answer = try scene.server.send("GET", "/v1/article?include=author")
            #expect(answer.status == 200 && answer.body.contains(#""author":"partial""#))
            #expect(answer.body.contains(#""missing":["person:p"]"#))
            let local = try scene.server.send("GET", "/v1/article?include=author&source=local")
            #expect(local.status == 200)
            #expect(scene.people.calls.count == 1, "source=local asks nobody")
        }
    }

    @Test func aLiveIncludeGetsWhatIsFetched() async throws {
        try await offPool {
            let scene = try IncludeScene()
            scene.people.set(rows: [#"{"id":"p"}"#, #"{"id":"r"}"#])
            let stream = try TestStream(scene.server, "/v1/article?include=author")
            var shown = ""
            while !shown.contains(#""p":{"id":"p"}"#) || !shown.contains(#""r":{"id":"r"}"#) {
                shown = try stream.next().data
            }
        }
    }

    private struct IncludeScene {
        let server: TestServer
        let people: ScriptedSource

        init() throws {
            var types: [TypeSchema] = []
            for (name, text) in [
                ("article", #"{"relationships":{"author":{"type":"person","association":"one"}}}"#),
                ("person", #"{"relationships":{"boss":{"type":"person","association":"one"}}}"#),
            ] {
                types.append(try declaredType(name, text))
            }
            let declared = types
            server = try TestServer { $0.types = declared }
            let person = try #require(TypeName("person"))
            people = ScriptedSource(person)
            server.server.core.operations.remotes.replace([person: people])
            _ = try server.send("PUT", "/v1/article/1", #"{"author":"p"}"#)
            _ = try server.send("PUT", "/v1/article/2", #"{"author":"r"}"#)
        }
    }
}
