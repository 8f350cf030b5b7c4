package import FreshetQuery

/// What one operation did.
package struct WriteResult: Sendable {
    /// What is stored after the operation, nil where nothing is. Of an entity that the transaction
    /// patches several times: an earlier image of it.
    package let document: Document?
    /// The document's revision; of a removal the commit's seq; 0 where nothing was and nothing is.
    package let revision: UInt64
    package let created: Bool
    package let changed: Bool
    /// `stillMatches` said no.
    package let skipped: Bool
    /// What a removal has taken away, nil where nothing was.
    package let removed: Document?

    package init(
        document: Document?, revision: UInt64, created: Bool = false, changed: Bool = false,
        skipped: Bool = false, removed: Document? = nil
    ) {
        self.document = document
        self.removed = removed
        self.revision = revision
        self.created = created
        self.changed = changed
        self.skipped = skipped
    }
}

/// What a transaction did.
package struct WriteReceipt: Sendable {
    /// Of the commit; of the newest state where nothing changed, or of that which is shown with it.
    package private(set) var cursor: Cursor
    /// false: there was nothing to change, so there is no commit.
    package let changed: Bool
    package let durability: Durability
    package let first: WriteResult
    package let rest: [WriteResult]

    package init(
        cursor: Cursor, changed: Bool, durability: Durability, first: WriteResult,
        rest: [WriteResult]
    ) {
        self.cursor = cursor
        self.changed = changed
        self.durability = durability
        self.first = first
        self.rest = rest
    }

    package var count: Int { 1 + rest.count }

    /// Has the cursor be of no older state than that of the commit `seq`.
    package mutating func reach(_ seq: UInt64) {
        if seq > cursor.seq { cursor = Cursor(epoch: cursor.epoch, seq: seq) }
    }

    package subscript(index: Int) -> WriteResult {
        index == 0 ? first : rest[index - 1]
    }
}

/// Why an operation, and with it its transaction, was refused.
package enum WriteRejection: Sendable {
    /// With what is stored, nil where nothing is.
    case preconditionFailed(Document?)
    /// What is stored, though the request demands that nothing is (`If-None-Match: *`).
    case unwanted(Document)
    case exists(Document)
    /// Nothing that the caller may read is there to be changed.
    case notFound(TypeName, EntityID)
    /// What the rules found, at least one.
    case invalid([ValueFault])
    /// More than 64 MiB in the log.
    case tooLarge
    /// The store would rewrite more than 64 MiB of entities for one commit.
    case tooMuchWork
    /// What its recorder keeps is there already: an earlier try was done after all.
    case repeated
    /// With its patch the entity would have more bytes than one may have.
    case entityTooLarge(limit: Int)
    /// The caller may not change this entity, or not into this.
    case forbidden
    /// The caller's rights ended before the commit.
    case unauthenticated
    /// The entity would be new, and the store has as many as it may have.
    case tooManyEntities
    /// The type would be new, and the store has had `limit` since its start.
    case tooManyTypes(limit: Int)

    /// Of a patch that makes no entity.
    ///
    /// - Parameter limit: Bytes that one may have.
    package init(_ fault: DocumentFault, limit: Int) {
        switch fault {
        case .tooLarge: self = .entityTooLarge(limit: limit)
        case .idMismatch:
            self = .invalid([
                ValueFault(
                    pointer: "/id", code: "id-mismatch", detail: "a patch cannot change the id")
            ])
        case .missingID, .badID:
            self = .invalid([
                ValueFault(pointer: "/id", code: "id", detail: "an entity must keep its id")
            ])
        case .notAnObject:
            self = .invalid([ValueFault(pointer: "", code: "type", detail: "must be an object")])
        case .json:
            self = .invalid([
                ValueFault(pointer: "", code: "json", detail: "is no JSON that can be stored")
            ])
        }
    }
}

/// The one answer to a transaction.
package enum WriteOutcome: Sendable {
    case done(WriteReceipt)
    /// Nothing was applied; `operation` is the index of the one at fault.
    case rejected(operation: Int, WriteRejection)
    /// No room on the disk; nothing was applied; heals by itself. With how much is free and how much
    /// is wanted, in a sentence.
    case storageFull(String)
    /// The log cannot be written any more. `unknown`: it may or may not be found after a restart;
    /// otherwise nothing was applied.
    case storageFailed(unknown: Bool)
    /// This server does not lead its cluster; nothing was applied. With where the one that does takes
    /// requests, nil where none is known.
    case notLeader(url: String?)
    /// The engine of the shared log gives no answer, or took back what it had taken. `unknown`: the
    /// write may be applied, or become so; otherwise nothing was applied.
    case logAway(unknown: Bool)
    /// The engine of the shared log has no room, or next to none; nothing was applied.
    case logFull
    /// Too many writes wait, or this one waited for too long; nothing was applied.
    case overloaded
    /// The store is closed; nothing was applied.
    case closed

    /// Whether it may be applied though nobody says so.
    package var isUnknown: Bool {
        switch self {
        case .storageFailed(let unknown), .logAway(let unknown): unknown
        default: false
        }
    }
}

/// How safe an answered write is.
package enum Durability: UInt8, Sendable {
    /// Lost when the process ends.
    case memory
    /// In the kernel's hands, synced within 100 ms.
    case relaxed
    /// Synced before the answer.
    case full

    /// As in `Freshet-Durability`.
    package var name: String {
        switch self {
        case .memory: "memory"
        case .relaxed: "relaxed"
        case .full: "full"
        }
    }

    package init?(name: String) {
        switch name {
        case "memory": self = .memory
        case "relaxed": self = .relaxed
        case "full": self = .full
        default: return nil
        }
    }
}
