import FreshetBase
import FreshetEngine
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetCore

/// Ends of the process at any step, and random interleavings.
@Suite struct OutboxCrashTests {
    enum Step: CaseIterable { case committed, begun, applied, answered }

    /// The process ends: the store is closed under the outbox, which is told nothing.
    @Test(arguments: Step.allCases)
    func nothingIsLostOrDoubled(_ step: Step) async throws {
        let folder = try OutboxFolder()
        let remote = ScriptedRemote(namesRows: true)
        let gate = Gate()
        switch step {
        case .begun: remote.next(.hold(gate))
        case .applied: remote.next(.holdAnswer(gate))
        case .committed, .answered: break
        }
        let id: EntityID
        let store = try folder.open()
        do {
            let scene = OutboxScene(remote, store: store, isOpen: step != .committed)
            id = try await scene.set(#"{"id":"tmp","n":1}"#)
            if step == .answered { _ = await scene.ended(id) }
            if step == .begun || step == .applied { await gate.arrived(1) }
            store.close()
        }
        let reopened = try folder.open()
        let scene = OutboxScene(remote, store: reopened)
        // The first process is still there in part: what it does now reaches no store.
        gate.open()
        #expect(await scene.ended(id)?.state == .done)
        #expect(remote.contents == ["r1": #"{"id":"r1","n":1}"#])
        #expect(Set(remote.sentKeys) == [id.text])
        #expect(scene.row("r1") == #"{"id":"r1","n":1}"#)
        #expect(scene.row("tmp") == nil)
        // The old id still leads there, and the entries that have ended are remembered.
        #expect(scene.outbox.current(OutboxScene.type, try EntityID("tmp")).text == "r1")
        #expect(scene.outbox.entries(in: .done, limit: 10).count == 1)
        // Numbers go on.
        let next = try await scene.set(#"{"id":"r1","n":2}"#)
        #expect(await scene.ended(next)?.state == .done)
        #expect((scene.entry(next)?.number ?? 0) > (scene.entry(id)?.number ?? 0))
        reopened.close()
    }

    @Test func whatWaitsForItsNextTryGoesOnAfterAStart() async throws {
        let folder = try OutboxFolder()
        let remote = ScriptedRemote()
        remote.next(.fail(.status(503, retryAfter: .seconds(3_000), excerpt: "")))
        let store = try folder.open()
        let id: EntityID
        do {
            let scene = OutboxScene(remote, store: store)
            id = try await scene.set(#"{"id":"1"}"#)
            await scene.clock.scheduled(atLeast: 2)
            scene.outbox.stop()
            store.close()
        }
        let reopened = try folder.open()
        let scene = OutboxScene(remote, store: reopened)
        // As long after its last try as it would have waited without the stop.
        #expect(scene.entry(id)?.state == .pending && remote.sentKeys == [id.text])
        await scene.passPause()
        #expect(await scene.ended(id)?.state == .done)
        #expect(remote.sentKeys == [id.text, id.text])
        let row = try #require(reopened.document(OutboxScene.type, try EntityID("1")))
        #expect(scene.outbox.isConfirmed(OutboxScene.type, row))
        reopened.close()
    }

    /// Whatever is written while whatever fails: in the end the remote has what is here.
    @Test(arguments: 1...12) func theRemoteEndsAsThisSideDoes(_ seed: UInt64) async throws {
        print("outbox seed \(seed)")
        var random = Numbers(seed: seed)
        let remote = ScriptedRemote()
        var scene = OutboxScene(remote, limit: 1_000)
        for step in 0..<120 {
            let id = Int.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: try await scene.set(#"{"id":"\#(id)","n":\#(step)}"#)
            case 5, 6:
                _ = await scene.write(.remove(OutboxScene.type, try EntityID("\(id)"), .none))
            case 7: remote.next(.fail(.timeout))
            case 8: scene.clock.advance(by: .seconds(60))
            default:
                if Int.random(in: 0..<4, using: &random) == 0 {
                    // Another process over the same store.
                    await scene.outbox.stopped()
                    let store = scene.store
                    scene = OutboxScene(remote, store: store, limit: 1_000)
                } else {
                    for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() }
                }
            }
        }
        let clock = scene.clock
        let passing = Task {
            while !Task.isCancelled {
                await clock.scheduled(atLeast: 1)
                clock.advanceToNext()
            }
        }
        for id in 0..<4 {
            while let newest = scene.outbox.newest(OutboxScene.type, try EntityID("\(id)")) {
                _ = await scene.ended(newest)
            }
        }
        passing.cancel()
        #expect(scene.outbox.counts == (0, 0))
        var here: [String: String] = [:]
        scene.store.view(OutboxScene.type)?.forEach { here[$0.id.text] = $0.text }
        #expect(remote.contents == here, "seed \(seed)")
    }
}

/// Random numbers that a seed repeats (SplitMix64).
private struct Numbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
