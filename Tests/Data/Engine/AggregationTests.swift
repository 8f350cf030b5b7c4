import FreshetBase
import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetEngine

@Suite struct AggregationTests {
    private func view(_ rows: [String]) throws -> TableView {
        var table = Table()
        for row in rows { _ = table.insert(try document(row)) }
        return table.view(seq: 9)
    }

    private func found(
        _ view: TableView, _ parameters: [(String, String)], slice: Int = .max
    ) throws -> SearchResult {
        var parser = QueryParser(type: try #require(TypeName("thing")))
        for (name, value) in parameters { try parser.take(name: name, value: value) }
        let task = SearchTask(try SearchPlan(try parser.finish()), on: view)
        while try task.run(rows: slice) == .more {}
        return task.result
    }

    /// The rows of figures as JSON, whatever the slices.
    private func figures(
        _ view: TableView, _ aggregate: String, _ more: (String, String)...
    ) throws -> [String] {
        let texts = try [1, 2, .max].map { slice in
            let rows = try #require(
                try found(view, [("aggregate", aggregate)] + more, slice: slice).aggregates)
            return (0..<rows.count).map {
                String(decoding: rows.bytes[rows.place(of: $0)], as: UTF8.self)
            }
        }
        #expect(texts[0] == texts[2] && texts[1] == texts[2])
        return texts[2]
    }

