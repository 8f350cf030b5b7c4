import FreshetJSON
import FreshetRefresh
import FreshetRemote
import Testing

@testable import FreshetConfig

@Suite struct CompleteOperationTests {
    private static func file(_ operation: String) throws -> OperationsConfiguration {
        var faults: [ConfigurationFault] = []
        let text = """
            {"conditions":{"a":{}},"upstreams":{"api":{"base":"http://127.0.0.1:9"}},
             "types":{"todo":{"remote":{"upstream":"api","search":{"path":"/todo"}}}},
             "operations":{"create":{"kind":"mutation","type":"todo","write":"create"},"op":\(operation)}}
            """
        let file = ConfigurationFile.read(Array(text.utf8), path: "f", faults: &faults)
        try #require(faults == [], "\(text)")
        return file.operations
    }

    private static func settings(_ operation: String) throws -> OperationSettings {
        try #require(try file(operation).operations.last { $0.id == "op" }).settings
    }

    @Test func whatIsNotSaidHasItsDefault() throws {
        let complete = CompleteOperation(
            try JSONValue.parse(#"{"type":"todo","stale":{"age":"1m"},"refetch":{"every":"30s"}}"#),
            kind: .query, upstream: "api", retry: OperationRetry(limit: 5, hasJitter: false))
        let value = complete.value
        #expect(
            value["automatic"]?.text == #"{"and":[{"active":"service"},{"active":"operation"}]}"#)
        #expect(value["stale"]?.text == #"[{"age":"1m"}]"#)
        #expect(
            value["refetch"]?.text
                == #"{"when":{"and":[{"and":[{"active":"service"},{"active":"operation"}]},{"connected":"api"}]},"every":"30s","cron":null,"on":[],"#
                + #""settle":"0ms","minInterval":"0ms","onFall":"cancel","during":"join","requireSubscribers":true,"requireStale":true}"#
        )
        #expect(value["admit"]?.text == #"{"when":true,"otherwise":"reject","maxWait":"10s"}"#)
        #expect(
            value["retry"]?.text
                == #"{"limit":5,"backoff":{"exponential":"1s","max":"30s","jitter":false}}"#)
        #expect(value["deadline"] == .null && value["evict"] == .null && value["linger"] == "0ms")
        #expect(value["controllers"]?.text == "[]")
        #expect(
            complete.defaults == [
                "refetch.settle", "refetch.minInterval", "refetch.onFall", "refetch.during",
                "refetch.requireSubscribers", "refetch.requireStale", "admit", "linger",
                "automatic", "refetch.when", "retry",
            ])
        let mutation = CompleteOperation(
            .object([]), kind: .mutation, upstream: nil, retry: nil)
        #expect(mutation.value["automatic"] == false && mutation.value["retry"] == .null)
        #expect(mutation.value["refetch"]?["when"] == false)
    }

    @Test(arguments: [
        #"{"type":"todo"}"#,
        #"{"type":"todo","automatic":{"condition":"a"},"stale":[{"age":"60s"},{"condition":"a"}],"deadline":"45s"}"#,
        #"{"type":"todo","refetch":{"when":{"condition":"a"},"settle":"3s","cron":"0 3 * * *","on":[{"mutation":"create"}]},"linger":"2s"}"#,
        #"{"type":"todo","admit":{"when":{"condition":"a"},"otherwise":"wait"},"evict":{"idle":"10m"},"retry":{"limit":3}}"#,
        #"{"type":"todo","kind":"pages","refetch":{"during":"queue","onFall":"keep","requireStale":false},"controllers":[{"poll":{"every":"30s"}}]}"#,
    ])
    func readAgainItMeansTheSame(_ given: String) throws {
        let before = try Self.settings(given)
        let complete = CompleteOperation(
            try JSONValue.parse(given), kind: before.kind, upstream: "api", retry: .standard)
        // What is null stands for an absent member.
        let text = JSONValue.object(
            (complete.value.objectValue ?? []).filter { !$0.value.isNull }
        ).text
        var after = try Self.settings(text)
        #expect(after.gate == before.gate && after.edge == before.edge)
        #expect(after.staleness == before.staleness)
        #expect(after.retry == before.retry ?? .standard)
        (after.automatic, after.refetch.when) = (before.automatic, before.refetch.when)
        after.retry = before.retry
        #expect(after == before)
        let again = CompleteOperation(
            try JSONValue.parse(text), kind: before.kind, upstream: "api", retry: nil)
        #expect(again.defaults == [])
        #expect(again.value == complete.value)
    }
}
