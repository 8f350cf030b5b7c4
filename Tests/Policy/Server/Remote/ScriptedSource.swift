import Dispatch
import FreshetBase
import FreshetQuery
import FreshetRemote
import Testing

/// A remote that the test plays: it has rows, or fails, and answers at once or when it is told.
// SAFETY: all mutable state is read and written under `lock`.
final class ScriptedSource: RemoteSource, @unchecked Sendable {
    enum Call: Equatable {
        case get(String)
        case search(endpoint: String?, ids: [String]?, conditions: String?)
    }

    let type: TypeName
    let upstreamName = "api"
    let digest = "one"
    let fallback = FallbackErrors.standard
    var canGet = true
    var endpoints: Set<String> = ["popular"]
    /// Windows are sent.
    var pushesWindow = false
    var sendsIDs = true

    private let lock = Lock()
    private var rows: [String]
    private var failure: UpstreamError?
    private var isHeld = false
    private var held: [(CheckedContinuation<Void, Never>, Int)] = []
    private var made: [Call] = []
    private var answered = 0
    private var cancelledCount = 0
    private var etag: String?
    private var dropped = 0
    private let signal = DispatchSemaphore(value: 0)

    init(_ type: TypeName, _ rows: [String] = []) {
        self.type = type
        self.rows = rows
    }

    // MARK: For the test

    var calls: [Call] { lock.withLock { made } }
    var cancelled: Int { lock.withLock { cancelledCount } }

    func set(rows: [String]) {
        lock.withLock {
            self.rows = rows
            failure = nil
        }
    }

    /// Elements that answers to searches leave out, from now on.
    func set(dropped: Int) { lock.withLock { self.dropped = dropped } }

    func set(etag: String?) { lock.withLock { self.etag = etag } }

    func fail(_ error: UpstreamError) { lock.withLock { failure = error } }

    /// Calls wait from now on.
    func hold() { lock.withLock { isHeld = true } }

    /// All held calls are answered, and those that come.
    func release() {
        let all = lock.withLock {
            isHeld = false
            defer { held = [] }
            return held
        }
        for (continuation, _) in all { continuation.resume() }
    }

    /// Waits for a call to begin; false after two minutes.
    func begins() -> Bool { signal.wait(timeout: .now() + .seconds(120)) == .success }

    // MARK: RemoteSource

    func canSearch(_ endpoint: String?) -> Bool { endpoint.map { endpoints.contains($0) } ?? true }

    func pushdown(of request: RemoteSearch) throws(UpstreamError) -> RemotePushdown {
        var pushdown = RemotePushdown(
            filter: nil, isWholeFilter: request.query.filter == nil, isOrdered: true,
            sendsIDs: sendsIDs && request.query.ids != nil)
        if pushesWindow, let limit = request.query.limit {
            pushdown.window = .init(offset: request.query.offset, limit: limit)
        }
        return pushdown
    }

    func get(
        _ id: EntityID, conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        try await begin(.get(id.text))
        var answer = RemoteAnswer(startSeq: call.startSeq)
        answer.entities = entities().filter { $0.id == id }
        answer.isAbsent = answer.entities.isEmpty
        return answer
    }

    func search(
        _ request: RemoteSearch, conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        let ids = request.query.ids
        try await begin(
            .search(
                endpoint: request.endpoint, ids: ids?.map(\.text), conditions: conditions?.etag))
        var answer = RemoteAnswer(isComplete: true, startSeq: call.startSeq)
        answer.pushdown = try pushdown(of: request)
        let (tag, dropped) = lock.withLock { (etag, self.dropped) }
        if let tag, conditions?.etag == tag {
            answer.isNotModified = true
            return answer
        }
        answer.validators = tag.map { RemoteValidators(etag: $0) }
        answer.entities = entities()
        answer.dropped = dropped
        if let ids, answer.pushdown?.sendsIDs == true {
            answer.entities = answer.entities.filter { ids.contains($0.id) }
        }
        if let window = answer.pushdown?.window {
            answer.entities = Array(
                answer.entities.dropFirst(window.offset).prefix(window.limit))
            answer.isComplete = false
        }
        return answer
    }

    func write(
        _ write: RemoteWrite, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteWriteAnswer {
        throw .status(405, retryAfter: nil, excerpt: "")
    }

    private func begin(_ call: Call) async throws(UpstreamError) {
        let number = lock.withLock {
            made.append(call)
            return made.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = lock.withLock {
                    if isHeld, !Task.isCancelled { held.append((continuation, number)) }
                    return isHeld && !Task.isCancelled
                }
                signal.signal()
                if !waits { continuation.resume() }
            }
        } onCancel: {
            let mine = lock.withLock {
                cancelledCount += 1
                let mine = held.filter { $0.1 == number }
                held.removeAll { $0.1 == number }
                return mine
            }
            for (continuation, _) in mine { continuation.resume() }
            signal.signal()
        }
        if Task.isCancelled { throw .cancelled }
        if let failure = lock.withLock({ failure }) { throw failure }
    }

    private func entities() -> [RemoteEntity] {
        var builder = DocumentBuilder()
        return lock.withLock { rows }.compactMap { row in
            let json = Array(row.utf8)
            return json.withUnsafeBytes { try? builder.build(json: $0, id: .fromBody) }.map {
                RemoteEntity(type: type, id: $0.id, document: $0)
            }
        }
    }
}
