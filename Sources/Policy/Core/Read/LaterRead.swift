import FreshetBase
import FreshetEngine
import FreshetRefresh
import FreshetQuery
import FreshetStore

/// The answer, or the way to it.
package enum ReadReply: Sendable {
    case now(ReadAnswer)
    case later(LaterRead)
}

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

    private let reader: EntityReader
    private let question: ReadQuestion
    private let step: Step

    init(_ reader: EntityReader, _ question: ReadQuestion, _ step: Step) {
        self.reader = reader
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
            let hasPlace = reader.workers.perform {
                proceed(waiter, completion) { () throws(ReadFailure) in
                    try reader.decide(question)
                }
            }
            if !hasPlace { completion(.failure(.refused(.overloaded))) }
        case .fetch(let remote):
            let place = reader.begin(remote, for: question.caller) { end in
                switch end {
                case .rows(let local):
                    proceed(waiter, completion) { () throws(ReadFailure) in
                        try reader.read(question, from: local)
                    }
                case .absent(let origin):
                    var local = LocalRead(question.query)
                    local.origin = origin
                    completion(.success(ReadAnswer(.absent, at: reader.store.cursor, of: local)))
                case .failed(let failure): completion(.failure(.notFetched(failure)))
                }
            }
            waiter.onCancel { place.leave() }
        case .search(let search, let local):
            reader.run(search, isCancelled: { waiter.isCancelled }) { result in
                completion(answer(result.map { ($0, nil, search) }, local))
            }
        case .include(let include, let local):
            // Without a remote nothing has to be left.
            let asksRemotes = local.tellsOrigin && question.query.read?.source != .local
            reader.run(
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
            return .success(
                try reader.answer(
                    question, local: local, found: found, included: included, of: search))
        } catch {
            return .failure(error)
        }
    }
}
