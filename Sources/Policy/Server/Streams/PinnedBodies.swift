import FreshetBase
import FreshetEngine
import FreshetQuery

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
/// all that the answer keeps. Of two that keep whole tables the later one has the older one's rows but for
/// what was replaced between. Past the bound those that have been sent longest are cut off, but
/// for the newest. What is replaced behind it is one state of the tables at most.
final class PinnedBodies: Sendable {
    /// Bytes that all answers but the newest keep beside what is stored.
    static let mostBytes = 256 << 20
    /// Bytes that may come between two looks.
    private static let lookedOver = 16 << 20

    enum Pin: Sendable {
        /// As many rows of a table as they were at `turnover`, of `bytes` JSON.
        case rows(of: TypeName, turnover: Turnover, count: Int, bytes: Int, isWhole: Bool)
        /// What other answers may be sending, too.
        case shared(any AnyObject & Sendable, bytes: Int)
        case own(bytes: Int)

        /// What it costs at most.
        var bytes: Int {
            switch self {
            case .rows(_, _, let count, let bytes, _): bytes + count * Turnover.rowBytes
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
    /// The state of a table now.
    private let turnover: @Sendable (TypeName) -> Turnover?

    /// - Parameter turnover: Tells the state of a table now; nil where there is none.
    init(turnover: @escaping @Sendable (TypeName) -> Turnover?) {
        self.turnover = turnover
    }

    /// Counts `stream`, which begins; those that have been sent longest may have to end for it.
    ///
    /// - Complexity: O(pins); O(n log n) in all pins at each look.
    func add(_ stream: any PinnedBody, _ pins: [Pin]) {
        let due = lock.withLock { () -> [Body] in
            state.lastOrder += 1
            state.bodies[ObjectIdentifier(stream)] =
                Body(stream: stream, pins: pins, order: state.lastOrder)
            state.bytes += pins.reduce(0) { $0 + $1.bytes }
            guard state.bytes > state.nextLook else { return [] }
            state.nextLook = state.bytes + Self.lookedOver
            return Array(state.bodies.values)
        }
        for stream in surplus(of: due) {
            stream.cut()
            // It keeps nothing any more, however long its connection lasts.
            remove(stream)
        }
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
    private func surplus(of bodies: [Body]) -> [any PinnedBody] {
        var kept = 0
        /// Tables as they are, and for whole ones as the next newer answer that stays has them.
        var now: [TypeName: Turnover?] = [:]
        var whole: [TypeName: Turnover] = [:]
        var shared: Set<ObjectIdentifier> = []
        var surplus: [any PinnedBody] = []
        let newestFirst = bodies.sorted { $0.order > $1.order }
        for (index, body) in newestFirst.enumerated() {
            var bytes = 0
            for pin in body.pins {
                switch pin {
                case .rows(let type, let then, let count, let size, let isWhole):
                    let current = now[type] ?? turnover(type)
                    now[type] = .some(current)
                    let next = isWhole ? whole[type] ?? current : current
                    bytes +=
                        next.map { then.kept(until: $0, rows: count, bytes: size) } ?? pin.bytes
                case .shared(let object, let size):
                    bytes += shared.contains(ObjectIdentifier(object)) ? 0 : size
                case .own(let size): bytes += size
                }
            }
            // Nobody is slow who has just begun.
            guard index == 0 || kept + bytes <= Self.mostBytes else {
                surplus.append(body.stream)
                continue
            }
            if index > 0 { kept += bytes }
            for pin in body.pins {
                switch pin {
                case .rows(let type, let then, _, _, true): whole[type] = then
                case .shared(let object, _): shared.insert(ObjectIdentifier(object))
                case .rows, .own: break
                }
            }
        }
        return surplus
    }
}

extension PinnedBodies {
    /// What `rows` of each type cost that were just read or written: their number, and the bytes of their
    /// JSON.
    func pins(_ rows: [TypeName: (count: Int, bytes: Int)]) -> [Pin] {
        rows.map { type, rows in
            // Rows of a system type are made for the answer.
            guard let turnover = turnover(type) else { return .own(bytes: rows.bytes) }
            return .rows(
                of: type, turnover: turnover, count: rows.count, bytes: rows.bytes, isWhole: false)
        }
    }
}