    /// `sum`, or another function, of numbers.
    private func figure(_ function: String, _ numbers: [String]) throws -> String {
        let rows = numbers.enumerated().map { #"{"id":\#($0),"n":\#($1)}"# }
        let text = try #require(try figures(view(rows), "\(function)(n)").first)
        #expect(try figures(view(rows.reversed()), "\(function)(n)").first == text)
        return String(text.dropFirst(function.utf8.count + 7).dropLast())
    }

    @Test(arguments: [
        ([], "0"), (["1"], "1"), (["1", "2.0"], "3"), (["-0", "0.0"], "0"), (["5", "-5"], "0"),
        (["9007199254740993", "0"], "9007199254740993"),
        (["9223372036854775807", "1"], "9223372036854775808"),
        (["-9223372036854775808", "-9223372036854775808"], "-18446744073709551616"),
        (["123456789012345678901234567890", "1"], "123456789012345678901234567891"),
        (["1e30", "1e30", "1"], "2000000000000000000000000000001"),
        (["1E+2", "10e-1"], "101"), (["999999999999999999", "1"], "1000000000000000000"),
        (["0.1", "0.2"], "0.3"), (["1.5", "0.25", "-1.75"], "0"), (["1.50", "1.5"], "3"),
        (["0.000001", "0.0000001"], "0.0000011"), (["1e-7"], "1e-7"), (["1.25e-300"], "1.25e-300"),
        (["1e300", "1e-3"], "1" + String(repeating: "0", count: 300) + ".001"),
        (["1e300", "-1e300", "7"], "7"), (["-1e20", "1"], "-99999999999999999999"),
        (["1000000000", "-1", "1e9", "-1e9"], "999999999"),
        (["999999999999999999.9", "0.1"], "1000000000000000000"),
    ])
    func aSumIsExact(numbers: [String], sum: String) throws {
        #expect(try figure("sum", numbers) == sum)
    }

    @Test(arguments: [
        ([], "null"), (["1", "2"], "1.5"), (["0.1", "0.2"], "0.15"),
        (["1", "2", "2"], "1.6666666666666667"),
        (["9007199254740993"], "9007199254740993"), (["1", "1", "-1"], "0.3333333333333333"),
        (["-1", "-1", "0"], "-0.6666666666666666"),
        (["1e30", "1"], "500000000000000000000000000000.5"),
        (["1e-400", "2e-400", "2e-400"], "1.666666666666666666666666666666666e-400"),
        (["1e400", "0", "0"], "3.333333333333333333333333333333333e399"),
        (["10", "0", "0"], "3.3333333333333335"), (["3", "3", "3"], "3"),
    ])
    func anAverageIsExactOrTheNearestDouble(numbers: [String], average: String) throws {
        #expect(try figure("avg", numbers) == average)
    }

    /// An independent sum: integers by long addition of digits.
    @Test func randomSumsAreThoseOfLongAddition() throws {
        let seed = TestSeed.first
        print("seed of randomSumsAreThoseOfLongAddition: \(seed)")
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<200 {
            // Counted in units of 10^-6, so that an Int128 holds the true sum.
            var units: Int128 = 0
            var texts: [String] = []
            for _ in 0...random(40) {
                var value =
                    Int128(random(1 << 30)) * Int128(random(1 << 30)) / Int128(1 + random(1 << 28))
                if random(3) == 0 { value *= 1_000_000_000_000_000_000 }
                if random(2) == 0 { value = -value }
                let places = random(7)
                var digits = String(value.magnitude)
                digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
                let whole = digits.dropLast(places)
                var text = (value < 0 ? "-" : "") + whole
                if places > 0 { text += "." + digits.suffix(places) }
                if random(4) == 0 {
                    text = (value < 0 ? "-" : "") + "\(value.magnitude)e-\(places)"
                }
                texts.append(text)
                units += value * (0..<(6 - places)).reduce(Int128(1)) { power, _ in power * 10 }
            }
            let sum = try figure("sum", texts)
            let parts = sum.split(separator: ".")
            let fraction = parts.count > 1 ? String(parts[1]) : ""
            let plain = sum.contains("e") ? nil : Int128(parts[0] + fraction)
            let missing = 6 - fraction.utf8.count
            guard let plain, missing >= 0 else {
                // Under 10^-6 × 10 in units: a single digit.
                #expect(units.magnitude < 10, "seed \(seed): \(sum) of \(texts)")
                continue
            }
            let shown = (0..<missing).reduce(plain) { value, _ in value * 10 }
            #expect(shown == units, "seed \(seed): \(sum) of \(texts)")
        }
    }

    @Test func whatIsNoNumberIsLeftOutOfSumsButHasAPlaceInTheOrder() throws {
        let view = try view([
            #"{"id":1,"n":"9"}"#, #"{"id":2,"n":null}"#, #"{"id":3}"#, #"{"id":4,"n":true}"#,
            #"{"id":5,"n":[3]}"#, #"{"id":6,"n":2}"#, #"{"id":7,"n":{"a":4}}"#,
            #"{"id":8,"n":4.0}"#,
        ])
        #expect(
            try figures(view, "count,sum(n),avg(n),min(n),max(n)")
                == [#"{"count":8,"sum(n)":6,"avg(n)":3,"min(n)":true,"max(n)":{"a":4}}"#])
        #expect(
            try figures(view, "max(n),count,min(n),avg(n),sum(n)", ("filter", "n == null"))
                == [#"{"max(n)":null,"count":2,"min(n)":null,"avg(n)":null,"sum(n)":0}"#])
        #expect(try figures(view, "count", ("filter", "id == 99")) == [#"{"count":0}"#])
        #expect(try figures(view, "count", ("filter", "id == 99"), ("group", "n")) == [])
    }

    @Test func equalValuesAreOneGroupAsTheFirstSpellsThem() throws {
        let rows = [
            #"{"id":1,"k":1.0}"#, #"{"id":2,"k":1}"#, #"{"id":3,"k":"1"}"#, #"{"id":4}"#,
            #"{"id":5,"k":null}"#, #"{"id":6,"k":{"a":1,"b":[2,3e0]}}"#,
            #"{"id":7,"k":{"b":[2.0,3],"a":10e-1}}"#, #"{"id":8,"k":[]}"#, #"{"id":9,"k":false}"#,
            #"{"id":10,"k":-0}"#, #"{"id":11,"k":0}"#, #"{"id":12,"k":"null"}"#,
            #"{"id":13,"k":12345678901234567890123}"#, #"{"id":14,"k":1234567890123456789012.3e1}"#,
            #"{"id":15,"k":1e100000000000000000}"#, #"{"id":16,"k":10e99999999999999999}"#,
        ]
        let keys = [
            "1.0", "\"1\"", "null", #"{"a":1,"b":[2,3e0]}"#, "[]", "false", "-0", "\"null\"",
            "12345678901234567890123", "1e100000000000000000",
        ]
        let counts = [2, 1, 2, 2, 1, 1, 2, 1, 2, 2]
        let view = try view(rows)
        #expect(
            try figures(view, "count", ("group", "k"))
                == zip(keys, counts).map { #"{"key":\#($0),"count":\#($1)}"# })
        let groups = try #require(
            try found(view, [("group", "k")]).groups)
        #expect(groups.groups.map { String(decoding: $0.key, as: UTF8.self) } == keys)
        #expect(groups.groups.map(\.rows.count) == counts)
        let first = try found(view, [("distinct", "k"), ("count", "true")])
        #expect(ids(first.documents) == ["1", "3", "4", "6", "8", "9", "10", "12", "13", "15"])
        #expect(first.total == 10)
    }

    @Test func theOrderDecidesWhoIsFirst() throws {
        let view = try view([
            #"{"id":1,"k":1,"p":3,"v":"b"}"#, #"{"id":2,"k":2,"p":1,"v":"a"}"#,
            #"{"id":3,"k":1.0,"p":4,"v":1.0}"#, #"{"id":4,"k":3,"p":2}"#,
            #"{"id":5,"k":2.0,"p":9,"v":1}"#,
        ])
        let rows = try figures(view, "count,min(v)", ("group", "k"), ("order", "-p"))
        #expect(
            rows == [
                #"{"key":2.0,"count":2,"min(v)":1}"#, #"{"key":1.0,"count":2,"min(v)":1.0}"#,
                #"{"key":3,"count":1,"min(v)":null}"#,
            ])
        #expect(try figures(view, "min(v)", ("order", "-p")) == [#"{"min(v)":1}"#])
        #expect(try figures(view, "min(v)", ("order", "p")) == [#"{"min(v)":1}"#])
        #expect(try figures(view, "min(v)") == [#"{"min(v)":1}"#])
        #expect(
            ids(try found(view, [("distinct", "k"), ("order", "-p")]).documents) == ["5", "3", "4"])
        #expect(
            ids(try found(view, [("distinct", "k"), ("order", "ids:5,4")]).documents)
                == ["5", "4", "1"])
        #expect(
            ids(try found(view, [("distinct", "k"), ("ids", "3,5,1,2")]).documents) == ["3", "5"])
        let ranked = [("filter", "id in [1,2,3]"), ("order", "ids:3,2")]
        #expect(ids(try found(view, [("distinct", "k")] + ranked).documents) == ["3", "2"])
        #expect(
            try figures(view, "count", ("group", "k"), ranked[0], ranked[1])
                == [#"{"key":1.0,"count":2}"#, #"{"key":2,"count":1}"#])
    }

