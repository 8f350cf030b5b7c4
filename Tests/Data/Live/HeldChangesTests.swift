import FreshetBase
import FreshetEngine
import FreshetQuery
import Testing

@testable import FreshetLive

private final class Watcher: LiveSubscriber {
    let told = Counter()
    func liveResultChanged() { told.add() }
}

/// A table of which each state is kept, and a set whose groups are searched beside the router.
private struct Scene {
    var table = Table()
    let set: LiveSet
    let type = TypeName("task")!
    var seq: UInt64 = 0
    var views: [TableView]

    init(mostRows: Int = .max) {
        set = LiveSet(mostRows: mostRows)
        views = [table.view(seq: 0)]
    }

    mutating func write(_ json: String) throws -> Change {
        var builder = DocumentBuilder()
        let document = try Array(json.utf8).withUnsafeBytes {
            try builder.build(json: $0, id: .fromBody)
        }
        seq += 1
        document.seal(revision: seq)
        let old = table.insert(document)
        views.append(table.view(seq: seq))
        return Change(seq: seq, type: type, old: old, new: document)
    }

    func join(_ watcher: Watcher, limit: Int? = nil) throws -> LiveMembership {
        var query = Query(type: type)
        query.filter = try Filter(parsing: "a == 1")
        query.limit = limit
        return try set.join(LiveRequest(query, .delta), watcher).membership
    }

    /// Ends the search of the one group that was handed out.
    func end(_ group: LiveGroup, at seq: UInt64) throws -> Bool {
        let view = views[Int(seq)]
        let found = try group.plan.run(on: view)
        return set.installInBackground(group) { $0.install(found, at: seq) { view.document($0) } }
    }

    func take(_ membership: LiveMembership) -> String? {
        guard case .snapshot(let result, _) = set.take(membership) else { return nil }
        return result.parts.map { String(decoding: $0, as: UTF8.self) }.joined()
    }
}

@Suite struct HeldChangesTests {
    @Test func aGroupThatEverybodyHasLeftIsNotSearched() throws {
        var scene = Scene()
        _ = try scene.write(#"{"id":1,"a":1}"#)
        let left = try scene.join(Watcher())
        scene.set.admit()
        let group = try #require(scene.set.takeStale(.new).first)
        #expect(!group.giveUpIfLeft())
        scene.set.leave(left)
        #expect(group.giveUpIfLeft())
        // Whoever comes has it searched all the same.
        let membership = try scene.join(Watcher())
        scene.set.admit()
        let again = try #require(scene.set.takeStale(.new).first)
        #expect(again === group)
        _ = try scene.end(again, at: 1)
        scene.set.noteRouted(through: 1)
        #expect(scene.take(membership) == #"{"id":1,"a":1}"#)
    }

    // MARK: Rows of all windows

    @Test func longWindowsHaveRoomForAsManyRowsTogether() throws {
        var scene = Scene(mostRows: 100)
        for id in 1...299 { _ = try scene.write("{\"id\":\(id),\"a\":1}") }
        let (first, second) = (
            try scene.join(Watcher(), limit: 1_000), try scene.join(Watcher(), limit: 1_001)
        )
        let short = try scene.join(Watcher(), limit: 50)
        scene.set.admit()
        for group in scene.set.takeStale(.new) { _ = try scene.end(group, at: 299) }
        scene.set.noteRouted(through: 299)
        let news = [first, second, short].map { scene.set.take($0) }
        #expect(
            news.count { if case .failed(.tooManyWindowRows(100)) = $0 { true } else { false } }
                == 1)
        #expect(news.count { if case .snapshot = $0 { true } else { false } } == 2)
        #expect(scene.set.room.count == 99)
        // What stands may grow to twice the room; behind that who follows is told.
        var told: [Int] = []
        for id in 300...401 {
            scene.set.route([try scene.write("{\"id\":\(id),\"a\":1}")], through: UInt64(id))
            scene.set.publish(through: UInt64(id))
            told.append(
                [first, second].count {
                    if case .failed = scene.set.take($0) { true } else { false }
                })
        }
        #expect(told == Array(repeating: 1, count: 101) + [2])
        #expect(scene.set.room.count == 0)
        for membership in [first, second] { scene.set.leave(membership) }
        let later = try scene.join(Watcher(), limit: 140)
        scene.set.admit()
        for group in scene.set.takeStale(.new) { _ = try scene.end(group, at: 401) }
        scene.set.noteRouted(through: 401)
        guard case .snapshot = scene.set.take(later) else {
            Issue.record("there is room again")
            return
        }
    }

