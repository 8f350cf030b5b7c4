import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore

/// A body that keeps what it sends until it is cut.
protocol PinnedBody: AnyObject, Sendable {
    /// Ends it for what it keeps, which it lets go at once, whether its client takes anything or not.
    /// Any thread.
    func cut()
}

/// What long answers keep while they are sent: the memory that slow readers of searches, exports and
/// long polls cost. Any thread.
///
/// The rows of an answer are those of its commit. They cost what the tables have replaced since, up to
/// all that the answer keeps; and of the answers that began later each keeps what was replaced
/// since its own beginning itself. So one answer costs what was replaced between its beginning and that of
/// the next one, however many there are. Past the bound those that have been sent longest are cut off.
/// The newest is none of them, whose cost is one state of the tables at most.
final class PinnedBodies: Sendable {
    /// Bytes that are kept for all answers but the newest.
    static let mostBytes = 256 << 20
    /// Bytes that may come between two looks.
    private static let lookedOver = 16 << 20

    enum Pin: Sendable {
        /// As many rows of a table as they were at `turnover`, of `bytes` JSON.
        case rows(of: TypeName, turnover: Turnover, count: Int, bytes: Int)
        /// What other answers may be sending, too.
        case shared(ObjectIdentifier, bytes: Int)
        case own(bytes: Int)

        /// What it costs at most.
        var bytes: Int {
            switch self {
            case .rows(_, _, let count, let bytes): bytes + count * Turnover.rowBytes
            case .shared(_, let bytes), .own(let bytes): bytes
            }
        }
    }

    private struct Body {
        let stream: any PinnedBody
        let pins: [Pin]
        /// Grows with time.
        let order: Int
    }

    private struct State {
        var bodies: [ObjectIdentifier: Body] = [:]
        /// What all cost at most.
        var bytes = 0
        /// Beyond it they are looked at.
        var nextLook = mostBytes
        var lastOrder = 0
    }

    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var state = State()

    /// Counts `stream`, which begins; those that have been sent longest may have to end for it.
    ///
    /// - Complexity: O(pins); O(n log n) in all pins at each look.
    func add(_ stream: any PinnedBody, _ pins: [Pin]) {
        let surplus = lock.withLock { () -> [any PinnedBody] in
            state.lastOrder += 1
            state.bodies[ObjectIdentifier(stream)] =
                Body(stream: stream, pins: pins, order: state.lastOrder)
            state.bytes += pins.reduce(0) { $0 + $1.bytes }
            guard state.bytes > state.nextLook else { return [] }
            state.nextLook = state.bytes + Self.lookedOver
            return Self.surplus(of: Array(state.bodies.values))
        }
        for stream in surplus { stream.cut() }
    }

    /// `stream` has ended.
    func remove(_ stream: any PinnedBody) {
        lock.withLock {
            guard let body = state.bodies.removeValue(forKey: ObjectIdentifier(stream)) else {
                return
            }
            state.bytes -= body.pins.reduce(0) { $0 + $1.bytes }
            state.nextLook = max(
                Self.mostBytes, min(state.nextLook, state.bytes + Self.lookedOver))
        }
    }

    /// Bodies that have been sent longest, as many as make room for the others.
    private static func surplus(of bodies: [Body]) -> [any PinnedBody] {
        var kept = 0
        /// States of tables that the next newer answer that stays keeps.
        var tables: [TypeName: Turnover] = [:]
        var shared: Set<ObjectIdentifier> = []
        var surplus: [any PinnedBody] = []
        let newestFirst = bodies.sorted { $0.order > $1.order }
        for (index, body) in newestFirst.enumerated() {
            var bytes = 0
            for pin in body.pins {
                switch pin {
                case .rows(let type, let turnover, let count, let size):
                    guard let next = tables[type] else { continue }
                    bytes += turnover.kept(until: next, rows: count, bytes: size)
                case .shared(let object, let size): bytes += shared.contains(object) ? 0 : size
                case .own(let size): bytes += size
                }
            }
            guard index == 0 || kept + bytes <= mostBytes else {
                surplus.append(body.stream)
                continue
            }
            if index > 0 { kept += bytes }
            for pin in body.pins {
                switch pin {
                case .rows(let type, let turnover, _, _): tables[type] = turnover
                case .shared(let object, _): shared.insert(object)
                case .own: break
                }
            }
        }
        return surplus
    }
}

extension PinnedBodies {
    /// What `rows` of each type cost that were just read in `store`: their number, and the bytes of their
    /// JSON.
    static func pins(
        _ rows: [TypeName: (count: Int, bytes: Int)], of store: any EntityStore
    ) -> [Pin] {
        rows.map { type, rows in
            // Rows of a system type are made for the answer.
            guard let turnover = store.view(type)?.turnover else { return .own(bytes: rows.bytes) }
            return .rows(of: type, turnover: turnover, count: rows.count, bytes: rows.bytes)
        }
    }
}

extension PinnedBodies.Pin {
    /// - Parameter object: What is sent.
    static func shared(_ object: AnyObject, bytes: Int) -> PinnedBodies.Pin {
        .shared(ObjectIdentifier(object), bytes: bytes)
    }
}
