import FreshetBase
import FreshetEngine
package import FreshetQuery
package import FreshetStore

// Which stored entities no longer fit the declared schema.
//
// A changed configuration judges new writes; what is stored stays as it is, readable and in every
// search. This census counts, per type, the entities that a write would refuse today.
//
// It is taken when somebody asks, on the workers, in slices of some milliseconds, never on an
// event loop and never beside the commits. A finished count holds until the store moves on. Then
// the next one walks the table again, but judges only entities that were written since: revisions
// tell which. Of an older one the first count knows whether it fits, because its document is the
// same object: an unfit document is remembered by its address, which nobody else can have had
// while a document of an older revision is still in the table. A schema that was declared anew
// starts from nothing. More unfit entities than `rememberedLimit` are not remembered, and each
// count judges all of them again.
//
// Who asks while a count is under way waits for it if it is of a late enough commit, else for the
// next one, so that an answer includes every write that its asker has seen acknowledged.

/// How many entities of a type do not fit its schema. Any thread.
package final class UnfitCensus: Sendable {
    /// What a count found.
    package struct Report: Sendable {
        package let count: Int
        /// The first unfit entities in the order of ids, at most `exampleLimit`.
        package let examples: [UnfitEntity]
        /// The commit that the count is exact at.
        package let seq: UInt64
    }

    package static let exampleLimit = 20
    /// Faults told of one example.
    static let faultLimit = 10
    /// Unfit documents whose address is kept: 16 MiB at most per type.
    static let rememberedLimit = 1 << 18
    /// Requests that may wait for one type.
    static let waitingLimit = 256
    /// A slice of a count ends after this much time, which is asked for every `sliceStep` rows.
    private static let sliceTime: Duration = .milliseconds(5)
    private static let sliceStep = 64

    package typealias Completion = @Sendable (Report?) -> Void

    private struct Finished {
        let generation: Int
        let seq: UInt64
        let report: Report
        /// nil where there are too many.
        let unfit: Set<ObjectIdentifier>?
    }

    private struct State {
        var finished: Finished?
        var isCounting = false
        var waiting: [(seq: UInt64, completion: Completion)] = []
    }

    private let store: any EntityStore
    private let catalog: TypeCatalog
    private let workers: SearchWorkers
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var states: [TypeName: State] = [:]
    /// Entities that were judged, since the start; for tests.
    let judged = Counter()

    init(store: any EntityStore, catalog: TypeCatalog, workers: SearchWorkers) {
        self.store = store
        self.catalog = catalog
        self.workers = workers
    }

    /// The report at the newest commit, where it is known without counting: O(1).
    ///
    /// - Returns: nil where it must be counted; a report of nothing for a type without a schema.
    package func known(_ type: TypeName) -> Report? {
        let seq = store.seq
        guard catalog.schema(of: type) != nil, let view = store.view(type), view.count > 0 else {
            return Report(count: 0, examples: [], seq: seq)
        }
        let generation = catalog.generation
        return lock.withLock {
            guard let finished = states[type]?.finished, finished.generation == generation,
                finished.seq >= seq
            else { return nil }
            return finished.report
        }
    }

    /// What the last count by the present schema has found, of whatever commit; nil before one.
    package func last(_ type: TypeName) -> Int? {
        guard catalog.schema(of: type) != nil, (store.view(type)?.count ?? 0) > 0 else { return 0 }
        let generation = catalog.generation
        return lock.withLock {
            guard let finished = states[type]?.finished, finished.generation == generation else {
                return nil
            }
            return finished.report.count
        }
    }

    /// Counts, where it is not known, and tells.
    ///
    /// - Parameter completion: Called once: at once where the report is known, else on a worker;
    ///   nil where too much waits already.
    package func report(on type: TypeName, completion: @escaping Completion) {
        if let report = known(type) { return completion(report) }
        let seq = store.seq
        enum Turn { case start, wait, refuse }
        let turn = lock.withLock { () -> Turn in
            var state = states[type] ?? State()
            guard state.waiting.count < Self.waitingLimit else { return .refuse }
            state.waiting.append((seq, completion))
            let isFirst = !state.isCounting
            state.isCounting = true
            states[type] = state
            return isFirst ? .start : .wait
        }
        switch turn {
        case .start: start(type)
        case .wait: break
        case .refuse: completion(nil)
        }
    }

    /// The reports of several types, in their order; nil where too much waits already.
    package func reports(
        on types: [TypeName], completion: @escaping @Sendable ([Report]?) -> Void
    ) {
        collect(types[...], [], completion)
    }

    private func collect(
        _ rest: ArraySlice<TypeName>, _ found: [Report],
        _ completion: @escaping @Sendable ([Report]?) -> Void
    ) {
        var rest = rest
        var found = found
        // In a loop while they are known, so that many types nest no calls.
        while let type = rest.first, let report = known(type) {
            found.append(report)
            rest = rest.dropFirst()
        }
        guard let type = rest.first else { return completion(found) }
        let (later, soFar) = (rest.dropFirst(), found)
        report(on: type) { report in
            guard let report else { return completion(nil) }
            self.collect(later, soFar + [report], completion)
        }
    }

    // MARK: Counting

    private func start(_ type: TypeName) {
        let generation = catalog.generation
        guard let schema = catalog.schema(of: type) else {
            // No longer declared: nothing is unfit.
            return finish(
                type,
                Finished(
                    generation: generation, seq: store.seq,
                    report: Report(count: 0, examples: [], seq: store.seq), unfit: []))
        }
        let seq = store.seq
        let view = store.view(type) ?? .empty(seq: seq)
        let previous = lock.withLock { states[type]?.finished }
        let count = UnfitCount(
            schema: schema, view: view, generation: generation,
            since: previous.flatMap { $0.generation == generation ? $0.seq : nil },
            unfit: previous?.generation == generation ? previous?.unfit : nil)
        step(type, count)
    }

    /// One slice, then the end of the worker's queue.
    private func step(_ type: TypeName, _ count: UnfitCount) {
        let isTaken = workers.perform { [self] in
            let end = MonotonicInstant.now + Self.sliceTime
            var isDone = false
            repeat {
                isDone = count.run(rows: Self.sliceStep)
            } while !isDone && MonotonicInstant.now < end
            guard isDone else { return step(type, count) }
            judged.add(count.judged)
            finish(
                type,
                Finished(
                    generation: count.generation, seq: count.view.seq,
                    report: Report(
                        count: count.count, examples: count.examples, seq: count.view.seq),
                    unfit: count.unfit))
        }
        if !isTaken { finish(type, nil) }
    }

    /// Tells those whom this count serves, and counts again for the others.
    ///
    /// - Parameter finished: nil where it could not be finished; then nobody is served.
    private func finish(_ type: TypeName, _ finished: Finished?) {
        let generation = catalog.generation
        let (served, goesOn) = lock.withLock { () -> ([Completion], Bool) in
            var state = states[type] ?? State()
            defer { states[type] = state }
            guard let finished else {
                let all = state.waiting.map(\.completion)
                state = State()
                return (all, false)
            }
            state.finished = finished
            // One that was declared anew meanwhile is counted anew, too.
            let isCurrent = finished.generation == generation
            let served = state.waiting.filter { isCurrent && $0.seq <= finished.seq }
            state.waiting.removeAll { isCurrent && $0.seq <= finished.seq }
            state.isCounting = !state.waiting.isEmpty
            return (served.map(\.completion), state.isCounting)
        }
        for completion in served { completion(finished?.report) }
        if goesOn { start(type) }
    }
}

