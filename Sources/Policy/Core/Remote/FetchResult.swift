package import FreshetBase
package import FreshetQuery
import FreshetRefresh
package import FreshetRemote
package import FreshetStore

/// How a fetch ended.
typealias FetchResult = Result<FetchOutcome, FetchFailure>

/// What a fetch has brought, once it is committed where it is to be.
package struct FetchOutcome: Sendable {
    /// The rows of the question's type as the remote served them, in its order. What is newer here
    /// stands in the place of what was fetched; what was removed here meanwhile is left out.
    package var documents: [Document] = []
    /// Entities of other types that came nested in these, where nothing is stored.
    var nested = FetchedEntities()
    /// The remote has no such entity.
    package var isAbsent = false
    /// The window that the remote has applied.
    package var window: RemotePushdown.Window?
    /// How many there are, where the remote said so.
    package var total: Int?
    package var gaps = AnswerGaps()
    /// Why the first one of those that break the rules of their type does.
    var firstFault: String?
    /// Whether what was fetched is in the store.
    var isStored = true
    /// Rows that the remote served and that were removed here.
    var removed = 0
    /// Rows of the whole that this is a part of; nil: it is the whole.
    var rows: Int?
    /// When the request began.
    package var at: WallTime

    /// Whether it is an answer with rows.
    var hasRows = true

    /// Rows of an operation's value.
    var count: Int? { hasRows ? rows ?? documents.count : nil }

    init(at: WallTime) { self.at = at }

    /// What `answer` says beside its entities.
    init(of answer: RemoteAnswer, at: WallTime) {
        self.at = at
        isAbsent = answer.isAbsent
        window = answer.pushdown?.window
        total = answer.total
        gaps = answer.gaps
    }
}

/// Entities that were fetched and are not stored.
struct FetchedEntities: Sendable {
    private var byType: [TypeName: [EntityID: Document]] = [:]

    func document(_ type: TypeName, _ id: EntityID) -> Document? {
        byType.isEmpty ? nil : byType[type]?[id]
    }

    /// - Parameter document: Sealed.
    mutating func insert(_ document: Document, of type: TypeName) {
        byType[type, default: [:]][document.id] = document
    }

    mutating func merge(_ others: FetchedEntities) {
        byType.merge(others.byType) { $0.merging($1) { $1 } }
    }
}

/// Why a fetch brought nothing.
package enum FetchFailure: PassingError, Sendable {
    /// - Parameter name: Of the upstream.
    case upstream(UpstreamError, name: String)
    /// A gate does not admit it now; the gate's name, the upstream's, and that of the operation whose
    /// gate it is.
    case gated(String, name: String, operation: String? = nil)
    /// The store did not take what was fetched, which is the answer to a reader all the same; nil where
    /// nothing was.
    case store(WriteOutcome, fetched: FetchOutcome? = nil)
    /// The upstream was asked to write and did, and its answer was not committed, for this reason.
    case unkept(WriteOutcome, name: String)
    /// The server ends.
    case stopping

    /// Without what was fetched, which only those who wait are given.
    package var lasting: any Error {
        if case .store(let refusal, _) = self { Self.store(refusal) } else { self }
    }

    /// Too many wait for it already, so that nothing was sent.
    package var isSaturated: Bool {
        if case .upstream(.saturated, _) = self { true } else { false }
    }

    /// Whether what is here may be the answer instead.
    func allowsFallback(_ errors: FallbackErrors) -> Bool {
        switch self {
        case .upstream(let error, _): errors.contains(error)
        case .gated: true
        case .store, .unkept, .stopping: false
        }
    }
}
