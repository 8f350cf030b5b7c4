import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetStore

// Answers to writes of several entities. With target=both: one commit here, all or nothing, and an entry
// of the outbox for each change. With target=remote each is asked for by itself, since a remote knows
// no such commit, and the answer tells how each has ended.

/// What several writes are to do.
struct ManyChanges: Sendable {
    var content = WriteOrder.Content.nothing
    /// Where the entities stand in the body.
    var places = ListPlace.whole
}

/// How the answer to several writes looks.
struct ManyAnswer: Sendable {
    let isMinimal: Bool
    /// The answer where there was nothing to do.
    var nothing = WholeAnswer.unchanged("{\"items\":[],")
    /// What is told of each operation of one commit.
    let items: @Sendable (WriteReceipt) -> ReceiptItems
}

/// A member of an answer that is a list of what became of a commit's operations.
struct ReceiptItems: Sendable {
    let name: StaticString
    let count: Int
    /// `meta` with the counts follows.
    let hasMeta: Bool
    /// The type of the entities that were set, where they are all of one.
    var type: TypeName?
    let append: @Sendable (Int, inout ByteBuffer) -> Void
}

/// The answer to several writes: an object of a list, `meta`, and the outbox's entries where there are any.
private struct ReceiptBody: BodySource {
    let done: ManyReceipt
    let items: ReceiptItems
    /// Items and entries that are written.
    private var position = 0

    init(_ done: ManyReceipt, _ items: ReceiptItems) {
        self.done = done
        self.items = items
    }

    mutating func write(into body: inout ByteBuffer) -> StreamStep {
        let start = body.count
        if position == 0 {
            body.append("{")
            body.member(items.name)
            body.append("[")
        }
        while position < items.count {
            if position > 0 { body.append(",") }
            items.append(position, &body)
            position += 1
            if body.count - start >= BodyStream.pieceBytes { return .more }
        }
        if position == items.count {
            body.append("]")
            if items.hasMeta {
                body.member("meta")
                done.receipt.appendMeta(to: &body)
            }
            if !done.entries.isEmpty {
                body.member("outbox")
                body.append("[")
            }
        }
        while position < items.count + done.entries.count {
            if position > items.count { body.append(",") }
            body.append(jsonString: "/v1/_outbox/\(done.entries[position - items.count].text)")
            position += 1
            if body.count - start >= BodyStream.pieceBytes { return .more }
        }
        body.append(done.entries.isEmpty ? "}\n" : "]}\n")
        return .finish
    }
}

/// What was made of a write of several entities.
struct ManyReceipt: Sendable {
    let receipt: WriteReceipt
    /// Entries of the outbox, in the order of the operations; empty where nothing is sent.
    var entries: [EntityID] = []

    /// Ends the head of an answer; 202 where changes are on their way.
    func begin(
        _ status: Int, isMinimal: Bool = false, _ reply: Reply, _ response: inout ResponseWriter
    ) {
        reply.at(receipt.cursor)
            .begin(entries.isEmpty ? isMinimal ? 204 : status : 202, &response)
        receipt.appendHeaders(to: &response)
        guard let first = entries.first else { return }
        response.header(
            "Location", text: entries.count == 1 ? "/v1/_outbox/\(first.text)" : "/v1/_outbox")
    }

    /// Operations up to which an answer is made at once.
    private static let quickItems = 1_000

    /// Answers with what became of each operation; with nothing where little is wanted.
    fileprivate func write(
        _ answer: ManyAnswer, among bodies: PinnedBodies, _ reply: Reply,
        _ response: inout ResponseWriter
    ) {
        begin(200, isMinimal: answer.isMinimal, reply, &response)
        if answer.isMinimal { return response.end() }
        response.header("Content-Type", "application/json")
        let items = answer.items(receipt)
        var body = ReceiptBody(self, items)
        guard receipt.count > Self.quickItems else {
            response.beginBody()
            while case .more = body.write(into: &response.body) {}
            return response.endBody()
        }
        // By the first one, since a look at each takes long; many patches of a large one are one rewriting.
        let first = (receipt.first.document ?? receipt.first.removed)?.json.count ?? 0
        let rows = (
            count: receipt.count, bytes: min(receipt.count * first, Transaction.mostRewritten)
        )
        let pins =
            items.type.map { bodies.pins([$0: rows]) }
            ?? [.own(bytes: rows.bytes + rows.count * Turnover.rowBytes)]
        let own = PinnedBodies.Pin.own(bytes: rows.count * MemoryLayout<WriteResult>.stride)
        BodyStream.start(body, keeping: pins + [own], among: bodies, &response)
    }
}

