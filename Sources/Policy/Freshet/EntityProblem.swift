import FreshetJSON
import FreshetServer

/// Why something was not done: the problem that the REST interface would answer with.
///
/// A call that is given up because its task is cancelled throws the code `cancelled`
/// (`isCancellation`). Once the program has stopped its server, everything is `shutting-down`.
public struct EntityProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where in what was given a fault stands.
    public struct Fault: Sendable, Equatable {
        /// A JSON pointer (RFC 6901) into the entity.
        public let pointer: String?
        /// The name of a parameter of the query, such as `filter`.
        public let parameter: String?
        /// A byte offset into the JSON text or the parameter, from 0.
        public let offset: Int?
        /// The rule that is broken, such as `required`.
        public let code: String
        public let detail: String
    }

    /// Such as `invalid-entity`; the server has a page about each at `/problems/CODE`, but for
    /// `cancelled`, which no client of the REST interface sees.
    public let code: String
    /// The status that a client of the REST interface would see; 499 for `cancelled`.
    public let status: Int
    /// One sentence about this occurrence.
    public let detail: String
    /// What to do about it.
    public let hint: String
    public let faults: [Fault]
    /// The problems that led to this one, outermost first.
    public let causes: [EntityProblem]
    /// What this problem tells beyond the others, by name, each value as JSON: the members that a
    /// client of the REST interface would find in it, such as `limit`.
    public let members: [String: [UInt8]]

    public var description: String { "\(code): \(detail)" }

    /// Whether the task that waited was cancelled, as `CancellationError` says elsewhere.
    public var isCancellation: Bool { code == "cancelled" }

    /// The upstream that has failed, as the configuration calls it.
    public var upstream: String? { member("upstream")?.stringValue }

    /// The status with which the upstream has answered.
    public var upstreamStatus: Int? {
        member("upstreamStatus")?.int64Value.map { Int(clamping: $0) }
    }

    /// The beginning of the upstream's answer.
    public var excerpt: String? { member("excerpt")?.stringValue }

    /// What has become of a write: `not-applied`, `unknown`, or the state of its entry in the outbox.
    public var outcome: String? { member("outcome")?.stringValue }

    /// The entity as it is, as JSON, where a precondition has failed; nil where there is none.
    public var current: [UInt8]? {
        members["current"].flatMap { $0 == Array("null".utf8) ? nil : $0 }
    }

    private func member(_ name: String) -> JSONValue? {
        // Members are this library's own, so that they can be read.
        members[name].flatMap { try? JSONValue.parse($0) }
    }

    init(_ problem: Problem) {
        code = problem.code.rawValue
        status = problem.status
        detail = problem.detail
        hint = problem.hint ?? Self.hint(problem.code)
        faults = problem.errors.map {
            Fault(
                pointer: $0.pointer, parameter: $0.parameter, offset: $0.offset, code: $0.code,
                detail: $0.detail)
        }
        causes = problem.causes.map { EntityProblem($0) }
        members = Dictionary(
            problem.members.map { ($0.name, $0.json) }, uniquingKeysWith: { first, _ in first })
    }

    /// A server in a program stops when the program wants it, and does not come back.
    private static func hint(_ code: ProblemCode) -> String {
        code == .shuttingDown
            ? "this program has stopped the server: make another EntityServer to go on"
            : code.hint.description
    }

    /// The caller has stopped waiting for the answer.
    static var cancelled: EntityProblem {
        EntityProblem(
            code: "cancelled", status: 499, detail: "the task that waited was cancelled",
            hint: "ask again if the answer is still wanted; a write that had begun may be stored")
    }

    /// The program has stopped the server.
    static var stopped: EntityProblem {
        EntityProblem(Problem(.shuttingDown, "the server has been stopped"))
    }

    init(code: String, status: Int, detail: String, hint: String = "") {
        self.code = code
        self.status = status
        self.detail = detail
        self.hint = hint
        faults = []
        causes = []
        members = [:]
    }
}
