package import FreshetBase
import FreshetJSON

/// One occurrence of a problem: what a handler throws and the client reads as problem+json.
///
/// Nothing of the process (paths, addresses, errno texts) belongs in `detail`; the log has that.
package struct Problem: Error, Sendable, Equatable {
    /// Where in the request a fault stands; the places that do not apply are nil.
    package struct Fault: Sendable, Equatable {
        /// A JSON pointer (RFC 6901) into the body.
        package var pointer: String?
        /// The name of a query parameter.
        package var parameter: String?
        /// A byte offset into the body or the parameter's decoded text, from 0.
        package var offset: Int?
        /// A line of an NDJSON body, from 1.
        package var line: Int?
        package var code: String
        package var detail: String

        package init(
            pointer: String? = nil, parameter: String? = nil, offset: Int? = nil,
            line: Int? = nil, code: String, detail: String
        ) {
            self.pointer = pointer
            self.parameter = parameter
            self.offset = offset
            self.line = line
            self.code = code
            self.detail = detail
        }
    }

    /// A member beyond those of every problem, such as `current` or `outcome`.
    package struct Member: Sendable, Equatable {
        enum Value: Equatable {
            case json([UInt8])
            case text(String)
            case number(Int)
        }
        package let name: String
        let value: Value

        /// The value as JSON.
        package var json: [UInt8] {
            var output = ByteBuffer(capacity: 64)
            encode(into: &output)
            return [UInt8](output.bytes)
        }

        func encode(into output: inout ByteBuffer) {
            switch value {
            case .json(let bytes): output.append(bytes)
            case .text(let text): output.append(jsonString: text)
            case .number(let number): output.append(decimal: number)
            }
        }

        /// - Parameter bytes: One JSON value without a line feed; it is copied as it is.
        package static func json(_ name: String, _ bytes: [UInt8]) -> Member {
            Member(name: name, value: .json(bytes))
        }
        package static func text(_ name: String, _ text: String) -> Member {
            Member(name: name, value: .text(text))
        }
        package static func number(_ name: String, _ number: Int) -> Member {
            Member(name: name, value: .number(number))
        }
    }

    package var code: ProblemCode
    /// The status of the answer: the code's own unless the handler says otherwise.
    package var status: Int
    /// What is wrong with this request, in a sentence.
    package var detail: String
    /// What to do, where the handler knows better than the catalogue.
    package var hint: String?
    package var errors: [Fault]
    /// The problems that led to this one, outermost first; at most a handful.
    package var causes: [Problem]
    package var members: [Member]
    /// Seconds for `Retry-After`, where the handler knows them.
    package var retryAfter: Int?
    /// The refused request bore a token (RFC 6750, section 3.1).
    var hasToken = false

    /// The media type of an encoded problem.
    static let mediaType: StaticString = "application/problem+json"

    package init(
        _ code: ProblemCode, _ detail: String, hint: String? = nil, errors: [Fault] = [],
        members: [Member] = []
    ) {
        self.code = code
        self.status = code.status
        self.detail = detail
        self.hint = hint
        self.errors = errors
        self.causes = []
        self.members = members
    }

    /// A problem with one fault, which has its code.
    ///
    /// - Parameter expectation: What the fault says, where that is not the same.
    init(
        _ code: ProblemCode, _ detail: String, hint: String? = nil, at pointer: String,
        _ expectation: String? = nil
    ) {
        let fault = Fault(
            pointer: pointer, code: code.rawValue, detail: expectation ?? detail)
        self.init(code, detail, hint: hint, errors: [fault])
    }

    init(
        _ code: ProblemCode, _ detail: String, hint: String? = nil, parameter: String?,
        offset: Int? = nil
    ) {
        let fault = Fault(
            parameter: parameter, offset: offset, code: code.rawValue, detail: detail)
        self.init(code, detail, hint: hint, errors: [fault])
    }

    /// Whether the same request may well be answered a moment later. A locked credential is a person's.
    var endsSoon: Bool { status == 507 || status == 503 && code != .authCritical }

    /// The text of a member beyond those of every problem.
    func text(named name: String) -> String? {
        for member in members where member.name == name {
            if case .text(let text) = member.value { return text }
        }
        return nil
    }

    /// The problem with each of its faults changed; one that has none is its own fault.
    func withFaults(_ change: (inout Fault) -> Void) -> Problem {
        var problem = self
        if errors.isEmpty { problem.errors = [Fault(code: code.rawValue, detail: detail)] }
        for index in problem.errors.indices { change(&problem.errors[index]) }
        return problem
    }

    /// Appends the problem as one JSON object and a line feed, members in the contract's order.
    ///
    /// - Parameter requestId: What the answer's `X-Request-Id` says; empty leaves the member out.
    package func encode(requestId: String, into output: inout ByteBuffer) {
        encodeObject(requestId: requestId, depth: 0, into: &output)
        output.append("\n")
    }

    /// Appends the problem as the value of a member, without a request's name.
    func encodeAsMember(into output: inout ByteBuffer) {
        encodeObject(requestId: "", depth: 0, into: &output)
    }

    /// Causes of causes end at a depth of 4, so that no chain of them grows without bound.
    private func encodeObject(requestId: String, depth: Int, into output: inout ByteBuffer) {
        output.append("{")
        output.member("type", code.path)
        output.member("title", code.title.description)
        output.member("status", status)
        output.member("code", code.rawValue)
        output.member("detail", detail.quoted)
        output.member("hint", hint?.quoted ?? code.hint.description)
        if !requestId.isEmpty {
            output.member("requestId", requestId)
        }
        if !errors.isEmpty {
            output.member("errors", each: errors) { fault, output in
                fault.encode(into: &output)
            }
        }
        if !causes.isEmpty && depth < 4 {
            output.member("causes", each: causes) { cause, output in
                cause.encodeObject(requestId: "", depth: depth + 1, into: &output)
            }
        }
        for member in members {
            output.append(",")
            output.append(jsonName: member.name)
            member.encode(into: &output)
        }
        output.append("}")
    }
}

extension Problem.Fault {
    func encode(into output: inout ByteBuffer) {
        output.append("{")
        if let pointer {
            output.append("\"pointer\":")
            output.append(jsonString: pointer.quoted)
            output.append(",")
        }
        if let parameter {
            output.append("\"parameter\":")
            output.append(jsonString: parameter.quoted)
            output.append(",")
        }
        if let offset {
            output.append("\"offset\":")
            output.append(decimal: offset)
            output.append(",")
        }
        if let line {
            output.append("\"line\":")
            output.append(decimal: line)
            output.append(",")
        }
        output.append("\"code\":")
        output.append(jsonString: code)
        output.member("detail", detail.quoted)
        output.append("}")
    }
}

extension String {
    /// The text as a problem has it: without its middle where it is long, since it may be what the client
    /// has sent.
    fileprivate var quoted: String {
        guard utf8.count > 4_096 else { return self }
        // A letter may have any number of bytes, a scalar has four.
        var (head, tail) = (
            utf8.index(startIndex, offsetBy: 1_024), utf8.index(endIndex, offsetBy: -1_024)
        )
        while UTF8.isContinuation(utf8[head]) { utf8.formIndex(before: &head) }
        while UTF8.isContinuation(utf8[tail]) { utf8.formIndex(after: &tail) }
        return "\(self[..<head]) … \(self[tail...])"
    }
}
