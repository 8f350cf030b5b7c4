import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// Bodies above this many bytes are read by a worker: about 100 µs of an event loop.
    static let inlineBodyBytes = 64 * 1024

    /// `POST /v1/{type}/_set`: a JSON array or NDJSON, one atomic commit.
    func setMany(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let type = try call.context.type()
        let destination = try call.context.writeParameters().destination
        try checkAllowed(type)
        let isLines = call.request.header(.contentType).map { MediaType($0) } == .ndjson
        let answer = ManyAnswer(isMinimal: call.request.wantsMinimal) { receipt in
            ReceiptItems(name: "items", count: receipt.count, hasMeta: true, type: type) {
                receipt[$0].append(to: &$1)
            }
        }
        let start = try idempotency(call)
        if start?.first != nil {
            return try write(ManyChanges(), to: destination, start, call.reply, &response, answer)
        }
        try writeMany(call, to: destination, start, &response) {
            [core] body, context throws(Problem) in
            let (operations, places) = try core.writer.sets(
                type, body, isLines: isLines, using: &context.builder)
            return (ManyChanges(content: WriteOrder.Content(operations), places: places), answer)
        }
    }
}

extension EntityWriter {
    /// The set operations of a body of many entities.
    ///
    /// The faults say which ones: the index in the array as a pointer, or the line.
    func sets(
        _ type: TypeName, _ body: UnsafeRawBufferPointer, isLines: Bool,
        using builder: inout DocumentBuilder
    ) throws(Problem) -> ([WriteOperation], ListPlace) {
        var operations = OperationList()
        var faults = ListFaults()
        if isLines {
            var numbers: [Int] = []
            var lines = LineReader(body)
            while !faults.isFull, let line = lines.next() {
                let made: Document
                do throws(CoreError) {
                    made = try document(type, line.bytes, id: .bodyOrNew, using: &builder)
                } catch {
                    try faults.add(Problem(error).inLine(line.number))
                    continue
                }
                guard operations.append(.set(type, made, .none)) else {
                    throw Problem.commitTooLarge
                }
                numbers.append(line.number)
            }
            try faults.check()
            return (operations.all, .lines(numbers))
        }
        let start = body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if let start, start != UInt8(ascii: "[") {
            let isObject = start == UInt8(ascii: "{")
            throw Problem(
                .badJSON,
                "the body is \(isObject ? "an object" : "no array"), and _set takes an array of"
                    + " entities",
                hint: "send [{…},{…}], or a line for each entity with "
                    + "Content-Type: application/x-ndjson; PUT /v1/\(type.text)/ID takes one")
        }
        var scanner = JSONScanner()
        do {
            var stream = try JSONArrayStream(body)
            var index = 0
            while !faults.isFull, let element = try stream.next(&scanner) {
                let bytes = UnsafeRawBufferPointer(rebasing: body[element.start..<element.end])
                defer { index += 1 }
                let made: Document
                do throws(CoreError) {
                    made = try document(type, bytes, id: .bodyOrNew, using: &builder)
                } catch {
                    try faults.add(Problem(error).inElement(index))
                    continue
                }
                guard operations.append(.set(type, made, .none)) else {
                    throw Problem.commitTooLarge
                }
            }
            try faults.check()
        } catch let problem as Problem {
            throw problem
        } catch let fault as JSONFault {
            // Behind a broken element no other can be found.
            try faults.add(Problem(fault))
            try faults.check()
        } catch {
            throw Problem(.internal, "the body could not be read")
        }
        return (operations.all, .elements)
    }
}

extension Problem {
    /// The problem with every pointer leading into element `index` of an array.
    func inElement(_ index: Int) -> Problem {
        var problem = withFaults { $0.pointer = "/\(index)\($0.pointer ?? "")" }
        problem.detail = "element \(index): \(detail)"
        return problem
    }

    /// The problem with the line of an NDJSON body.
    func inLine(_ number: Int) -> Problem {
        var problem = withFaults { $0.line = number }
        // What was read is the line alone.
        let detail = detail.replacing(" of the body: ", with: " of the line: ")
        problem.detail = "line \(number): \(detail)"
        return problem
    }
}

extension WriteReceipt {
    /// `{"count","changed","revision"}`.
    func appendMeta(to body: inout ByteBuffer) {
        var changes = 0
        for index in 0..<count where self[index].changed { changes += 1 }
        body.append("{\"count\":")
        body.append(decimal: count)
        body.append(",\"changed\":")
        body.append(decimal: changes)
        body.append(",\"revision\":")
        body.append(decimal: cursor.seq)
        body.append("}")
    }
}

extension WriteResult {
    /// `{"id","revision","changed"}`.
    func append(to body: inout ByteBuffer) {
        body.append("{")
        if let id = document?.member(named: "id") {
            body.append("\"id\":")
            body.append(id.bytes)
            body.append(",")
        }
        body.append("\"revision\":")
        body.append(decimal: revision)
        body.append(",\"changed\":")
        body.append(jsonBool: changed)
        body.append("}")
    }
}
