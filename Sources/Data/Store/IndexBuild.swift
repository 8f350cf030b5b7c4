import FreshetBase
package import FreshetEngine
package import FreshetQuery

// An index that is declared for entities that are there already is built beside the writes:
//
//     begin   under the commit right: takes a view of the table; from here on the changes of the
//             type are kept for the build, old and new images
//     build   on a background thread, from the view: whatever it takes
//     drain   takes the changes that have come meanwhile and follows them; again, until few are left
//     finish  under the commit right: follows the last ones and gives the index to the table
//
// So the writer is held up twice for a moment, and no reader ever. An index keeps no documents: those that
// the unfinished one names are kept by a view of the table as it was at the last change that was followed,
// and by one of the last that is to be.

/// An index on its way. Made by a store; advanced by one background thread.
// SAFETY: `pending`, `lastStep` and `isOverrun` are touched under the store's commit right alone; `index`,
// `kept` and `following` by the one thread that advances the build, and under the commit right while that
// waits for it.
package final class IndexBuild: @unchecked Sendable {
    package let type: TypeName
    package let definition: IndexDefinition

    /// Changes past which a build begins anew in place of following.
    static let pendingLimit = 1_000_000
    /// So few are followed under the commit right at first.
    static let firstLastStep = 256

    fileprivate var pending: [(old: Document?, new: Document?)] = []
    fileprivate var isOverrun = false
    /// So few are followed under the commit right now: twice as many with each round, since writers
    /// that never pause may be faster than what follows them.
    fileprivate var lastStep = IndexBuild.firstLastStep
    var index: OrderedIndex?
    /// Documents of the view that are entered so far. Any thread.
    let built = Counter()
    /// A view of what `index` has: it keeps the documents.
    fileprivate var kept: TableView
    /// A view of what `index` has once it has followed the changes that were handed out last.
    fileprivate var following: TableView?

    init(_ type: TypeName, _ definition: IndexDefinition, of view: TableView) {
        self.type = type
        self.definition = definition
        kept = view
    }

    /// Builds the index of its view. O(n log n).
    func rebuild() {
        built.set(0)
        index = OrderedIndex(definition, of: kept, progress: built)
    }

    /// Keeps a change for later; under the commit right.
    func note(old: Document?, new: Document?) {
        guard !isOverrun else { return }
        guard pending.count < Self.pendingLimit else {
            isOverrun = true
            pending = []
            return
        }
        pending.append((old, new))
    }
}

/// What a type's index is doing.
package struct IndexStatus: Sendable {
    package let definition: IndexDefinition
    package let isReady: Bool
    /// Entries and bytes; 0 while it is being built.
    package let entries: Int
    package let bytes: Int
    /// Entries so far, where it is being built.
    package let built: Int
}

/// The tables of a store, in the hands of whoever has the commit right for a moment.
package struct EntityTablesAccess {
    let tables: EntityTables
}

extension EntityStore {
    /// Makes `type` have the indexes of `definitions` and no others: builds what is missing from a
    /// view while writes go on, and returns when all are ready. For one background thread.
    package func declareIndexes(_ definitions: [IndexDefinition], of type: TypeName) {
        let begun = AwaitedValue<[IndexBuild]>()
        guard withCommitRight({ begun.give($0.tables.declareIndexes(definitions, type)) }) else {
            return
        }
        for build in begun.wait() { complete(build) }
    }

    private func complete(_ build: IndexBuild) {
        while true {
            if build.index == nil { build.rebuild() }
            let drained = AwaitedValue<IndexBuild.Drain>()
            guard withCommitRight({ drained.give($0.tables.drain(build)) }) else { return }
            switch drained.wait() {
            case .finished: return
            case .more(let changes):
                for change in changes { build.index?.change(old: change.old, new: change.new) }
            case .overrun: build.rebuild()
            }
        }
    }
}

extension IndexBuild {
    enum Drain: Sendable {
        /// The index is the table's now, or not wanted any more.
        case finished
        case more([(old: Document?, new: Document?)])
        /// Too many changes came: it begins anew.
        case overrun
    }

    /// Under the commit right: what to do next, given a view of the table as it is now.
    fileprivate func next(_ view: TableView) -> Drain {
        if let followed = following.take() { kept = followed }
        if isOverrun {
            isOverrun = false
            kept = view
            return .overrun
        }
        guard pending.count > lastStep else {
            for change in pending { index?.change(old: change.old, new: change.new) }
            pending = []
            return .finished
        }
        lastStep *= 2
        following = view
        defer { pending = [] }
        return .more(pending)
    }
}

extension EntityTables {
    func drain(_ build: IndexBuild) -> IndexBuild.Drain {
        guard let view = viewForBuild(build) else { return .finished }
        let next = build.next(view)
        if case .finished = next, let index = build.index { install(index, of: build) }
        return next
    }
}
