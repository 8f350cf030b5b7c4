import FreshetBase
import FreshetRefresh

/// What rows have told of specifications, so that an equal one is told in the same words. Any thread.
final class SpecMemory: Sendable {
    private struct Seen: Sendable {
        var values: [Bool]
        var turns = 0
        var instants: [Duration?]
    }

    /// Names that are remembered; beyond, all begin anew.
    private static let mostNames = 2 * SystemRows.mostRows
    /// Two readings of two clocks do not give one instant twice.
    private static let sameInstant = Duration.milliseconds(50)

    private let seen = Shared<[String: Seen]>([:])

    /// - Parameter instants: Since 1970.
    /// - Returns: How often a leaf has turned, as far as rows were made meanwhile, and the instants as
    ///   they were told last where they are the same.
    func told(
        _ name: String, _ evaluations: [SpecEvaluation], instants: [Duration?]
    ) -> (turns: Int, instants: [Duration?]) {
        let values = evaluations.flatMap { $0.trace.map(\.value) }
        return seen.update { seen in
            if seen.count >= Self.mostNames { seen.removeAll() }
            var known = seen[name] ?? Seen(values: values, instants: instants)
            if known.values != values {
                known.values = values
                known.turns += 1
            }
            known.instants = zip(known.instants, instants).map { before, now in
                guard let before, let now else { return now }
                return abs(now - before) < Self.sameInstant ? before : now
            }
            seen[name] = known
            return (known.turns, known.instants)
        }
    }

    private func abs(_ span: Duration) -> Duration { span < .zero ? .zero - span : span }
}
