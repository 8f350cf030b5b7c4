import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetRefresh

// Named flags that run specifications read and people set (operations.md section 3).

extension FreshetService {
    /// Takes over what the configuration declares.
    func declare(_ operations: OperationsConfiguration) {
        specNames.set((names: operations.names, specs: NamedSpecs(operations.specs)))
        core.operations.board.declare(
            // Whoever leads next has all of them.
            conditions: cluster == nil
                ? operations.conditions
                : operations.conditions.map {
                    ConditionDeclaration($0.name, initial: $0.initial, persists: true)
                },
            specs: operations.specs,
            stored: core.operations.conditions.stored())
        core.operations.replace(operations.operations.compactMap(OperationDefinition.init))
    }

    /// `GET /v1/_conditions`: all, or each change as an event.
    func listConditions(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        // What no search knows is told by the list, below.
        if call.asksRows(), try answersAsSearch(.conditions, call, &response) { return }
        if try call.wantsEvents() { return try watchConditions(nil, call, &response) }
        try call.request.acceptedMedia.checkJSON()
        let states = core.operations.board.conditions()
        call.reply.json(&response, isKept: false, varies: true) {
            ConditionDocument.append(states, to: &$0)
        }
    }

    /// `GET /v1/_conditions/{name}`: one, or its changes as events.
    func showCondition(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        if call.asksRows() {
            _ = try answersAsRow(.conditions, call, &response)
            return
        }
        let isLive = try call.wantsEvents()
        if !isLive { try call.request.acceptedMedia.checkJSON() }
        let state = try condition(call.context)
        if isLive { return try watchConditions(state.name, call, &response) }
        call.reply.json(&response, isKept: false, varies: true) {
            ConditionDocument.append(state, changed: nil, to: &$0)
        }
    }

    /// `PUT /v1/_conditions/{name}`: `{"value":true,"ttl":"10m"}`.
    func setCondition(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        let state = try condition(call.context)
        let body = try JSONValue(body: call.request.body)
        let write = try ConditionBody.write(state.name, body, at: JSONPointer())
        set([write], isList: false, call.reply, &response)
    }

    /// `PATCH /v1/_conditions`: `{"a":true,"b":false}`, all in one commit.
    func setConditions(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        set(try conditionWrites(call.request.body), isList: true, call.reply, &response)
    }

    // MARK: Parts

    /// The orders in the body of a request: `{"a":true,"b":{"value":false,"ttl":"10m"}}`.
    func conditionWrites(_ body: UnsafeRawBufferPointer) throws(Problem) -> [ConditionWrite] {
        guard let members = try JSONValue(body: body).objectValue else {
            throw Problem(.badRequest, "the body is an object such as {\"maintenance\": true}")
        }
        var writes: [ConditionWrite] = []
        for member in members {
            let place = JSONPointer().appending(member.name)
            guard core.operations.board.condition(member.name) != nil else {
                throw noCondition(member.name, at: place)
            }
            guard let value = member.value.boolValue else {
                guard member.value.objectValue != nil else {
                    throw ConditionBody.fault(place, "true or false is expected")
                }
                writes.append(try ConditionBody.write(member.name, member.value, at: place))
                continue
            }
            writes.append(ConditionWrite(member.name, value))
        }
        return writes
    }

    private func condition(_ context: LoopContext) throws(Problem) -> ConditionState {
        let name = String(decoding: context.path[2], as: UTF8.self)
        guard let state = core.operations.board.condition(name) else {
            throw noCondition(name, at: nil)
        }
        return state
    }

    func noCondition(_ name: String, at pointer: JSONPointer?) -> Problem {
        let detail =
            "there is no condition '\(name)'"
            + NearestWord.suggestion(
                for: name, among: core.operations.board.conditions().map(\.name))
        return Problem(
            .notFound, detail, hint: "the configuration's \"conditions\" declare them",
            errors: pointer.map {
                [.init(pointer: $0.description, code: "not-found", detail: detail)]
            } ?? [])
    }

    /// Sets them on a worker, since as many specifications as there are may hang by them; those that
    /// are to last hold once they do.
    private func set(
        _ writes: [ConditionWrite], isList: Bool, _ reply: Reply, _ response: inout ResponseWriter
    ) {
        onWorker(reply, detachWrite(&response)) { [self] exchange throws(Problem) in
            core.operations.conditions.set(writes) { [self] outcome in
                if case .refused(let outcome) = outcome, sendsOn(outcome, for: reply, exchange) {
                    return
                }
                exchange.answer(self, reply) { response in
                    let outcomes: [(state: ConditionState, changed: Bool)]
                    switch outcome {
                    case .set(let states): outcomes = states
                    case .unknown(let condition):
                        return self.fail(
                            self.noCondition(condition.name, at: nil), reply, &response)
                    case .refused(let outcome):
                        let problem = Problem(outcome, in: .whole)
                        return self.fail(
                            problem ?? Problem(.internal, "the store gave no reason"), reply,
                            &response)
                    }
                    reply.json(&response, isKept: false, varies: true) { body in
                        if isList {
                            ConditionDocument.append(outcomes, to: &body)
                        } else if let (state, changed) = outcomes.first {
                            ConditionDocument.append(state, changed: changed, to: &body)
                        }
                    }
                }
            }
        }
    }

