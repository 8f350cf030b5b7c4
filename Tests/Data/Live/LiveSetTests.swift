import FreshetBase
import FreshetEngine
import FreshetQuery
import Testing

@testable import FreshetLive

/// Counts how often it was told to look.
private final class Watcher: LiveSubscriber {
    let told = Counter()
    func liveResultChanged() { told.add() }
}

/// A table, a live set over it, and the steps that a driver takes.
private struct Scene {
    var table = Table()
    let set = LiveSet()
    let type = TypeName("task")!
    var seq: UInt64 = 0

    func join(
        _ filter: String, limit: Int = 100, _ watcher: Watcher,
        _ mode: LiveRequest.Mode = .snapshot,
        _ change: (inout LiveRequest) throws -> Void = { _ in }
    ) throws -> LiveMembership {
        var query = Query(type: type)
        query.filter = try Filter(parsing: filter)
        query.limit = limit
        var request = LiveRequest(query, mode)
        try change(&request)
        return try set.join(request, watcher).membership
    }

    mutating func write(_ json: String) throws {
        var builder = DocumentBuilder()
        let document = try Array(json.utf8).withUnsafeBytes {
            try builder.build(json: $0, id: .fromBody)
        }
        seq += 1
        document.seal(revision: seq)
        let old = table.insert(document)
        route(Change(seq: seq, type: type, old: old, new: document))
    }

    mutating func remove(_ id: String) throws {
        seq += 1
        let old = table.remove(try EntityID(id))
        route(Change(seq: seq, type: type, old: old, new: nil))
    }

    private func route(_ change: Change) {
        set.admit()
        set.route([change], through: seq)
    }

    /// Evaluates whatever is stale and tells the subscribers; returns how many groups that were.
    func settle() throws -> Int {
        set.admit()
        let stale = set.takeStale()
        let view = table.view(seq: seq)
        for group in stale {
            let found = try group.plan.run(on: view)
            set.install(group) { $0.install(found, at: seq) { view.document($0) } }
        }
        set.publish(through: seq)
        return stale.count
    }

    func text(_ news: LiveNews) -> String? {
        switch news {
        case .snapshot(let result, _):
            result.parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
        case .delta(let delta): String(decoding: delta.members, as: UTF8.self)
        default: nil
        }
    }
}

