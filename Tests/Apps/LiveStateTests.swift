import FreshetJSON
import Testing

@testable import freshet

@Suite struct LiveStateTests {
    private func state(_ events: [(String, String)]) throws -> LiveState {
        var state = LiveState()
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
            WatchScreen.text("task", "connecting", LiveState(), width: 60, height: 24)
                == "task  [connecting]\n\n")
    }
}
