package import FreshetQuery

/// What must hold for an operation to be done; judged by the writer, in commit order.
package enum WriteCondition: Sendable {
    case none
    /// Create only; otherwise `.exists`.
    case absent
    /// `If-None-Match: *`: as `absent`, but otherwise `.unwanted`.
    case ifNoneMatchAny
    /// `If-Match` with these revisions.
    case ifMatch([UInt64])
    /// `If-Match: *`: there is one.
    case ifMatchAny
    /// `If-None-Match` with these revisions.
    case ifNoneMatch([UInt64])
    /// For a remove by query: where the closure says no by now, the operation is skipped and does
    /// not fail. The closure is pure and short; it runs in the writer.
    case stillMatches(@Sendable (Document) -> Bool)

    /// How a condition stands to what is stored.
    package enum Judgement {
        case holds
        case skips
        case fails(WriteRejection)
    }

    /// - Parameter old: What is stored; nil: nothing, or what the caller may not read.
    package func judged(against old: Document?) -> Judgement {
        switch self {
        case .none: return .holds
        case .absent: return old.map { .fails(.exists($0)) } ?? .holds
        case .ifNoneMatchAny: return old.map { .fails(.unwanted($0)) } ?? .holds
        case .ifMatchAny: return old != nil ? .holds : .fails(.preconditionFailed(nil))
        case .ifMatch(let revisions):
            return Self.has(old, revisions) ? .holds : .fails(.preconditionFailed(old))
        case .ifNoneMatch(let revisions):
            return Self.has(old, revisions) ? .fails(.preconditionFailed(old)) : .holds
        case .stillMatches(let matches):
            guard let old, matches(old) else { return .skips }
            return .holds
        }
    }

    /// What a transaction in the making has made has no revision yet, which nobody can have been told.
    private static func has(_ old: Document?, _ revisions: [UInt64]) -> Bool {
        guard let old else { return false }
        return old.revision != 0 && revisions.contains(old.revision)
    }
}

/// One step of a transaction.
package enum WriteOperation: Sendable {
    /// Creates or replaces. The document carries its id, and belongs to the store from now on.
    case set(TypeName, Document, WriteCondition)
    /// Applies a JSON merge patch (RFC 7396), valid JSON, to what is stored; absent: `.notFound`.
    case merge(TypeName, EntityID, patch: [UInt8], WriteCondition)
    /// Removes; absent is no failure.
    case remove(TypeName, EntityID, WriteCondition)
    /// Sets what a fetch has found, unless the entity was changed or removed here since the fetch
    /// began, is held, or breaks its type's rules: then the operation is skipped.
    case refresh(TypeName, Document, FetchTicket)
    /// Removes what a complete fetch has not found, if it came from the remote and is not newer than
    /// the fetch, and is not held: else the operation is skipped.
    case retire(TypeName, EntityID, FetchTicket)

    package var type: TypeName {
        switch self {
        case .set(let type, _, _), .merge(let type, _, _, _), .remove(let type, _, _),
            .refresh(let type, _, _), .retire(let type, _, _):
            type
        }
    }

    var condition: WriteCondition {
        switch self {
        case .set(_, _, let condition), .merge(_, _, _, let condition),
            .remove(_, _, let condition):
            condition
        case .refresh, .retire: .none
        }
    }

    /// The id's text, unescaped.
    func withIDBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        switch self {
        case .set(_, let document, _), .refresh(_, let document, _): body(document.idBytes)
        case .merge(_, let id, _, _), .remove(_, let id, _), .retire(_, let id, _):
            id.withBytes(body)
        }
    }

    var isRemoval: Bool {
        switch self {
        case .remove, .retire: true
        case .set, .merge, .refresh: false
        }
    }

    /// About how many bytes it takes in the log.
    var estimatedSize: Int {
        switch self {
        case .set(_, let document, _): document.json.count + document.idBytes.count + 32
        case .merge(_, _, let patch, _): patch.count + 64
        case .refresh(_, let document, _): document.json.count + document.idBytes.count + 32
        case .remove, .retire: 64
        }
    }
}

/// Operations that happen together or not at all, in sequence, as one commit with one seq.
///
/// The first operation is stored beside the rest, so that the common transaction of one operation
/// allocates no array.
package struct Transaction: Sendable {
    /// Bytes of entities that it may have the store rewrite. What it brings along itself is bounded where
    /// it is read; a patch of ten bytes can rewrite a megabyte.
    package static let mostRewritten = 64 << 20
    /// About how many bytes it may have: one frame of the log holds it.
    package static let mostBytes = LogFormat.maximumPayload

    package private(set) var first: WriteOperation
    package private(set) var rest: [WriteOperation]
    /// Who asked, for the log; "" for nobody in particular. At most 65,535 bytes.
    package var tokenName: String
    /// The caller's key, empty for none. At most 65,535 bytes.
    package var idempotencyKey: [UInt8]
    /// Whose rights the operations need; nil: everything is allowed.
    package var guardian: (any WriteGuard)?
    /// What is written beside the operations if they change anything.
    package var companion: (any CommitCompanion)?
    /// What keeps its results.
    package var recorder: (any CommitRecorder)?
    /// Its documents are stored as they are, whatever the rules of their types say.
    package var isVerbatim = false

    package init(
        _ first: WriteOperation, _ rest: [WriteOperation] = [], tokenName: String = "",
        idempotencyKey: [UInt8] = []
    ) {
        self.first = first
        self.rest = rest
        self.tokenName = tokenName
        self.idempotencyKey = idempotencyKey
    }

    /// nil where there is no operation.
    package init?(
        operations: consuming [WriteOperation], tokenName: String = "",
        idempotencyKey: [UInt8] = []
    ) {
        guard !operations.isEmpty else { return nil }
        // In place: thousands of operations are neither retained nor released.
        let first = operations.removeFirst()
        self.init(first, operations, tokenName: tokenName, idempotencyKey: idempotencyKey)
    }

    package var count: Int { 1 + rest.count }

    /// The transaction with each operation replaced, for the same caller.
    package func map(_ replacement: (WriteOperation) -> WriteOperation) -> Transaction {
        var other = self
        other.first = replacement(first)
        other.rest = rest.map(replacement)
        return other
    }

    package subscript(index: Int) -> WriteOperation {
        index == 0 ? first : rest[index - 1]
    }

    /// About how many bytes it takes in the log.
    var estimatedSize: Int {
        var size = CommitEncoder.commitHeadLength + first.estimatedSize + idempotencyKey.count
        for operation in rest { size += operation.estimatedSize }
        return size
    }
}

/// The operations of one transaction while they are read, which end where it may have no more: what is read
/// of a body can be many times as large.
package struct OperationList {
    package private(set) var all: [WriteOperation] = []
    private var size = 0

    package init() {}

    /// - Returns: false where it would be too large with `operation`, which is not added then.
    package mutating func append(_ operation: WriteOperation) -> Bool {
        size += operation.estimatedSize
        guard size <= Transaction.mostBytes else { return false }
        all.append(operation)
        return true
    }
}
