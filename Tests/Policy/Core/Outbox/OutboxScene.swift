import FreshetBase
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore
import FreshetTestSupport
import Glibc
import Testing

@testable import FreshetCore

/// A remote in memory that does as it is told, and knows idempotency keys.
// SAFETY: all mutable state is read and written under `lock`.
final class ScriptedRemote: RemoteSource, @unchecked Sendable {
    enum Reply {
        case fail(UpstreamError)
        /// Waits before it does what it is asked, and then does it.
        case hold(Gate)
        /// Does it, and waits before it answers.
        case holdAnswer(Gate)
        /// Does it and answers with this entity.
        case answer(String)
        /// The same, behind the gate.
        case answerLate(Gate, String)
        /// Does it and answers with this id alone.
        case call(String)
    }

    let upstreamName: String
    let digest = "one"
    let fallback = FallbackErrors.standard
    let canGet = false
    private let lock = Lock()
    private var replies: [Reply] = []
    private var known: [String: RemoteWriteAnswer] = [:]
    private var ids: [String: String] = [:]
    private(set) var rows: [String: String] = [:]
    private var calls: [String] = []
    private var keys: [String] = []
    private var inFlight: Set<String> = []
    private var overlaps = 0
    private var lastID = 0
    /// Creates get an id of the remote's own.
    let namesRows: Bool

    init(_ name: String = "api", namesRows: Bool = false) {
        upstreamName = name
        self.namesRows = namesRows
    }

    /// What the next calls get; what is not scripted is done.
    func next(_ replies: Reply...) { lock.withLock { self.replies += replies } }

    /// What was asked, as `create 1 {…}`, repeats of a key included.
    var log: [String] { lock.withLock { calls } }
    var sentKeys: [String] { lock.withLock { keys } }
    var contents: [String: String] { lock.withLock { rows } }
    /// Writes of one entity that were on their way together.
    var overlapping: Int { lock.withLock { overlaps } }

    func write(
        _ write: RemoteWrite, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteWriteAnswer {
        let (name, id, body): (String, String, String) =
            switch write.action {
            case .create(let document): ("create", document.id.text, document.text)
            case .update(let id, let document): ("update", id.text, document.text)
            case .remove(let id): ("remove", id.text, "")
            }
        let key = write.idempotencyKey ?? ""
        let reply = lock.withLock { () -> Reply? in
            calls.append(body.isEmpty ? "\(name) \(id)" : "\(name) \(id) \(body)")
            keys.append(key)
            if !inFlight.insert(id).inserted { overlaps += 1 }
            return replies.isEmpty ? nil : replies.removeFirst()
        }
        defer { lock.withLock { _ = inFlight.remove(id) } }
        switch reply {
        case .fail(let error): throw error
        case .hold(let gate):
            await gate.pass()
            return apply(name, id, body, key)
        case .holdAnswer(let gate):
            let answer = apply(name, id, body, key)
            await gate.pass()
            return answer
        case .answer(let text), .answerLate(_, let text):
            if case .answerLate(let gate, _) = reply { await gate.pass() }
            var answer = apply(name, id, body, key)
            answer.entity = try? remoteEntity(text)
            answer.id = answer.entity?.id
            return answer
        case .call(let text):
            var answer = apply(name, id, body, key)
            answer.id = try? EntityID(text)
            return answer
        case nil: return apply(name, id, body, key)
        }
    }

    private func apply(
        _ name: String, _ id: String, _ body: String, _ key: String
    ) -> RemoteWriteAnswer {
        lock.withLock {
            if let answer = known[key], !key.isEmpty { return answer }
            var answer = RemoteWriteAnswer(status: 200)
            switch name {
            case "remove": rows[id] = nil
            case "create" where namesRows:
                lastID += 1
                let new = "r\(lastID)"
                rows[new] = body.replacing("\"id\":\"\(id)\"", with: "\"id\":\"\(new)\"")
                answer.id = try? EntityID(new)
            default: rows[id] = body
            }
            known[key] = answer
            return answer
        }
    }

    private func remoteEntity(_ text: String) throws -> RemoteEntity {
        let document = try OutboxScene.document(text)
        return RemoteEntity(type: OutboxScene.type, id: document.id, document: document)
    }

    func get(
        _ id: EntityID, conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        throw .unaddressable(endpoint: "get", name: nil, detail: "")
    }

    func search(
        _ request: RemoteSearch, conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        throw .unaddressable(endpoint: "search", name: nil, detail: "")
    }

    func pushdown(of request: RemoteSearch) throws(UpstreamError) -> RemotePushdown {
        RemotePushdown()
    }

    func canSearch(_ endpoint: String?) -> Bool { false }
}

extension Document {
    var text: String { String(decoding: json, as: UTF8.self) }
}

/// A store, an outbox over it, and the remote behind that.
final class OutboxScene: Sendable {
    static let type = TypeName("todo").unsafelyUnwrapped
    let remote: ScriptedRemote
    let clock = ManualOperationClock()
    let store: any EntityStore
    let outbox: Outbox
    private let target: OutboxTarget

