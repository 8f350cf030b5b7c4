import FreshetServer

/// The answers of one live query, one after the other.
///
/// It ends without an error where the task is cancelled, and throws `shutting-down` once the server
/// has been stopped or released.
public struct EntityWatch: AsyncSequence, Sendable {
    public typealias Element = EntitySnapshot
    public typealias Failure = EntityProblem

    private let entities: Entities
    private let query: EntityQuery

    init(_ entities: Entities, _ query: EntityQuery) {
        self.entities = entities
        self.query = query
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(entities, query)
    }

    /// Begins to watch with the first `next` and leaves the query when it is released.
    public struct Iterator: AsyncIteratorProtocol {
        private let entities: Entities
        private let query: EntityQuery
        private var watch: HeldWatch?
        private var parts: SnapshotParts

        init(_ entities: Entities, _ query: EntityQuery) {
            self.entities = entities
            self.query = query
            parts = SnapshotParts(type: query.type)
        }

        public mutating func next() async throws(EntityProblem) -> EntitySnapshot? {
            try await next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(EntityProblem) -> EntitySnapshot? {
            let held: HeldWatch
            if let watch {
                held = watch
            } else {
                held = try HeldWatch(entities, query, deltas: false, after: "")
                watch = held
            }
            while let event = try await held.next() {
                do throws(StreamFault) {
                    if let snapshot = try parts.take(event) { return snapshot }
                } catch {
                    throw EntityProblem(code: error.code, status: 500, detail: error.detail)
                }
            }
            return nil
        }
    }
}

/// A live query in process that is left when this is released.
final class HeldWatch: Sendable {
    private let watch: QueryWatch
    /// Ends it with the server.
    private let end: RunSubscription

    init(
        _ entities: Entities, _ query: EntityQuery, deltas: Bool, after position: String
    ) throws(EntityProblem) {
        try entities.life.check()
        let asked = try entities.query(query.type, nil, query.parameters)
        do throws(Problem) { try asked.checkLive() } catch { throw EntityProblem(error) }
        let watch = QueryWatch(entities.core, asked, deltas: deltas)
        do { try watch.join(after: position) } catch {
            // It may have joined, and its refresh be refused.
            watch.end()
            throw EntityProblem(Problem(error))
        }
        self.watch = watch
        end = entities.life.atEnd { [weak watch] in watch?.cutOff() }
    }

    deinit {
        watch.end()
    }

    func next() async throws(EntityProblem) -> StreamEvent? {
        try await watch.next()
    }
}

/// Live queries of a server in this program, as events of the live protocol. There is no connection:
/// nothing is ever interrupted. Once the server has been stopped, it refuses with `shutting-down`.
public struct EmbeddedEvents: AgentSource {
    private let entities: Entities

    init(_ entities: Entities) {
        self.entities = entities
    }

    public func follow(
        _ query: EntityQuery, after position: String,
        _ receive: @escaping @Sendable (AgentSignal<StreamEvent>) async -> AgentVerdict
    ) async -> AgentEnd {
        await Self.follow(entities, query, deltas: true, after: position, receive)
    }

    static func follow(
        _ entities: Entities, _ query: EntityQuery, deltas: Bool, after position: String,
        _ receive: @escaping @Sendable (AgentSignal<StreamEvent>) async -> AgentVerdict
    ) async -> AgentEnd {
        do throws(EntityProblem) {
            let watch = try HeldWatch(entities, query, deltas: deltas, after: position)
            guard await receive(.opened) == .proceed else { return .stopped }
            while let event = try await watch.next() {
                let verdict = await receive(.element(event, position: event.id))
                if verdict == .stop { return .stopped }
            }
            return Task.isCancelled ? .cancelled : .exhausted
        } catch {
            return .refused(
                StreamFault(code: error.code, detail: error.detail, status: error.status))
        }
    }
}

/// Live queries of a server in this program, as whole answers.
public struct EmbeddedSnapshots: AgentSource {
    private let entities: Entities

    init(_ entities: Entities) {
        self.entities = entities
    }

    public func follow(
        _ query: EntityQuery, after position: String,
        _ receive: @escaping @Sendable (AgentSignal<EntitySnapshot>) async -> AgentVerdict
    ) async -> AgentEnd {
        let assembler = SnapshotAssembler(query.type)
        return await EmbeddedEvents.follow(entities, query, deltas: false, after: position) {
            await assembler.pass(on: $0, to: receive)
        }
    }
}
