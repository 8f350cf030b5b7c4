import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRefresh

/// The rows of `_operations`: what is fetched, when, and why not.
///
/// A condition that turns may open any gate, so all rows are looked at then. All else is seen four times
/// a second, by a look that has a twentieth of a core at most: an operation whose state or levels have
/// changed, or all where a leaf has turned.
final class OperationRows: SystemProvider {
    /// What the last look has seen, and when the next one may be.
    private struct Seen: Sendable {
        var evaluations = -1
        var prints: [String: Int] = [:]
        var next = MonotonicInstant.now
    }

    let type = SystemType.operations
    private let core: CoreManager
    private let controllers: ControllerSet
    private let memory = SpecMemory()

    init(_ core: CoreManager, _ controllers: ControllerSet) {
        self.core = core
        self.controllers = controllers
    }

    func ids() -> [EntityID] {
        core.operations.list(prefix: "").compactMap { try? EntityID($0.id) }
    }

    func append(_ id: EntityID, _ texts: TextBound, to body: inout ByteBuffer) -> Bool {
        guard let operation = core.operations[id.text] else { return false }
        let state = operation.state
        let report = operation.report()
        body.append("{")
        OperationDocument.append(membersOf: state, of: operation, controllers, to: &body)
        body.member("type", operation.type.text)
        body.member("upstream", operation.upstreamName.isEmpty ? nil : operation.upstreamName)
        body.member("configured", operation.isConfigured)
        body.member("active", state.isActive)
        body.member("invalidated", state.isInvalidated)
        body.member("heldBy", Self.hold(report)) { hold, body in
            body.append("{")
            body.append("\"slot\":")
            body.append(jsonString: "\(hold.slot)")
            body.member("pointer", hold.leaf.pointer)
            body.member("text", texts.cut(hold.leaf.text))
            body.append("}")
        }
        let isStale = state.isInvalidated || !state.hasValue || report?.stale.isSatisfied != false
        let told = memory.told(
            operation.id, report.map { [$0.automatic, $0.stale, $0.when, $0.admit] } ?? [],
            instants: [report?.nextRun, isStale ? nil : report?.stale.nextChange])
        body.member("nextRun")
        ConditionDocument.append(told.instants[0], to: &body)
        body.member("staleAt")
        ConditionDocument.append(told.instants[1], to: &body)
        body.member("evaluated", told.turns)
        body.append("}")
        return true
    }

    /// What keeps it from running by itself, or at all.
    private static func hold(
        _ report: OperationSlotReport?
    ) -> (slot: StaticString, leaf: SpecEvaluation.Node)? {
        if let leaf = report?.automatic.holdingLeaf { return ("automatic", leaf) }
        return report?.admit.holdingLeaf.map { ("admit", $0) }
    }

    func watch(_ changed: @escaping @Sendable (SystemChange) -> Void) -> RunSubscription {
        let seen = Shared(Seen())
        return RunSubscription([
            core.operations.board.observeConditions { _ in changed(.all) },
            look(every: .milliseconds(250)) { [weak self] in self?.look(seen, changed) },
        ])
    }

    private func look(_ seen: Shared<Seen>, _ changed: @Sendable (SystemChange) -> Void) {
        let (before, start) = (seen.value, MonotonicInstant.now)
        guard before.next <= start else { return }
        var now = Seen(evaluations: core.operations.board.evaluations)
        for operation in core.operations.list(prefix: "") {
            now.prints[operation.id] = print(of: operation)
        }
        now.next = start + (MonotonicInstant.now - start) * 20
        seen.set(now)
        guard before.evaluations == now.evaluations else { return changed(.all) }
        for id in Set(before.prints.keys).union(now.prints.keys)
        where before.prints[id] != now.prints[id] {
            if let id = try? EntityID(id) { changed(.row(id)) }
        }
    }

    /// Equal where nothing has happened to an operation that its row shows, but for what time brings.
    private func print(of operation: RemoteOperation) -> Int {
        let state = operation.state
        var hasher = Hasher()
        hasher.combine(state.status)
        hasher.combine(state.valueVersion)
        hasher.combine(state.valueUpdatedAt)
        hasher.combine(state.errorUpdatedAt)
        hasher.combine(state.failures)
        hasher.combine(state.isInvalidated)
        hasher.combine(state.isActive)
        hasher.combine(state.subscribers + operation.subscribersElsewhere)
        hasher.combine(state.run?.number)
        hasher.combine(state.run?.attempts)
        hasher.combine(state.lastRun?.number)
        hasher.combine(state.generation)
        hasher.combine(operation.levels)
        for report in controllers.reports(of: operation.id) { hasher.combine("\(report)") }
        return hasher.finalize()
    }
}
