import FreshetCore
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import FreshetStore
import Testing

@testable import FreshetConfig

/// Faults of one specification, as pointer and the beginning of the detail.
struct SpecFaultCase: Sendable, CustomTestStringConvertible {
    let text: String
    let faults: [String]

    init(_ text: String, _ faults: String...) {
        self.text = text
        self.faults = faults
    }

    var testDescription: String { text }

    static let all: [SpecFaultCase] = [
        .init("1", ": expected true, false or an object with one member"),
        .init("{}", ": expected exactly one member in place of 0"),
        .init(
            #"{"condition":"a","spec":"s"}"#, ": expected exactly one member in place of 2"),
        .init(
            #"{"conditon":"a"}"#,
            "/conditon: unknown operator; did you mean \"condition\"?"),
        .init(#"{"and":true}"#, "/and: expected a list of specifications"),
        .init(
            #"{"and":[true,{"or":[{"nope":1},{"not":{"condition":"b"}}]}]}"#,
            "/and/1/or/0/nope: unknown operator; expected one of and, or, not, spec",
            "/and/1/or/1/not/condition: no condition is called \"b\""),
        .init(#"{"condition":7}"#, "/condition: expected the name of one of \"conditions\""),
        .init(#"{"spec":"t"}"#, "/spec: no specification is called \"t\""),
        .init(
            #"{"connected":"apy"}"#,
            "/connected: no upstream is called \"apy\"; did you mean \"api\"?"),
        .init(
            #"{"connected":{"upstream":"api","atLeast":"up","x":1}}"#,
            "/connected/atLeast: expected \"limited\" or \"connected\"",
            "/connected/x: unknown member"),
        .init(#"{"connected":{}}"#, "/connected/upstream: expected an upstream"),
        .init(
            #"{"token":{"upstream":"api","validFor":"5"}}"#,
            "/token/validFor: expected a duration"),
        .init(#"{"active":"all"}"#, "/active: expected \"service\", \"operation\" or an object"),
        .init(
            #"{"active":{"operation":"x"}}"#, "/active/operation: no operation is called \"x\""),
        .init(#"{"subscribers":-1}"#, "/subscribers: expected an integer of 0 or more"),
        .init(
            #"{"subscribers":{"gt":1,"above":2}}"#,
            "/subscribers/above: unknown comparison; expected eq, ne, gt, gte, lt, lte"),
        .init(#"{"failures":{}}"#, "/failures: expected eq, ne"),
        .init(#"{"age":30}"#, "/age: expected a duration such as \"30s\""),
        .init(#"{"age":{"gt":"1w"}}"#, "/age/gt: expected a duration"),
        .init(#"{"age":"1s","of":"x"}"#, "/of: no operation is called \"x\""),
        .init(#"{"condition":"a","of":"o"}"#, "/of: unknown operator", ": expected exactly one"),
        .init(#"{"value":"there"}"#, "/value: expected \"present\" or \"absent\""),
        .init(#"{"status":"failure"}"#, "/status: expected an object with \"is\""),
        .init(
            #"{"status":{"is":["idle","busy"]}}"#, "/status/is/1: expected one of \"idle\""),
        .init(#"{"status":{"is":[]}}"#, "/status/is: expected one of \"idle\""),
        .init(#"{"pressure":"normal"}"#, "/pressure: expected \"warning\" or \"critical\""),
        .init(#"{"window":{}}"#, "/window: expected \"days\""),
        .init(
            #"{"window":{"days":["mon","x"],"from":"24:01","to":"1:00","tz":"Mars/Base"}}"#,
            "/window/days/1: expected days", "/window/from: expected a time of the day",
            "/window/to: expected a time of the day", "/window/tz: expected a time zone"),
        .init(#"{"between":{}}"#, "/between: expected \"from\", \"to\", or both"),
        .init(
            #"{"between":{"from":"2026-01-02","to":"2026-01-01"}}"#,
            "/between/to: expected an instant after \"from\""),
        .init(#"{"between":{"from":"soon"}}"#, "/between/from: expected an instant"),
        .init(#"{"cron":"* * * *"}"#, "/cron: expected five fields"),
        .init(#"{"cron":"60 * * * *"}"#, "/cron: expected a minute"),
        .init(#"{"cron":"0 0 30 2 *"}"#, "/cron: expected a day of the month that one"),
        .init(
            #"{"cron":{"expr":"0 0 * * *","for":"0s"}}"#, "/cron/for: expected a duration"),
    ]
}

@Suite("Run specifications of the configuration")
struct SpecFormTests {
    private static var names: SpecNames {
        var names = SpecNames()
        names.conditions = ["a"]
        names.specs = ["s"]
        names.upstreams = ["api"]
        names.operations = ["o"]
        return names
    }

    private func read(_ text: String) throws -> (spec: SpecExpression, faults: [String]) {
        var reading = Reading()
        reading.names = Self.names
        let spec = reading.specification(try JSONValue.parse(text), at: JSONPointer())
        return (spec, reading.faults.map { "\($0.pointer): \($0.detail)" })
    }

    private func configuration(_ text: String) -> (ConfigurationFile, faults: [String]) {
        var faults: [ConfigurationFault] = []
        let file = ConfigurationFile.read(Array(text.utf8), path: "f", faults: &faults)
        return (file, faults.map { String($0.description.dropFirst(3)) })
    }

    @Test("Each fault has its pointer", arguments: SpecFaultCase.all)
    func faults(_ item: SpecFaultCase) throws {
        let faults = try read(item.text).faults
        #expect(faults.count == item.faults.count, "\(faults)")
        for (fault, expected) in zip(faults, item.faults) {
            #expect(fault.hasPrefix(expected), "\(fault)")
        }
    }

    @Test("Every kind of condition arrives")
    func atoms() throws {
        let (spec, faults) = try read(
            """
            {"and":[true,{"or":[]},{"not":{"spec":"s"}},{"connected":"api"},
             {"connected":{"upstream":"api","atLeast":"limited"}},{"healthy":"api"},
             {"token":{"upstream":"api","validFor":"1m"}},{"active":"service"},
             {"active":{"operation":"o"}},{"subscribers":2},{"age":"30s"},
             {"age":{"gte":"1m","lt":"1h"},"of":"o"},{"value":"absent"},
             {"failures":{"lt":3,"of":"o"}},{"status":{"is":["idle","failure"]}},
             {"condition":"a"},{"pressure":"critical"}]}
            """)
        #expect(faults == [])
        let second: Int64 = 1_000_000_000
        #expect(
            spec
                == .all([
                    .always, .any([]), .not(.named("s")), .connected("api"),
                    .connected("api", atLeast: .limited), .healthy("api"),
                    .token("api", validFor: .seconds(60)), .serviceIsActive,
                    .atom(.active(.operation(.other("o")))), .subscribers(atLeast: 2),
                    .age(over: .seconds(30)),
                    .atom(
                        .age(
                            SpecTest([
                                .init(.greaterOrEqual, 60 * second), .init(.less, 3_600 * second),
                            ]), of: .other("o"))), .not(.hasValue()).absent,
                    .atom(.failures(SpecTest(.less, 3), of: .other("o"))),
                    .status([.idle, .failure]), .condition("a"),
                    .pressure(atLeast: .critical),
                ]))
    }

    @Test("Sixteen levels and 256 nodes are taken, more are not")
    func limits() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: #"{"not":"#, count: levels - 1) + "true"
                + String(repeating: "}", count: levels - 1)
        }
        func wide(_ nodes: Int) -> String {
            "{\"or\":[" + Array(repeating: "true", count: nodes - 1).joined(separator: ",") + "]}"
        }
        #expect(try read(nested(16)).faults == [])
        let deep = String(repeating: "/not", count: 16)
        #expect(try read(nested(17)).faults == ["\(deep): expected at most 16 levels"])
        #expect(try read(nested(60)).faults == ["\(deep): expected at most 16 levels"])
        #expect(try read(wide(256)).faults == [])
        #expect(try read(wide(257)).faults == ["/or/255: expected at most 256 nodes"])
        #expect(try read(wide(5_000)).faults == ["/or/255: expected at most 256 nodes"])
    }

    @Test("A long chain of named ones and a large circle are told shortly, not at length")
    func manyNames() {
        func members(_ count: Int, _ last: String) -> String {
            (0..<count).map { #""n\#($0)":\#($0 + 1 < count ? #"{"spec":"n\#($0 + 1)"}"# : last)"# }
                .joined(separator: ",")
        }
        let (_, most) = configuration(#"{"specs":{\#(members(17, "true"))}}"#)
        #expect(most == [])
        let (_, chain) = configuration(#"{"specs":{\#(members(2_000, "true"))}}"#)
        #expect(chain.count == 2_000 - 17)
        #expect(
            chain.first == "/specs/n0: expected at most 16 named specifications inside one another")
        let (_, circle) = configuration(#"{"specs":{\#(members(2_000, #"{"spec":"n0"}"#))}}"#)
        #expect(circle.count == 16)
        #expect(
            circle.first
                == "/specs/n0/spec: goes in a circle: n0 → n1 → n2 → n3 → n4 → n5 → … → n0")
    }

    @Test("Circles are found where they begin, and limits hold with named ones in place")
    func circles() {
        let (_, faults) = configuration(
            """
            {"specs":{"a":{"and":[true,{"spec":"b"}]},"b":{"not":{"spec":"c"}},"c":{"spec":"a"},
             "d":{"spec":"d"},"e":{"or":[{"spec":"a"}]}}}
            """)
        #expect(
            faults == [
                "/specs/a/and/1/spec: goes in a circle: a → b → c → a",
                "/specs/b/not/spec: goes in a circle: b → c → a → b",
                "/specs/c/spec: goes in a circle: c → a → b → c",
                "/specs/d/spec: goes in a circle: d → d",
            ])
        var members = ["\"s0\":{\"or\":[true,true,true,true]}"]
        for index in 1..<6 {
            members.append(
                "\"s\(index)\":{\"and\":[{\"spec\":\"s\(index - 1)\"},{\"spec\":\"s\(index - 1)\"}]}"
            )
        }
        let (_, tooMany) = configuration("{\"specs\":{\(members.joined(separator: ","))}}")
        #expect(tooMany == [])
        members.append("\"s6\":{\"and\":[{\"spec\":\"s5\"},{\"spec\":\"s5\"}]}")
        let (_, more) = configuration("{\"specs\":{\(members.joined(separator: ","))}}")
        #expect(
            more == ["/specs/s6: expected at most 256 nodes with named specifications in place"])
    }

    @Test("The contract's example arrives")
    func example() throws {
        let (file, faults) = configuration(
            """
            {"upstreams":{"api":{"base":"http://a"}},
             "types":{"todo":{"remote":{"upstream":"api","search":{"path":"/todos"},
                                        "create":{"path":"/todos"}}}},
             "conditions":{"maintenance":{"initial":false,"persist":true},"night-mode":{}},
             "specs":{"upstream-ok":{"and":[{"connected":"api"},{"not":{"condition":"maintenance"}}]}},
             "operations":{"create-todo":{"kind":"mutation","type":"todo","write":"create"},"todos":{
               "type":"todo","query":{"filter":"status == 'open'"},
               "automatic":{"and":[{"active":"service"},{"spec":"upstream-ok"}]},
               "stale":[{"age":"60s"},{"condition":"night-mode"}],
               "refetch":{"when":{"spec":"upstream-ok"},"every":"30s","cron":null,
                 "on":[{"mutation":"create-todo"}],"settle":"0s","minInterval":"1s",
                 "onFall":"cancel","during":"join","requireSubscribers":true,"requireStale":true},
               "admit":{"when":true,"otherwise":"reject","maxWait":"10s"},
               "retry":{"limit":3,"backoff":{"exponential":"1s","max":"30s","jitter":true}},
               "deadline":"45s","linger":"2s","evict":{"idle":"10m"},"controllers":[]}}}
            """)
        #expect(faults == [])
        #expect(
            file.operations.conditions == [
                ConditionDeclaration("maintenance", persists: true),
                ConditionDeclaration("night-mode"),
            ])
        let mutation = try #require(file.operations.operations.first)
        #expect(mutation.mutation?.write == .create)
        #expect(mutation.settings.gate == .never)
        let todos = try #require(file.operations.operations.last)
        #expect(todos.query?.type.text == "todo")
        #expect(todos.query?.filter != nil)
        #expect(todos.settings.upstream == "api")
        #expect(todos.settings.gate == .all([.serviceIsActive, .named("upstream-ok")]))
        #expect(
            todos.settings.staleness == .any([.age(over: .seconds(60)), .condition("night-mode")]))
        #expect(todos.settings.refetch.every == .seconds(30))
        #expect(todos.settings.refetch.on == [.mutation("create-todo")])
        #expect(todos.settings.refetch.minInterval == .seconds(1))
        #expect(todos.settings.retry == OperationRetry(limit: 3))
        #expect(todos.settings.deadline == .seconds(45))
        #expect(todos.settings.evictAfter == .seconds(600))
    }

    @Test("What refers to a faulty type is no fault of its own")
    func operationsOfFaultyTypes() {
        let (_, faults) = configuration(
            """
            {"types":{"todo":{"nosuch":1,"contracts":{"done":{"requires":["done"]}}},"note":{}},
             "operations":{"x":{"type":"todo","query":{"contract":"done"}},
              "m":{"kind":"mutation","type":"todo","write":"create"},"y":{"type":"tdo"}}}
            """)
        #expect(faults.count == 2, "\(faults)")
        #expect(faults.first?.hasPrefix("/types/todo/nosuch: unknown member") == true)
        #expect(
            faults.last == "/operations/y/type: no type is called \"tdo\"; did you mean \"todo\"?")
    }

    @Test("Faults of operations have their pointers")
    func operationFaults() {
        let (_, faults) = configuration(
            """
            {"conditions":{"a/b":{},"c":{"initial":1,"ttl":"1s"}},
             "types":{"todo":{}},
             "operations":{"x":{"type":"tudo"},"m":{"kind":"mutation","type":"todo"},
              "y":{"type":"todo","query":{"filter":"a =="},"stale":[true,{"age":5}],
               "refetch":{"when":{"condition":"d"},"cron":"1","on":[{"mutation":"y"},{}],"often":1},
               "evict":{"idle":"0s"},"controllers":{}}}}
            """)
        #expect(faults.count == 14, "\(faults)")
        for (fault, expected) in zip(
            faults,
            [
                "/conditions/a~1b: expected a name",
                "/conditions/c/initial: expected true or false",
                "/conditions/c/ttl: unknown member", "/operations/x/type: no type is called",
                "/operations/m/write: expected", "/operations/y/query/filter: ",
                "/operations/y/stale/1/age: expected a duration",
                "/operations/y/refetch/when/condition: no condition is called \"d\"",
                "/operations/y/refetch/cron: expected five fields",
                "/operations/y/refetch/on/0/mutation: no mutation is called \"y\"",
                "/operations/y/refetch/on/1: expected exactly one",
                "/operations/y/refetch/often: unknown member",
                "/operations/y/evict/idle: expected a time",
                "/operations/y/controllers: expected a list",
            ])
        {
            #expect(fault.hasPrefix(expected), "\(fault)")
        }
    }
}

extension SpecExpression {
    /// `{"value":"absent"}` in place of the negation of its counterpart.
    fileprivate var absent: SpecExpression {
        .atom(.value(isPresent: false, of: .this))
    }
}
