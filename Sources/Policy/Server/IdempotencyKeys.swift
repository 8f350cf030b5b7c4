import FreshetBase
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

/// First answers of requests that bear an `Idempotency-Key`, kept so that a repeat changes nothing.
///
/// A key belongs to one path and one caller. Bounded: the oldest answers go first when there are too many or they
/// hold too much; then a repeat is a new request. They live in memory, for 24 hours.
// SAFETY: its variables are read and written under `lock` only.
final class IdempotencyKeys: @unchecked Sendable {
    private static let lifetime = Duration.seconds(24 * 3600)
    private static let capacity = 10_000
    private static let byteCapacity = 64 << 20

    private enum State {
        case running
        case done(WriteReceipt)
    }

    private struct Entry {
        let number: UInt64
        let body: UInt64
        let since: MonotonicInstant
        var state: State
        var bytes: Int
    }

    private let lock = Lock()
    private var entries: [[UInt8]: Entry] = [:]
    /// Keys by age, each with the number of the entry that it was made for; those of entries that
    /// are gone are skipped.
    private var order: [(key: [UInt8], number: UInt64)] = []
    private var oldest = 0
    private var bytes = 0
    private var nextNumber: UInt64 = 0

    enum Start {
        /// The first of its key: run it, then finish or abandon the ticket.
        case run(IdempotencyTicket)
        /// A repeat: give this answer again.
        case answer(WriteReceipt)

        var ticket: IdempotencyTicket? {
            if case .run(let ticket) = self { ticket } else { nil }
        }
    }

    /// How many keys take memory, those of forgotten requests included.
    var rememberedKeys: Int { lock.withLock { order.count } }

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - key: The header's value and the path, together at most a few hundred bytes.
    ///   - body: A hash of the request's body.
    func start(
        _ key: [UInt8], body: UInt64, now: MonotonicInstant
    ) throws(Problem) -> Start {
        try lock.withLock { () throws(Problem) -> Start in
            dropOld(now)
            guard let known = entries[key] else {
                guard entries.count < Self.capacity else {
                    throw Problem(.overloaded, "too many requests with an Idempotency-Key run")
                }
                nextNumber += 1
                entries[key] = Entry(
                    number: nextNumber, body: body, since: now, state: .running, bytes: key.count)
                order.append((key, nextNumber))
                bytes += key.count
                return .run(IdempotencyTicket(self, key, number: nextNumber))
            }
            guard known.body == body else {
                throw Problem(
                    .idempotencyMismatch, "this Idempotency-Key came with another body before")
            }
            switch known.state {
            case .running:
                throw Problem(
                    .idempotencyInProgress, "the first request with this key is not answered yet")
            case .done(let receipt):
                return .answer(receipt)
            }
        }
    }

    fileprivate func finish(_ key: [UInt8], number: UInt64, _ receipt: WriteReceipt?) {
        lock.withLock {
            guard var entry = entries[key], entry.number == number, case .running = entry.state
            else { return }
            guard let receipt else {
                entries[key] = nil
                bytes -= entry.bytes
                return
            }
            var size = 0
            for index in 0..<receipt.count {
                size += 64 + (receipt[index].document?.memorySize ?? 0)
            }
            entry.state = .done(receipt)
            entry.bytes += size
            bytes += size
            entries[key] = entry
        }
    }

    /// Forgets answers that are too old, or the oldest where there are too many; a request that
    /// runs keeps its key, or it could run twice.
    private func dropOld(_ now: MonotonicInstant) {
        while oldest < order.count {
            let (key, number) = order[oldest]
            if let entry = entries[key], entry.number == number {
                let isOver = entries.count >= Self.capacity || bytes > Self.byteCapacity
                guard isOver || now - entry.since > Self.lifetime else { break }
                guard case .done = entry.state else { break }
                entries[key] = nil
                bytes -= entry.bytes
            }
            oldest += 1
        }
        if order.count > 2 * entries.count + 64 {
            order = order[oldest...].filter { entries[$0.key]?.number == $0.number }
            oldest = 0
        }
    }
}

/// The right and the duty to say how a request with a key ended.
final class IdempotencyTicket: Sendable {
    private let keys: IdempotencyKeys
    private let key: [UInt8]
    private let number: UInt64

    fileprivate init(_ keys: IdempotencyKeys, _ key: [UInt8], number: UInt64) {
        self.keys = keys
        self.key = key
        self.number = number
    }

    /// A refused request is forgotten: its repeat is tried anew.
    func finish(_ outcome: WriteOutcome) {
        if case .done(let receipt) = outcome {
            keys.finish(key, number: number, receipt)
        } else {
            keys.finish(key, number: number, nil)
        }
    }

    deinit {
        // Nothing happens where `finish` was called before.
        keys.finish(key, number: number, nil)
    }
}

extension FreshetService {
    /// What a POST with an `Idempotency-Key` must do; nil where it bears none.
    func idempotency(
        _ request: borrowing Request, _ reply: Reply
    ) throws(Problem) -> IdempotencyKeys.Start? {
        guard let key = request.header(.idempotencyKey) else { return nil }
        guard (1...256).contains(key.count) else {
            throw Problem(.badRequest, "an Idempotency-Key has 1 to 256 bytes")
        }
        let caller = reply.caller?.digest?.hexadecimal ?? ""
        let place = [UInt8](request.path) + [0] + Array(caller.utf8) + [0] + [UInt8](key)
        return try idempotencyKeys.start(
            place, body: SeededHash.process.hash(request.body), now: request.now)
    }
}
