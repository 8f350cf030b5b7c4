import FreshetBase
import FreshetRefresh
import FreshetRemote

/// A transport that answers as the test says, and keeps what it was asked.
// SAFETY: all mutable state is read and written under `lock`.
final class ScriptedTransport: UpstreamTransport, @unchecked Sendable {
    typealias Answer = Result<UpstreamResponse, UpstreamError>

    private let lock = Lock()
    private var script: [Answer]
    private var asked: [UpstreamRequest] = []
    /// How many of them were answered, are held or are gone: what can be asked of them.
    private var come = 0
    private var held: [Int: Promise<Answer>] = [:]
    private var gone: Set<Int> = []
    private var waits: [(isDue: () -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    private let rule: (@Sendable (UpstreamRequest) -> Answer)?

    /// - Parameter script: One answer each; requests behind the last are held until `release`.
    init(_ script: [Answer] = []) {
        self.script = script
        rule = nil
    }

    /// - Parameter rule: Answers each request.
    init(_ rule: @escaping @Sendable (UpstreamRequest) -> Answer) {
        script = []
        self.rule = rule
    }

    static func json(
        _ text: String, status: Int = 200, headers: [(String, String)] = []
    ) -> Answer {
        .success(
            UpstreamResponse(
                status: status, headers: [("Content-Type", "application/json")] + headers,
                body: Array(text.utf8)))
    }

    static func status(_ status: Int, _ headers: [(String, String)] = []) -> Answer {
        .success(UpstreamResponse(status: status, headers: headers))
    }

    var requests: [UpstreamRequest] { lock.withLock { asked } }
    var paths: [String] { requests.map(\.path) }
    var heldCount: Int { lock.withLock { held.count } }

    func send(_ request: UpstreamRequest) async throws(UpstreamError) -> UpstreamResponse {
        let (answer, number) = lock.withLock { () -> (Answer?, Int) in
            asked.append(request)
            let answer = rule.map { $0(request) } ?? (script.isEmpty ? nil : script.removeFirst())
            if answer != nil { come += 1 }
            return (answer, asked.count)
        }
        if let answer {
            wake()
            return try answer.get()
        }
        let promise = Promise<Answer>()
        return try await withTaskCancellationHandler {
            lock.withLock {
                come += 1
                if !gone.contains(number) { held[number] = promise }
            }
            wake()
            return await promise.value()
        } onCancel: {
            lock.withLock {
                gone.insert(number)
                held[number] = nil
            }
            promise.fulfil(.failure(.cancelled))
            wake()
        }.get()
    }

    /// Waits until `count` requests have come, and those to be held are.
    func arrived(_ count: Int) async { await wait { [unowned self] in come >= count } }

    /// Waits until no request is held any more.
    func letGo() async { await wait { [unowned self] in held.isEmpty } }

    private func wait(until isDue: @escaping () -> Bool) async {
        await withCheckedContinuation { continuation in
            lock.withLock { waits.append((isDue, continuation)) }
            wake()
        }
    }

    /// Answers the oldest request that is held.
    func release(_ answer: Answer) {
        let promise = lock.withLock {
            held.keys.min().flatMap { held.removeValue(forKey: $0) }
        }
        promise?.fulfil(answer)
        wake()
    }

    private func wake() {
        let due = lock.withLock {
            let due = waits.filter { $0.isDue() }
            waits.removeAll { $0.isDue() }
            return due
        }
        for wait in due { wait.continuation.resume() }
    }
}

/// One answer for all.
func failing(_ error: UpstreamError) -> ScriptedTransport.Answer { .failure(error) }
