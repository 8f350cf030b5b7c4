import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetRemote

@Suite("Reducing a stream of events")
struct StreamReducerTests {
    private func mapping() throws -> RemoteMapping {
        RemoteMapping(type: try #require(TypeName("todo")), upstream: "api")
    }

    private func reducer(
        _ rules: [StreamRule], _ change: (inout RemoteMapping) -> Void = { _ in }
    ) throws -> StreamReducer {
        var mapping = try mapping()
        change(&mapping)
        return StreamReducer(rules, mapping, maximumEntity: 1_000)
    }

    private func rule(
        _ on: String, _ action: StreamRule.Action, key: String? = nil, data: String = "",
        limit: Int? = nil
    ) throws -> StreamRule {
        var rule = StreamRule(on: on, action)
        rule.key = try key.map { try #require(JSONPointer($0)) }
        rule.data = try #require(JSONPointer(data))
        rule.limit = limit
        return rule
    }

    private func take(
        _ reducer: inout StreamReducer, _ name: String, _ data: String
    ) -> StreamOutcome {
        reducer.reduce(name, Array(data.utf8))
    }

    private func value(_ reducer: StreamReducer) -> [String] {
        reducer.value.map { String(decoding: $0, as: UTF8.self) }
    }

    private func texts(_ outcome: StreamOutcome) -> String {
        func joined(_ rows: [[UInt8]]) -> String {
            rows.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        }
        switch outcome {
        case .whole(let rows): return "whole " + joined(rows)
        case .change(let put, let remove):
            return "put \(joined(put)) remove \(remove.map(\.text).joined(separator: " "))"
        case .fault(let reason): return "fault: \(Excerpt(of: reason, masking: .none))"
        default: return "\(outcome)"
        }
    }

    @Test(
        "Entities and ids are looked up in the element, then in the event",
        arguments: [
            (#"{"id":"a","todo":{"x":1}}"#, #"put {"id":"a","x":1} remove "#),
            (#"{"id":"a","todo":{"id":"b","x":1}}"#, #"put {"id":"b","x":1} remove "#),
            (#"{"id":"a","todo":{"id":null,"x":1}}"#, #"put {"id":"a","x":1} remove "#),
            (#"{"id":"a","todo":[{"x":1}]}"#, #"put {"id":"a","x":1} remove "#),
            (
                #"[{"id":"a","todo":{"x":1}},{"todo":{"id":"b"}}]"#,
                #"put {"id":"a","x":1} {"id":"b"} remove "#
            ),
            ("[]", "put  remove "),
            // One id is not that of two.
            (
                #"{"id":"a","todo":[{"x":1},{"x":2}]}"#,
                "fault: an event's entity 1 is none: no id"
            ),
            (
                #"[{"id":"a","todo":{}},{"id":"b"}]"#,
                "fault: the data of 'p' has nothing at /todo"
            ),
        ])
    func lookup(data: String, wanted: String) throws {
        for key in ["/id", nil] {
            var reducer = try reducer([rule("p", .upsert, key: key, data: "/todo")])
            #expect(texts(take(&reducer, "p", data)) == wanted)
        }
        var nested = try reducer([rule("p", .upsert, key: "/meta/key", data: "/todo")])
        // Of the event around it the entity has the id, and no member of the way there.
        #expect(
            texts(take(&nested, "p", #"{"meta":{"key":7},"todo":{"x":1}}"#))
                == #"put {"id":7,"x":1} remove "#)
        #expect(
            texts(take(&nested, "p", #"{"meta":{"key":7},"todo":{"meta":{"key":8},"x":1}}"#))
                == #"put {"id":8,"meta":{"key":8},"x":1} remove "#)
        var inside = try reducer([rule("p", .upsert, key: "/todo/id", data: "/todo")])
        #expect(
            texts(take(&inside, "p", #"{"todo":{"id":"a","x":1}}"#))
                == #"put {"id":"a","x":1} remove "#)
        var removed = try reducer([rule("p", .remove, key: "/key", data: "/todo")])
        #expect(
            texts(take(&removed, "p", #"[{"key":"a","todo":{}},{"todo":"b"}]"#))
                == "put  remove a b")
    }

    @Test("A merge begins with what the events before it have made, whatever is stored by then")
    func mergesInOneBatch() throws {
        var reducer = try reducer([
            rule("p", .upsert), rule("m", .merge), rule("r", .remove), rule("s", .set),
        ])
        func merge(_ reducer: inout StreamReducer, _ data: String) -> String {
            texts(
                reducer.reduce("m", Array(data.utf8)) { _ in Array(#"{"id":"a","old":1}"#.utf8) })
        }
        #expect(merge(&reducer, #"{"id":"a","x":1}"#) == #"put {"id":"a","old":1,"x":1} remove "#)
        #expect(
            merge(&reducer, #"{"id":"a","y":1}"#) == #"put {"id":"a","old":1,"x":1,"y":1} remove "#)
        _ = take(&reducer, "r", #""a""#)
        #expect(merge(&reducer, #"{"id":"a","z":1}"#) == #"put {"id":"a","z":1} remove "#)
        _ = take(&reducer, "s", "[]")
        #expect(merge(&reducer, #"{"id":"a","z":2}"#) == #"put {"id":"a","z":2} remove "#)
        reducer.stored()
        #expect(merge(&reducer, #"{"id":"a","z":3}"#) == #"put {"id":"a","old":1,"z":3} remove "#)
    }

    @Test("An entity with one inside that is none is a fault, not the entity without it")
    func badInside() throws {
        var reducer = try reducer([rule("p", .upsert)]) {
            $0.extract = [
                .init(
                    member: "author", type: TypeName("person") ?? $0.type,
                    pointer: JSONPointer(tokens: ["author"]))
            ]
        }
        #expect(
            texts(take(&reducer, "p", #"{"id":"a","author":{"name":"x"}}"#))
                == "fault: an event's entity 1 has others inside that are none")
        #expect(reducer.count == 0)
    }

    @Test("An entity's levels are its own: those of the event around it do not count")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            "{\"id\":1,\"a\":" + String(repeating: "[", count: depth - 1)
                + String(repeating: "]", count: depth - 1) + "}"
        }
        var reducer = try reducer([rule("x", .upsert, data: "/data/rows")])
        let taken = take(&reducer, "x", "{\"data\":{\"rows\":[\(nested(64))]}}")
        #expect(texts(taken) == "put \(nested(64)) remove ")
        let refused = take(&reducer, "x", "{\"data\":{\"rows\":[\(nested(65))]}}")
        #expect(texts(refused).hasPrefix("fault"))
        #expect(value(reducer) == [nested(64)])
    }

    @Test("The contract's example: upsert, remove, set, rerun, halt, ignore")
    func example() throws {
        var reducer = try reducer([
            rule("todo.upserted", .upsert, key: "/id", data: "/todo"),
            rule("todo.deleted", .remove, key: "/id"), rule("snapshot", .set, data: "/items"),
            rule("resync", .rerun), rule("bye", .halt), rule("*", .ignore),
        ])
        #expect(
            texts(take(&reducer, "snapshot", #"{"items":[{"id":1},{"id":2}]}"#))
                == #"whole {"id":1} {"id":2}"#)
        #expect(
            texts(take(&reducer, "todo.upserted", #"{"todo":{"id":1,"t":"x"}}"#))
                == #"put {"id":1,"t":"x"} remove "#)
        #expect(texts(take(&reducer, "todo.deleted", #"{"id":2}"#)) == "put  remove 2")
        #expect(value(reducer) == [#"{"id":1,"t":"x"}"#])
        #expect(take(&reducer, "resync", "") == .rerun)
        #expect(take(&reducer, "bye", "no JSON") == .halt)
        #expect(take(&reducer, "message", "no JSON") == .nothing)
        #expect(value(reducer) == [#"{"id":1,"t":"x"}"#])
    }

    @Test("The first rule that matches wins; without one an event is nothing")
    func firstMatch() throws {
        var reducer = try reducer([
            rule("a", .ignore), rule("a", .halt), rule("b", .rerun),
        ])
        #expect(take(&reducer, "a", "") == .nothing)
        #expect(take(&reducer, "b", "") == .rerun)
        #expect(take(&reducer, "c", "") == .nothing)
    }

    @Test("append and prepend place, upsert leaves in place, a list keeps its order")
    func order() throws {
        var reducer = try reducer([
            rule("append", .append), rule("prepend", .prepend), rule("upsert", .upsert),
        ])
        _ = take(&reducer, "append", #"[{"id":"a"},{"id":"b"}]"#)
        _ = take(&reducer, "prepend", #"[{"id":"x"},{"id":"y"}]"#)
        _ = take(&reducer, "upsert", #"{"id":"a","n":1}"#)
        #expect(
            value(reducer) == [
                #"{"id":"x"}"#, #"{"id":"y"}"#, #"{"id":"a","n":1}"#, #"{"id":"b"}"#,
            ])
        _ = take(&reducer, "append", #"{"id":"x","n":2}"#)
        #expect(value(reducer).last == #"{"id":"x","n":2}"#)
        #expect(reducer.count == 4)
    }

    @Test("merge follows RFC 7396, into what is stored where that is known")
    func merge() throws {
        var reducer = try reducer([rule("set", .set), rule("merge", .merge)])
        _ = take(&reducer, "set", #"[{"id":"a","n":1,"m":{"x":1,"y":2}}]"#)
        _ = take(&reducer, "merge", #"{"id":"a","n":null,"m":{"x":3}}"#)
        #expect(value(reducer) == [#"{"id":"a","m":{"x":3,"y":2}}"#])
        _ = take(&reducer, "merge", #"{"id":"new","n":1,"gone":null}"#)
        #expect(value(reducer).last == #"{"id":"new","n":1}"#)
        reducer.stored()
        let stored = Array(#"{"id":"b","here":true}"#.utf8)
        let outcome = reducer.reduce("merge", Array(#"{"id":"b","n":5}"#.utf8)) { id in
            id.text == "b" ? stored : nil
        }
        #expect(texts(outcome) == #"put {"id":"b","here":true,"n":5} remove "#)
        // Twice in one event: the second patch goes on from the first.
        _ = take(&reducer, "merge", #"[{"id":"c","p":1},{"id":"c","q":2}]"#)
        #expect(value(reducer).last == #"{"id":"c","p":1,"q":2}"#)
    }

    @Test("A stream without a bound goes on for ever, and one with a bound replaces what it has")
    func bounds() throws {
        let list = (0..<1_000).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        for limit in [nil, StreamReducer.mostEntities] {
            var reducer = try reducer([rule("p", .upsert, limit: limit)])
            for part in 0...StreamReducer.mostEntities / 1_000 {
                let data =
                    limit == nil
                    ? list.replacing(#""id":""#, with: #""id":"\#(part)."#) : list
                guard case .change(let put, _) = take(&reducer, "p", "[\(data)]") else {
                    Issue.record("part \(part)")
                    return
                }
                #expect(put.count == 1_000)
                reducer.stored()
            }
            #expect(reducer.count == (limit == nil ? 0 : 1_000))
        }
    }

    @Test("limit counts what is kept of earlier events")
    func limitBehindRestart() throws {
        var reducer = try reducer([rule("append", .append, limit: 3)])
        #expect(reducer.isBounded)
        var builder = DocumentBuilder()
        reducer.resume(
            with: try [9, 2].map { id in
                try Array("{\"id\":\(id)}".utf8).withUnsafeBytes {
                    try builder.build(json: $0, id: .fromBody)
                }
            })
        #expect(texts(take(&reducer, "append", "{\"id\":3}")) == "put {\"id\":3} remove ")
        #expect(texts(take(&reducer, "append", "{\"id\":4}")) == "put {\"id\":4} remove 9")
        // What is put again is new again.
        _ = take(&reducer, "append", "{\"id\":2}")
        #expect(texts(take(&reducer, "append", "{\"id\":5}")) == "put {\"id\":5} remove 3")
    }

    @Test("limit keeps the newest n, wherever they stand")
    func limit() throws {
        var reducer = try reducer([
            rule("append", .append, limit: 3), rule("prepend", .prepend, limit: 3),
            rule("set", .set, limit: 2),
        ])
        _ = take(&reducer, "append", #"[{"id":1},{"id":2},{"id":3}]"#)
        #expect(texts(take(&reducer, "append", #"{"id":4}"#)) == #"put {"id":4} remove 1"#)
        #expect(texts(take(&reducer, "prepend", #"{"id":5}"#)) == #"put {"id":5} remove 2"#)
        #expect(value(reducer) == [#"{"id":5}"#, #"{"id":3}"#, #"{"id":4}"#])
        // What is put again is new again.
        _ = take(&reducer, "append", #"{"id":3,"again":true}"#)
        #expect(texts(take(&reducer, "append", #"{"id":6}"#)) == #"put {"id":6} remove 4"#)
        #expect(
            texts(take(&reducer, "set", #"[{"id":7},{"id":8},{"id":9}]"#))
                == #"whole {"id":8} {"id":9}"#)
        for number in 10..<5_000 { _ = take(&reducer, "append", "{\"id\":\(number)}") }
        #expect(value(reducer) == [#"{"id":4997}"#, #"{"id":4998}"#, #"{"id":4999}"#])
    }

    @Test(
        "An event that is not what its rule expects is a fault and changes nothing",
        arguments: [
            ("upsert", "no JSON"), ("upsert", "{}"), ("upsert", #"{"item":7}"#),
            ("upsert", #"{"item":{"name":"no id"}}"#), ("upsert", #"{"item":{"id":[]}}"#),
            ("upsert", #"{"item":[{"id":"good"},{"id":""}]}"#), ("merge", "[1]"), ("remove", "{}"),
            ("remove", #"[{"id":"a"},{}]"#), ("set", "7"), ("set", #"[{"id":1},null]"#),
            ("set", ""),
        ])
    func faults(name: String, data: String) throws {
        var reducer = try reducer([
            rule("upsert", .upsert, data: "/item"), rule("merge", .merge), rule("set", .set),
            rule("remove", .remove),
        ])
        _ = take(&reducer, "set", #"[{"id":"a"},{"id":"b"}]"#)
        guard case .fault(let reason) = take(&reducer, name, data) else {
            Issue.record("no fault")
            return
        }
        #expect(!Excerpt(of: reason, masking: .none).isEmpty)
        #expect(value(reducer) == [#"{"id":"a"}"#, #"{"id":"b"}"#])
    }

    @Test("remove takes entities, ids and lists of both; what is not there is no fault")
    func remove() throws {
        var reducer = try reducer([rule("set", .set), rule("remove", .remove, key: "/id")])
        _ = take(&reducer, "set", #"[{"id":"a"},{"id":7},{"id":"c"},{"id":"d"}]"#)
        #expect(
            texts(take(&reducer, "remove", #"["a",7,{"id":"c"},"zzz"]"#)).hasSuffix("a 7 c zzz"))
        #expect(value(reducer) == [#"{"id":"d"}"#])
    }

    @Test("A key elsewhere becomes the id; the type's remote says how entities look")
    func mapped() throws {
        var reducer = try reducer([
            rule("keyed", .upsert, key: "/uid"), rule("plain", .upsert),
        ]) { mapping in
            mapping.id = JSONPointer(tokens: ["_id"])
            mapping.rename = [.init(remote: "userId", local: "author")]
        }
        #expect(
            texts(take(&reducer, "keyed", #"{"uid":"k","t":1}"#))
                == #"put {"id":"k","t":1} remove "#)
        #expect(
            texts(take(&reducer, "plain", #"{"_id":"p","userId":9}"#))
                == #"put {"id":"p","author":9} remove "#)
    }

    @Test("An error event shows its text, reset and begin forget")
    func errors() throws {
        var reducer = try reducer([
            rule("error", .error, data: "/message"), rule("raw", .error), rule("set", .set),
            rule("reset", .reset),
        ])
        #expect(take(&reducer, "error", #"{"message":"overheated"}"#) == .error("overheated"))
        #expect(take(&reducer, "raw", "plain text") == .error("plain text"))
        #expect(take(&reducer, "raw", "") == .error("the stream reports an error"))
        _ = take(&reducer, "set", #"[{"id":1}]"#)
        #expect(take(&reducer, "reset", "") == .reset)
        #expect(reducer.count == 0)
        #expect(reducer.restart(with: [["id": "first"]]) == nil)
        #expect(value(reducer) == [#"{"id":"first"}"#])
        #expect(reducer.restart(with: [7]) != nil)
        #expect(reducer.count == 0)
    }

    @Test("A random stream adds up to what a plain list would, with the seed shown")
    func model() throws {
        let seed = TestSeed.first
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let actions: [StreamRule.Action] = [.set, .upsert, .append, .prepend, .remove]
        var reducer = try reducer(actions.map { try rule($0.rawValue, $0) })
        var list: [(id: Int, n: Int)] = []
        for step in 0..<5_000 {
            let action = actions[random.next(25) == 0 ? 0 : 1 + random.next(4)]
            let rows = (0..<(1 + random.next(3))).map {
                (id: random.next(20), n: step + $0)
            }
            var unique: [(id: Int, n: Int)] = []
            for row in rows where !unique.contains(where: { $0.id == row.id }) {
                unique.append(row)
            }
            let text =
                "[" + unique.map { "{\"id\":\($0.id),\"n\":\($0.n)}" }.joined(separator: ",") + "]"
            _ = take(&reducer, action.rawValue, text)
            switch action {
            case .set: list = unique
            case .remove: list.removeAll { row in unique.contains { $0.id == row.id } }
            case .prepend:
                list.removeAll { row in unique.contains { $0.id == row.id } }
                list = unique + list
            case .append:
                list.removeAll { row in unique.contains { $0.id == row.id } }
                list += unique
            default:
                for row in unique {
                    if let place = list.firstIndex(where: { $0.id == row.id }) {
                        list[place] = row
                    } else {
                        list.append(row)
                    }
                }
            }
            #expect(value(reducer) == list.map { "{\"id\":\($0.id),\"n\":\($0.n)}" })
        }
    }
}
