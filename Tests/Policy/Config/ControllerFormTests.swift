import FreshetCore
import FreshetJSON
import FreshetRefresh
import FreshetRemote
import FreshetStore
import Testing

@testable import FreshetConfig

@Suite("Controllers of the configuration")
struct ControllerFormTests {
    private func read(
        _ text: String, hasRemote: Bool = true
    ) throws -> (found: [ControllerSettings], faults: [String]) {
        var reading = Reading()
        reading.names.upstreams = ["api"]
        reading.names.conditions = ["saw-push"]
        let found = ControllerDeclaration.all.read(
            try JSONValue.parse(Array(text.utf8)), JSONPointer(), &reading)
        let settings = (found ?? []).compactMap {
            $0.settings(attached: hasRemote ? .subscribed : .always)
        }
        return (settings, reading.faults.map { "\($0.pointer): \($0.detail)" })
    }

    @Test("The contract's example arrives whole")
    func example() throws {
        let (found, faults) = try read(
            """
            [{"sse": {"upstream": "api", "path": "/todos/events"}, "attach": "always",
              "while": true, "resume": false, "initial": null,
              "reduce": [{"on": "todo.upserted", "do": "upsert", "key": "/id", "data": "/todo"},
                         {"on": "todo.deleted", "do": "remove", "key": "/id"},
                         {"on": "snapshot", "do": "set", "data": "/items", "limit": 10},
                         {"on": "resync", "do": "rerun"}, {"on": "bye", "do": "halt"},
                         {"on": "*", "do": "ignore"}],
              "onFault": "fail", "reconnect": {"exponential": "2s", "max": "1m", "jitter": false},
              "then": [{"condition": "saw-push", "value": true}], "limit": 50}]
            """)
        #expect(faults == [])
        let settings = try #require(found.first)
        #expect(settings.attachment == .always)
        #expect(settings.gate == .constant(true))
        guard case .sse(let source) = settings.source else {
            Issue.record("no stream")
            return
        }
        #expect(source.upstream == "api" && source.path == "/todos/events")
        #expect(!source.resumes && source.initial == nil && source.onFault == .fail)
        #expect(source.rules.map(\.action) == [.upsert, .remove, .set, .rerun, .halt, .ignore])
        #expect(source.rules.map(\.limit) == [50, 50, 10, 50, 50, 50])
        #expect(source.rules[0].data.tokens == ["todo"])
        #expect(
            source.reconnect
                == RetryPolicy(
                    limit: .max, base: .seconds(2), longest: .seconds(60), hasJitter: false))
        #expect(source.effects == [.init(condition: "saw-push", value: true)])
    }

    @Test("Followed queries, edges and polls arrive; what stands in a URL is escaped")
    func others() throws {
        let (found, faults) = try read(
            """
            [{"freshet": {"upstream": "api", "mode": "snapshot",
                          "query": "/v1/todo?filter=done == false&order=-n%2Cid"},
              "reconnect": {"exponential": "2s", "max": "1m"}},
             {"edge": {"when": false}, "attach": "subscribed"}, {"poll": {"every": "30s"}}]
            """)
        #expect(faults == [])
        #expect(found.map(\.kind) == ["freshet", "edge", "poll"])
        guard case .freshet(let source) = found.first?.source else {
            Issue.record("no query")
            return
        }
        #expect(source.query == "/v1/todo?filter=done%20==%20false&order=-n%2Cid")
        #expect(source.mode == .snapshot)
        #expect(
            source.reconnect
                == RetryPolicy(limit: .max, base: .seconds(2), longest: .seconds(60)))
        #expect(found.map(\.attachment) == [.subscribed, .subscribed, .subscribed])
    }

    @Test("Without a remote, where a read asks for nothing, always is the default")
    func noRemote() throws {
        let (found, faults) = try read(
            """
            [{"freshet": {"upstream": "api", "query": "/v1/todo"}},
             {"poll": {"every": "1s"}, "attach": "subscribed"}]
            """, hasRemote: false)
        #expect(faults == [])
        #expect(found.map(\.attachment) == [.always, .subscribed])
    }

    @Test(
        "Faults have their place",
        arguments: [
            ("7", ""), ("[7]", "/0"), ("[{}]", "/0"),
            (#"[{"poll":{"every":"1s"},"edge":{"when":true}}]"#, "/0"),
            (#"[{"poll":{"every":"1ms"}}]"#, "/0/poll/every"), (#"[{"poll":{}}]"#, "/0/poll/every"),
            (#"[{"edge":{}}]"#, "/0/edge/when"), (#"[{"edge":{"when":7}}]"#, "/0/edge/when"),
            (#"[{"poll":{"every":"1s"},"while":7}]"#, "/0/while"),
            (#"[{"poll":{"every":"1s"},"wile":true}]"#, "/0/wile"),
            (#"[{"poll":{"every":"1s"},"attach":"never"}]"#, "/0/attach"),
            (#"[{"freshet":{"upstream":"zzz","query":"/v1/a"}}]"#, "/0/freshet/upstream"),
            (#"[{"freshet":{"upstream":"api","query":"v1/a"}}]"#, "/0/freshet/query"),
            (#"[{"freshet":{"upstream":"api","query":"//evil/a"}}]"#, "/0/freshet/query"),
            (#"[{"freshet":{"upstream":"api","query":"/a/../b"}}]"#, "/0/freshet/query"),
            (#"[{"freshet":{"upstream":"api","query":"/v1/a?live=1"}}]"#, "/0/freshet/query"),
            (#"[{"freshet":{"upstream":"api","query":"/v1/a?group=b"}}]"#, "/0/freshet/query"),
            (#"[{"freshet":{"upstream":"api","query":"/v1/a","mode":"x"}}]"#, "/0/freshet/mode"),
            (#"[{"sse":{"upstream":"api","path":"/e"}}]"#, "/0/reduce"),
            (#"[{"sse":{"upstream":"api","path":"/e"},"reduce":[]}]"#, "/0/reduce"),
            (
                #"[{"sse":{"upstream":"api","path":"/e"},"reduce":[{"on":"a","do":"jump"}]}]"#,
                "/0/reduce/0/do"
            ),
            (
                #"[{"sse":{"upstream":"api","path":"/e"},"reduce":[{"do":"set"}]}]"#,
                "/0/reduce/0/on"
            ),
            (
                #"[{"sse":{"upstream":"api","path":"/e"},"reduce":[{"on":"*","do":"ignore"},{"on":"a","do":"set"}]}]"#,
                "/0/reduce/1"
            ),
            (
                #"[{"sse":{"upstream":"api","path":"/e"},"reduce":[{"on":"a","do":"set","data":"x"}]}]"#,
                "/0/reduce/0/data"
            ),
            (
                #"[{"sse":{"upstream":"api","path":"/e"},"reduce":[{"on":"a","do":"set"}],"then":[{"condition":"no"}]}]"#,
                "/0/then/0/condition"
            ),
            (
                #"[{"sse":{"upstream":"api","path":"/e"},"reduce":[{"on":"a","do":"set"}],"initial":[1]}]"#,
                "/0/initial"
            ),
            (
                #"[{"freshet":{"upstream":"api","query":"/v1/a"}},{"freshet":{"upstream":"api","query":"/v1/b"}}]"#,
                "/1"
            ),
        ])
    func faults(text: String, pointer: String) throws {
        let faults = try read(text).faults
        #expect(faults.count == 1, "\(faults)")
        #expect(faults.first?.hasPrefix(pointer + ": ") == true, "\(faults)")
    }
}