extension FreshetService {
    /// Reads the request's body, does what it says, and answers; large bodies are a worker's.
    ///
    /// - Parameter read: Gets the body and a scratch.
    func writeMany(
        _ call: borrowing Call, to destination: WriteDestination, _ start: IdempotentStart?,
        _ response: inout ResponseWriter,
        _ read:
            @escaping @Sendable (UnsafeRawBufferPointer, LoopContext) throws(Problem) -> (
                ManyChanges, ManyAnswer
            )
    ) throws(Problem) {
        let reply = call.reply
        if destination.isLocal, call.request.body.count <= Self.inlineBodyBytes {
            let (changes, answer) = try read(call.request.body, call.context)
            return try write(changes, to: destination, start, reply, &response, answer)
        }
        let body = [UInt8](call.request.body)
        onWorker(reply, detachWrite(&response)) { [self] exchange throws(Problem) in
            let (changes, answer) = try body.withBytes { bytes throws(Problem) in
                try read(bytes, LoopContext())
            }
            self.answer(
                try begin(changes, to: destination, start, reply), start?.ticket,
                in: changes.places, reply, exchange, answer)
        }
    }

    /// Does `changes` where they are to be done, and answers.
    ///
    /// - Parameter changes: Are not asked where the answer is that of before.
    func write(
        _ changes: ManyChanges, to destination: WriteDestination, _ start: IdempotentStart?,
        _ reply: Reply, _ response: inout ResponseWriter, _ answer: ManyAnswer
    ) throws(Problem) {
        let done = try begin(changes, to: destination, start, reply)
        if case .now(let result) = done, start?.ticket == nil {
            return show(
                shown(result, answer), in: changes.places, reply, &response, answer)
        }
        self.answer(
            done, start?.ticket, in: changes.places, reply, detachWrite(&response), answer)
    }

    private func begin(
        _ changes: ManyChanges, to destination: WriteDestination, _ start: IdempotentStart?,
        _ reply: Reply
    ) throws(Problem) -> WriteReply {
        let author = author(reply, of: destination)
        if let first = start?.first {
            return core.writer.answerAgain(first, to: destination, by: author)
        }
        let order = WriteOrder(
            changes.content, to: destination, by: author, start?.ticket, key: start?.key ?? [])
        do { return try core.writer.write(order) } catch { throw Problem(error) }
    }

    private func answer(
        _ done: WriteReply, _ ticket: AnswerTicket?, in places: ListPlace, _ reply: Reply,
        _ exchange: Exchange, _ answer: ManyAnswer
    ) {
        let end: @Sendable (Result<WriteAnswer, WriteFailure>) -> Void = { [self] result in
            if sendsOn(result, reply, exchange) { return }
            let shown = shown(result, answer)
            let write = { @Sendable [self] in
                exchange.answer(self, reply) {
                    self.show(shown, in: places, reply, &$0, answer)
                }
            }
            guard let ticket, case .success(.whole(let whole)) = shown, whole.isKept else {
                return write()
            }
            ticket.keep(whole.body, whole.head, completion: write)
        }
        switch done {
        case .now(let result): end(result)
        case .later(let later):
            later.begin(isCancelled: { exchange.isCancelled }, completion: end)
        }
    }

    private func shown(
        _ result: Result<WriteAnswer, WriteFailure>, _ answer: ManyAnswer
    ) -> Result<ShownWrite, WriteFailure> {
        let cursor = core.store.cursor
        let durability = core.store.durability
        return result.map { done in
            switch done {
            case .done(let receipt, .underWay(let entries)):
                .commit(ManyReceipt(receipt: receipt, entries: entries))
            case .done(let receipt, _): .commit(ManyReceipt(receipt: receipt))
            case .each(let writes):
                .whole(
                    WholeAnswer(writes, at: cursor, durability, isMinimal: answer.isMinimal))
            case .nothing:
                .whole(
                    answer.nothing.at(
                        cursor, durability: durability, isMinimal: answer.isMinimal))
            case .kept(let receipt, let body): .whole(WholeAnswer(receipt, body))
            }
        }
    }

    private func show(
        _ shown: Result<ShownWrite, WriteFailure>, in places: ListPlace, _ reply: Reply,
        _ response: inout ResponseWriter, _ answer: ManyAnswer
    ) {
        switch shown {
        case .success(.commit(let done)): done.write(answer, among: bodies, reply, &response)
        case .success(.whole(let whole)): whole.write(reply, &response)
        case .failure(let failure): fail(Problem(failure, in: places), reply, &response)
        }
    }
}

