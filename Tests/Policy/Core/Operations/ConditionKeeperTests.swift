import FreshetBase
import FreshetEngine
import FreshetRefresh
import FreshetQuery
import FreshetStore
import Testing

@testable import FreshetCore

@Suite("Conditions that last")
struct ConditionKeeperTests {
    private let store = RefusingStore()
    private let board: OperationBoard
    private let keeper: ConditionKeeper

    init() {
        board = OperationBoard(clock: ManualOperationClock(), effects: .inline)
        board.declare(conditions: [.init("kept", persists: true), .init("other")], specs: [:])
        var settings = OperationSettings()
        settings.refetch.when = .condition("kept") || .condition("other")
        board.attach("op", settings, delegate: nil)
        keeper = ConditionKeeper(store, board)
    }

    private func set(_ writes: ConditionWrite...) async -> ConditionKeeper.Outcome {
        await Promise.value { keeper.set(writes, completion: $0) }
    }

    @Test("An order that the store refuses changes nothing, nor what comes with it")
    func refused() async throws {
        store.refuses = true
        guard case .refused(.storageFull) = await set(.init("kept", true), .init("other", true))
        else { return _ = Issue.record("it is refused") }
        #expect(board.condition("kept")?.value == false)
        #expect(board.condition("other")?.value == false)
        #expect(board.counters(of: "op")?.rises == 0)
        #expect(keeper.stored().isEmpty)
        // What lasts no longer than the process needs no store.
        guard case .set = await set(.init("other", true)) else {
            return _ = Issue.record("it is set")
        }
        store.refuses = false
        guard case .set(let states) = await set(.init("kept", true), .init("other", false)) else {
            return _ = Issue.record("it is set")
        }
        #expect(states.map(\.changed) == [true, true])
        #expect(keeper.stored().map(\.value) == [true])
        guard case .unknown(let unknown) = await set(.init("none", true)) else {
            return _ = Issue.record("it is not known")
        }
        #expect(unknown.name == "none")
    }

    @Test("Orders are carried out one after the other, and what is stored is what holds")
    func order() async {
        async let first = set(.init("kept", true, ttl: .seconds(60)))
        _ = await first
        for number in 0..<20 { _ = await set(.init("kept", number % 3 == 0)) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { _ = await set(.init("kept", number % 2 == 0)) }
            }
        }
        _ = await set(.init("kept", true))
        #expect(board.condition("kept")?.value == true)
        #expect(keeper.stored() == board.conditions().filter(\.persists))
    }
}

/// A store of memory that says on demand that it is full.
// SAFETY: the one variable is read and written under `lock`.
private final class RefusingStore: ForwardingStore, @unchecked Sendable {
    private let lock = Lock()
    private var isFull = false

    var refuses: Bool {
        get { lock.withLock { isFull } }
        set { lock.withLock { isFull = newValue } }
    }

    override func submit(
        _ transaction: Transaction, _ completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        if refuses { completion(.storageFull("")) } else { super.submit(transaction, completion) }
    }
}