    @Test func manyGroupsStandInTheOrderWhateverTheSlices() throws {
        let view = try view(
            (0..<500).map {
                #"{"id":\#($0),"k":\#($0 % 250),"p":\#($0 * 7_919 % 101),"s":"\#($0 % 9)"}"#
            })
        for order in ["p", "-p,s", "s,-p", "-id", "id"] {
            let rows = try figures(view, "count", ("group", "k"), ("order", order))
            let firsts = try found(view, [("distinct", "k"), ("order", order), ("limit", "250")])
            let keys = firsts.documents.compactMap { $0.member(named: "k") }
            #expect(rows == keys.map { #"{"key":\#($0.int64 ?? -1),"count":2}"# }, "\(order)")
        }
    }

    @Test func theWindowComesAfterDistinctAndBeforeGroupsAndNotBeforeFigures() throws {
        let view = try view((1...20).map { #"{"id":\#($0),"k":\#($0 % 5),"n":1}"# })
        for order in [[], [("order", "-n,id")]] {
            let window = [("offset", "1"), ("limit", "3")] + order
            let first = try found(view, [("distinct", "k"), ("count", "true")] + window)
            #expect(ids(first.documents) == ["2", "3", "4"] && first.total == 5)
            let none = try found(
                view, [("distinct", "k"), ("count", "true"), ("limit", "0")] + order)
            #expect(none.documents.isEmpty && none.total == 5)
            let groups = try #require(
                try found(view, [("group", "k"), ("offset", "1"), ("limit", "6")] + order).groups)
            #expect(ids(groups.documents) == ["2", "7", "3", "4", "5", "6"])
            let rows = try found(view, [("aggregate", "count"), ("count", "true")] + window)
            #expect(
                rows.aggregates.map { String(decoding: $0.bytes, as: UTF8.self) }
                    == #"{"count":20}"#)
            #expect(rows.total == 20 && rows.documents.isEmpty)
            let both = try found(
                view,
                [("aggregate", "count,sum(id)"), ("distinct", "k"), ("count", "true")] + window)
            #expect(
                both.aggregates.map { String(decoding: $0.bytes, as: UTF8.self) }
                    == #"{"count":5,"sum(id)":15}"#)
            #expect(both.total == 5)
        }
    }

    @Test func theIdentifierCountsAsWhatItIs() throws {
        let view = try view([
            #"{"id":"10"}"#, #"{"id":9.0}"#, #"{"id":"a"}"#, #"{"id":"B"}"#, #"{"id":-3}"#,
        ])
        #expect(
            try figures(view, "sum(id),avg(id),min(id),max(id)") == [
                #"{"sum(id)":16,"avg(id)":5.333333333333333,"min(id)":-3,"max(id)":"a"}"#
            ])
    }

