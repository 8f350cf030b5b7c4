import FreshetBase
import FreshetConfig
package import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
package import FreshetQuery
import FreshetStore

// The one place where errors of the layers below become problems.

extension Problem {
    package init(_ error: CoreError) {
        switch error {
        case .unknownType(let type):
            self.init(
                .unknownType, "the type '\(type.text)' is not declared",
                hint: "GET /v1/_types lists the declared types")
        case .document(let fault): self.init(fault)
        case .invalid(let faults): self.init(faults.faults)
        case .idRequired(let type):
            self.init(
                .invalidEntity, "entities of type '\(type.text)' need an integer id",
                errors: [
                    Fault(
                        pointer: "/id", code: "required",
                        detail: "the ids of this type are integers, which are not made up here")
                ])
        case .query(let fault): self.init(fault)
        case .engine(.badPattern(let offset, let place, let expected)):
            let detail = "at byte \(place) of the regular expression: expected \(expected)"
            self.init(.badFilter, detail, parameter: "filter", offset: offset ?? place)
        case .engine(.tooComplex(let sentence)):
            self.init(.queryTooComplex, sentence, parameter: "filter")
        case .engine(.includeTooLarge(let sentence)):
            self.init(
                .queryTooComplex, sentence,
                hint: "include fewer relationships, or ask for fewer items with limit",
                parameter: "include")
            // A well-formed request whose answer would be too large (section 6 of the contract).
            status = 422
        case .engine(.answerTooLarge(let parameter, let sentence)):
            self.init(
                .queryTooComplex, sentence, hint: "narrow the filter", parameter: parameter)
        case .engine(.timeout):
            self.init(
                .queryTimeout, "the query took longer than this server allows",
                hint: "narrow the filter, or raise limits.queryTimeout in the configuration")
        case .engine(.notImplemented(let what)):
            self.init(.notImplemented, "\(what) is not built yet in this version")
        case .engine(.snapshotTooLarge(let limit)):
            self.init(
                .snapshotTooLarge, "the answer has more than \(limit) bytes",
                members: [.number("limit", limit)])
        case .engine(.tooManyResidualQueries(let limit)):
            self.init(
                .tooManyResidualQueries,
                "as many live queries are asked about every change as may be, or may be of one"
                    + " caller: \(limit)",
                members: [.number("limit", limit)])
        case .engine(.tooManyWindowRows(let limit)):
            self.init(
                .tooManyLiveQueries,
                "the live queries of this server keep \(limit) rows already, beside those of short"
                    + " answers",
                hint: "watch fewer rows by limit or a narrower filter, or their figures alone",
                members: [.number("limit", limit)])
        case .engine(.tooManyFilterBytes(let limit)):
            self.init(
                .tooManyLiveQueries,
                "the long filters of this server's live queries take \(limit) bytes already",
                hint: "watch by a shorter filter, or by a smaller regular expression",
                members: [.number("limit", limit)])
        case .tooManyLiveQueries(let limit):
            self.init(
                .tooManyLiveQueries, "this caller watches \(limit) queries already",
                members: [.number("limit", limit)])
        case .upstreamForbidden(let type):
            self.init(
                .forbidden, "this caller may not cause requests to the remote of '\(type.text)'",
                hint: "read with source=local, or leave source out")
        case .overloaded:
            self.init(.overloaded, "too many requests wait for this server's workers")
        }
    }

    init(_ fault: DocumentFault) {
        switch fault {
        case .json(let fault): self.init(fault)
        case .notAnObject:
            self.init(.invalidEntity, "an entity is a JSON object")
        case .missingID:
            self.init(
                .invalidEntity, "the entity has no id",
                errors: [Fault(pointer: "/id", code: "required", detail: "an id is required here")])
        case .badID(let fault):
            self.init(
                .invalidEntity, "the entity's id is not valid",
                errors: [Fault(pointer: "/id", code: "format", detail: fault.sentence)])
        case .idMismatch:
            self.init(
                .idMismatch, "the id in the body is not the id in the path", at: "/id",
                "differs from the path")
        case .tooLarge(let limit):
            self.init(
                .payloadTooLarge, "the entity has more than the \(limit) bytes that one may have",
                hint: "limits.document of the configuration is the limit of an entity",
                members: [.number("limit", limit)])
        }
    }

    init(_ fault: JSONFault) {
        let isEmpty = fault == JSONFault(.endOfText, at: 0)
        self.init(
            .badJSON,
            isEmpty
                ? "the body is empty, and JSON is expected"
                : "at byte \(fault.offset) of the body: \(fault.expectation)",
            errors: [Fault(offset: fault.offset, code: "bad-json", detail: fault.expectation)])
    }