@Suite struct LiveSetTests {
    @Test func aSubscriberGetsTheStateAndThenOnlyWhatConcernsIt() throws {
        var scene = Scene()
        let watcher = Watcher()
        try scene.write(#"{"id":1,"done":false}"#)
        let membership = try scene.join("done == false", watcher)
        #expect(scene.text(scene.set.take(membership)) == nil)
        #expect(try scene.settle() == 1)
        #expect(watcher.told.value == 1)
        #expect(scene.text(scene.set.take(membership)) == #"{"id":1,"done":false}"#)

        try scene.write(#"{"id":2,"done":true}"#)
        #expect(try scene.settle() == 0)
        guard case .current(let through) = scene.set.take(membership) else {
            Issue.record("an unrelated write must leave the subscriber current")
            return
        }
        #expect(through == 2)

        try scene.write(#"{"id":1,"done":true}"#)
        #expect(try scene.settle() == 0)
        #expect(watcher.told.value == 2)
        #expect(scene.text(scene.set.take(membership)) == "")
    }

    @Test func whoLookedWhileAnAnswerWasStaleIsToldThoughTheNextIsNoNews() throws {
        var scene = Scene()
        let watcher = Watcher()
        try scene.write(#"{"id":1,"n":1}"#)
        let membership = try scene.join("n > 0", watcher) { request in
            request.query.aggregates = [Aggregate(.sum, of: PropertyPath(["n"]))]
        }
        _ = try scene.settle()
        #expect(scene.text(scene.set.take(membership))?.contains("1") == true)
        // An answer is told of, but before it is taken another change comes, ...
        try scene.write(#"{"id":1,"n":2}"#)
        #expect(try scene.settle() == 1)
        try scene.write(#"{"id":2,"n":0.5}"#)
        try scene.remove("2")
        guard case .pending = scene.set.take(membership) else {
            Issue.record("the answer is stale")
            return
        }
        // ... after which the answer is again the one that was told of.
        let told = watcher.told.value
        #expect(try scene.settle() == 1)
        #expect(watcher.told.value == told + 1)
        #expect(scene.text(scene.set.take(membership))?.contains("2") == true)
    }

    /// A long poll whose time is over ends with that, and not with the next change.
    @Test func whoAsksWhileItsAnswerIsStaleIsToldThatItIsTheSame() throws {
        var scene = Scene()
        let watcher = Watcher()
        try scene.write(#"{"id":1,"n":1}"#)
        let membership = try scene.join("n > 0", watcher) { request in
            request.query.aggregates = [Aggregate(.sum, of: PropertyPath(["n"]))]
        }
        _ = try scene.settle()
        _ = scene.set.take(membership)
        for asks in [true, false] {
            try scene.write(#"{"id":2,"n":0.5}"#)
            try scene.remove("2")
            if asks {
                guard case .pending = scene.set.take(membership) else {
                    Issue.record("the answer is stale")
                    return
                }
            }
            let told = watcher.told.value
            #expect(try scene.settle() == 1)
            #expect(watcher.told.value == told + (asks ? 1 : 0))
        }
        guard case .current = scene.set.take(membership) else {
            Issue.record("nothing has changed")
            return
        }
    }

    @Test func kindsOfFiltersBeyondTheMostCountAsAskedAlways() throws {
        let scene = Scene()
        scene.set.bounds = LiveSet.Bounds(residualGroups: 2)
        var members: [LiveMembership] = []
        for number in 0..<(LiveKind.most + 2) {
            let member = try scene.join("f\(number) == 1", Watcher())
            #expect(member.group.isAskedAlways == (number >= LiveKind.most))
            members.append(member)
        }
        #expect(throws: EngineError.self) { try scene.join("g == 1", Watcher()) }
        #expect(throws: EngineError.self) { try scene.join("contains(t, 'x')", Watcher()) }
        // One of a kind that is there costs nothing more.
        #expect(!(try scene.join("f5 == 2", Watcher()).group.isAskedAlways))
        let last = try #require(members.last)
        scene.set.leave(last)
        scene.set.tend(.now + .seconds(1))
        #expect(try scene.join("g == 1", Watcher()).group.isAskedAlways)
    }

    /// A membership of a residual group that has come and ended, alone in its set.
    private func left(_ scene: Scene) throws -> LiveMembership {
        let membership = try scene.join("contains(t, 'x')", Watcher())
        scene.set.leave(membership)
        scene.set.tend(.now + .seconds(1))
        #expect(scene.set.isEmpty)
        return membership
    }

    /// Who leaves has its group looked after when that has ended already.
    @Test func aGroupThatHasEndedIsNotEndedOnceMore() throws {
        let scene = Scene()
        let gone = try left(scene)
        let other = try scene.join("contains(t, 'x')", Watcher())
        scene.set.lock.withLock { scene.set.tended[ObjectIdentifier(gone.group)] = gone.group }
        scene.set.tend(.now + .seconds(2))
        #expect(!scene.set.isEmpty && scene.set.watches(scene.type))
        scene.set.leave(other)
        scene.set.tend(.now + .seconds(3))
        #expect(scene.set.isEmpty && !scene.set.watches(scene.type))
    }

    /// Whoever holds the newest version holds what is shown, however often it was evaluated since.
    @Test func evaluationsThatChangeNothingMakeNoVersion() {
        var trail = VersionTrail(floor: 3)
        for step in 1...50 as ClosedRange<UInt64> {
            let seq = 10 * step
            trail.add(gap: (seq - 6)..<seq)
            #expect(trail.newest == 3 && trail.covers(3))
            #expect(!trail.covers(seq - 5))
        }
        trail.add(gap: 504..<510)
        trail.add(version: 510)
        #expect(trail.newest == 510 && trail.covers(3) && trail.commits(since: 3) == 1)
        for step in 52...80 as ClosedRange<UInt64> {
            let seq = 10 * step
            trail.add(gap: (seq - 6)..<seq)
            #expect(trail.newest == 510 && trail.covers(510) && !trail.covers(seq - 5))
        }
    }

    /// As one whose caller has no room for it.
    @Test func aGroupThatEndsBeforeTheRouterHasSeenItIsInNoIndex() throws {
        let scene = Scene()
        let residual = try left(scene)
        scene.set.admit()
        #expect(residual.group.place == nil)
    }

    @Test func removalsAreSeenThroughTheOldImage() throws {
        var scene = Scene()
        let watcher = Watcher()
        try scene.write(#"{"id":1,"done":false}"#)
        let membership = try scene.join("done == false", watcher)
        _ = try scene.settle()
        _ = scene.set.take(membership)
        try scene.remove("1")
        #expect(try scene.settle() == 0)
        #expect(scene.text(scene.set.take(membership)) == "")
    }

    @Test func equalQueriesAreOneGroupAndOneEvaluation() throws {
        var scene = Scene()
        try scene.write(#"{"id":1,"a":1,"b":2}"#)
        let watchers = (0..<50).map { _ in Watcher() }
        let memberships = try watchers.enumerated().map { index, watcher in
            try scene.join(index % 2 == 0 ? "a == 1 and b == 2" : "b == 2 and a == 1", watcher)
        }
        #expect(scene.set.counts.groups == 1)
        #expect(try scene.settle() == 1)
        for membership in memberships {
            #expect(scene.text(scene.set.take(membership)) == #"{"id":1,"a":1,"b":2}"#)
        }
        for membership in memberships { scene.set.leave(membership) }
        #expect(scene.set.counts == (1, 0))
        scene.set.tend(.now + .seconds(30))
        #expect(!scene.set.isEmpty)
        scene.set.tend(.now + .seconds(90))
        #expect(scene.set.isEmpty)
    }

    @Test func groupsLingerAsFarAsThereIsRoom() throws {
        var scene = Scene()
        try scene.write(#"{"id":1,"a":1,"t":"x"}"#)
        let residual = try scene.join("contains(t, 'x')", Watcher())
        #expect(residual.group.indexClass == .residual)
        let long = (0..<800).map { "a != \($0)" }.joined(separator: " and ")
        let heavy = try (0..<300).map {
            try scene.join("a == 1 and b == \($0) and \(long)", Watcher())
        }
        let most = LiveSet.lingeringBytes / heavy[0].group.weight
        #expect(most < heavy.count)
        _ = try scene.settle()
        for membership in heavy { scene.set.leave(membership) }
        scene.set.leave(residual)
        scene.set.tend(.now + .seconds(1))
        #expect((1...most).contains(scene.set.counts.groups), "\(most)")
        // One that was ended is made anew.
        let again = try scene.join("contains(t, 'x')", Watcher())
        #expect(try scene.settle() == 1)
        #expect(scene.text(scene.set.take(again)) == #"{"id":1,"a":1,"t":"x"}"#)
    }

    @Test func queriesThatDifferInTheirFiltersAloneShareTheRest() throws {
        var scene = Scene()
        try scene.write(#"{"id":1,"a":1,"b":"x y"}"#)
        let filters = [
            "a == 1", "a in [1,2.50] and b ~= 'x.y'", "(a < 3 or b has 'q') and !(b == 'é\\n')",
            "true", "false",
        ]
        let memberships = try filters.map { try scene.join($0, Watcher()) }
        #expect(scene.set.templates.values.map(\.groups) == [filters.count])
        let other = try scene.join("a == 1", limit: 5, Watcher())
        #expect(scene.set.templates.count == 2 && scene.set.counts.groups == filters.count + 1)
        #expect(try scene.settle() == filters.count + 1)
        for (text, membership) in zip(filters, memberships) {
            let filter = try Filter(parsing: text).canonical()
            let group = membership.group
            #expect(group.query.filter == (filter == .constant(true) ? nil : filter))
            #expect(group.queryBesideFilter.filter == nil && group.queryBesideFilter.limit == 100)
            // What has been let go of after the first answer finds the same rows.
            let again = try group.plan.run(on: scene.table.view(seq: scene.seq))
            #expect(again.documents.count == (text == "false" ? 0 : 1))
        }
        for membership in memberships + [other] { scene.set.leave(membership) }
        scene.set.tend(.now + .seconds(90))
        #expect(scene.set.isEmpty && scene.set.templates.isEmpty)
    }

    @Test func aFilterThatIsLongOrRuledStaysWithItsQuery() throws {
        let scene = Scene()
        let long = "a in [" + (0..<2_000).map(String.init).joined(separator: ",") + "]"
        let one = try scene.join(long, Watcher())
        let two = try scene.join("a == 1", Watcher()) { request in
            request.query.restrict(to: try Filter(parsing: "b == 2"))
        }
        let three = try scene.join("a == 1", Watcher()) { $0.query.ids = [try EntityID("7")] }
        for group in [one, two, three].map(\.group) {
            #expect(group.filterText.isEmpty && group.query.filter != nil)
        }
        #expect(scene.set.templates.values.allSatisfy { $0.groups == 1 })
        #expect(scene.set.templates.count == 3)
    }

    @Test func membersOfAGroupComeAndGoInAnyOrder() throws {
        let scene = Scene()
        var watchers: [(watcher: Watcher, membership: LiveMembership)] = []
        func check() {
            guard let group = watchers.first?.membership.group else { return }
            let members = group.withState { Array($0.members) }
            #expect(members.count == watchers.count)
            #expect(
                Set(members.map(ObjectIdentifier.init))
                    == Set(watchers.map { ObjectIdentifier($0.membership) }))
            #expect(members.enumerated().allSatisfy { Int($1.place) == $0 })
        }
        for step in 0..<40 {
            if step % 3 == 2 {
                let gone = watchers.remove(at: step * 7 % watchers.count)
                scene.set.leave(gone.membership)
                // Once more is nothing.
                scene.set.leave(gone.membership)
            } else {
                let watcher = Watcher()
                watchers.append((watcher, try scene.join("a == 1", watcher)))
            }
            check()
        }
        while let gone = watchers.popLast() {
            scene.set.leave(gone.membership)
            check()
        }
    }

    /// Behind it stand rows that are not kept, in front of which it stays.
    @Test func theLastRowThatIsKeptMayChangeAtItsPlace() throws {
        var scene = Scene()
        for id in 1...12 { try scene.write("{\"id\":\(id),\"n\":1,\"views\":0}") }
        let membership = try scene.join("n == 1", limit: 1, Watcher(), .delta) {
            $0.silent = [Array("views".utf8)]
        }
        _ = try scene.settle()
        // The window keeps eight rows beside the one that it shows.
        for id in 1...8 { try scene.remove("\(id)") }
        #expect(try scene.settle() == 0)
        #expect(scene.text(scene.set.take(membership)) == #"{"id":9,"n":1,"views":0}"#)

        try scene.write(#"{"id":9,"n":1,"views":1}"#)
        #expect(try scene.settle() == 0, "which rows are shown is known without a search")
        guard case .current = scene.set.take(membership) else {
            Issue.record("a change of a silent member is no news")
            return
        }
        try scene.remove("9")
        #expect(try scene.settle() == 1)
        #expect(scene.text(scene.set.take(membership))?.contains(#""id":10"#) == true)
    }

    @Test func aLateSubscriberGetsAResultThoughTheOthersHaveTakenTheirs() throws {
        var scene = Scene()
        try scene.write(#"{"id":1,"a":1}"#)
        let early = try scene.join("a == 1", Watcher())
        _ = try scene.settle()
        _ = scene.set.take(early)
        let lateWatcher = Watcher()
        scene.set.tend(.now)
        let late = try scene.join("a == 1", lateWatcher)
        #expect(try scene.settle() == 0)
        #expect(scene.text(scene.set.take(late)) == #"{"id":1,"a":1}"#)
        #expect(scene.text(scene.set.take(early)) == nil)
    }

    @Test func aChangeThatTheWindowHidesMakesNoNewVersion() throws {
        var scene = Scene()
        for id in 1...3 { try scene.write(#"{"id":\#(id),"a":1}"#) }
        let watcher = Watcher()
        let membership = try scene.join("a == 1", limit: 2, watcher)
        _ = try scene.settle()
        _ = scene.set.take(membership)
        try scene.write(#"{"id":9,"a":1}"#)
        #expect(try scene.settle() == 0)
        #expect(watcher.told.value == 1)
        guard case .current = scene.set.take(membership) else {
            Issue.record("nothing that is shown has changed")
            return
        }
    }

    @Test func aChangeOfWhatIsNotShownIsNoNews() throws {
        var scene = Scene()
        try scene.write(#"{"id":1,"a":1,"n":1,"views":1}"#)
        let fields = try scene.join("a == 1", Watcher(), .delta) {
            $0.query.fields = [try PropertyPath(parsing: "n")]
        }
        let silent = try scene.join("a == 1", Watcher(), .delta) {
            $0.silent = [Array("views".utf8)]
        }
        _ = try scene.settle()
        _ = scene.set.take(fields)
        _ = scene.set.take(silent)
        try scene.write(#"{"id":1,"a":1,"n":1,"views":2}"#)
        _ = try scene.settle()
        for membership in [fields, silent] {
            guard case .current(through: 2) = scene.set.take(membership) else {
                Issue.record("what is not shown has made news")
                continue
            }
        }
        try scene.write(#"{"id":1,"a":1,"n":2,"views":3}"#)
        _ = try scene.settle()
        #expect(scene.text(scene.set.take(fields))?.contains(#""put":[{"id":1,"n":2}]"#) == true)
        #expect(
            scene.text(scene.set.take(silent))?.contains(
                #""put":[{"id":1,"a":1,"n":2,"views":3}]"#) == true)
    }

    /// Writes `json` and returns what it is to `membership`: nil where it is no news.
    private func news(
        _ scene: inout Scene, _ json: String, _ membership: LiveMembership
    ) throws -> String? {
        try scene.write(json)
        _ = try scene.settle()
        return scene.text(scene.set.take(membership))
    }

    @Test(arguments: [false, true])
    func aSilentChangeThatMovesARowIsToldWithItsBody(isRefilled: Bool) throws {
        var scene = Scene()
        for id in 1...3 { try scene.write(#"{"id":\#(id),"a":1,"views":\#(id * 10)}"#) }
        let membership = try scene.join("a == 1", Watcher(), .delta) {
            $0.silent = [Array("views".utf8)]
            $0.query.order = .keys([OrderKey(path: PropertyPath(["views"]))])
            // A window so far behind is searched anew for each change.
            if isRefilled { $0.query.distinct = .id }
        }
        #expect(membership.group.form == (isRefilled ? .refilled : .followed))
        _ = try scene.settle()
        guard case .snapshot(let first, _) = scene.set.take(membership) else {
            Issue.record("the first news is the answer")
            return
        }
        // The row stands where it stood.
        #expect(try news(&scene, #"{"id":2,"a":1,"views":25}"#, membership) == nil)
        #expect(membership.group.withState { $0.digest } == first.digest)
        let moved = try news(&scene, #"{"id":2,"a":1,"views":5}"#, membership)
        #expect(moved?.contains(#""place":[[2,0]],"put":[{"id":2,"a":1,"views":5}]"#) == true)
        // What others have is what the client of the move has, too.
        let late = try scene.join("a == 1", Watcher()) {
            $0.silent = [Array("views".utf8)]
            $0.query = membership.group.query
        }
        _ = try scene.settle()
        #expect(scene.text(scene.set.take(late))?.hasPrefix(#"{"id":2,"a":1,"views":5}"#) == true)
    }

    @Test func groupsAndFiguresAreNoSilentMembers() throws {
        var scene = Scene()
        for id in 1...3 { try scene.write(#"{"id":\#(id),"a":\#(id % 2),"views":\#(id * 10)}"#) }
        func join(_ change: (inout Query) -> Void) throws -> LiveMembership {
            let membership = try scene.join("true", Watcher()) {
                $0.silent = [Array("views".utf8)]
                change(&$0.query)
            }
            _ = try scene.settle()
            #expect(scene.text(scene.set.take(membership)) != nil)
            return membership
        }
        let views = PropertyPath(["views"])
        let plain = try join { $0.group = PropertyPath(["a"]) }
        let count = try join {
            $0.group = PropertyPath(["a"])
            $0.aggregates = [.count]
        }
        let ordered = try join {
            $0.group = PropertyPath(["a"])
            $0.order = .keys([OrderKey(path: views)])
        }
        let keyed = try join { $0.group = views }
        let sum = try join { $0.aggregates = [Aggregate(.sum, of: views)] }
        func news(_ json: String) throws -> [Bool] {
            try scene.write(json)
            _ = try scene.settle()
            return [plain, count, ordered, keyed, sum].map {
                scene.text(scene.set.take($0)) != nil
            }
        }
        #expect(
            try news(#"{"id":1,"a":1,"views":11}"#) == [false, false, false, true, true])
        // The group of 0 comes first now.
        #expect(try news(#"{"id":1,"a":1,"views":25}"#) == [false, false, true, true, true])
        #expect(try news(#"{"id":1,"a":0,"views":25}"#) == [true, true, true, true, false])
        let late = try join { $0.group = PropertyPath(["a"]) }
        #expect(late.group === plain.group)
    }

    @Test func whoComesAfterASilentChangeIsShownIt() throws {
        var scene = Scene()
        try scene.write(#"{"id":1,"a":1,"views":1}"#)
        func join(_ mode: LiveRequest.Mode, _ resume: LiveResume) throws -> LiveMembership {
            try scene.join("a == 1", Watcher(), mode) {
                $0.silent = [Array("views".utf8)]
                $0.resume = resume
            }
        }
        let early = try join(.snapshot, .nothing)
        _ = try scene.settle()
        _ = scene.set.take(early)
        try scene.write(#"{"id":1,"a":2,"views":1}"#)
        try scene.write(#"{"id":1,"a":1,"views":2}"#)
        _ = try scene.settle()
        let from = LiveResume.cursor(seq: 2, digest: nil)
        #expect(scene.text(scene.set.take(try join(.delta, from)))?.contains(#""views":2"#) == true)
        #expect(scene.text(scene.set.take(early))?.contains(#""views":2"#) == true)
        #expect(try news(&scene, #"{"id":1,"a":1,"views":3}"#, early) == nil)
        let late = try join(.snapshot, .nothing)
        #expect(scene.text(scene.set.take(late)) == #"{"id":1,"a":1,"views":3}"#)
        #expect(scene.text(scene.set.take(try join(.delta, from)))?.contains(#""views":3"#) == true)
    }

    @Test func aCursorOfBeforeASilentChangeIsUpToDate() throws {
        var scene = Scene()
        try scene.write(#"{"id":1,"a":1,"views":1}"#)
        let old = scene.table.view(seq: 1).document(EntityID(1))
        try scene.write(#"{"id":1,"a":1,"views":2}"#)
        let new = scene.table.view(seq: 2).document(EntityID(1))
        scene.set.history.begin(after: 1, ChangeHistory.Limits())
        scene.set.history.record([Change(seq: 2, type: scene.type, old: old, new: new)])
        // Nobody has watched meanwhile; the history tells what has happened.
        func resumed(_ change: (inout Query) -> Void) throws -> LiveNews {
            let membership = try scene.join("a == 1", Watcher(), .delta) {
                $0.silent = [Array("views".utf8)]
                $0.resume = .cursor(seq: 1, digest: nil)
                change(&$0.query)
            }
            _ = try scene.settle()
            return scene.set.take(membership)
        }
        let changes: [(inout Query) -> Void] = [
            { _ in }, { $0.order = .keys([OrderKey(path: PropertyPath(["views"]))]) },
            { $0.group = PropertyPath(["a"]) }, { $0.aggregates = [.count] },
        ]
        for change in changes {
            guard case .sync(through: 2, digest: _) = try resumed(change) else {
                Issue.record("a change of a silent member is none of what is held")
                continue
            }
        }
        guard
            case .snapshot(_, why: .retention) = try resumed({ $0.group = PropertyPath(["views"]) })
        else {
            Issue.record("a group has another key")
            return
        }
    }

    @Test func thoseWhoTakeTheSameStepShareItsBytes() throws {
        var scene = Scene()
        let members = try (0..<3).map { _ in try scene.join("a == 1", Watcher(), .delta) }
        _ = try scene.settle()
        for member in members { _ = scene.set.take(member) }
        try scene.write(#"{"id":1,"a":1}"#)
        _ = try scene.settle()
        var deltas: [LiveDelta] = []
        for member in members {
            if case .delta(let delta) = scene.set.take(member) { deltas.append(delta) }
        }
        #expect(deltas.count == 3 && deltas.allSatisfy { $0 === deltas[0] })
    }

    @Test func aDeltaThatWouldBeLargerThanTheAnswerIsASnapshot() throws {
        var scene = Scene()
        for id in 1...50 { try scene.write("{\"id\":\(id),\"a\":1}") }
        let member = try scene.join("a == 1", Watcher(), .delta) {
            $0.query.order = .keys([OrderKey(path: try PropertyPath(parsing: "n"))])
        }
        _ = try scene.settle()
        _ = scene.set.take(member)
        let filler = String(repeating: "x", count: 200)
        for id in 1...50 {
            try scene.write("{\"id\":\(id),\"a\":1,\"n\":\(-id),\"f\":\"\(filler)\"}")
        }
        _ = try scene.settle()
        guard case .snapshot(let result, why: .update) = scene.set.take(member) else {
            Issue.record("every row has changed")
            return
        }
        #expect(result.seq == 100)
    }

    @Test(arguments: [false, true])
    func alsoWhereFewRowsAre(inPart: Bool) throws {
        var scene = Scene()
        func id(_ number: Int) -> String { String(repeating: "\(number)", count: 100) }
        for number in 1...3 {
            try scene.write("{\"id\":\"\(id(number))\",\"a\":1,\"b\":\"\(id(1))\"}")
        }
        let members = try [false, true].map { wantsOld in
            try scene.join("a == 1", limit: 1, Watcher(), .delta) {
                if inPart { $0.query.fields = [try PropertyPath(parsing: "a")] }
                $0.wantsOldValues = wantsOld
            }
        }
        _ = try scene.settle()
        for member in members { _ = scene.set.take(member) }
        // One row for another: a delta names three ids.
        try scene.write("{\"id\":\"\(id(1))\",\"a\":2}")
        _ = try scene.settle()
        for member in members {
            guard case .snapshot(let result, why: .update) = scene.set.take(member) else {
                Issue.record("a snapshot is smaller")
                continue
            }
            #expect(result.parts[0].count < 300)
        }
        // A row that stays: what it was before does not count.
        try scene.write("{\"id\":\"\(id(2))\",\"a\":1,\"b\":3}")
        _ = try scene.settle()
        for member in members {
            switch scene.set.take(member) {
            case .delta, .current: break
            default: Issue.record("a delta is smaller")
            }
        }
    }

    @Test(arguments: [LiveRequest.Mode.snapshot, .delta], [false, true])
    func whoComesFromAnotherQueryIsToldOfWhatDiffers(mode: LiveRequest.Mode, isWhole: Bool) throws {
        var scene = Scene()
        func join(_ filter: String, _ holding: LiveHolding?) throws -> LiveMembership {
            try scene.join(filter, Watcher(), mode) { request in
                request.holding = holding
                request.resume = .shown(digest: nil, else: .update)
                if isWhole { request.query.aggregates = [.count] }
            }
        }
        try scene.write(#"{"id":1,"a":1,"n":3}"#)
        try scene.write(#"{"id":2,"a":1,"n":4}"#)
        let first = try join("a == 1", nil)
        _ = try scene.settle()
        guard case .snapshot(_, why: .update) = scene.set.take(first) else {
            Issue.record("nothing is held")
            return
        }
        let same = try join("a == 1 and n < 9", scene.set.holding(of: first))
        let other = try join("a == 1 and n < 4", scene.set.holding(of: first))
        try scene.write(#"{"id":9,"a":7}"#)
        _ = try scene.settle()
        guard case .current = scene.set.take(same) else {
            Issue.record("an answer that is held is sent again")
            return
        }
        switch scene.set.take(other) {
        case .delta where mode == .delta && !isWhole: break
        case .snapshot(_, why: .update) where mode == .snapshot || isWhole: break
        case let news: Issue.record("\(news)")
        }
    }

    @Test(arguments: [false, true])
    func whoComesBackIsToldThatRowsStandOtherwiseThoughTheyShowTheSame(isForgotten: Bool) throws {
        var scene = Scene()
        try scene.write(#"{"id":1,"a":1,"s":"x"}"#)
        try scene.write(#"{"id":2,"a":1,"s":"y"}"#)
        func join(_ resume: LiveResume) throws -> LiveMembership {
            try scene.join("a == 1", Watcher(), .delta) { request in
                request.query.fields = [PropertyPath(["a"])]
                request.query.order = .keys([OrderKey(path: PropertyPath(["s"]))])
                request.resume = resume
            }
        }
        let first = try join(.nothing)
        _ = try scene.settle()
        guard case .snapshot(let result, _) = scene.set.take(first) else {
            Issue.record("nothing is held")
            return
        }
        scene.set.leave(first)
        if isForgotten {
            scene.set.tend(.now + .seconds(3600))
            scene.set.history.begin(after: scene.seq + 1)
        }
        try scene.write(#"{"id":1,"a":1,"s":"z"}"#)
        let again = try join(.cursor(seq: result.seq, digest: result.digest))
        _ = try scene.settle()
        switch scene.set.take(again) {
        case .snapshot(let other, why: .retention) where isForgotten:
            #expect(other.digest == result.digest)
        case .delta(let delta) where !isForgotten:
            #expect(
                String(decoding: delta.members, as: UTF8.self).contains(#""place":[[1,1]]"#))
        case let news: Issue.record("\(news)")
        }
    }

    @Test func anOrderThatARemoteNamesIsPartOfTheDigest() throws {
        var scene = Scene()
        try scene.write(#"{"id":1,"a":1}"#)
        try scene.write(#"{"id":2,"a":1}"#)
        func join(_ order: [Int], _ resume: LiveResume) throws -> LiveMembership {
            try scene.join("a == 1", Watcher(), .delta) { request in
                request.query.order = .ids(try order.map { try EntityID("\($0)") })
                request.followsRemote = true
                request.resume = resume
            }
        }
        let first = try join([1, 2], .nothing)
        _ = try scene.settle()
        guard case .snapshot(let result, _) = scene.set.take(first) else {
            Issue.record("nothing is held")
            return
        }
        // The changes of rows tell nothing of the order then.
        for (order, digest, isHeld) in [
            ([1, 2], result.digest, true), ([2, 1], result.digest, false), ([1, 2], nil, false),
        ] as [([Int], UInt64?, Bool)] {
            let again = try join(order, .cursor(seq: result.seq, digest: digest))
            _ = try scene.settle()
            switch scene.set.take(again) {
            case .sync where isHeld: break
            case .snapshot(_, why: .update) where !isHeld: break
            case let news: Issue.record("\(order): \(news)")
            }
        }
    }

    @Test func aReaderOfLongAgoIsToldWhatIsThereNow() throws {
        var scene = Scene()
        let member = try scene.join("a == 1", limit: 3, Watcher(), .delta)
        for id in 1...9 { try scene.write("{\"id\":\(id),\"a\":1}") }
        _ = try scene.settle()
        _ = scene.set.take(member)
        for round in 1...2_000 {
            try scene.write("{\"id\":\(round % 3 + 1),\"a\":\(round % 2)}")
            _ = try scene.settle()
        }
        // More has come and gone than the trail keeps; nothing was queued.
        guard case .snapshot(_, why: .retention) = scene.set.take(member) else {
            Issue.record("the trail is bounded")
            return
        }
    }

    @Test func aSlowSubscriberGetsTheNewestStateOnly() throws {
        var scene = Scene()
        let membership = try scene.join("a == 1", Watcher())
        for round in 1...5 {
            try scene.write(#"{"id":1,"a":1,"n":\#(round)}"#)
            _ = try scene.settle()
        }
        #expect(scene.text(scene.set.take(membership)) == #"{"id":1,"a":1,"n":5}"#)
        #expect(scene.text(scene.set.take(membership)) == nil)
    }

    @Test(arguments: [false, true])
    func aSnapshotThatWasEncodedBeforeIsToldAtTheSeqThatItIsExactAt(isWhole: Bool) throws {
        var scene = Scene()
        func join() throws -> LiveMembership {
            try scene.join("a == 1", Watcher()) { request in
                guard isWhole else { return }
                request.query.aggregates = [Aggregate(.sum, of: PropertyPath(["n"]))]
            }
        }
        try scene.write(#"{"id":1,"a":1,"n":3}"#)
        let first = try join()
        _ = try scene.settle()
        guard case .snapshot(let kept, _) = scene.set.take(first) else {
            Issue.record("no result")
            return
        }
        // A write that does not concern the query, answered before somebody else asks.
        try scene.write(#"{"id":2,"a":2}"#)
        _ = try scene.settle()
        guard case .snapshot(let told, why: .initial) = scene.set.take(try join()) else {
            Issue.record("no result")
            return
        }
        #expect(kept.seq == 1 && told.seq == 2)
        #expect(told.parts == kept.parts && told.digest == kept.digest)
        // What changes then is a step on from there.
        try scene.write(#"{"id":1,"a":1,"n":4}"#)
        _ = try scene.settle()
        guard case .snapshot(let next, _) = scene.set.take(first) else {
            Issue.record("no result")
            return
        }
        #expect(next.seq == 3)
    }

    @Test func whatASubscriberIsBehindAreTheCommitsThatConcernIt() throws {
        var scene = Scene()
        let membership = try scene.join("a == 1", Watcher(), .delta)
        #expect(scene.set.lag(of: membership) == nil)
        _ = try scene.settle()
        _ = scene.set.take(membership)
        #expect(scene.set.lag(of: membership) == 0)
        for id in 1...9 { try scene.write(#"{"id":\#(id),"a":\#(id % 3)}"#) }
        _ = try scene.settle()
        #expect(scene.set.lag(of: membership) == 3)
        _ = scene.set.take(membership)
        #expect(scene.set.lag(of: membership) == 0)
    }

    @Test func partsAreBoundedAndTogetherWhole() throws {
        var scene = Scene()
        let filler = String(repeating: "x", count: 1_000)
        for id in 1...100 { try scene.write(#"{"id":\#(id),"a":1,"f":"\#(filler)"}"#) }
        let membership = try scene.join("a == 1", Watcher())
        _ = try scene.settle()
        guard case .snapshot(let result, _) = scene.set.take(membership) else {
            Issue.record("no result")
            return
        }
        #expect(result.parts.count == 2)
        #expect(result.parts.allSatisfy { $0.count <= 64 * 1024 })
        let items = result.parts.map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: ",")
        #expect(items.components(of: #""id":"#) == 100)
    }

    @Test func whatTheRouterCouldNotKeepConcernsEverybody() throws {
        let scene = Scene()
        let membership = try scene.join("a == 1", Watcher())
        _ = try scene.settle()
        _ = scene.set.take(membership)
        scene.set.invalidate(nil)
        #expect(try scene.settle() == 1)
    }
}

extension String {
    /// How often `text` occurs.
    fileprivate func components(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
