import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore

// What operators see and order of operations (operations.md section 2).

extension FreshetService {
    /// `GET /v1/_operations[?prefix=]`: all, in the order of their ids.
    func listOperations(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        if try answersAsSearch(.operations, besides: ["prefix"], call, &response) { return }
        let reply = call.reply
        let values = try call.context.onlyParameters("prefix")
        try call.request.acceptedMedia.checkJSON()
        let prefix = values["prefix"] ?? ""
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let operations = core.operations.list(prefix: prefix)
            exchange.answer(self, reply) { response in
                reply.json(&response, isKept: false) { body in
                    body.append(items: operations) {
                        OperationDocument.append($0, self.controllers, to: &$1)
                    }
                }
            }
        }
    }

    /// `GET /v1/_operations/{id}`: as JSON, or what happens to it as events.
    func showOperation(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        if call.asksRows() {
            _ = try answersAsRow(.operations, call, &response)
            return
        }
        let reply = call.reply
        let isLive = try call.wantsEvents()
        let operation = try operation(call.context)
        guard isLive else {
            try call.request.acceptedMedia.checkJSON()
            return show(operation, reply, &response)
        }
        try checkRunning()
        if !response.isHead { try checkRoom() }
        let feed = EventFeed(
            limits, access: StreamAccess(access, reply.caller), at: call.request.now,
            leadersProblem: sessions.leadersProblem,
            isThere: { [weak operation, core] in
                operation.map { core.operations[$0.id] === $0 } ?? false
            }
        ) { [weak operation, controllers] in
            operation.map {
                [OperationDocument.event(.state($0.state), of: $0, controllers)]
            } ?? []
        }
        if !response.isHead {
            let observation = operation.observe {
                [weak feed, weak operation, controllers] event in
                guard let feed, let operation else { return }
                let event = OperationDocument.event(event, of: operation, controllers)
                feed.send(event.name, event.data)
            }
            feed.atEnd { observation.cancel() }
        }
        feed.begin(reply, &response)
    }

    /// `POST /v1/_operations/{id}/run[?wait=1]`: runs it, or joins the run under way. A mutation's
    /// body is the entity.
    func runOperation(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let waits = try waits(call.context)
        let operation = try operation(call.context)
        let caller = RemoteCaller(call)
        guard operation.kind == .mutation else {
            try Self.checkRunnable(operation)
            return answer(operation, call, &response) {
                core.operations.run(operation, waits: waits, for: caller, completion: $0)
            }
        }
        let (write, target) = try mutation(operation, call)
        answer(operation, call, &response) {
            core.writer.mutate(
                operation, write, to: target, waits: waits, requestID: caller.requestID,
                completion: $0)
        }
    }

    /// `POST /v1/_operations/{id}/pages/{direction}[?wait=1]`: fetches the page behind those that are
    /// held, the one before them, or all of them anew.
    func fetchPages(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let waits = try waits(call.context)
        let operation = try operation(call.context)
        let name = String(decoding: call.context.path[4], as: UTF8.self)
        guard let direction = OperationPages.Direction(rawValue: name) else {
            throw Problem(
                .notFound, "there is no such page", hint: "it is next, previous or all")
        }
        guard operation.kind == .pages else {
            throw Problem(
                .notRunnable, "this operation has no pages",
                hint: "declare it with \"kind\": \"pages\"")
        }
        try Self.checkRunnable(operation)
        let caller = RemoteCaller(requestID: call.reply.requestID.text)
        answer(operation, call, &response) {
            core.operations.run(
                operation, direction, waits: waits, for: caller, completion: $0)
        }
    }

    /// `POST /v1/_operations/{id}/cancel`: ends the run under way, whoever waits for it.
    func cancelOperation(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        try order(call, &response) { $0.cancel() }
    }

    /// `POST /v1/_operations/{id}/invalidate`: its value is out of date from now on.
    func invalidateOperation(_ call: borrowing Call, _ response: inout ResponseWriter)
        throws(Problem)
    {
        try order(call, &response) { $0.invalidate() }
    }

    /// `POST /v1/_operations/{id}/reset`: forgets value, error and counts; what comes late is ignored.
    func resetOperation(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        try order(call, &response) { $0.reset() }
    }

    /// `DELETE /v1/_operations/{id}`: forgets its state; a configured one is as new.
    func removeOperation(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        try order(call, &response) { [core] in
            core.operations.forget($0)
        } answer: { reply, response in
            reply.empty(&response)
        }
    }

    /// `PUT /v1/_operations/{id}/active`: its switch.
    func switchOperation(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        let operation = try operation(call.context)
        try turn(operation, call, &response) { self.show(operation, $0, &$1) }
    }

    /// `PUT /v1/_service/active`: the switch of the service, which gates may read.
    func switchService(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        try turn(nil, call, &response) { self.answerServiceSwitch($0, &$1) }
    }

    /// Turns a switch as the body says, and answers once it is so.
    private func turn(
        _ operation: RemoteOperation?, _ call: borrowing Call, _ response: inout ResponseWriter,
        _ show: @escaping @Sendable (Reply, inout ResponseWriter) -> Void
    ) throws(Problem) {
        let isActive = try Self.switchPosition(call.request.body)
        let (reply, exchange) = (call.reply, detachWrite(&response))
        core.operations.setActive(isActive, operation) { [self] outcome in
            answer(outcome, of: reply, exchange) { show(reply, &$0) }
        }
    }

    /// Answers an order of which the store says whether it holds.
    private func answer(
        _ outcome: WriteOutcome?, of reply: Reply, _ exchange: Exchange,
        done: @escaping @Sendable (inout ResponseWriter) -> Void
    ) {
        if let outcome, sendsOn(outcome, for: reply, exchange) { return }
        exchange.answer(self, reply) { response in
            if let problem = outcome.flatMap({ Problem($0, in: .whole) }) {
                return self.fail(problem, reply, &response)
            }
            done(&response)
        }
    }

    /// `GET /v1/_service/active`: the switch of the service.
    func showServiceSwitch(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem)
    {
        try call.checkPlainJSON()
        answerServiceSwitch(call.reply, &response)
    }

    private func answerServiceSwitch(_ reply: Reply, _ response: inout ResponseWriter) {
        let isActive = core.operations.isServiceActive
        reply.json(&response, isKept: false) { body in
            body.append(isActive ? "{\"active\":true}" : "{\"active\":false}")
        }
    }

    /// `GET /v1/_operations/{id}/specs[?values=true]`: how each of its specifications comes about, and
    /// what the leaves look at.
    func showSpecifications(_ call: borrowing Call, _ response: inout ResponseWriter)
        throws(Problem)
    {
        let values = try call.context.onlyParameters("values")
        let wantsValues = try call.context.flag("values", in: values)
        try call.request.acceptedMedia.checkJSON()
        let operation = try operation(call.context)
        call.reply.json(&response, isKept: false) { body in
            OperationDocument.append(
                specificationsOf: operation, wantsValues: wantsValues, to: &body)
        }
    }

    /// Carries an order out and shows what has come of it. It changes memory alone: whoever was deposed
    /// and does not know it yet must not answer that it is done.
    ///
    /// - Parameter show: In place of the operation's document.
    private func order(
        _ call: borrowing Call, _ response: inout ResponseWriter,
        _ action: @escaping @Sendable (RemoteOperation) -> Void,
        answer show: (@Sendable (Reply, inout ResponseWriter) -> Void)? = nil
    ) throws(Problem) {
        _ = try call.context.onlyParameters()
        let operation = try operation(call.context)
        let (reply, exchange) = (call.reply, detachWrite(&response))
        core.store.confirm { [self] outcome in
            if outcome == nil { action(operation) }
            answer(outcome, of: reply, exchange) {
                if let show { return show(reply, &$0) }
                self.show(operation, reply, &$0)
            }
        }
    }

    // MARK: Reading

    /// The `{id}` of the path as an operation.
    func operation(_ context: LoopContext) throws(Problem) -> RemoteOperation {
        let id = String(decoding: context.path[2], as: UTF8.self)
        guard let operation = core.operations[id] else {
            throw Problem.absent(
                "operation", id, among: core.operations.list(prefix: "").map(\.id),
                hint: "GET /v1/_operations lists them")
        }
        return operation
    }

    private func waits(_ context: LoopContext) throws(Problem) -> Bool {
        switch try context.onlyParameters("wait")["wait"] {
        case nil, "0": return false
        case "1": return true
        default: throw .badParameter("wait", "'wait' is 0 or 1 here")
        }
    }

    private static func switchPosition(
        _ body: UnsafeRawBufferPointer
    ) throws(Problem) -> Bool {
        let value = try JSONValue(body: body, depthLimit: 4)
        guard let members = value.objectValue, members.count == 1,
            let isActive = value["active"]?.boolValue
        else {
            throw Problem(
                .badRequest, "the body is {\"active\":true} or {\"active\":false}", at: "/active",
                "true or false is expected, and nothing beside it")
        }
        return isActive
    }

    /// What a mutation's body asks for.
    private func mutation(
        _ operation: RemoteOperation, _ call: borrowing Call
    ) throws(Problem) -> (WriteOperation, OutboxTarget) {
        guard let target = core.outbox.target(of: operation.type), let write = operation.mutation
        else {
            throw Problem(
                .notRunnable, "entities of '\(operation.type.text)' have no remote")
        }
        let isNew = write == .create
        let document = try document(
            operation.type, call.request.body, isNew ? .bodyOrNew : .body, call.context)
        switch write {
        case .create: return (.set(operation.type, document, .absent), target)
        case .update: return (.set(operation.type, document, .none), target)
        case .remove: return (.remove(operation.type, document.id, .none), target)
        }
    }

    private static func checkRunnable(_ operation: RemoteOperation) throws(Problem) {
        guard !operation.isRunnable else { return }
        throw Problem(
            .notRunnable, "the operation asks no remote, so that there is nothing to run",
            hint: "its value comes from its controllers; a run needs a remote of the type "
                + "'\(operation.type.text)' that can be searched")
    }

    // MARK: Answers

    /// Answers once the run has ended, or begun, that `begin` asks for.
    private func answer(
        _ operation: RemoteOperation, _ call: borrowing Call, _ response: inout ResponseWriter,
        _ begin: (@escaping @Sendable (Operations.Order) -> Void) -> Waiter<Operations.Order>
    ) {
        let (reply, exchange) = (call.reply, response.detach())
        let place = begin { [self] order in
            exchange.answer(self, reply) { response in
                switch order {
                case .failed(let failure) where operation.kind == .mutation && failure.isSaturated:
                    // It was not even begun.
                    self.fail(Problem(failure), reply, &response)
                case .done, .nothing, .failed(.upstream), .failed(.store):
                    let isThere = self.core.operations[operation.id] === operation
                    // What a mutation has done stays done.
                    guard isThere || !operation.isConfigured || operation.kind == .mutation else {
                        return self.fail(.lost(operation.id), reply, &response)
                    }
                    // How it ended stands in the document.
                    self.show(operation, reply, &response)
                case .begun: self.show(operation, status: 202, reply, &response)
                case .gated(let gate):
                    self.fail(.gated(gate, of: operation.id), reply, &response)
                case .failed(let failure): self.fail(Problem(failure), reply, &response)
                }
            }
        }
        exchange.onCancel { place.leave() }
    }

    private func show(
        _ operation: RemoteOperation, status: Int = 200, _ reply: Reply,
        _ response: inout ResponseWriter
    ) {
        reply.json(&response, status: status, isKept: false, varies: true) { body in
            OperationDocument.append(operation, controllers, to: &body)
        }
    }
}

extension Problem {
    /// An operation that went while it ran.
    fileprivate static func lost(_ operation: String) -> Problem {
        Problem(
            .notFound, "the operation '\(operation)' was taken away, or replaced, while it ran",
            hint:
                "GET /v1/_operations lists those that there are: run it again, if it is among them")
    }

    /// A run that a gate keeps back.
    static func gated(_ gate: String, of operation: String) -> Problem {
        let address = "/v1/_operations/\(PercentEncoding.segment(operation))/specs"
        return Problem(
            .gated, "the gate '\(gate)' of the operation '\(operation)' does not admit this now",
            hint: "GET \(address) tells why",
            members: [.text("gate", gate), .text("operation", operation)])
    }
}
