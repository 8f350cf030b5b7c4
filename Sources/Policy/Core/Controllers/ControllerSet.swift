package import FreshetBase
package import FreshetRefresh
package import FreshetQuery
package import FreshetRemote

/// One operation with controllers, as configured.
package struct ControlledDefinition: Sendable {
    package let operation: String
    package let query: Query
    package let controllers: [ControllerSettings]

    package init(_ operation: String, _ query: Query, _ controllers: [ControllerSettings]) {
        self.operation = operation
        self.query = query
        self.controllers = controllers
    }
}

/// The controllers of a server: made of the configuration, driven as the board says. Any thread.
// SAFETY: all mutable state is read and written under `lock`.
package final class ControllerSet: @unchecked Sendable {
    private let commits: ControllerCommits
    private let upstreams: RemoteCatalog
    private let mappings: [TypeName: RemoteMapping]
    private let board: OperationBoard
    private let maximumEntity: Int
    private let clock: any OperationClock
    private let log: Log
    private let operations: Operations
    private let lock = Lock()
    /// By operation, in the order of the configuration; those of the embedding program behind.
    private var attached: [String: [AttachedController]] = [:]
    private var hasStopped = false
    private var hasBegun = false

    package init(
        _ core: CoreManager, upstreams: RemoteCatalog, mappings: [RemoteMapping],
        maximumEntity: Int, log: Log, clock: any OperationClock = SystemOperationClock()
    ) {
        commits = ControllerCommits(core.writer) { [operations = core.operations] id in
            // Where it does not run by itself, whoever reads it next is told that it is stale.
            if let operation = operations[id], !operation.rerun() { operation.invalidate() }
        }
        self.upstreams = upstreams
        self.mappings = Dictionary(mappings.map { ($0.type, $0) }) { first, _ in first }
        board = core.operations.board
        operations = core.operations
        self.maximumEntity = maximumEntity
        self.log = log
        self.clock = clock
    }

    /// Makes the controllers of what is configured; they drive it from `begin` on.
    package func declare(_ definitions: [ControlledDefinition]) {
        for definition in definitions {
            for (index, settings) in definition.controllers.enumerated() {
                if let one = make(settings, of: definition, number: index) { add(one) }
            }
        }
    }

    /// Drives operations from now on, each from where the store says.
    package func begin() {
        let all = lock.withLock {
            hasBegun = !hasStopped
            return hasBegun ? attached.values.flatMap(\.self) : []
        }
        commits.forget()
        // All know their rows of before when the first one begins.
        for one in all where one.follows { commits.prepare(one.rows) }
        for one in all {
            one.restore()
            one.begin(on: board)
        }
    }

    /// Drives nothing until it begins again.
    package func pause() {
        let all = lock.withLock {
            hasBegun = false
            return attached.values.flatMap(\.self)
        }
        for one in all { one.pause() }
    }

    private func add(_ one: AttachedController) {
        let (isLate, begins) = lock.withLock {
            if !hasStopped { attached[one.operation, default: []].append(one) }
            return (hasStopped, hasBegun)
        }
        if isLate { return one.end() }
        if begins { one.begin(on: board) }
    }

    /// Drives an operation by a controller of the embedding program's, until what is returned is
    /// ended.
    ///
    /// - Parameters:
    ///   - kind: What it is called in the operation's document.
    ///   - gate: Only while this holds.
    package func attach(
        _ controller: any OperationController, kind: String, to operation: String,
        query: Query, _ attachment: ControllerSettings.Attachment, gate: SpecExpression? = nil
    ) -> AttachedController {
        let rows = ControlledRows(operation: operation, query: query, digest: kind)
        let one = attach(controller, kind: kind, rows: rows, attachment: attachment, gate: gate)
        add(one)
        return one
    }

    /// Ends one of them.
    package func detach(_ one: AttachedController) {
        lock.withLock {
            var others = attached[one.operation] ?? []
            others.removeAll { $0 === one }
            attached[one.operation] = others.isEmpty ? nil : others
        }
        one.end()
    }

    /// Ends all of them.
    package func stop() {
        let all = lock.withLock {
            hasStopped = true
            defer { attached = [:] }
            return attached.values.flatMap(\.self)
        }
        for one in all { one.end() }
    }

    /// How the controllers of an operation stand; empty where it has none.
    package func reports(of operation: String) -> [ControllerReport] {
        lock.withLock { attached[operation] ?? [] }.map(\.report)
    }

    /// All of them, with their operations.
    package var reports: [(operation: String, report: ControllerReport)] {
        lock.withLock { attached }.sorted { $0.key < $1.key }
            .flatMap { entry in entry.value.map { (entry.key, $0.report) } }
    }

    // MARK: Making

    /// - Returns: nil where the controller has no upstream.
    private func make(
        _ settings: ControllerSettings, of definition: ControlledDefinition, number: Int
    ) -> AttachedController? {
        let controller: any OperationController
        var digest = ""
        switch settings.source {
        case .edge(let specification): controller = EdgeController(specification, on: board)
        case .poll(let interval): controller = PollingController(every: interval)
        case .sse(let source):
            guard let upstream = upstreams.upstreams[source.upstream] else { return nil }
            digest = "sse \(number) \(source.upstream) \(source.path) \(source.rules)"
            controller = StreamController(
                source,
                mapping: mappings[definition.query.type]
                    ?? RemoteMapping(type: definition.query.type, upstream: source.upstream),
                maximumEntity: maximumEntity, upstream: upstream,
                surroundings: surroundings(definition, digest))
        case .freshet(let source):
            guard let upstream = upstreams.upstreams[source.upstream] else { return nil }
            digest = "freshet \(source.upstream) \(upstream.settings.base) \(source.query)"
            controller = FollowController(
                source, upstream: upstream, surroundings: surroundings(definition, digest))
        }
        let rows = ControlledRows(
            operation: definition.operation, query: definition.query, digest: Self.short(digest))
        return attach(
            controller, kind: settings.kind, rows: rows, attachment: settings.attachment,
            gate: settings.gate)
    }

    private static func short(_ digest: String) -> String {
        digest.isEmpty ? "" : SHA256Digest(of: digest).hexadecimal
    }

    private func surroundings(
        _ definition: ControlledDefinition, _ digest: String
    ) -> ControllerSurroundings {
        ControllerSurroundings(
            rows: ControlledRows(
                operation: definition.operation, query: definition.query,
                digest: Self.short(digest)),
            commits: commits, board: board, log: log)
    }

    private func attach(
        _ controller: any OperationController, kind: String, rows: ControlledRows,
        attachment: ControllerSettings.Attachment, gate: SpecExpression?
    ) -> AttachedController {
        let target = ControlledTarget(rows, commits: commits, board: board, operations: operations)
        let log = log
        let operation = rows.operation
        let host = ControllerHost(controller, kind: kind, of: target, clock: clock) { error in
            log.warning(
                "a controller is at fault",
                [
                    "operation": .string(operation), "controller": .string(kind),
                    "why": .string(error.sentence),
                ])
        }
        var parts = gate.map { [$0] } ?? []
        if attachment == .subscribed { parts.append(.subscribers(atLeast: 1)) }
        return AttachedController(
            host, target, rows, follows: kind == "freshet", while: .all(parts))
    }
}

