import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore

/// A read whose answer takes more than the caller's thread has: a fetch, a large search, an include.
package struct LaterRead: Sendable {
    /// What is to be done next.
    enum Step: Sendable {
        /// It takes a search to know where the answer comes from.
        case decide
        case fetch(RemoteRead)
        case search(PreparedSearch, LocalRead)
        /// How far a relationship leads is known only when it is followed.
        case include(Include, LocalRead)
    }

    private let core: CoreManager
    private let question: ReadQuestion
    private let step: Step

    init(_ core: CoreManager, _ question: ReadQuestion, _ step: Step) {
        self.core = core
        self.question = question
        self.step = step
    }

    /// Goes on to the answer. Returns at once.
    ///
    /// - Parameter completion: Called at most once, on any thread; not where `waiter` has left.
    package func begin(
        _ waiter: any ReadWaiter,
        completion: @escaping @Sendable (Result<ReadAnswer, ReadFailure>) -> Void
    ) {
        switch step {
        case .decide:
            let hasPlace = core.workers.perform {
                proceed(waiter, completion) { () throws(ReadFailure) in
                    try core.decide(question)
                }
            }
            if !hasPlace { completion(.failure(.refused(.overloaded))) }
        case .fetch(let remote):
            let place = core.begin(remote, for: question.caller) { end in
                switch end {
                case .rows(let local):
                    proceed(waiter, completion) { () throws(ReadFailure) in
                        try core.read(question, from: local)
                    }
                case .absent(let origin):
                    var local = LocalRead(question.query)
                    local.origin = origin
                    completion(.success(ReadAnswer(.absent, at: core.store.cursor, of: local)))
                case .failed(let failure): completion(.failure(.notFetched(failure)))
                }
            }
            waiter.onCancel { place.leave() }
        case .search(let search, let local):
            core.run(search, isCancelled: { waiter.isCancelled }) { result in
                completion(answer(result.map { ($0, nil, search) }, local))
            }
        case .include(let include, let local):
            // Without a remote nothing has to be left.
            let asksRemotes = local.tellsOrigin && question.query.read?.source != .local
            core.run(
                question.query(of: local), on: local, including: include, for: question.rights,
                asksRemotes ? question.caller : nil,
                leaves: { waiter.onCancel($0) }, isCancelled: { waiter.isCancelled }
            ) { result in
                completion(answer(result.map { ($0.found, $0.included, $0.search) }, local))
            }
        }
    }

    private func proceed(
        _ waiter: any ReadWaiter,
        _ completion: @escaping @Sendable (Result<ReadAnswer, ReadFailure>) -> Void,
        _ reply: () throws(ReadFailure) -> ReadReply
    ) {
        do throws(ReadFailure) {
            switch try reply() {
            case .now(let answer): completion(.success(answer))
            case .later(let later): later.begin(waiter, completion: completion)
            }
        } catch {
            completion(.failure(error))
        }
    }

    private func answer(
        _ result: Result<(SearchResult, IncludedEntities?, PreparedSearch), CoreError>,
        _ local: LocalRead
    ) -> Result<ReadAnswer, ReadFailure> {
        do throws(ReadFailure) {
            let (found, included, search) = try refusing { () throws(CoreError) in
                try result.get()
            }
            return .success(try core.answer(question, local, found, included, of: search))
        } catch {
            return .failure(error)
        }
    }
}
