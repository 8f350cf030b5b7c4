import FreshetBase
import FreshetJSON
import FreshetRemote
import Testing

@testable import freshet

@Suite struct WatchedRowsTests {
    private func state(_ events: [(String, String)]) throws -> WatchedRows {
        var state = WatchedRows()
        for (name, data) in events { _ = state.apply(name, try JSONValue.parse(data)) }
        return state
    }

    private static let snapshot = (
        "snapshot",
        #"{"v":4,"why":"initial","items":[{"id":1,"n":"a"},{"id":"x","n":"b"}],"total":9,"part":0,"more":false}"#
    )

    @Test func aSnapshotInPartsIsOneState() throws {
        let state = try state([
            ("snapshot", #"{"v":3,"items":[{"id":7}],"part":0,"more":false}"#),
            ("snapshot", #"{"v":4,"items":[{"id":1}],"part":0,"more":true}"#),
            ("snapshot", #"{"v":4,"items":[{"id":2}],"part":1,"more":false}"#),
        ])
        #expect(state.order == ["1", "2"])
    }

    @Test func aPartOfASnapshotAloneChangesNothing() throws {
        let part = ("snapshot", #"{"v":9,"items":[{"id":2}],"total":3,"part":0,"more":true}"#)
        let rest = ("snapshot", #"{"v":9,"items":[{"id":3}],"part":1,"more":false}"#)
        let delta = ("delta", #"{"from":4,"to":5,"remove":{"1":"deleted"}}"#)
        // A connection was lost behind it: the next one goes on from what was shown before.
        var state = try state([Self.snapshot, part])
        #expect(state.order == ["1", "x"] && state.total == "9")
        #expect(state.apply(delta.0, try JSONValue.parse(delta.1)))
        #expect(state.order == ["x"])
        #expect(try self.state([Self.snapshot, rest]).order == ["1", "x"])
        #expect(try self.state([Self.snapshot, part, part, rest]).order == ["2", "3"])
    }

    @Test func aDeltaRemovesPlacesAndPuts() throws {
        let delta = (
            "delta",
            #"{"from":4,"to":6,"remove":{"1":"deleted"},"place":[["z",1],["y",0]],"put":[{"id":"y","n":"c"},{"id":"z","n":"d"},{"id":"x","n":"e"}],"total":10,"commits":2}"#
        )
        for events in [[Self.snapshot, delta], [Self.snapshot, delta, delta]] {
            let state = try state(events)
            #expect(state.order == ["y", "z", "x"])
            #expect(state.rows.compactMap { $0["n"]?.stringValue } == ["c", "d", "e"])
            #expect(state.total == "10")
        }
    }

    @Test func aFigureIsMarkedByItsGroupAndNotByItsPlace() throws {
        let before = try state([
            (
                "snapshot",
                #"{"v":1,"aggregates":[{"key":false,"count":3},{"key":null,"count":1}],"part":0}"#
            )
        ])
        let after = try state([
            (
                "snapshot",
                #"{"v":2,"aggregates":[{"key":true,"count":1},{"key":false,"count":2},{"key":null,"count":1},{"key":null,"count":1}],"part":0}"#
            )
        ])
        #expect(after.keys == ["#true", "#false", "#null", "#null"])
        #expect(after.changes(since: before) == ["#true": ["key", "count"], "#false": ["count"]])
    }

    @Test func aDeltaFromBeforeTheSnapshotIsIgnored() throws {
        let state = try state([
            Self.snapshot, ("delta", #"{"from":2,"to":4,"remove":{"1":"deleted"}}"#),
        ])
        #expect(state.order == ["1", "x"])
    }

    @Test func theScreenHoldsWhatFits() throws {
        var rows = try state([Self.snapshot])
        let text = WatchScreen.text("task", "live", rows, width: 60, height: 24)
        #expect(text == "task  2 of 9  [live]\n\nid  n\n1   a\nx   b\n")
        #expect(
            WatchScreen.text("task", "live", rows, width: 5, height: 5).split(separator: "\n").count
                <= 4)
        _ = rows.apply(
            "snapshot",
            try JSONValue.parse(
                #"{"v":9,"groups":[{"key":"a","items":[{"id":1}]}],"part":0,"more":false}"#))
        #expect(
            WatchScreen.text("task", "live", rows, width: 60, height: 24)
                == "task  1 group  [live]\n\nkey  id\na    1\n")
        #expect(
            WatchScreen.text("task", "connecting", WatchedRows(), width: 60, height: 24)
                == "task  [connecting]\n\n")
    }

    @Test func theScreenIsAsWideAsTheTerminalWhateverTheLanguage() throws {
        let state = try state([
            (
                "snapshot",
                #"{"v":1,"items":[{"id":1,"a":"牛乳を買う","b":"ok"},{"id":2,"a":"é🙂","b":"x"}],"part":0,"more":false}"#
            )
        ])
        let text = WatchScreen.text("task", "live", state, width: 60, height: 24)
        #expect(text == "task  2  [live]\n\nid  a           b\n1   牛乳を買う  ok\n2   é🙂         x\n")
        let narrow = WatchScreen.text("task", "live", state, width: 14, height: 24)
        #expect(narrow.contains("1   牛乳を買う\n") && narrow.contains("… and b ("))
        #expect(TextWidth.cut("牛乳", to: 4) == "牛乳" && TextWidth.cut("牛乳", to: 3) == "牛…")
        #expect(TextWidth.columns("e\u{301}") == 1 && TextWidth.columns("❤️") == 2)
        for picture in ["✅", "🟢", "🇩🇪", "⭐"] { #expect(TextWidth.columns(picture) == 2) }
    }

    @Test func whatHasChangedIsTheMembersThatAreOther() throws {
        let before = try state([Self.snapshot])
        var after = before
        _ = after.apply(
            "delta",
            try JSONValue.parse(
                #"{"from":4,"to":6,"remove":{"1":"deleted"},"place":[["y",0]],"put":[{"id":"y","n":"c"},{"id":"x","n":"e"}]}"#
            ))
        #expect(after.changes(since: before) == ["y": ["id", "n"], "x": ["n"]])
        #expect(after.changes(since: WatchedRows()).isEmpty)
        var recent = WatchChanges()
        let now = MonotonicInstant(nanoseconds: 1_000_000_000)
        recent.heard(at: now)
        recent.position = "abc.17.ff"
        recent.add(
            "delta", ["remove": ["1": "deleted"], "commits": 3],
            changes: after.changes(since: before), at: now)
        #expect(recent.marks(of: after.keys, at: now) == [0: ["id", "n"], 1: ["n"]])
        #expect(recent.marks(of: after.keys, at: now + .seconds(3)).isEmpty)
        #expect(recent.left == ["1 deleted"])
        #expect(recent.footer(at: now + .seconds(2)) == "seq 17  0.3 changes/s  lag < 3 s")
        #expect(recent.footer(at: now + .seconds(11)) == "seq 17  0.0 changes/s  lag < 12 s")
        for commits in [Int64.max, .max, -7] {
            recent.add("delta", ["commits": .number("\(commits)")], changes: [:], at: now)
        }
        #expect(recent.footer(at: now)?.contains("922337203685477580.7 changes/s") == true)
    }
}