/// One controller with what holds and drives it.
package final class AttachedController: Sendable {
    private let host: ControllerHost
    private let target: ControlledTarget
    fileprivate let rows: ControlledRows
    /// It follows a query of another service, whose rows it has.
    fileprivate let follows: Bool
    private let specification: SpecExpression
    /// The board tells in order how the specification stands; nil: it drives nothing.
    private let watch = Shared<RunSubscription?>(nil)
    /// Counts beginnings and pauses, so that what the board tells late is known.
    private let session = Counter()

    fileprivate init(
        _ host: ControllerHost, _ target: ControlledTarget, _ rows: ControlledRows,
        follows: Bool, while specification: SpecExpression
    ) {
        self.host = host
        self.target = target
        self.rows = rows
        self.follows = follows
        self.specification = specification
    }

    package var operation: String { target.id }

    package var report: ControllerReport { host.report }

    /// The last error that it has yielded; nil since a value has come.
    package var lastError: (any Error)? { host.lastError }

    /// Takes over when its last value came before the start.
    fileprivate func restore() { target.restore() }

    fileprivate func begin(on board: OperationBoard) {
        session.add()
        let next = board.observe(specification, operation: target.id, tellsFirst: true) {
            [weak host, session, own = session.value] isWanted in
            if session.value == own { host?.drive(isWanted) }
        }
        watch.set(next)?.cancel()
    }

    fileprivate func pause() {
        session.add()
        watch.set(nil)?.cancel()
        host.drive(false)
    }

    fileprivate func end() {
        watch.set(nil)?.cancel()
        host.end()
    }
}

