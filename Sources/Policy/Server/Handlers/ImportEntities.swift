import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetNet
import FreshetQuery
import FreshetStore
import Glibc

/// What the parameters of an import say, and its preference.
struct ImportOptions {
    /// Every line is an entity of it; nil: a line names its type.
    var type: TypeName?
    /// Entities are stored as they stand in the lines, whatever their declaration says now.
    var isVerbatim: Bool
    /// The answer has no body.
    var isMinimal: Bool
}

extension FreshetService {
    /// The parameters `type` and `verbatim`, and `Prefer`.
    func importOptions(
        _ request: borrowing Request, _ context: LoopContext
    ) throws(Problem) -> ImportOptions {
        let values = try context.onlyParameters("type", "verbatim")
        var options = ImportOptions(
            isVerbatim: try context.flag("verbatim", in: values), isMinimal: request.wantsMinimal)
        guard let name = values["type"] else { return options }
        guard let type = TypeName(name) else {
            throw Problem.badParameter("type", TypeName.refusal(of: name))
        }
        if !options.isVerbatim {
            try checkAllowed(type)
        }
        options.type = type
        return options
    }

    /// `POST /v1/_import` whose body is here as a whole: there is none, as in the export of an empty
    /// server, or it came while another server led. Any other goes to `ImportReceiver` as it arrives.
    func importWhole(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let options = try importOptions(call.request, call.context)
        guard !call.request.bodyIsUnread else {
            throw Problem(
                .badRequest, "the body was not read", hint: "nothing was imported; send it again")
        }
        guard !call.request.body.isEmpty else {
            return answerNothing(of: options, call.reply, &response)
        }
        let receiver = ImportReceiver(self, call.reply, options)
        receiver.begin(response.detach())
        // It is whole already, so that nothing is held back by a pause.
        _ = receiver.receive(call.request.body)
        receiver.finish()
    }

    fileprivate func answerNothing(
        of options: ImportOptions, _ reply: Reply, _ response: inout ResponseWriter
    ) {
        WholeAnswer.unchanged("{").at(
            core.store.cursor, durability: core.store.durability, isMinimal: options.isMinimal
        )
        .write(reply, &response)
    }
}

/// Reads an import (`POST /v1/_import[?type=][&verbatim=true]`) as it arrives and commits it in parts, so that its size has no limit.
///
/// Lines are gathered into commits of `partOperations`; while too many are on their way to the
/// disk, reading pauses. Behind a faulty line nothing is committed any more, and the rest is read for
/// the faults that it has: what was committed before stays, and the problem says the lines at fault
/// and how many entities that was. An import that fits one part is whole or absent.
// SAFETY: its variables are touched on the connection's loop only; commits come back through
// `loop.submit`.
final class ImportReceiver: BodyReceiver, @unchecked Sendable {
    private static let partOperations = 4_000
    private static let partBytes = 4 << 20
    private static let partsUnderWay = 4

    private let service: FreshetService
    private let reply: Reply
    private let options: ImportOptions

    private var exchange: Exchange?
    private var builder = DocumentBuilder()
    private var scanner = JSONScanner(depthLimit: JSONScanner.frameDepth)
    private var partialLine = ByteBuffer(capacity: 16)
    private var line = 0
    private var operations: [WriteOperation] = []
    /// The line of each of them.
    private var lines: [Int] = []
    private var operationBytes = 0
    private var underWay = 0
    private var bytesUnderWay = 0
    private var isPaused = false
    private var isFinished = false
    /// The body has not come to its end.
    private var isBrokenOff = false
    private var faults = ListFaults()
    private var problem: Problem?
    private var hasEnded = false
    private var count = 0
    private var changed = 0
    private var newest: WriteReceipt?

    init(_ service: FreshetService, _ reply: Reply, _ options: ImportOptions) {
        self.service = service
        self.reply = reply
        self.options = options
    }

