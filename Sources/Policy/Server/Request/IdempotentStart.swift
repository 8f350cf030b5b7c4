import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetStore

/// What a write with an `Idempotency-Key` has to do: run, or give the first answer again.
struct IdempotentStart {
    /// Goes along with the transaction; nil for a repeat.
    var ticket: AnswerTicket?
    /// The header's value.
    var key: [UInt8] = []
    var first: FirstAnswer?
}

extension FreshetService {
    /// What a write with an `Idempotency-Key` must do; nil where it bears none.
    ///
    /// A key belongs to one path, one method and one caller. The answers are kept in the store
    /// (`AnswerBook`).
    ///
    /// - Parameters:
    ///   - keepsEntity: The answer shows the entity that is written.
    ///   - isInQuery: What is to be done stands in the query of the URL, not in the body.
    func idempotency(
        _ call: borrowing Call, keepsEntity: Bool = false, isInQuery: Bool = false
    ) throws(Problem) -> IdempotentStart? {
        guard let key = call.request.header(.idempotencyKey) else { return nil }
        guard (1...256).contains(key.count) else {
            throw Problem(.badRequest, "an Idempotency-Key has 1 to 256 bytes")
        }
        switch core.writer.answers.start(
            call.place(ofKey: key), body: print(of: call, isInQuery: isInQuery),
            keepsEntity: keepsEntity)
        {
        case .run(let ticket): return IdempotentStart(ticket: ticket, key: [UInt8](key))
        case .answer(let first): return IdempotentStart(first: first)
        case .running:
            throw Problem(
                .idempotencyInProgress, "the first request with this key is not answered yet")
        case .mismatch:
            throw Problem(
                .idempotencyMismatch,
                "this Idempotency-Key came with another body, or query, before")
        case .overloaded:
            throw Problem(.overloaded, "too many requests with an Idempotency-Key run")
        }
    }

    /// What tells a request with a key from another one: its body, and its query, which says whom it is for.
    private func print(of call: borrowing Call, isInQuery: Bool) -> BodyPrint {
        let query = call.request.query
        if isInQuery || query.isEmpty {
            return BodyPrint(of: isInQuery ? query : call.request.body)
        }
        let asked = [UInt8](call.request.body) + [0] + [UInt8](query)
        return asked.withUnsafeBytes { BodyPrint(of: $0) }
    }
}