    init(
        _ remote: ScriptedRemote = ScriptedRemote(), store: any EntityStore = MemoryStore(),
        reverts: Bool = false, limit: Int = 2, isOpen: Bool = true
    ) {
        self.remote = remote
        self.store = store
        outbox = Outbox(store: store, catalog: TypeCatalog(), clock: clock, random: { 0 })
        target = OutboxTarget(
            remote, revertsRejected: reverts, retry: RetryPolicy(limit: limit))
        if isOpen { open() }
    }

    /// Lets it send.
    func open() { outbox.replace(targets: [Self.type: target]) }

    static func document(_ json: String) throws -> Document {
        var builder = DocumentBuilder()
        return try Array(json.utf8).withUnsafeBytes {
            try builder.build(json: $0, id: .fromBody)
        }
    }

    /// Commits with an entry each, and returns the entries.
    @discardableResult
    func write(_ operation: WriteOperation) async -> [EntityID] {
        let ticket = OutboxTicket(outbox)
        var transaction = Transaction(operation)
        transaction.companion = ticket
        return Array(ticket.finish(await outbox.submit(transaction)).values)
    }

    @discardableResult
    func set(_ json: String) async throws -> EntityID {
        let made = await write(.set(Self.type, try Self.document(json), .none))
        return try #require(made.first)
    }

    @discardableResult
    func remove(_ id: String) async throws -> EntityID {
        let made = await write(.remove(Self.type, try EntityID(id), .none))
        return try #require(made.first)
    }

    /// Removes without an entry.
    func removeLocally(_ id: String) async throws {
        _ = await outbox.submit(Transaction(.remove(Self.type, try EntityID(id), .none)))
    }

    /// Commits without an entry.
    func setLocally(_ json: String) async throws {
        _ = await outbox.submit(
            Transaction(.set(Self.type, try Self.document(json), .none)))
    }

    func row(_ id: String) -> String? {
        (try? EntityID(id)).flatMap { store.document(Self.type, $0)?.text }
    }

    func entry(_ id: EntityID) -> OutboxEntry? { OutboxEntry(outbox.entry(id)) }

    /// The entry as it has ended or died.
    func ended(_ id: EntityID) async -> OutboxEntry? {
        await Promise.value { outbox.wait(for: id, $0) }
    }

    /// Until nothing is undelivered but what is dead.
    func drained() async {
        while let id = outbox.entries(limit: .max).lazy.compactMap({ OutboxEntry($0) })
            .first(where: { $0.state == .pending || $0.state == .sending })?.id
        {
            _ = await ended(id)
            await Task.yield()
        }
    }

    /// Until a pause has begun.
    func pauseBegun() async { await clock.scheduled(atLeast: 1) }

    /// Until a pause has begun, then to its end and no further: a delivery that fails at once begins
    /// the next pause while the clock is still being moved.
    func passPause() async {
        await pauseBegun()
        clock.advanceToNext()
    }
}

/// A directory that is gone when this is.
final class OutboxFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/freshet-outbox-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    func open() throws -> FileStore {
        try FileStore.open(FileStoreOptions(directory: path + "/data"))
    }

    deinit {
        let process = opendir(path + "/data")
        while let process, let entry = readdir(process) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            unlink(path + "/data/" + name)
        }
        if let process { closedir(process) }
        rmdir(path + "/data")
        rmdir(path)
    }
}
