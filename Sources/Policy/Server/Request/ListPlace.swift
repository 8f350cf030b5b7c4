import FreshetQuery
import FreshetStore

/// Where the operations of a commit stand in the request's body, for faults that only the commit
/// finds.
package enum ListPlace: Sendable {
    /// There is one operation, which is the whole body.
    case whole
    /// Elements of an array, in its order.
    case elements
    /// The line of each operation of an NDJSON body, from 1.
    case lines([Int])
    /// The operations of a batch, each with what leads from it to its entity.
    case batch([String])

    /// The places of the entities of a batch.
    init(_ operations: [WriteOperation]) {
        self = .batch(
            operations.map { operation in
                switch operation {
                case .set, .refresh: "/set/entity"
                case .merge: "/patch/patch"
                case .remove, .retire: "/remove"
                }
            })
    }

    /// `problem` with the place of `operation` in front of every pointer.
    func place(_ problem: Problem, at operation: Int) -> Problem {
        switch self {
        case .whole: return problem
        case .elements: return problem.inElement(operation)
        case .lines(let lines):
            return operation < lines.count ? problem.inLine(lines[operation]) : problem
        case .batch(let places):
            guard operation < places.count else { return problem }
            // A condition or an absent entity is about the operation, a fault about its entity.
            let isAboutEntity = problem.code == .invalidEntity || problem.code == .idMismatch
            return problem.under(
                "/operations/\(operation)" + (isAboutEntity ? places[operation] : ""))
        }
    }
}

extension Problem {
    /// The problem with `prefix` in front of every pointer.
    func under(_ prefix: String) -> Problem {
        withFaults { $0.pointer = prefix + ($0.pointer ?? "") }
    }
}
