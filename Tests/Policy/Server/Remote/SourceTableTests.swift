import FreshetCore
import FreshetQuery
import FreshetRemote
import FreshetServer
import FreshetTestSupport
import Testing

/// What each source answers, over HTTP, in each state of what is here and of the remote.
@Suite struct SourceTableTests {
    enum Here: CaseIterable {
        /// Nothing.
        case empty
        /// A row, and no record of a fetch.
        case some
        /// A row, and the record that it was all.
        case whole
    }

    enum There: CaseIterable {
        case answers, times, refuses

        var failure: UpstreamError? {
            switch self {
            case .answers: nil
            case .times: .timeout
            case .refuses: .status(400, retryAfter: nil, excerpt: "no")
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let source: ReadParameters.Source
        let here: Here
        let there: There

        var testDescription: String { "\(source), \(here) here, \(there)" }

        static let all = ReadParameters.Source.allCases.flatMap { source in
            Here.allCases.flatMap { here in
                There.allCases.map { Case(source: source, here: here, there: $0) }
            }
        }

        /// As the contract says it, in three answers.
        enum Answer { case here, there, fallback, failure }

        var search: Answer {
            switch source {
            case .local: .here
            case .remote: there == .answers ? .there : .failure
            case .remoteOrLocal: asked
            case .localOrRemote, .localThenRemote: here == .whole ? .here : asked
            }
        }

        var get: Answer {
            switch source {
            case .local: .here
            case .remote: there == .answers ? .there : .failure
            case .remoteOrLocal: asked
            case .localOrRemote, .localThenRemote: here != .empty ? .here : asked
            }
        }

        private var asked: Answer {
            switch there {
            case .answers: .there
            case .times: here == .empty ? .failure : .fallback
            case .refuses: .failure
            }
        }

        var refresh: String {
            switch source {
            case .localOrRemote: "fresh"
            case .localThenRemote: "started"
            default: "none"
            }
        }
    }

    private struct Scene {
        let server: TestServer
        let remote: ScriptedSource

        init(_ state: Case) throws {
            let type = try #require(TypeName("todo"))
            remote = ScriptedSource(type, [#"{"id":"a","n":1}"#])
            server = try TestServer()
            server.server.core.operations.remotes.replace([type: remote])
            switch state.here {
            case .empty: break
            case .some: _ = try server.send("PUT", "/v1/todo/a", #"{"n":1}"#)
            case .whole: _ = try server.send("GET", "/v1/todo?source=remote&count=true")
            }
            remote.set(rows: [#"{"id":"b","n":2}"#, #"{"id":"a","n":2}"#])
            if let failure = state.there.failure { remote.fail(failure) }
        }
    }

    @Test(arguments: Case.all) func aSearch(_ state: Case) async throws {
        try await offPool {
            let scene = try Scene(state)
            // The refresh behind an answer may end before the answer is read from the table.
            if state.search == .here { scene.remote.hold() }
            defer { scene.remote.release() }
            let answer = try scene.server.send(
                "GET", "/v1/todo?count=true&source=\(state.source.rawValue)")
            let here = state.here == .empty ? "[]" : #"[{"id":"a","n":1}]"#
            switch state.search {
            case .here:
                #expect(answer.status == 200 && answer.body.contains(#""items":\#(here)"#))
                #expect(answer.header("Freshet-Source") == "local")
                #expect(answer.header("Freshet-Refresh") == state.refresh)
                #expect(answer.body.contains(#""source":"local""#))
                let age = answer.header("Age").flatMap { Int($0) }
                #expect((age != nil) == (state.here == .whole))
            case .there:
                #expect(
                    answer.body.contains(#""items":[{"id":"b","n":2},{"id":"a","n":2}]"#),
                    "in the remote's order: \(answer.body)")
                #expect(answer.header("Freshet-Source") == "remote")
                #expect(answer.body.contains(#""source":"remote""#))
            case .fallback:
                #expect(answer.status == 200 && answer.body.contains(#""items":\#(here)"#))
                #expect(answer.header("Freshet-Source") == "fallback")
                #expect(answer.header("Freshet-Degraded") == "upstream-timeout")
                #expect(
                    answer.body.contains(
                        #""source":"fallback","degraded":{"type":"/problems/upstream-timeout""#))
            case .failure:
                #expect(answer.status == (state.there == .times ? 504 : 502))
                let code = state.there == .times ? "upstream-timeout" : "upstream-status"
                #expect(answer.body.contains(#""code":"\#(code)""#))
                if state.there == .refuses {
                    #expect(answer.body.contains(#""upstreamStatus":400"#))
                }
            }
        }
    }

    @Test(arguments: Case.all) func aGet(_ state: Case) async throws {
        try await offPool {
            let scene = try Scene(state)
            if state.get == .here { scene.remote.hold() }
            defer { scene.remote.release() }
            let answer = try scene.server.send(
                "GET", "/v1/todo/a?source=\(state.source.rawValue)")
            switch state.get {
            case .here:
                #expect(answer.status == (state.here == .empty ? 404 : 200))
                #expect(answer.header("Freshet-Source") == "local")
                if answer.status == 200 {
                    #expect(answer.body == "{\"id\":\"a\",\"n\":1}\n")
                    #expect(answer.header("Freshet-Refresh") == state.refresh)
                }
            case .there:
                #expect(answer.body == "{\"id\":\"a\",\"n\":2}\n")
                #expect(answer.header("Freshet-Source") == "remote")
                #expect(answer.header("Age") != nil)
            case .fallback:
                #expect(answer.body == "{\"id\":\"a\",\"n\":1}\n")
                #expect(answer.header("Freshet-Source") == "fallback")
                #expect(answer.header("Freshet-Degraded") == "upstream-timeout")
            case .failure:
                #expect(answer.status == (state.there == .times ? 504 : 502))
            }
        }
    }

    @Test(arguments: ReadParameters.Source.allCases)
    func aMissingEntityIsDefinitive(_ source: ReadParameters.Source) async throws {
        try await offPool {
            let scene = try Scene(Case(source: source, here: .whole, there: .answers))
            scene.remote.set(rows: [])
            if source == .localThenRemote { scene.remote.hold() }
            defer { scene.remote.release() }
            let answer = try scene.server.send("GET", "/v1/todo/a?source=\(source.rawValue)")
            let isAsked = source == .remote || source == .remoteOrLocal
            #expect(answer.status == (isAsked ? 404 : 200))
            #expect(answer.header("Freshet-Source") == (isAsked ? "remote" : "local"))
            if isAsked {
                let later = try scene.server.send("GET", "/v1/todo/a?source=local")
                #expect(later.status == 404, "the synced copy goes")
            }
        }
    }
}