    init(_ faults: [ValueFault]) {
        if let fault = faults.first, fault.code == ProblemCode.idMismatch.rawValue {
            self.init(DocumentFault.idMismatch)
            return
        }
        self.init(
            .invalidEntity,
            faults.count == 1
                ? "the entity breaks one rule of its type"
                : "the entity breaks \(faults.count) rules of its type",
            errors: faults.map { Fault($0) })
    }

    package init(_ fault: QueryFault) {
        if case .badJSON(let json) = fault.code {
            self.init(json)
            return
        }
        let code: ProblemCode
        switch fault.code {
        case .badParameter: code = .badParameter
        case .badFilter: code = .badFilter
        case .tooComplex: code = .queryTooComplex
        case .notImplemented: code = .notImplemented
        case .badJSON: code = .badJSON
        }
        self.init(
            code, fault.detail, hint: fault.hint, parameter: fault.parameter, offset: fault.offset)
    }

    /// The problem of a write that was refused, or nil where it was done.
    ///
    /// - Parameter places: Where the operations stand in the body.
    init?(_ outcome: WriteOutcome, in places: ListPlace) {
        switch outcome {
        case .done: return nil
        case .rejected(let operation, let rejection):
            self.init(rejection, at: operation)
            switch rejection {
            case .tooManyEntities, .tooManyTypes:
                // The parts of an import are the server's own.
                guard case .lines = places else { break }
                members.removeAll { $0.name == "operation" }
                self = places.place(self, at: operation)
            case .tooLarge, .tooMuchWork, .repeated: break
            default: self = places.place(self, at: operation)
            }
        case .storageFull(let reason):
            self.init(
                .storageFull, "the disk is full, and the write was not applied: \(reason)",
                members: [.text("outcome", "not-applied")])
        case .storageFailed(let isUnknown):
            self.init(
                .storageFailed,
                isUnknown
                    ? "the disk failed while this write was synced; it may or may not be there"
                    : "writes have stopped since the disk failed; this one was not applied",
                members: [.text("outcome", isUnknown ? "unknown" : "not-applied")])
        case .notLeader(let url):
            var members = [Member.text("outcome", "not-applied")]
            if let url { members.append(.text("leader", url)) }
            self.init(
                .notLeader, "another server of the cluster takes writes; this one was not applied",
                members: members)
        case .logAway(let isUnknown):
            self.init(
                .logAway,
                isUnknown
                    ? "the shared log gave no answer to this write; it may or may not be there"
                    : "the shared log gives no answer; the write was not applied",
                members: [.text("outcome", isUnknown ? "unknown" : "not-applied")])
        case .logFull:
            self.init(
                .logFull,
                "the space of the shared log's engine is used up, or nearly; the write was not applied",
                members: [.text("outcome", "not-applied")])
        case .overloaded:
            self.init(
                .overloaded,
                "too many writes wait for the disk, or for their remotes; this one was not applied",
                members: [.text("outcome", "not-applied")])
        case .closed:
            self.init(
                .shuttingDown, "the server is stopping; the write was not applied",
                members: [.text("outcome", "not-applied")])
        }
    }

    private init(_ rejection: WriteRejection, at operation: Int) {
        switch rejection {
        case .preconditionFailed(let current):
            self.init(
                .preconditionFailed, "the entity is not as the request's condition says",
                members: [.json("current", current.map { [UInt8]($0.json) } ?? Array("null".utf8))])
            if current == nil {
                hint = "there is no such entity; a PUT without If-Match creates it"
            }
        case .unwanted(let current):
            self.init(
                .preconditionFailed, "an entity '\(current.id.text)' is there already",
                hint: "leave out If-None-Match to change what is there, or send its ETag as "
                    + "If-Match",
                members: [.json("current", [UInt8](current.json))])
        case .exists(let current):
            self.init(
                .exists, "an entity '\(current.id.text)' is there already",
                members: [.json("current", [UInt8](current.json))])
        case .notFound(let type, let id):
            self = .absentEntity(type, id, changes: true)
        case .invalid(let faults):
            self.init(faults)
        case .tooLarge:
            self = .commitTooLarge
        case .tooMuchWork:
            self.init(
                .payloadTooLarge,
                "one commit may rewrite 64 MiB of entities, and these operations rewrite more",
                hint: "send them in several requests; patches of one entity fit into one patch")
        case .repeated:
            self.init(
                .idempotencyInProgress,
                "an earlier request with this key, whose outcome was not known, is done by now")
        case .entityTooLarge(let limit):
            self.init(DocumentFault.tooLarge(limit: limit))
        case .forbidden:
            self.init(
                .forbidden, "this caller may not write this entity, as it is or as it would be",
                hint: "GET /v1/_access/me says which entities of its type the caller may write")
        case .unauthenticated:
            self = .unauthenticated(hasToken: true)
        case .tooManyEntities:
            self.init(.tooManyEntities, "the server holds as many entities as its limit allows")
        case .tooManyTypes(let limit):
            self.init(
                .tooManyEntities,
                "the server has had \(limit) types since its start, and takes no new one",
                hint: "what differs among entities of one kind belongs into members, not into the "
                    + "name of the type; types without entities are forgotten at a restart")
        }
        if operation > 0 { members.append(.number("operation", operation)) }
    }

