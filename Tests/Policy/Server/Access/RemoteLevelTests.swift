import FreshetBase
import FreshetCore
import FreshetQuery
import FreshetRemote
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// Who may cause requests to a remote (http-api.md, section 9).
@Suite struct RemoteLevelTests {
    private static let access = #"""
        {"tokens": [
          {"name": "reader", "sha256": "@reader",
           "types": {"*": {"read": true, "write": true, "level": "local"}}},
          {"name": "mute", "sha256": "@mute",
           "types": {"*": {"read": true, "write": true, "level": "none"}}},
          {"name": "blue", "sha256": "@blue",
           "types": {"todo": {"read": true, "write": true, "level": "local"},
                     "*": {"read": true, "level": "remote"}}},
          {"name": "writer", "sha256": "@writer", "types": {"*": {"read": true, "write": true}}}
         ]}
        """#

    private struct Scene {
        let server: TestServer
        let remote: ScriptedSource

        init() throws {
            let type = try #require(TypeName("todo"))
            remote = ScriptedSource(type, [#"{"id":"a"}"#])
            server = try AccessScene.server(RemoteLevelTests.access)
            server.server.core.operations.remotes.replace([type: remote])
            server.server.core.outbox.replace(targets: [type: OutboxTarget(remote)])
        }
    }

    @Test(arguments: ["reader", "blue"])
    func belowRemoteNothingIsAskedOfIt(caller: String) async throws {
        try await offPool {
            let scene = try Scene()
            for target in ["/v1/todo?source=remote", "/v1/todo/a?source=remote"] {
                let refused = try scene.server.ask(caller, "GET", target)
                #expect(refused.status == 403, "\(target)")
                #expect(refused.body.contains(#""code":"forbidden""#))
            }
            for source in ["remoteOrLocal", "localOrRemote", "localThenRemote", "local"] {
                let list = try scene.server.ask(caller, "GET", "/v1/todo?source=\(source)")
                #expect(list.status == 200 && list.body.contains(#""items":[]"#), "\(source)")
                #expect(list.header("Freshet-Source") == "local")
                #expect(
                    try scene.server.ask(caller, "GET", "/v1/todo/a?source=\(source)").status
                        == 404)
            }
            #expect(try scene.server.ask(caller, "GET", "/v1/todo").status == 200)
            #expect(try scene.server.ask(caller, "GET", "/v1/todo?ids=a,b").status == 200)
            #expect(
                try scene.server.ask(
                    caller, "POST", "/v1/todo/_search", #"{"source":"remote"}"#
                ).status == 403)
            let stream = try TestStream(
                scene.server, "/v1/todo", headers: [AccessScene.bearer(caller)])
            #expect(try stream.next().name == "hello")
            #expect(try stream.next().data.contains(#""items":[]"#))
            #expect(scene.remote.calls == [])
        }
    }

    @Test(arguments: ["reader", "blue"])
    func belowRemoteNothingIsSentToIt(caller: String) async throws {
        try await offPool {
            let scene = try Scene()
            for target in ["both", "remote"] {
                let refused = try scene.server.ask(
                    caller, "PUT", "/v1/todo/b?target=\(target)", "{}")
                #expect(refused.status == 403)
            }
            for (path, body) in [
                ("/v1/todo/_set", #"[{"id":"b"}]"#), ("/v1/todo/_remove", #"{"ids":["b"]}"#),
                (
                    "/v1/_batch",
                    #"{"operations":[{"set":{"type":"todo","entity":{"id":"b"}}}]}"#
                ),
            ] {
                let refused = try scene.server.ask(caller, "POST", path + "?target=both", body)
                #expect(refused.status == 403, "\(path)")
            }
            #expect(try scene.server.ask(caller, "GET", "/v1/todo/b").status == 404)
            #expect(try scene.server.ask(caller, "PUT", "/v1/todo/b", "{}").status == 201)
            #expect(scene.server.server.core.outbox.counts == (0, 0))
            #expect(scene.remote.calls == [])
        }
    }

    @Test func whoeverMayIsAnswered() async throws {
        try await offPool {
            let scene = try Scene()
            let list = try scene.server.ask("writer", "GET", "/v1/todo?source=remote")
            #expect(list.status == 200 && list.body.contains(#""items":[{"id":"a"}]"#))
            #expect(list.header("Freshet-Source") == "remote")
            #expect(scene.remote.calls.count == 1)
            // What another has had fetched is here for everybody.
            let here = try scene.server.ask("reader", "GET", "/v1/todo?source=localOrRemote")
            #expect(here.body.contains(#""items":[{"id":"a"}]"#))
            #expect(scene.remote.calls.count == 1)
        }
    }

    @Test func aLevelOfNoneIsNoRightAtAll() async throws {
        try await offPool {
            let scene = try Scene()
            for source in ["remote", "local"] {
                #expect(
                    try scene.server.ask("mute", "GET", "/v1/todo?source=\(source)").status == 403)
            }
            #expect(try scene.server.ask("mute", "PUT", "/v1/todo/b", "{}").status == 403)
            #expect(scene.remote.calls == [])
        }
    }
}