    /// How things stand, then each change: `conditions` once for all of them, `condition` for one.
    private func watchConditions(
        _ name: String?, _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        let reply = call.reply
        try checkRunning()
        if !response.isHead { try checkRoom() }
        let restate: @Sendable () -> [EventFeed.Event] = { [core] in
            guard let name else {
                return [ConditionDocument.event(core.operations.board.conditions())]
            }
            return core.operations.board.condition(name).map { [ConditionDocument.event($0)] } ?? []
        }
        let names: @Sendable () -> [String] = { [core] in
            let all = core.operations.board.conditions().map(\.name)
            return name.map { name in all.filter { $0 == name } } ?? all
        }
        let feed = EventFeed(
            limits, access: StreamAccess(access, reply.caller), at: call.request.now,
            isThere: { [told = names()] in names() == told }, restate: restate)
        if !response.isHead {
            let subscription = core.operations.board.observeConditions { [weak feed] states in
                for state in states where name == nil || state.name == name {
                    let event = ConditionDocument.event(state)
                    feed?.send(event.name, event.data)
                }
            }
            feed.atEnd { subscription.cancel() }
            for event in restate() { feed.send(event.name, event.data) }
        }
        feed.begin(reply, &response)
    }
}

private enum ConditionBody {
    /// `{"value","ttl"?}`.
    static func write(
        _ name: String, _ body: JSONValue, at pointer: JSONPointer
    ) throws(Problem) -> ConditionWrite {
        guard let members = body.objectValue else {
            throw fault(pointer, "an object such as {\"value\": true} is expected")
        }
        for member in members where member.name != "value" && member.name != "ttl" {
            throw fault(
                pointer.appending(member.name),
                "there is no member '\(member.name)' here"
                    + NearestWord.suggestion(for: member.name, among: ["value", "ttl"]))
        }
        guard let value = body["value"]?.boolValue else {
            throw fault(pointer.appending("value"), "true or false is expected")
        }
        var ttl: Duration?
        switch body["ttl"] {
        case nil, .null: break
        case .some(let member):
            guard let span = member.stringValue.flatMap(SpecDuration.parse), span > .zero else {
                throw fault(
                    pointer.appending("ttl"), "\(SpecDuration.expectation) is expected")
            }
            ttl = span
        }
        return ConditionWrite(name, value, ttl: ttl)
    }

    static func fault(_ pointer: JSONPointer, _ detail: String) -> Problem {
        Problem(.badRequest, detail, at: pointer.description)
    }
}

/// Conditions as JSON.
enum ConditionDocument {
    /// - Parameter changed: Of an answer to a write.
    static func append(
        _ state: ConditionState, changed: Bool?, to body: inout ByteBuffer
    ) {
        body.append("{")
        append(membersOf: state, changed: changed, to: &body)
        body.append("}")
    }

    static func append(
        membersOf state: ConditionState, changed: Bool?, to body: inout ByteBuffer
    ) {
        body.append("\"name\":")
        body.append(jsonString: state.name)
        body.append(state.value ? ",\"value\":true" : ",\"value\":false")
        body.member("revision", state.revision)
        if let changed { body.append(changed ? ",\"changed\":true" : ",\"changed\":false") }
        body.member("expiresAt")
        append(state.expiresAt, to: &body)
        body.append(state.persists ? ",\"persist\":true" : ",\"persist\":false")
    }

    static func append(_ states: [ConditionState], to body: inout ByteBuffer) {
        body.append(items: states) { append($0, changed: nil, to: &$1) }
    }

    static func append(
        _ outcomes: [(state: ConditionState, changed: Bool)], to body: inout ByteBuffer
    ) {
        body.append(items: outcomes) { append($0.state, changed: $0.changed, to: &$1) }
    }

    /// A point of the wall clock, or null.
    static func append(_ instant: Duration?, to body: inout ByteBuffer) {
        guard let instant else { return body.append("null") }
        body.append(jsonString: WallTime(milliseconds: instant.ceilMilliseconds).rfc3339)
    }

    static func event(_ state: ConditionState) -> EventFeed.Event {
        var data = ByteBuffer(capacity: 128)
        append(state, changed: nil, to: &data)
        return EventFeed.Event(name: "condition", data: [UInt8](data.bytes))
    }

    static func event(_ states: [ConditionState]) -> EventFeed.Event {
        var data = ByteBuffer(capacity: 1024)
        append(states, to: &data)
        return EventFeed.Event(name: "conditions", data: [UInt8](data.bytes))
    }
}

extension Duration {
    /// Rounded up, so that an instant is not told before it is there.
    fileprivate var ceilMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (quotient, remainder) = attoseconds.quotientAndRemainder(
            dividingBy: 1_000_000_000_000_000)
        return seconds * 1_000 + quotient + (remainder > 0 ? 1 : 0)
    }
}
