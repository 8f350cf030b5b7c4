import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetStore

/// What a POST with an `Idempotency-Key` has to do: run, or give the first answer again.
struct IdempotentStart {
    /// Goes along with the transaction; nil for a repeat.
    var ticket: AnswerTicket?
    /// The header's value.
    var key: [UInt8] = []
    /// The first answer.
    var receipt: WriteReceipt?
    /// Its body, where it is not made of the receipt.
    var whole: [UInt8]?
}

extension FreshetService {
    /// What a POST with an `Idempotency-Key` must do; nil where it bears none.
    ///
    /// A key belongs to one path and one caller. The answers are kept in the store (`AnswerBook`).
    ///
    /// - Parameter keepsEntity: The answer shows the entity that is written.
    func idempotency(
        _ request: borrowing Request, _ reply: Reply, keepsEntity: Bool = false
    ) throws(Problem) -> IdempotentStart? {
        guard let key = request.header(.idempotencyKey) else { return nil }
        guard (1...256).contains(key.count) else {
            throw Problem(.badRequest, "an Idempotency-Key has 1 to 256 bytes")
        }
        let caller = reply.caller?.digest?.hexadecimal ?? ""
        let place = [UInt8](request.path) + [0] + Array(caller.utf8) + [0] + [UInt8](key)
        let digest = place.withUnsafeBytes { SHA256Digest(of: $0) }
        switch core.answers.start(
            digest, body: BodyPrint(of: request.body), keepsEntity: keepsEntity)
        {
        case .run(let ticket): return IdempotentStart(ticket: ticket, key: [UInt8](key))
        case .answer(let receipt): return IdempotentStart(receipt: receipt)
        case .whole(let receipt, let body):
            return IdempotentStart(receipt: receipt, whole: body)
        case .running:
            throw Problem(
                .idempotencyInProgress, "the first request with this key is not answered yet")
        case .mismatch:
            throw Problem(
                .idempotencyMismatch, "this Idempotency-Key came with another body before")
        case .overloaded:
            throw Problem(.overloaded, "too many requests with an Idempotency-Key run")
        }
    }
}

extension Transaction {
    /// Has what it does kept as the answer to its request.
    mutating func note(_ start: IdempotentStart?) {
        guard let start, let ticket = start.ticket else { return }
        recorder = ticket
        idempotencyKey = start.key
    }
}
