import FreshetBase
import FreshetJSON
import FreshetLive
import FreshetRefresh
import FreshetQuery
import FreshetStore

// Since when the configuration means what it means.
//
// A live query is its text and what the configuration makes of it: schemas, contracts, row rules.
// A client that comes back with a cursor of before a change of these may hold rows that its query
// would not show now, though no entity has changed. So the change has its place in the order of
// commits: an entity of the service's own keeps a digest of the configuration, and the commit that
// has set it is where the present meaning begins. Cursors before it are answered with a snapshot.
//
// A change while the server runs is a commit of its own, so that streams can step over it. A change
// between two runs is noted beside the first write, and until then by the seq at the start; a start
// writes nothing.
//
// Several servers with the same data may have configurations that differ for a while. The note is the
// leader's, made as soon as it leads; a server whose digest is another takes no cursors.

/// Keeps the digest of the configuration in the store, and the live set informed.
final class ConfigurationNote: CommitCompanion {
    static let type = TypeName.internal("service")

    /// Notes before the present one that are kept with it.
    private static let mostOlder = 16

    private let store: any EntityStore
    private let live: LiveSet
    /// The system types' store and queries, which have no note among their commits.
    private let system: (store: any EntityStore, live: LiveSet)?
    private let digest: Shared<String>
    /// 1 where the store has the digest.
    private let isNoted = Counter()

    /// - Parameter digest: Of what queries depend on; "" where there is nothing.
    init(
        _ store: any EntityStore, _ live: LiveSet, digest: String,
        system: (store: any EntityStore, live: LiveSet)? = nil
    ) {
        self.store = store
        self.live = live
        self.system = system
        self.digest = Shared(digest)
        guard store.disk != nil else {
            // What is in memory has no cursors of earlier runs.
            isNoted.set(1)
            return
        }
        if follow() || store.replica != nil {
            isNoted.set(1)
        } else {
            live.noteConfigured(at: store.seq + 1)
        }
    }

    /// Takes over what is noted.
    ///
    /// - Returns: Whether that is the digest of this server.
    @discardableResult
    func follow() -> Bool {
        let stored = Self.stored(in: store)
        let own = digest.value
        let isSame = (stored?.digest ?? "") == own
        live.noteConfigured(at: isSame ? stored?.revision ?? 0 : LiveSet.nowhere)
        let isOlder = stored?.older.contains(own) ?? false
        store.replica?.note(isSame ? .same : isOlder ? .older : .newer)
        return isSame
    }

    /// Digests that were noted before the present one, which others have left behind; newest first.
    var older: [String] { Self.stored(in: store)?.older ?? [] }

    /// Has the digest noted where another one is, since this server leads from now on.
    func begin() {
        guard !follow(), let document = document(digest.value) else { return }
        store.submit(Transaction(.set(Self.type, document, .none))) { [self] outcome in
            guard case .done(let receipt) = outcome else {
                // The next write takes it along.
                return isNoted.set(0)
            }
            live.noteConfigured(at: receipt.cursor.seq)
            self.follow()
        }
    }

    /// Whether it waits for a write to go with.
    var isDue: Bool { isNoted.value == 0 }

    /// Has the digest written beside `transaction`, where that is due.
    func accompany(_ transaction: Transaction) -> Transaction {
        guard isDue, transaction.companion == nil else { return transaction }
        var accompanied = transaction
        accompanied.companion = self
        return accompanied
    }

    func companions(of changes: ArraySlice<Change>) -> [(type: TypeName, document: Document)] {
        document(digest.value).map { [(Self.type, $0)] } ?? []
    }

    /// To be called after each commit that was accompanied.
    func committed(_ outcome: WriteOutcome) {
        guard isDue, case .done(let receipt) = outcome, receipt.changed else { return }
        if let stored = Self.stored(in: store), stored.digest == digest.value {
            isNoted.set(1)
        }
    }

    /// Notes another configuration.
    ///
    /// - Parameters:
    ///   - apply: Makes it hold. Meanwhile, and until it is noted, no cursor is taken.
    ///   - completion: Called once it has its place in the order of commits, or cannot have one,
    ///     since the store takes no writes; then clients take snapshots.
    func replace(
        _ digest: String, apply: () -> Void, completion: @escaping @Sendable () -> Void
    ) {
        let isSame = self.digest.set(digest) == digest
        if !isSame {
            live.noteConfigured(at: LiveSet.onItsWay)
            noteSystem()
        }
        apply()
        // Once more: commits have been made meanwhile.
        if !isSame { noteSystem() }
        guard !isSame, let document = document(digest) else { return completion() }
        store.submit(Transaction(.set(Self.type, document, .none))) { [self] outcome in
            if case .done(let receipt) = outcome {
                live.noteConfigured(at: receipt.cursor.seq)
            } else if store.replica == nil {
                live.noteConfigured(at: store.seq + 1)
            } else {
                self.follow()
            }
            completion()
        }
    }

    /// What was told of system types so far is of queries that meant something else.
    private func noteSystem() {
        guard let system else { return }
        system.live.noteConfigured(at: system.store.seq + 1)
    }

    /// The note of `digest`, and in a cluster of those before it.
    private func document(_ digest: String) -> Document? {
        var builder = DocumentBuilder()
        var members = #""id":"configuration","digest":"\#(digest)""#
        if store.replica != nil, let stored = Self.stored(in: store) {
            let older = ([stored.digest] + stored.older).filter { $0 != digest }
            let texts = older.prefix(Self.mostOlder).map { #""\#($0)""# }
            members += #","older":[\#(texts.joined(separator: ","))]"#
        }
        let json = Array("{\(members)}".utf8)
        return json.withUnsafeBytes { try? builder.build(json: $0, id: .fromBody) }
    }

    private static func stored(
        in store: any EntityStore
    ) -> (digest: String, older: [String], revision: UInt64)? {
        let document = Array("configuration".utf8).withUnsafeBytes {
            store.document(type, idBytes: $0)
        }
        guard let document, let digest = document.member(named: "digest")?.string else {
            return nil
        }
        let older = (try? JSONValue.parse(document.json, depthLimit: 2))?["older"]?.arrayValue ?? []
        return (digest, older.compactMap(\.stringValue), document.revision)
    }
}