    @Test func changesAboveTheViewFollowItAndOthersDoNot() throws {
        var scene = Scene()
        let watcher = Watcher()
        let first = try scene.write(#"{"id":1,"a":1}"#)
        let membership = try scene.join(watcher)
        scene.set.admit()
        let group = try #require(scene.set.takeStale(.new).first)
        scene.set.route([first], through: 1)
        scene.set.route([try scene.write(#"{"id":2,"a":1}"#)], through: 2)
        scene.set.route([try scene.write(#"{"id":1,"a":2}"#)], through: 3)
        scene.set.publish(through: 3)
        #expect(scene.take(membership) == nil)
        #expect(try !scene.end(group, at: 1))
        #expect(watcher.told.value == 1)
        #expect(scene.take(membership) == #"{"id":2,"a":1}"#)
        #expect(scene.set.settle(membership, at: 3))
    }

    @Test func aStateAheadOfWhatIsAnnouncedIsToldOfOnceMore() throws {
        var scene = Scene()
        let watcher = Watcher()
        _ = try scene.write(#"{"id":1,"a":1}"#)
        let membership = try scene.join(watcher)
        scene.set.admit()
        let group = try #require(scene.set.takeStale(.new).first)
        #expect(try !scene.end(group, at: 1))
        #expect(watcher.told.value == 1)
        #expect(scene.take(membership) == #"{"id":1,"a":1}"#)
        #expect(!scene.set.settle(membership, at: 0, isAwaited: true))
        // Once for each seq.
        #expect(!scene.set.settle(membership, at: 0, isAwaited: true))
        scene.set.noteRouted(through: 1)
        #expect(watcher.told.value == 2)
        #expect(scene.set.settle(membership, at: 1))
    }

    @Test func aGroupWhoseSearchTookLongIsSearchedBesideTheRouterAgain() throws {
        var scene = Scene()
        let watcher = Watcher()
        let membership = try scene.join(watcher, limit: 100_000)
        scene.set.admit()
        let group = try #require(scene.set.takeStale(.new).first)
        #expect(try !scene.end(group, at: 0))
        #expect(scene.take(membership) == "")
        group.remember(search: .seconds(1))
        scene.set.route([try scene.write(#"{"id":1,"a":1}"#)], through: 1)
        #expect(scene.set.takeStale(.known).isEmpty && !scene.set.hasStale)
        let again = try #require(scene.set.takeSlow())
        #expect(again === group && scene.set.takeSlow() == nil)
        // What comes meanwhile is held: it may be in the view that is searched, or not.
        scene.set.route([try scene.write(#"{"id":2,"a":1}"#)], through: 2)
        scene.set.route([try scene.write(#"{"id":3,"a":1}"#)], through: 3)
        scene.set.publish(through: 3)
        #expect(watcher.told.value == 1)
        #expect(try scene.end(again, at: 2))
        #expect(watcher.told.value == 2)
        // The answer is exact at the seq of its view, and out of date.
        guard case .delta(let first) = scene.set.take(membership) else {
            Issue.record("two rows have come")
            return
        }
        #expect(first.from == 0 && first.to == 2)
        guard case .pending = scene.set.take(membership) else {
            Issue.record("the third row has yet to be found")
            return
        }
        // Quick again, it is the router's.
        group.remember(search: .zero)
        #expect(scene.set.takeSlow() == nil)
        let known = scene.set.takeStale(.known)
        #expect(known.count == 1)
        #expect(try !scene.end(known[0], at: 3))
        guard case .delta(let delta) = scene.set.take(membership) else {
            Issue.record("the third row has come")
            return
        }
        #expect(delta.from == 2 && delta.to == 3)
    }

    @Test func aPartOfACutIsSearchedByTheRouterHoweverLongItTakes() throws {
        final class Part: LiveSubscriber {
            let isPartOfCut = true
            func liveResultChanged() {}
            func liveResultNoted() {}
        }
        var scene = Scene()
        var query = Query(type: scene.type)
        query.limit = 100_000
        let membership = try scene.set.join(LiveRequest(query, .delta), Part()).membership
        scene.set.admit()
        let group = try #require(scene.set.takeStale(.new).first)
        #expect(try !scene.end(group, at: 0))
        group.remember(search: .seconds(1))
        scene.set.route([try scene.write(#"{"id":1,"a":1}"#)], through: 1)
        #expect(scene.set.takeStale(.known).count == 1)
        #expect(scene.set.takeSlow() == nil)
        scene.set.leave(membership)
    }

    @Test func aGroupLooksAgainWhereChangesWereLostMeanwhile() throws {
        var scene = Scene()
        let watcher = Watcher()
        let membership = try scene.join(watcher)
        scene.set.admit()
        let group = try #require(scene.set.takeStale(.new).first)
        _ = try scene.write(#"{"id":1,"a":1}"#)
        scene.set.invalidate(nil)
        #expect(try scene.end(group, at: 0))
        #expect(scene.take(membership) == nil)
        #expect(scene.set.takeStale().count == 1)
    }

    @Test func aBulkImportIsNotHeld() throws {
        var scene = Scene()
        let membership = try scene.join(Watcher())
        scene.set.admit()
        let group = try #require(scene.set.takeStale(.new).first)
        var changes: [Change] = []
        for id in 1...10_001 { changes.append(try scene.write(#"{"id":\#(id),"a":1}"#)) }
        scene.set.route(changes[..<5_000], through: 5_000)
        scene.set.route(changes[5_000...], through: 10_001)
        #expect(try scene.end(group, at: 7_000))
        #expect(scene.take(membership) == nil)
    }

    @Test func aLongWindowLooksAgainBehindItsFirstAnswer() throws {
        var scene = Scene()
        let membership = try scene.join(Watcher(), limit: 100_000)
        scene.set.admit()
        let group = try #require(scene.set.takeStale(.new).first)
        scene.set.route([try scene.write(#"{"id":1,"a":1}"#)], through: 1)
        #expect(try scene.end(group, at: 0))
        #expect(scene.take(membership) == nil)
        #expect(scene.set.takeStale().count == 1)
    }
}