/// What is shown of several writes.
private enum ShownWrite: Sendable {
    case commit(ManyReceipt)
    case whole(WholeAnswer)
}

extension EachWrite {
    fileprivate var receipt: WriteReceipt? {
        if case .here(.done(let receipt)) = outcome { receipt } else { nil }
    }

    /// `{"status","id","revision","changed"}`, or `{"status","id","problem"}`.
    fileprivate func append(to body: inout ByteBuffer) {
        body.append("{")
        body.member("status")
        guard let result = receipt?.first else {
            let problem = Problem(.notAsked(outcome), in: .whole)
            body.append(decimal: problem.status)
            body.member("id")
            body.append(id)
            body.member("problem")
            problem.encodeAsMember(into: &body)
            return body.append("}")
        }
        body.append(decimal: isRemoval ? 204 : result.created ? 201 : 200)
        body.member("id")
        // The remote may have given it another.
        if let id = result.document?.member(named: "id") {
            body.append(id.bytes)
        } else {
            body.append(id)
        }
        body.member("revision", result.revision)
        body.member("changed", result.changed)
        body.append("}")
    }
}

/// An answer to several writes that is not that of one commit.
struct WholeAnswer: Sendable {
    /// Empty where it has none.
    let body: [UInt8]
    private let cursor: Cursor
    private let durability: Durability
    private let changed: Bool
    /// A repeat gets the same.
    let isKept: Bool

    /// Nothing was to be done.
    struct Nothing: Sendable {
        fileprivate let body: @Sendable (Cursor) -> String
        fileprivate let isKept: Bool

        /// - Parameter isMinimal: Without a body.
        func at(_ cursor: Cursor, durability: Durability, isMinimal: Bool) -> WholeAnswer {
            WholeAnswer(
                body: isMinimal ? [] : Array(body(cursor).utf8), cursor: cursor,
                durability: durability, changed: false, isKept: isKept)
        }
    }

    /// - Parameter start: Of the object, before its `meta`.
    static func unchanged(_ start: String) -> Nothing {
        Nothing(
            body: {
                "\(start)\"meta\":{\"count\":0,\"changed\":0,\"revision\":\($0.seq)}}\n"
            }, isKept: false)
    }

    /// - Parameter body: Is kept for a repeat: what matches later is none of the request's.
    static func kept(_ body: String) -> Nothing { Nothing(body: { _ in body }, isKept: true) }

    /// The answer of before.
    fileprivate init(_ receipt: WriteReceipt, _ body: [UInt8]) {
        self.init(
            body: body, cursor: receipt.cursor, durability: receipt.durability,
            changed: receipt.changed, isKept: false)
    }

    /// `{"results":[…],"meta":{"count","changed","failed","revision"}}`; what has failed is shown also
    /// where little is wanted.
    ///
    /// - Parameters:
    ///   - cursor: Of the state behind all of them.
    ///   - durability: Where none of them was committed.
    fileprivate init(
        _ writes: [EachWrite], at cursor: Cursor, _ durability: Durability, isMinimal: Bool
    ) {
        let receipts = writes.compactMap(\.receipt)
        let changed = receipts.count(where: \.changed)
        let failed = writes.count - receipts.count
        var body = ByteBuffer(capacity: 64 + 64 * writes.count)
        body.append("{")
        body.member("results", each: writes) { $0.append(to: &$1) }
        body.append(",\"meta\":{")
        body.member("count", writes.count)
        body.member("changed", changed)
        body.member("failed", failed)
        body.member("revision", cursor.seq)
        body.append("}}\n")
        self.init(
            body: isMinimal && failed == 0 ? [] : Array(body.bytes), cursor: cursor,
            durability: receipts.map(\.durability).min { $0.rawValue < $1.rawValue } ?? durability,
            changed: changed > 0, isKept: true)
    }

    private init(
        body: [UInt8], cursor: Cursor, durability: Durability, changed: Bool, isKept: Bool
    ) {
        self.body = body
        self.cursor = cursor
        self.durability = durability
        self.changed = changed
        self.isKept = isKept
    }

    var head: AnswerHead {
        AnswerHead(seq: cursor.seq, changed: changed, durability: durability)
    }

    func write(_ reply: Reply, _ response: inout ResponseWriter) {
        reply.at(cursor).begin(body.isEmpty ? 204 : 200, &response)
        response.header("Freshet-Durability", text: durability.name)
        response.header("Freshet-Changed", text: changed ? "true" : "false")
        if body.isEmpty { return response.end() }
        response.header("Content-Type", "application/json")
        body.withUnsafeBytes { response.end(bytes: $0) }
    }
}
