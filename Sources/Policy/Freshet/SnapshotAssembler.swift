/// Turns the events of a live query into whole answers.
// SAFETY: signals come one after the other, and `parts` is touched by them alone.
final class SnapshotAssembler: @unchecked Sendable {
    private var parts: SnapshotParts

    init(_ type: String) {
        parts = SnapshotParts(type: type)
    }

    private enum Step {
        case pass(AgentSignal<EntitySnapshot>)
        case wait
    }

    func pass(
        on signal: AgentSignal<StreamEvent>,
        to receive: @Sendable (AgentSignal<EntitySnapshot>) async -> AgentVerdict
    ) async -> AgentVerdict {
        switch step(signal) {
        case .pass(let signal): await receive(signal)
        case .wait: .proceed
        }
    }

    private func step(_ signal: AgentSignal<StreamEvent>) -> Step {
        switch signal {
        case .opened: return .pass(.opened)
        case .interrupted(let fault, let pause): return .pass(.interrupted(fault, retryIn: pause))
        case .element(let event, let position):
            guard event.name == "snapshot" else { return .wait }
            do throws(StreamFault) {
                let whole = try parts.take(event)
                return whole.map { .pass(.element($0, position: position)) } ?? .wait
            } catch {
                return .pass(.interrupted(error, retryIn: .zero))
            }
        }
    }
}