    init(_ fault: ConnectionFault) {
        let code: ProblemCode =
            switch fault {
            case .badRequest, .secureHello: .badRequest
            case .uriTooLong: .uriTooLong
            case .headersTooLarge: .headersTooLarge
            case .payloadTooLarge: .payloadTooLarge
            case .expectationFailed: .badRequest
            case .requestTimeout: .requestTimeout
            case .overloaded, .bodiesFull: .overloaded
            case .shuttingDown: .shuttingDown
            case .notImplemented: .notImplemented
            case .versionNotSupported: .versionNotSupported
            case .internalError: .internal
            }
        self.init(code, fault.detail.description)
        status = fault.status
    }

    /// - Parameter limits: Those that it names where the request is beyond one.
    init(_ fault: ConnectionFault, beyond limits: Limits) {
        self.init(fault)
        switch fault {
        case .uriTooLong:
            detail =
                "the request line has more than the \(limits.lineBytes) bytes that one may have"
            hint =
                "a long query goes into the body of POST /v1/{type}/_search, and of _remove;"
                + " limits.line of the configuration is the limit"
            members.append(.number("limit", limits.lineBytes))
        case .headersTooLarge:
            detail =
                "the headers are more than \(limits.headerCount), or have more than"
                + " \(limits.headerBytes) bytes"
            hint = "limits.headerCount and limits.headers of the configuration are the limits"
        case .overloaded:
            hint =
                "try again later; limits.connections and limits.connectionsPerAddress of the"
                + " configuration are the limits"
        case .requestTimeout:
            hint =
                "send the request faster; limits.headTimeout, and limits.bodyGrace and"
                + " limits.bodyRate for its body, are the limits"
        case .payloadTooLarge(let most):
            detail = "the body has more than the \(most) bytes that one of such a request may have"
            hint =
                switch most {
                case limits.bodyBytes: "limits.body of the configuration is the limit"
                case limits.entityBodyBytes:
                    "the limit is four times limits.document of the configuration"
                default: "send less, or in several requests"
                }
            members.append(.number("limit", most))
        default: break
        }
    }

    static let stopping = Problem(.shuttingDown, "the server is stopping")

    /// A parameter that a route does not know, has twice, or cannot read.
    static func badParameter(
        _ name: String, _ detail: String, hint: String? = nil
    ) -> Problem {
        Problem(.badParameter, detail, hint: hint, parameter: name)
    }

    /// A parameter that a request has more than once.
    static func repeatedParameter(_ name: String) -> Problem {
        badParameter(name, "the parameter '\(name)' stands here twice")
    }

    /// A parameter that a route does not have, with the one of `names` that was probably meant.
    static func unknownParameter(
        _ name: String, _ value: String = "", behindFilter: Bool = false, among names: [String]
    ) -> Problem {
        Problem(QueryParser.unknown(name, value, behindFilter: behindFilter, among: names))
    }

    /// A member of a body that is none, with the one of `names` that was probably meant.
    static func unknownMember(
        _ name: String, among names: [String], at pointer: String = "",
        _ code: ProblemCode = .badRequest
    ) -> Problem {
        let detail =
            "there is no member '\(name)' here"
            + NearestWord.suggestion(for: name, among: names)
        return Problem(
            code, detail,
            hint: names.count == 1
                ? "the one member is \(names[0])"
                : "the members are \(names.joined(separator: ", "))",
            errors: [
                Fault(
                    pointer: "\(pointer)/\(name)", parameter: code == .badParameter ? name : nil,
                    code: code.rawValue, detail: detail)
            ])
    }

    static func badRequest(_ fault: RequestFault) -> Problem {
        Problem(.badRequest, fault.reason.description)
    }
}

extension Problem {
    /// A write that is more than one commit may have.
    static var commitTooLarge: Problem {
        Problem(
            .payloadTooLarge,
            "one commit may have \(Transaction.mostBytes >> 20) MiB, and this write has more",
            hint: "send it in several requests; where a query says what is removed, one that finds"
                + " less: by filter=…, or by ids=… with 10,000 at a time")
    }
}

extension Problem.Fault {
    init(_ fault: ValueFault) {
        self.init(pointer: fault.pointer, code: fault.code, detail: fault.detail)
    }
}