/// A stored entity that a write would refuse today.
package struct UnfitEntity: Sendable {
    package let document: Document
    /// At least one, at most `UnfitCensus.faultLimit`.
    package let faults: [ValueFault]

    package init(document: Document, faults: [ValueFault]) {
        self.document = document
        self.faults = faults
    }
}

/// One walk over one view.
// SAFETY: one block of work at a time touches it; the blocks follow one another.
private final class UnfitCount: @unchecked Sendable {
    let schema: TypeSchema
    let view: TableView
    let generation: Int
    /// Entities up to this revision were judged before.
    private let since: UInt64
    private let known: Set<ObjectIdentifier>?
    private var cursor: TableCursor
    private(set) var count = 0
    private(set) var judged = 0
    private(set) var examples: [UnfitEntity] = []
    private(set) var unfit: Set<ObjectIdentifier>? = []

    init(
        schema: TypeSchema, view: TableView, generation: Int, since: UInt64?,
        unfit: Set<ObjectIdentifier>?
    ) {
        self.schema = schema
        self.view = view
        self.generation = generation
        self.since = unfit == nil ? 0 : since ?? 0
        known = unfit
        cursor = view.makeCursor()
    }

    /// - Returns: Whether the walk is at its end.
    func run(rows: Int) -> Bool {
        for _ in 0..<rows {
            guard let document = cursor.next() else { return true }
            guard isUnfit(document) else { continue }
            count += 1
            if count > UnfitCensus.rememberedLimit {
                unfit = nil
            } else {
                unfit?.insert(document.identity)
            }
            if examples.count < UnfitCensus.exampleLimit {
                let faults = schema.faults(ofStored: document, limit: UnfitCensus.faultLimit)
                examples.append(UnfitEntity(document: document, faults: faults))
            }
        }
        return false
    }

    private func isUnfit(_ document: Document) -> Bool {
        if let known, document.revision <= since {
            return known.contains(document.identity)
        }
        judged += 1
        return !schema.faults(ofStored: document, limit: 1).isEmpty
    }
}

extension TypeSchema {
    /// What a write of a stored entity, as it is, would be refused for; its id included. Members
    /// with a default may be absent: a write fills them in.
    ///
    /// - Parameter limit: 1 or more faults.
    package func faults(ofStored document: Document, limit: Int = 100) -> [ValueFault] {
        var faults: [ValueFault] = []
        if let fault = fault(ofId: document.idBytes) { faults.append(fault) }
        guard faults.count < limit else { return faults }
        guard hasDefaults else {
            return faults + self.faults(in: document.json, limit: limit - faults.count)
        }
        var completed = ByteBuffer(capacity: 0)
        let isLonger = complete(document.json, stored: nil, into: &completed)
        return faults
            + self.faults(
                in: isLonger ? completed.bytes : document.json, limit: limit - faults.count)
    }
}
