import FreshetServer

/// Why something was not done: the problem that the REST interface would answer with.
public struct EntityProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where in what was given a fault stands.
    public struct Fault: Sendable, Equatable {
        /// A JSON pointer (RFC 6901) into the entity.
        public let pointer: String?
        /// The name of a parameter of the query, such as `filter`.
        public let parameter: String?
        public let detail: String
    }

    /// Such as `invalid-entity`; the server has a page about each at `/problems/CODE`.
    public let code: String
    /// The status that a client of the REST interface would see.
    public let status: Int
    /// One sentence about this occurrence.
    public let detail: String
    /// What to do about it.
    public let hint: String
    public let faults: [Fault]

    public var description: String { "\(code): \(detail)" }

    init(_ problem: Problem) {
        code = problem.code.rawValue
        status = problem.status
        detail = problem.detail
        hint = problem.hint ?? problem.code.hint.description
        faults = problem.errors.map {
            Fault(pointer: $0.pointer, parameter: $0.parameter, detail: $0.detail)
        }
    }

    /// The caller has stopped waiting for the answer.
    static var cancelled: EntityProblem {
        EntityProblem(Problem(.shuttingDown, "the task that asked was cancelled"))
    }

    init(code: String, status: Int, detail: String) {
        self.code = code
        self.status = status
        self.detail = detail
        hint = ""
        faults = []
    }
}