/// An operation as its controllers' hosts see it.
// SAFETY: `following` is touched by the host's actions alone, which follow one another.
private final class ControlledTarget: ControlledOperation, @unchecked Sendable {
    private let rows: ControlledRows
    private let commits: ControllerCommits
    private let board: OperationBoard
    /// Asked for the operation each time, since operations come and go.
    private let operations: Operations
    private var following: RunSubscription?

    init(
        _ rows: ControlledRows, commits: ControllerCommits, board: OperationBoard,
        operations: Operations
    ) {
        self.rows = rows
        self.commits = commits
        self.board = board
        self.operations = operations
    }

    var id: String { rows.operation }
    var takesReruns: Bool { operations[id]?.takesReruns ?? false }

    func take(
        _ values: [ControlledValue],
        completion: @escaping @Sendable (_ count: Int?, ControllerError?) -> Void
    ) {
        let version = operations[id]?.state.valueVersion
        commits.store(values, of: rows, behind: version, completion: completion)
    }

    /// Takes over the stored value, where it is newer than what is known.
    func restore() {
        guard let operation = operations[id], let (at, count) = commits.standing(of: rows) else {
            return
        }
        operation.restore(updatedAt: at.milliseconds, count: count)
        operation.republish()
    }

    func noteStored(count: Int?, isWhole: Bool) {
        guard let operation = operations[id] else { return }
        operation.noteValue(count: count, isWhole: isWhole)
        commits.noteValue(operation.state.valueVersion, of: rows)
    }

    func take(error: any Error, fails: Bool) {
        // An embedding program's own errors are shown by their text.
        let known =
            error as? ControllerError
            ?? .reported(String(String(describing: error).prefix(200)))
        operations[id]?.note(error: known, fails: fails)
    }

    func noteFollowing(_ isFollowing: Bool) {
        let last = following
        following = isFollowing ? board.follow(id) : nil
        last?.cancel()
        if isFollowing { operations[id]?.noteConnected() }
    }

    func rerun() -> Bool { operations[id]?.rerun() ?? false }

    func invalidate() { operations[id]?.invalidate() }

    func reset() { operations[id]?.reset() }

    func noteShown() { operations[id]?.announce() }
}

/// What built-in controllers of streams find around them.
private struct ControllerSurroundings: StreamSurroundings {
    let rows: ControlledRows
    let commits: ControllerCommits
    let board: OperationBoard
    let log: Log

    func position(of operation: String) -> String? { commits.position(of: rows) }

    func value(of operation: String) -> [Document] { commits.value(of: rows) }

    func stored(_ id: EntityID, of operation: String) -> [UInt8]? { commits.stored(id, of: rows) }

    func effect(_ effects: [ReducedStream.Effect]) {
        guard !effects.isEmpty else { return }
        do {
            _ = try board.setConditions(
                effects.map { ConditionWrite($0.condition, $0.value) })
        } catch {
            log.warning(
                "a controller's condition is not declared", ["condition": .string(error.name)])
        }
    }
}
