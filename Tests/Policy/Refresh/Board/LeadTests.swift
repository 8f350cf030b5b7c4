import FreshetRefresh
import Testing

@Suite("A board of several servers, of which one leads")
struct LeadTests {
    private let clock = ManualOperationClock(now: .seconds(1_000), wall: .seconds(1_700_000_000))
    private let board: OperationBoard
    private let operation: ScriptedOperation

    init() {
        board = OperationBoard(clock: clock, effects: .inline)
        board.declare(conditions: [.init("open", persists: true)], specs: [:])
        var settings = OperationSettings()
        settings.automatic = .always
        settings.refetch.every = .seconds(10)
        settings.refetch.when = .condition("open")
        settings.refetch.requiresSubscribers = false
        settings.refetch.requiresStale = false
        operation = ScriptedOperation("op", on: board, settings)
        operation.endAtOnce()
    }

    private func stored(_ value: Bool, revision: Int) -> ConditionState {
        ConditionState(name: "open", value: value, revision: revision, persists: true)
    }

    @Test("Nothing runs by itself on the others, and the gate is closed there")
    func follows() {
        board.lead(false, stored: [])
        board.commit(.condition("open", true))
        board.commit(.subscribers("op", 1))
        clock.advance(by: .seconds(60))
        #expect(operation.calls().isEmpty)
        #expect(board.levels(of: "op")?.gate == false && !board.leads)
    }

    @Test("A lead begins as a start does: with a baseline, and the conditions that are kept")
    func begins() throws {
        board.lead(false, stored: [])
        for _ in 0..<3 {
            board.lead(true, stored: [stored(true, revision: 5)])
            #expect(board.condition("open")?.value == true)
            #expect(board.condition("open")?.revision == 5)
            #expect(operation.calls().isEmpty, "an edge of before is spent")
            #expect(board.levels(of: "op")?.gate == true)
            clock.advance(by: .seconds(10))
            #expect(operation.calls() == [.start(.every)])
            board.commit(.condition("open", false))
            board.commit(.condition("open", true))
            #expect(operation.calls() == [.start(.when)])
            board.lead(false, stored: [stored(true, revision: 7)])
            clock.advance(by: .seconds(60))
            #expect(operation.calls().isEmpty)
        }
    }

    @Test("A run that goes on when a lead ends keeps none from the next one")
    func forgetsRuns() {
        operation.endAtOnce(false)
        clock.advance(by: .seconds(10))
        #expect(operation.calls() == [.start(.every)])
        board.lead(false, stored: [])
        board.lead(true, stored: [])
        operation.finish()
        clock.advance(by: .seconds(10))
        #expect(operation.calls() == [.start(.every)])
    }

    @Test("Conditions that another server has set are told to whoever watches them")
    func followsConditions() {
        board.lead(false, stored: [])
        let notes = Notes()
        let subscription = board.observeConditions { states in
            for state in states { notes.add("\(state.name) \(state.value) \(state.revision)") }
        }
        board.follow([stored(true, revision: 3)])
        #expect(notes.take() == ["open true 3"])
        board.follow([stored(true, revision: 3)])
        #expect(notes.take().isEmpty)
        // The leader's own conditions are what the board says.
        board.lead(true, stored: [stored(true, revision: 3)])
        board.follow([stored(false, revision: 9)])
        #expect(board.condition("open")?.revision == 3)
        subscription.cancel()
    }
}