    func begin(_ exchange: Exchange) {
        self.exchange = exchange
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyFlow {
        guard problem == nil, !hasEnded, var rest = bytes.baseAddress else { return .more }
        let end = rest + bytes.count
        while rest < end, let newline = memchr(rest, 0x0A, end - rest) {
            let piece = UnsafeRawBufferPointer(
                start: rest, count: newline - UnsafeMutableRawPointer(mutating: rest))
            if partialLine.isEmpty {
                take(line: piece)
            } else {
                partialLine.append(piece)
                take(line: partialLine.bytes)
                partialLine.removeAll()
            }
            if problem != nil { return .more }
            rest = UnsafeRawPointer(newline + 1)
        }
        partialLine.append(UnsafeRawBufferPointer(start: rest, count: end - rest))
        // As widely spaced as the body of a single entity may be, with its type around it.
        if partialLine.count > 4 * service.core.limits.documentBytes + 4096 {
            line += 1
            record(
                Problem(
                    .payloadTooLarge, "the line is larger than an entity may be",
                    hint: "limits.document of the configuration is the limit of an entity"))
            // The beginning of the next line is not known yet.
            if problem == nil { endWithFaults() }
        }
        isPaused = underWay >= Self.partsUnderWay
        return isPaused ? .pause : .more
    }

    func finish() {
        if !partialLine.isEmpty, problem == nil { take(line: partialLine.bytes) }
        isFinished = true
        if problem == nil {
            if faults.isEmpty { commitPart() } else { endWithFaults() }
        }
        answerIfDone()
    }

    /// The line that has begun, and what waits for its commit.
    var heldBytes: Int { partialLine.count + operationBytes + bytesUnderWay }

    func waitForRoom() -> Bool {
        isPaused = isPaused || underWay > 0
        return isPaused
    }

    func fail(_ fault: ConnectionFault) {
        isBrokenOff = true
        partialLine.removeAll()
        guard problem == nil else { return }
        end(with: Problem(fault, beyond: service.configuration.start.limits))
    }

    func abort(_ reason: StreamEnd) {
        hasEnded = true
        forgetOperations()
    }

    private func take(line bytes: UnsafeRawBufferPointer) {
        line += 1
        guard !LineReader.isBlank(bytes) else { return }
        do {
            let operation = try operation(bytes)
            guard faults.isEmpty else { return }
            operations.append(operation)
            lines.append(line)
        } catch {
            return record(error)
        }
        operationBytes += bytes.count
        if operations.count >= Self.partOperations || operationBytes >= Self.partBytes {
            commitPart()
        }
    }

    /// The set that one line asks for.
    private func operation(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> WriteOperation {
        guard let type = options.type else { return try wrapped(bytes) }
        return try set(type, bytes, id: .exportedOrNew)
    }

    /// Reads the entity of a line `{"type":…,"entity":…}`.
    private func wrapped(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> WriteOperation {
        let summary: JSONSummary
        do { summary = try scanner.scan(bytes) } catch { throw Problem(error) }
        var type: JSONView?
        var entity: UnsafeRawBufferPointer?
        guard summary.kind == .object else {
            throw Problem(
                .badRequest, "the line is no object",
                hint: "send one object a line, without a list around them")
        }
        for member in scanner.members {
            let value = UnsafeRawBufferPointer(
                rebasing: bytes[Int(member.valueStart)..<Int(member.valueEnd)])
            if member.isNamed("type", in: bytes) {
                type = JSONView(canonical: value)
            } else if member.isNamed("entity", in: bytes) {
                entity = value
            } else {
                throw Problem(.badRequest, "a line has the members type and entity, and no others")
            }
        }
        guard let name = type?.string, let entity else {
            throw Problem(.badRequest, "a line is {\"type\":NAME,\"entity\":{…}}")
        }
        guard let type = TypeName(name) else {
            throw Problem(.badRequest, TypeName.refusal(of: name))
        }
        return try set(type, entity, id: .body)
    }

    private func set(
        _ type: TypeName, _ entity: UnsafeRawBufferPointer, id: EntityWriter.IDSource
    ) throws(Problem) -> WriteOperation {
        do {
            let document = try service.core.writer.document(
                type, entity, id: id, isVerbatim: options.isVerbatim, using: &builder)
            return .set(type, document, .none)
        } catch {
            throw hinting(Problem(error))
        }
    }

    /// `problem`, which names the way around the rules of a declaration.
    private func hinting(_ problem: Problem) -> Problem {
        guard !options.isVerbatim, problem.code == .invalidEntity || problem.code == .unknownType
        else { return problem }
        var hinting = problem
        hinting.hint =
            "correct the lines; or, if they were exported before the declaration was stricter, "
            + "import with verbatim=true (freshet import --verbatim): they are stored as they are"
        return hinting
    }

    private func commitPart() {
        let (part, places, bytes) = (operations, ListPlace.lines(lines), operationBytes)
        forgetOperations()
        guard var transaction = Transaction(operations: part), let exchange else { return }
        transaction.isVerbatim = options.isVerbatim
        underWay += 1
        bytesUnderWay += bytes
        service.commit(transaction, reply) { outcome in
            exchange.loop.submit {
                self.bytesUnderWay -= bytes
                self.committed(outcome, places)
            }
        }
    }

    private func forgetOperations() {
        operations = []
        lines = []
        operationBytes = 0
    }

    private func committed(_ outcome: WriteOutcome, _ places: ListPlace) {
        underWay -= 1
        if case .done(let receipt) = outcome {
            count += receipt.count
            for index in 0..<receipt.count where receipt[index].changed { changed += 1 }
            if newest.map({ $0.cursor.seq < receipt.cursor.seq }) ?? true { newest = receipt }
        } else if let told = Problem(outcome, in: places), isWorth(telling: outcome) {
            end(with: hinting(told))
        }
        if isPaused, underWay < Self.partsUnderWay {
            isPaused = false
            exchange?.resumeBody()
        }
        answerIfDone()
    }

    /// The first problem is told; but that nobody knows what became of a part, rather than that another
    /// was not applied.
    private func isWorth(telling outcome: WriteOutcome) -> Bool {
        guard let problem else { return true }
        return outcome.isUnknown && (isBrokenOff || problem.status >= 500)
    }

    /// Keeps what is wrong with the line that was just read.
    private func record(_ fault: Problem) {
        forgetOperations()
        do {
            try faults.add(fault.inLine(line))
            if faults.isFull { try faults.check() }
        } catch {
            end(with: error)
        }
    }

    private func endWithFaults() {
        do { try faults.check() } catch { end(with: error) }
    }

    private func end(with problem: Problem) {
        self.problem = problem
        forgetOperations()
        answerIfDone()
    }

    /// Answers once nothing is under way, so that the numbers are final.
    private func answerIfDone() {
        guard isFinished || problem != nil, underWay == 0, !hasEnded, let exchange else { return }
        hasEnded = true
        let (count, changed, newest, reply) = (count, changed, newest, reply)
        let isMinimal = options.isMinimal
        if var problem {
            // Nothing else tells what was done of a part.
            if count > 0 { problem = problem.asUnsure }
            problem.members.append(.number("imported", count))
            return exchange.answer(service, reply) { [problem] in reply.fail(problem, &$0) }
        }
        guard let newest else {
            return exchange.answer(service, reply) { [service, options] in
                service.answerNothing(of: options, reply, &$0)
            }
        }
        let seq = newest.cursor.seq
        exchange.answer(service, reply) { response in
            reply.at(newest.cursor).begin(isMinimal ? 204 : 200, &response)
            newest.appendHeaders(to: &response)
            if isMinimal { return response.end() }
            response.header("Content-Type", "application/json")
            response.end(
                text: "{\"meta\":{\"count\":\(count),\"changed\":\(changed),\"revision\":\(seq)}}\n"
            )
        }
    }
}
