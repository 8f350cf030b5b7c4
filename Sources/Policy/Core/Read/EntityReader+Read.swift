import FreshetBase
package import FreshetEngine
import FreshetQuery
import FreshetStore

// The read: one use case for every caller, over HTTP or embedded, of types with a remote or without.
//
//     question  ─►  decision (ReadDecision): from here, or from the remote
//                      │ here                          │ remote
//                      ▼                               ▼
//     one entity, a small search: now      a fetch, or joining one under way
//     a large search, an include: later,   then again as what is answered from here
//     on a worker
//
// What can be answered on the caller's thread is, without a task, a queue or a closure; all else is a
// `LaterRead`, which its caller begins once it has made ready to wait.

extension EntityReader {
    /// Answers `question` where that takes no longer than the caller's thread has; see `LaterRead`.
    ///
    /// - Throws: What is wrong with the question, or that a fetch that was tried before has failed.
    package func read(_ question: ReadQuestion) throws(ReadFailure) -> ReadReply {
        guard mayAskRemote(question.query) else {
            return try read(question, from: LocalRead(own: question.query))
        }
        if needsWorker(question.query) { return .later(LaterRead(self, question, .decide)) }
        return try decide(question)
    }

    /// Answers `question` by the rows of `table` in place of the store's.
    package func read(
        _ question: ReadQuestion, on table: TableView
    ) throws(ReadFailure) -> ReadReply {
        var local = LocalRead(own: question.query)
        local.table = table
        return try read(question, from: local)
    }

    /// Where the answer comes from, and what can be said at once.
    func decide(_ question: ReadQuestion) throws(ReadFailure) -> ReadReply {
        let decision = try refusing { () throws(CoreError) in
            try self.decision(on: question.query, isGet: question.isGet, for: question.rights)
        }
        switch decision {
        case .local(var local, let refreshing):
            if let refreshing {
                local.origin.refresh = refresh(refreshing, behind: local, question.caller)
            }
            return try read(question, from: local)
        case .remote(let remote): return .later(LaterRead(self, question, .fetch(remote)))
        }
    }

    /// Answers `question` by `local`.
    func read(
        _ question: ReadQuestion, from local: LocalRead
    ) throws(ReadFailure) -> ReadReply {
        if let include = question.query.include {
            return .later(LaterRead(self, question, .include(include, local)))
        }
        if question.isGet { return .now(try entity(question, local)) }
        let search = try refusing { () throws(CoreError) in
            try prepare(plan(question, local), on: local.table)
        }
        let found = try refusing { () throws(CoreError) in
            runsInline(search) ? try runBriefly(search) : nil
        }
        guard let found else {
            return .later(LaterRead(self, question, .search(search, local)))
        }
        return .now(try answer(question, local: local, found: found, included: nil, of: search))
    }

    private func plan(
        _ question: ReadQuestion, _ local: LocalRead
    ) throws(CoreError) -> SearchPlan {
        do throws(EngineError) {
            return local.isAsAsked
                ? try question.asked.plan() : try SearchPlan(question.query(of: local))
        } catch {
            throw .engine(error)
        }
    }

    // MARK: Answers

    /// One entity without an include.
    private func entity(
        _ question: ReadQuestion, _ local: LocalRead
    ) throws(ReadFailure) -> ReadAnswer {
        let query = question.query
        let document = try refusing { () throws(CoreError) in
            guard let id = query.ids?.first,
                let document = try entity(id, query.type, local, for: question.rights),
                try fits(document, query)
            else { return nil as Document? }
            return document
        }
        guard let document else {
            if local.mustFind, let failure = local.origin.failure { throw .notFetched(failure) }
            return ReadAnswer(.absent, at: store.cursor, of: local)
        }
        return ReadAnswer(.entity(document), at: store.cursor, of: local)
    }

    private func entity(
        _ id: EntityID, _ type: TypeName, _ local: LocalRead, for rights: AccessRights?
    ) throws(CoreError) -> Document? {
        guard local.document != nil || local.table != nil else {
            return try entity(type, id, for: rights)
        }
        return (local.document ?? local.table?.document(id)).flatMap {
            rights?.mayRead($0, of: type) ?? true ? $0 : nil
        }
    }

    /// Whether the filter of `query`, which asks for one entity, is true of `document`: the entity
    /// that breaks the contract that was named is not there for this caller.
    private func fits(_ document: Document, _ query: Query) throws(CoreError) -> Bool {
        guard let filter = query.filter else { return true }
        do throws(EngineError) {
            let evaluator = try FilterEvaluator(filter)
            guard let isTrue = evaluator.matches(document) else { throw .timeout }
            return isTrue
        } catch {
            throw .engine(error)
        }
    }

    /// What `search` has found, or why that is no answer.
    func answer(
        _ question: ReadQuestion, local: LocalRead, found: SearchResult,
        included: IncludedEntities?, of search: PreparedSearch
    ) throws(ReadFailure) -> ReadAnswer {
        if local.mustFind, let failure = local.origin.failure, isEmpty(found, local) {
            throw .notFetched(failure)
        }
        if question.isGet, found.documents.isEmpty {
            return ReadAnswer(.absent, at: search.cursor, of: local)
        }
        var answer = ReadAnswer(.page(found, included), at: search.cursor, of: local)
        answer.hint = hint(about: search, found, for: question.rights)
        return answer
    }

    /// Figures of no row at all are no answer either.
    private func isEmpty(_ found: SearchResult, _ local: LocalRead) -> Bool {
        guard found.documents.isEmpty, found.groups == nil else { return false }
        guard found.aggregates != nil else { return true }
        return (found.total ?? 0) == 0
            && (local.table ?? store.view(local.query.type)).map { $0.count == 0 } ?? true
    }
}

/// What the core refuses is a read's failure.
func refusing<Value>(
    _ work: () throws(CoreError) -> Value
) throws(ReadFailure) -> Value {
    do throws(CoreError) { return try work() } catch { throw .refused(error) }
}