    @Test func countingAllNeedsNoScan() throws {
        let view = try view((1...50).map { #"{"id":\#($0)}"# })
        let all = try found(view, [("aggregate", "count"), ("count", "true")])
        #expect(all.rowsExamined == 0 && all.total == 50)
        #expect(
            all.aggregates.map { String(decoding: $0.bytes, as: UTF8.self) } == #"{"count":50}"#)
        let some = try found(view, [("aggregate", "count"), ("filter", "id > 10")])
        #expect(some.rowsExamined == 50)
        // The first values are enough for a window that is not counted.
        #expect(try found(view, [("distinct", "id"), ("limit", "3")]).rowsExamined == 3)
    }

    @Test func tooManyValuesAndTooLongNumbersAreTold() throws {
        var table = Table()
        var builder = DocumentBuilder()
        for number in 0...ValueTable.maximumCount {
            let json = Array(#"{"id":\#(number)}"#.utf8)
            let document = try json.withUnsafeBytes { try builder.build(json: $0, id: .fromBody) }
            _ = table.insert(document)
        }
        let view = table.view(seq: 1)
        for (parameters, name) in [
            ([("aggregate", "count"), ("group", "id")], "group"),
            ([("distinct", "id"), ("limit", "0"), ("count", "true")], "distinct"),
        ] {
            let error = #expect(throws: EngineError.self) { try found(view, parameters) }
            guard case .answerTooLarge(name, _) = error else {
                Issue.record("\(parameters): \(String(describing: error))")
                continue
            }
        }
        let filtered = [("aggregate", "count"), ("group", "id"), ("filter", "id != 0")]
        #expect(try found(view, filtered).aggregates?.count == ValueTable.maximumCount)
        // Of so many groups a figure or two, but not 32 each.
        let many = (0..<16).map { "min(p\($0)),sum(q\($0))" }.joined(separator: ",")
        let error = #expect(throws: EngineError.self) {
            try found(view, [("aggregate", many), ("group", "id"), ("filter", "id != 0")])
        }
        guard case .answerTooLarge("aggregate", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        for number in ["1e5000", "1e-5000", "-1e99999999999999999999"] {
            #expect(throws: EngineError.self) { try figure("sum", ["1", number]) }
            #expect(try figure("min", ["1e99999999999999999999999", number]) == number)
        }
        // Numbers whose hashes are equal by force are no way to hold the thread.
        let forced = try self.view(
            (0...2_000).map { #"{"id":\#($0),"k":1e9000000000000000000\#($0 + 1)}"# })
        #expect(throws: EngineError.self) {
            try found(forced, [("aggregate", "count"), ("group", "k")])
        }
    }

    @Test func aDeadlineEndsTheFigures() throws {
        let view = try view((1...9_000).map { #"{"id":\#($0)}"# })
        var query = Query(type: try #require(TypeName("thing")))
        query.aggregates = [.count]
        query.group = .id
        let plan = try SearchPlan(query)
        #expect(throws: EngineError.timeout) {
            try plan.run(on: view, deadline: Deadline(after: .zero))
        }
    }
}
