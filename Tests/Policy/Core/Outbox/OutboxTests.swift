import FreshetBase
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetCore

/// The way of entries to their ends.
@Suite struct OutboxTests {
    @Test func aChangeAndItsEntryAreOneCommit() async throws {
        let scene = OutboxScene(isOpen: false)
        let id = try await scene.set(#"{"id":"1","n":1}"#)
        let entry = try #require(scene.entry(id))
        #expect(scene.store.seq == 1)
        #expect(entry.revision == 1 && entry.operation == .create && entry.state == .pending)
        #expect(scene.outbox.counts == (1, 0))
        #expect(Array("1".utf8).withUnsafeBytes { scene.outbox.holds(OutboxScene.type, $0) })
        scene.open()
        #expect(await scene.ended(id)?.state == .done)
        #expect(scene.remote.contents == ["1": #"{"id":"1","n":1}"#])
        #expect(scene.remote.sentKeys == [id.text])
        #expect(scene.outbox.counts == (0, 0))
        // Who waits is told before the delivery is at its end.
        await scene.outbox.stopped()
        #expect(!Array("1".utf8).withUnsafeBytes { scene.outbox.holds(OutboxScene.type, $0) })
        let row = try #require(scene.store.document(OutboxScene.type, try EntityID("1")))
        #expect(scene.outbox.isConfirmed(OutboxScene.type, row))
    }

    @Test func whatWasNeverSentIsSentAsOne() async throws {
        let scene = OutboxScene(isOpen: false)
        let first = try await scene.set(#"{"id":"1","n":1}"#)
        let second = try await scene.set(#"{"id":"1","n":2}"#)
        try await scene.set(#"{"id":"2"}"#)
        let gone = try await scene.remove("2")
        scene.open()
        #expect(await scene.ended(second)?.state == .done)
        #expect(await scene.ended(gone)?.state == .superseded)
        #expect(scene.entry(first)?.state == .superseded)
        #expect(scene.remote.log == [#"create 1 {"id":"1","n":2}"#])
        #expect(scene.remote.sentKeys == [second.text])
    }

    @Test func whoeverWaitsForWhatIsSupersededWaitsForWhatWasSent() async throws {
        let scene = OutboxScene(isOpen: false)
        let first = try await scene.set(#"{"id":"1","n":1}"#)
        let second = try await scene.set(#"{"id":"1","n":2}"#)
        async let end = scene.ended(first)
        await Task.yield()
        scene.open()
        #expect(await scene.ended(second)?.state == .done)
        #expect([first, second].contains(try #require(await end).id))
    }

    @Test func changesOfAnEntityGoOneAfterTheOther() async throws {
        let scene = OutboxScene()
        let gate = Gate()
        scene.remote.next(.hold(gate))
        try await scene.set(#"{"id":"1","n":1}"#)
        await gate.arrived(1)
        try await scene.set(#"{"id":"1","n":2}"#)
        let last = try await scene.set(#"{"id":"1","n":3}"#)
        // What stands behind the first does not hold up another entity.
        let other = try await scene.set(#"{"id":"2","n":1}"#)
        #expect(await scene.ended(other)?.state == .done)
        #expect(scene.remote.log.count == 2)
        gate.open()
        #expect(await scene.ended(last)?.state == .done)
        #expect(
            scene.remote.log == [
                #"create 1 {"id":"1","n":1}"#, #"create 2 {"id":"2","n":1}"#,
                #"update 1 {"id":"1","n":3}"#,
            ])
        #expect(scene.remote.overlapping == 0)
    }

    @Test func aHangingUpstreamHoldsUpNoOther() async throws {
        let slow = ScriptedRemote("slow")
        let scene = OutboxScene()
        let quick = try #require(TypeName("quick"))
        let gate = Gate()
        for _ in 0..<40 { slow.next(.hold(gate)) }
        scene.outbox.replace(targets: [
            OutboxScene.type: OutboxTarget(slow), quick: OutboxTarget(scene.remote),
        ])
        for number in 0..<40 { try await scene.set(#"{"id":"\#(number)"}"#) }
        await gate.arrived(1)
        let made = await scene.write(.set(quick, try OutboxScene.document(#"{"id":"q"}"#), .none))
        #expect(await scene.ended(try #require(made.first))?.state == .done)
        #expect(slow.log.count <= OutboxTurns.places)
        gate.open()
        await scene.drained()
        #expect(slow.contents.count == 40)
    }

    @Test func anUpstreamThatGivesNoAnswerIsNotAskedByAllAtOnce() async throws {
        let scene = OutboxScene(limit: 1_000, isOpen: false)
        for _ in 0..<200 { scene.remote.next(.fail(.timeout)) }
        for number in 0..<100 { try await scene.set(#"{"id":"\#(number)"}"#) }
        let began = scene.clock.now
        let clock = scene.clock
        let passing = Task {
            while !Task.isCancelled {
                await clock.scheduled(atLeast: 1)
                clock.advanceToNext()
            }
        }
        scene.open()
        await scene.drained()
        passing.cancel()
        #expect(scene.remote.contents.count == 100)
        // 16 are on their way as the first has no answer, and 16 follow in each second.
        #expect(clock.now - began >= .seconds((200 - 32) / 16 - 1))
        await scene.outbox.stopped()
    }

    @Test func anUpstreamThatAsksToBeLeftAloneIsAskedByNobody() async throws {
        let scene = OutboxScene()
        let asked = Duration.seconds(90)
        scene.remote.next(.fail(.status(429, retryAfter: asked, excerpt: "")))
        let first = try await scene.set(#"{"id":"1"}"#)
        await scene.pauseBegun()
        let began = scene.clock.now
        let other = try await scene.set(#"{"id":"2"}"#)
        await scene.clock.scheduled(atLeast: 2)
        #expect(scene.remote.log.count == 1)
        while scene.clock.advanceToNext() {}
        #expect(await scene.ended(first)?.state == .done)
        #expect(await scene.ended(other)?.state == .done)
        #expect(scene.clock.now - began >= asked)
        // Whoever drives it again says that it may be asked.
        scene.remote.next(.fail(.status(503, retryAfter: asked, excerpt: "")))
        let again = try await scene.set(#"{"id":"1","n":1}"#)
        await scene.clock.scheduled(atLeast: 2)
        _ = await Promise.value { scene.outbox.retry(again, completion: $0) }
        #expect(await scene.ended(again)?.state == .done)
    }

    /// An entry that has failed once and pauses, and what whoever waits for it is told.
    private func pausing(
        in scene: OutboxScene
    ) async throws -> (id: EntityID, waited: Promise<OutboxEntry?>) {
        // Longer than any test takes: the pause is kept by the wall clock.
        scene.remote.next(.fail(.status(503, retryAfter: .seconds(3_000), excerpt: "")))
        let id = try await scene.set(#"{"id":"1","n":1}"#)
        await scene.clock.scheduled(atLeast: 2)
        let waited = Promise<OutboxEntry?>()
        scene.outbox.wait(for: id) { waited.fulfil($0) }
        return (id, waited)
    }

    @Test func begunAgainItSendsWhatTheStoreHasAndNothingTwice() async throws {
        let scene = OutboxScene()
        let (id, waited) = try await pausing(in: scene)
        await scene.outbox.stopped()
        // Who waits is told how it stands, and the pause is gone with the lead.
        #expect(await waited.value()?.state == .pending)
        #expect(!scene.clock.advanceToNext())
        scene.outbox.load()
        let other = try await scene.set(#"{"id":"2","n":1}"#)
        #expect(scene.remote.sentKeys == [id.text])
        #expect(scene.outbox.counts == (2, 0))
        scene.outbox.begin()
        #expect(await scene.ended(other)?.state == .done)
        // The pause after the last try is kept.
        #expect(scene.remote.sentKeys == [id.text, other.text])
        await scene.passPause()
        #expect(await scene.ended(id)?.state == .done)
        #expect(scene.remote.sentKeys == [id.text, other.text, id.text])
        await scene.outbox.stopped()
        scene.outbox.load()
        scene.outbox.begin()
        let last = try await scene.set(#"{"id":"1","n":2}"#)
        #expect(await scene.ended(last)?.state == .done)
        #expect(scene.remote.sentKeys.count == 4 && scene.remote.overlapping == 0)
        let numbers = [id, other, last].compactMap { scene.entry($0)?.number }
        #expect(numbers == [1, 2, 3])
    }

    @Test func whoHoldsALaneHasItThoughTheStoreIsTakenUpAgain() async throws {
        let scene = OutboxScene()
        let one = try EntityID("1")
        #expect(scene.outbox.beginDirect(OutboxScene.type, one))
        scene.outbox.stop()
        scene.outbox.load()
        scene.outbox.begin()
        #expect(!scene.outbox.beginDirect(OutboxScene.type, one))
        let change = try await scene.set(#"{"id":"1","n":1}"#)
        let other = try await scene.set(#"{"id":"2","n":1}"#)
        #expect(await scene.ended(other)?.state == .done)
        #expect(scene.remote.sentKeys == [other.text])
        scene.outbox.endDirect(OutboxScene.type, one, deliveredAt: nil)
        #expect(await scene.ended(change)?.state == .done)
    }

    @Test func atTheEndWhoeverWaitsIsToldHowTheEntryStands() async throws {
        let scene = OutboxScene()
        let (id, waited) = try await pausing(in: scene)
        scene.outbox.close()
        #expect(await waited.value()?.state == .pending)
        #expect(await scene.ended(id)?.state == .pending)
        #expect(scene.outbox.counts == (1, 0))
    }

    @Test func whatAnotherServerSendsIsKnownHere() async throws {
        let scene = OutboxScene(isOpen: false)
        let id = try await scene.set(#"{"id":"1","n":1}"#)
        let follower = Outbox(store: scene.store, catalog: TypeCatalog(), waits: true)
        follower.replace(targets: [OutboxScene.type: OutboxTarget(ScriptedRemote())])
        func holds() -> Bool {
            Array("1".utf8).withUnsafeBytes { follower.holds(OutboxScene.type, $0) }
        }
        #expect(holds())
        scene.open()
        #expect(await scene.ended(id)?.state == .done)
        follower.follow(id, scene.entry(id))
        #expect(!holds())
        var again = try #require(scene.entry(id))
        again.state = .sending
        follower.follow(id, again)
        follower.follow(id, again)
        #expect(holds() && follower.counts == (1, 0))
        follower.follow(id, nil)
        #expect(!holds() && follower.counts == (0, 0))
    }

    @Test func aFailedTryIsRepeatedWithTheSameKeyAndBody() async throws {
        let scene = OutboxScene()
        scene.remote.next(.fail(.timeout), .fail(.status(503, retryAfter: nil, excerpt: "")))
        let id = try await scene.set(#"{"id":"1","n":1}"#)
        await scene.pauseBegun()
        let waiting = try #require(scene.entry(id))
        #expect(waiting.state == .pending && waiting.attempts == 1 && waiting.nextAttemptAt != nil)
        #expect(waiting.fault?.code == "upstream-timeout")
        // It was sent, so what comes now is a change of its own.
        let later = try await scene.set(#"{"id":"1","n":2}"#)
        await scene.passPause()
        await scene.passPause()
        #expect(await scene.ended(later)?.state == .done)
        #expect(scene.entry(id)?.state == .done)
        #expect(scene.remote.sentKeys == [id.text, id.text, id.text, later.text])
        #expect(scene.remote.log.prefix(3).allSatisfy { $0 == #"create 1 {"id":"1","n":1}"# })
    }

    @Test func exhaustedTriesEndDeadAndCanBeDrivenAgain() async throws {
        let scene = OutboxScene(limit: 1)
        scene.remote.next(.fail(.timeout), .fail(.timeout))
        let id = try await scene.set(#"{"id":"1"}"#)
        await scene.passPause()
        #expect(await scene.ended(id)?.state == .dead)
        #expect(scene.outbox.counts == (0, 1))
        #expect(Array("1".utf8).withUnsafeBytes { scene.outbox.holds(OutboxScene.type, $0) })
        // What comes later must not overtake it.
        let later = try await scene.set(#"{"id":"1","n":2}"#)
        #expect(scene.entry(later)?.state == .pending)
        let outcome = await Promise.value { scene.outbox.retry(id, completion: $0) }
        guard case .done = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(await scene.ended(later)?.state == .done)
        #expect(scene.entry(id)?.state == .done)
        #expect(scene.remote.sentKeys == [id.text, id.text, id.text, later.text])
    }

    @Test func anEntryThatIsRemovedIsNotSent() async throws {
        let scene = OutboxScene(limit: 0)
        scene.remote.next(.fail(.timeout))
        let id = try await scene.set(#"{"id":"1"}"#)
        #expect(await scene.ended(id)?.state == .dead)
        let later = try await scene.set(#"{"id":"1","n":2}"#)
        let outcome = await Promise.value { scene.outbox.remove(id, completion: $0) }
        guard case .done(nil) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(await scene.ended(later)?.state == .done)
        #expect(scene.entry(id) == nil)
        #expect(scene.outbox.counts == (0, 0))
        // The remote never had it, so what waited behind creates it.
        #expect(scene.remote.log.last == #"create 1 {"id":"1","n":2}"#)
    }

    @Test(
        "What waits behind a create that is given up creates it, unless the remote may have it",
        arguments: [
            ([.status(503, retryAfter: nil, excerpt: "")], "create"),
            ([.unreachable(.refused, detail: "")], "create"),
            ([.timeout], "update"),
            ([.status(502, retryAfter: nil, excerpt: "")], "update"),
            ([.timeout, .status(503, retryAfter: nil, excerpt: "")], "update"),
        ] as [([UpstreamError], String)])
    func pendingGivenUp(failures: [UpstreamError], operation: String) async throws {
        let scene = OutboxScene(limit: 8)
        for failure in failures { scene.remote.next(.fail(failure)) }
        let id = try await scene.set(#"{"id":"1","n":1}"#)
        for _ in failures.dropFirst() { await scene.passPause() }
        await scene.pauseBegun()
        let later = try await scene.set(#"{"id":"1","n":2}"#)
        let outcome = await Promise.value { scene.outbox.remove(id, completion: $0) }
        guard case .done(nil) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(await scene.ended(later)?.state == .done)
        #expect(scene.remote.log.last == #"\#(operation) 1 {"id":"1","n":2}"#)
    }

    @Test func whatWaitsBehindANeverSentCreateCreatesIt() async throws {
        let scene = OutboxScene(isOpen: false)
        let id = try await scene.set(#"{"id":"1","n":1}"#)
        let later = try await scene.set(#"{"id":"1","n":2}"#)
        let outcome = await Promise.value { scene.outbox.remove(id, completion: $0) }
        guard case .done(nil) = outcome else { return #expect(Bool(false), "\(outcome)") }
        scene.open()
        #expect(await scene.ended(later)?.state == .done)
        #expect(scene.remote.log == [#"create 1 {"id":"1","n":2}"#])
    }

    @Test func whatIsAheadOfAnEntryThatIsGivenUpStaysAsItIs() async throws {
        let scene = OutboxScene()
        let gate = Gate()
        scene.remote.next(.hold(gate))
        let first = try await scene.set(#"{"id":"1","n":1}"#)
        await gate.arrived(1)
        let second = try await scene.set(#"{"id":"1","n":2}"#)
        let third = try await scene.set(#"{"id":"1","n":3}"#)
        let outcome = await Promise.value { scene.outbox.remove(second, completion: $0) }
        guard case .done(nil) = outcome else { return #expect(Bool(false), "\(outcome)") }
        gate.open()
        #expect(await scene.ended(third)?.state == .done)
        #expect(scene.entry(first)?.state == .done)
        #expect(
            scene.remote.log == [
                #"create 1 {"id":"1","n":1}"#, #"update 1 {"id":"1","n":3}"#,
            ])
    }

    @Test func anAnswerThatCannotBeReadIsStillASuccess() async throws {
        let scene = OutboxScene()
        scene.remote.next(.fail(.shape(endpoint: "create", pointer: "/id", detail: "no id")))
        let id = try await scene.set(#"{"id":"1"}"#)
        let end = try #require(await scene.ended(id))
        #expect(end.state == .done && end.fault?.code == "upstream-shape")
    }

    @Test func theRemotesVersionIsTakenOverUnlessTheRowHasChanged() async throws {
        let scene = OutboxScene()
        scene.remote.next(.answer(#"{"id":"1","n":1,"by":"remote"}"#))
        let id = try await scene.set(#"{"id":"1","n":1}"#)
        #expect(await scene.ended(id)?.state == .done)
        #expect(scene.row("1") == #"{"id":"1","n":1,"by":"remote"}"#)
        let row = try #require(scene.store.document(OutboxScene.type, try EntityID("1")))
        #expect(row.isFetched)
        let gate = Gate()
        scene.remote.next(.holdAnswer(gate))
        let next = try await scene.set(#"{"id":"1","n":2}"#)
        await gate.arrived(1)
        try await scene.setLocally(#"{"id":"1","n":3}"#)
        gate.open()
        #expect(await scene.ended(next)?.state == .done)
        #expect(scene.row("1") == #"{"id":"1","n":3}"#)
    }

    @Test func aFetchThatBeganBeforeADeliveryGivesWay() async throws {
        let scene = OutboxScene()
        let gate = Gate()
        scene.remote.next(.hold(gate))
        let id = try await scene.set(#"{"id":"1","n":2}"#)
        await gate.arrived(1)
        let ticket = scene.store.beginFetch(scene.outbox)
        gate.open()
        #expect(await scene.ended(id)?.state == .done)
        let stale = try OutboxScene.document(#"{"id":"1","n":1}"#)
        _ = await scene.outbox.submit(Transaction(.refresh(OutboxScene.type, stale, ticket)))
        #expect(scene.row("1") == #"{"id":"1","n":2}"#)
        let fresh = try OutboxScene.document(#"{"id":"1","n":3}"#)
        let later = scene.store.beginFetch(scene.outbox)
        _ = await scene.outbox.submit(Transaction(.refresh(OutboxScene.type, fresh, later)))
        #expect(scene.row("1") == #"{"id":"1","n":3}"#)
    }

    // MARK: Rejected

    private static let refusal = UpstreamError.status(422, retryAfter: nil, excerpt: "no")

    @Test func whatIsRejectedStaysHereUnlessItIsToBeReverted() async throws {
        for reverts in [false, true] {
            let scene = OutboxScene(reverts: reverts)
            try await scene.set(#"{"id":"1","n":1}"#)
            await scene.drained()
            for change in ["update", "remove", "create"] {
                scene.remote.next(.fail(Self.refusal))
                let id: EntityID
                switch change {
                case "update": id = try await scene.set(#"{"id":"1","n":2}"#)
                case "remove": id = try await scene.remove("1")
                default: id = try await scene.set(#"{"id":"9"}"#)
                }
                let end = try #require(await scene.ended(id))
                #expect(end.state == .rejected && end.fault?.status == 422)
            }
            #expect(scene.row("1") == (reverts ? #"{"id":"1","n":1}"# : nil))
            #expect(scene.row("9") == (reverts ? nil : #"{"id":"9"}"#))
        }
    }

    @Test func aChangeOfSomebodyElseIsNotReverted() async throws {
        let scene = OutboxScene(reverts: true)
        let gate = Gate()
        try await scene.set(#"{"id":"1","n":1}"#)
        await scene.drained()
        scene.remote.next(.fail(.timeout), .fail(Self.refusal))
        let id = try await scene.set(#"{"id":"1","n":2}"#)
        await scene.pauseBegun()
        try await scene.setLocally(#"{"id":"1","n":3}"#)
        await scene.passPause()
        #expect(await scene.ended(id)?.state == .rejected)
        #expect(scene.row("1") == #"{"id":"1","n":3}"#)
        gate.open()
    }

    @Test func laterChangesTakeTheRejectedOnesPlace() async throws {
        let scene = OutboxScene(reverts: true)
        scene.remote.next(.fail(.timeout), .fail(Self.refusal), .fail(Self.refusal))
        let id = try await scene.set(#"{"id":"1","n":1}"#)
        await scene.pauseBegun()
        let later = try await scene.set(#"{"id":"1","n":2}"#)
        await scene.passPause()
        #expect(await scene.ended(later)?.state == .rejected)
        #expect(scene.entry(id)?.state == .rejected)
        // The remote never had it, so the later change is a create, and goes back to nothing.
        #expect(
            scene.remote.log == [
                #"create 1 {"id":"1","n":1}"#, #"create 1 {"id":"1","n":1}"#,
                #"create 1 {"id":"1","n":2}"#,
            ])
        #expect(scene.row("1") == nil)
    }

    // MARK: The remote's ids

    @Test func theRemotesIdReplacesTheClients() async throws {
        let scene = OutboxScene(ScriptedRemote(namesRows: true))
        let id = try await scene.set(#"{"id":"tmp","n":1}"#)
        let end = try #require(await scene.ended(id))
        #expect(end.state == .done && end.entity.text == "r1" && end.replaced?.text == "tmp")
        #expect(scene.row("tmp") == nil)
        #expect(scene.row("r1") == #"{"id":"r1","n":1}"#)
        #expect(scene.outbox.current(OutboxScene.type, try EntityID("tmp")).text == "r1")
        let row = try #require(scene.store.document(OutboxScene.type, try EntityID("r1")))
        #expect(row.isFetched)
    }

    @Test func changesByTheOldIdFollowTheEntity() async throws {
        let scene = OutboxScene(ScriptedRemote(namesRows: true))
        let gate = Gate()
        scene.remote.next(.holdAnswer(gate))
        try await scene.set(#"{"id":"tmp","n":1}"#)
        await gate.arrived(1)
        let later = try await scene.set(#"{"id":"tmp","n":2}"#)
        gate.open()
        #expect(await scene.ended(later)?.state == .done)
        #expect(scene.row("r1") == #"{"id":"r1","n":2}"#)
        #expect(scene.row("tmp") == nil)
        #expect(scene.remote.contents == ["r1": #"{"id":"r1","n":2}"#])
        // A row that was written by its old name, though it was replaced.
        let late = try await scene.set(#"{"id":"tmp","n":3}"#)
        #expect(await scene.ended(late)?.state == .done)
        #expect(scene.row("tmp") == nil)
        #expect(scene.row("r1") == #"{"id":"r1","n":3}"#)
        #expect(scene.remote.contents == ["r1": #"{"id":"r1","n":3}"#])
    }

    /// The remote's form wins, whichever way the row comes by its new id.
    @Test(arguments: ["501", #""501""#], [#""tmp""#, "7"])
    func theRemotesIdKeepsItsForm(given: String, made: String) async throws {
        let scene = OutboxScene(ScriptedRemote())
        let gate = Gate()
        scene.remote.next(.answerLate(gate, #"{"id":\#(given),"n":1}"#))
        let first = try await scene.set(#"{"id":\#(made),"n":1}"#)
        await gate.arrived(1)
        // The row is newer than what the remote answers with.
        let second = try await scene.set(#"{"id":\#(made),"n":2}"#)
        gate.open()
        #expect(await scene.ended(second)?.state == .done)
        #expect(scene.row("501") == #"{"id":\#(given),"n":2}"#)
        #expect(scene.remote.contents["501"] == #"{"id":\#(given),"n":2}"#)
        for id in [first, second] {
            let entry = try #require(scene.outbox.entry(id))
            #expect(
                entry.text.contains(#""entity":\#(given),"replaced":\#(made),"#), "\(entry.text)")
        }
        // What is written by the old id, before and after a restart that has only the store.
        for outbox in [scene.outbox, Outbox(store: scene.store, catalog: TypeCatalog())] {
            let old = try OutboxScene.document(#"{"id":\#(made),"n":3}"#)
            #expect(
                outbox.renamed(old, of: OutboxScene.type).text == #"{"id":\#(given),"n":3}"#)
        }
        try await scene.removeLocally("501")
        let late = try await scene.set(#"{"id":\#(made),"n":4}"#)
        #expect(await scene.ended(late)?.state == .done)
        #expect(scene.row("501") == #"{"id":\#(given),"n":4}"#)
    }

    /// A scene in which `tmp` was created, and the remote gives it another id once `gate` is open.
    private func unansweredCreate() async throws -> (
        scene: OutboxScene, made: EntityID, gate: Gate
    ) {
        let scene = OutboxScene(ScriptedRemote(namesRows: true))
        let gate = Gate()
        scene.remote.next(.holdAnswer(gate))
        let made = try await scene.set(#"{"id":"tmp","n":1}"#)
        await gate.arrived(1)
        return (scene, made, gate)
    }

    @Test func whatTheWriterSeesOnlyAfterTheNewIdIsRepeatedByIt() async throws {
        let (scene, made, gate) = try await unansweredCreate()
        let (type, outbox) = (OutboxScene.type, scene.outbox)
        // They look at the id before the remote's is known, and come to the writer after.
        let tmp = try EntityID("tmp")
        let changed = try OutboxScene.document(#"{"id":"tmp","n":2}"#)
        let late = [
            Transaction(.set(type, changed, .none)),
            Transaction(.merge(type, tmp, patch: Array(#"{"m":3}"#.utf8), .none)),
            Transaction(.remove(type, tmp, .none)),
        ].map { (asked: $0, guarded: outbox.guarding($0)) }
        gate.open()
        #expect(await scene.ended(made)?.state == .done)
        var rows: [String?] = []
        for (asked, guarded) in late {
            let nothing = await outbox.submit(guarded)
            let next = try #require(outbox.following(asked, nothing))
            let done = await outbox.submit(next)
            #expect(outbox.following(next, done)?.count == nil)
            rows.append(scene.row("r1"))
        }
        #expect(rows == [#"{"id":"r1","n":2}"#, #"{"id":"r1","n":2,"m":3}"#, nil])
        #expect(scene.row("tmp") == nil)
        // Nobody has another id for these.
        let absent = Transaction(.remove(type, try EntityID("x"), .none))
        #expect(
            outbox.following(absent, await outbox.submit(outbox.guarding(absent)))?.count == nil)
    }

    /// Records nothing.
    private final class Recorder: CommitRecorder {
        let basis: RecordBasis? = nil
        func records(of transaction: Transaction, _ results: RecordedResults) -> [RecordWrite] {
            []
        }
    }

    @Test func aRemovalWithAKeyThatFindsNothingByTheOldIdIsNotRecorded() async throws {
        let (scene, made, gate) = try await unansweredCreate()
        let (type, outbox) = (OutboxScene.type, scene.outbox)
        var asked = Transaction(.remove(type, try EntityID("tmp"), .none))
        asked.recorder = Recorder()
        let guarded = outbox.guarding(asked)
        gate.open()
        #expect(await scene.ended(made)?.state == .done)
        let nothing = await outbox.submit(guarded)
        guard case .rejected(_, .preconditionFailed(nil)) = nothing else {
            Issue.record("\(nothing)")
            return
        }
        let next = try #require(outbox.following(asked, nothing))
        #expect(next.recorder === asked.recorder)
        _ = await outbox.submit(next)
        #expect(scene.row("r1") == nil)
    }

    @Test func aRemovalByTheOldIdRemovesWhatTheRemoteHasMade() async throws {
        let scene = OutboxScene(ScriptedRemote(namesRows: true))
        let gate = Gate()
        scene.remote.next(.holdAnswer(gate))
        try await scene.set(#"{"id":"tmp","n":1}"#)
        await gate.arrived(1)
        let gone = try await scene.remove("tmp")
        gate.open()
        #expect(await scene.ended(gone)?.state == .done)
        #expect(scene.remote.contents.isEmpty)
        #expect(scene.row("tmp") == nil && scene.row("r1") == nil)
    }

    // MARK: Bounds

    @Test func onlySoManyEndsAreKept() async throws {
        let scene = OutboxScene()
        for number in 0..<(Outbox.keptEnds + 50) {
            try await scene.set(#"{"id":"1","n":\#(number)}"#)
        }
        await scene.drained()
        let left = scene.outbox.entries(limit: .max)
        #expect(left.count <= Outbox.keptEnds)
        #expect(scene.remote.contents == ["1": #"{"id":"1","n":\#(Outbox.keptEnds + 49)}"#])
    }

    @Test func whoWaitsIsToldInTimeWhatIsKnownByThen() async throws {
        let gate = Gate()
        let scene = OutboxScene()
        scene.remote.next(.hold(gate))
        let id = try await scene.set(#"{"id":1}"#)
        await gate.arrived(1)
        let told = Counter()
        let known = await Promise<OutboxEntry?>.value { fulfil in
            scene.outbox.wait(for: id, upTo: scene.outbox.longestWait) {
                told.add()
                fulfil($0)
            }
            scene.clock.advance(by: scene.outbox.longestWait)
        }
        #expect(known?.state == .sending)
        gate.open()
        #expect(await scene.ended(id)?.state == .done)
        #expect(told.value == 1)
        // Who is told before takes nothing up any more.
        let done = try await scene.set(#"{"id":1,"n":2}"#)
        let end = await Promise.value {
            scene.outbox.wait(for: done, upTo: scene.outbox.longestWait, $0)
        }
        #expect(end?.state == .done && scene.clock.scheduled == 0)
    }

    @Test func whoLeavesIsNotToldAndNotKept() async throws {
        let scene = OutboxScene(isOpen: false)
        let first = try await scene.set(#"{"id":"1","n":1}"#)
        let second = try await scene.set(#"{"id":"1","n":2}"#)
        let left = scene.outbox.wait(for: first, upTo: scene.outbox.longestWait) { _ in
            Issue.record("who has left is told nothing")
        }
        #expect(scene.outbox.waiterCount == 1 && scene.clock.scheduled == 1)
        scene.outbox.leave(left, of: first)
        scene.outbox.leave(left, of: first)
        #expect(scene.outbox.waiterCount == 0 && scene.clock.scheduled == 0)
        scene.open()
        #expect(await scene.ended(second)?.state == .done)
    }
}
