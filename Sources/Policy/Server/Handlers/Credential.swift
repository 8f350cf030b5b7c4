import FreshetBase
import FreshetConfig
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetRefresh
import FreshetRemote

extension FreshetService {
    /// `GET /v1/_upstreams/{id}/credential`: what state it is in. Tokens are never shown.
    func describeCredential(_ call: borrowing Call, _ response: inout ResponseWriter)
        throws(Problem)
    {
        try call.checkPlainJSON()
        let (id, credential) = try credential(call.context)
        answer(credential, of: id, call.reply, &response)
    }

    /// `PUT /v1/_upstreams/{id}/credential`: an operator's tokens in place of those that there are.
    /// Ends every failure.
    func setCredential(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        _ = try call.context.onlyParameters()
        let (id, credential) = try credential(call.context)
        let tokens = try OperatorTokens(call.request.body)
        // A refresh token that lasts is on the disk when this is answered.
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            credential.store(
                accessToken: tokens.access, refreshToken: tokens.refresh,
                lifetime: tokens.lifetime)
            log.info("an operator has stored a credential", ["upstream": .string(id)])
            exchange.answer(self, reply) { self.answer(credential, of: id, reply, &$0) }
        }
    }

    /// `DELETE /v1/_upstreams/{id}/credential`: forgets the tokens and ends every failure.
    func removeCredential(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem)
    {
        let reply = call.reply
        _ = try call.context.onlyParameters()
        let (id, credential) = try credential(call.context)
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            credential.empty()
            log.info("an operator has emptied a credential", ["upstream": .string(id)])
            exchange.answer(self, reply) { response in
                reply.empty(&response)
            }
        }
    }

    private func credential(
        _ context: LoopContext
    ) throws(Problem) -> (id: String, credential: OAuth2Credential) {
        let id = String(decoding: context.path[2], as: UTF8.self)
        guard let credential = credentials[id] else {
            throw Problem.absent(
                "upstream with a credential", id, among: credentials.names,
                hint: "the configuration's \"upstreams\" name them")
        }
        return (id, credential)
    }

    private func answer(
        _ credential: OAuth2Credential, of id: String, _ reply: Reply,
        _ response: inout ResponseWriter
    ) {
        reply.json(&response, isKept: false) { body in
            body.append("{")
            body.member("upstream", id)
            credential.status.append(at: .now, to: &body)
            body.append("}")
        }
    }
}

/// The body of the PUT: `{"accessToken","refreshToken"?,"expiresIn"?}`. No problem repeats a value.
private struct OperatorTokens: Sendable {
    let access: Secret
    let refresh: Secret?
    let lifetime: Duration?

    init(_ body: UnsafeRawBufferPointer) throws(Problem) {
        let value = try JSONValue(body: body, depthLimit: 4)
        guard let members = value.objectValue else {
            throw Problem(.badRequest, "the body is an object with \"accessToken\"")
        }
        for member in members
        where !["accessToken", "refreshToken", "expiresIn"].contains(member.name) {
            throw .unknownMember(
                member.name, among: ["accessToken", "refreshToken", "expiresIn"])
        }
        guard let access = value["accessToken"].flatMap(Self.token) else {
            throw Self.problem(at: "accessToken", "a token is expected: visible ASCII")
        }
        self.access = access
        switch value["refreshToken"] {
        case nil, .null: refresh = nil
        case .some(let member):
            guard let token = Self.token(member) else {
                throw Self.problem(at: "refreshToken", "a token is expected: visible ASCII")
            }
            refresh = token
        }
        switch value["expiresIn"] {
        case nil, .null: lifetime = nil
        case .some(let member):
            guard let lifetime = Self.lifetime(member) else {
                throw Self.problem(at: "expiresIn", "seconds are expected, or a duration")
            }
            self.lifetime = lifetime
        }
    }

    private static func token(_ value: JSONValue) -> Secret? {
        value.stringValue.flatMap(Secret.init(token:))
    }

    private static func lifetime(_ value: JSONValue) -> Duration? {
        if let text = value.stringValue {
            return SettingText.milliseconds(text).flatMap {
                OAuth2TokenAnswer.lifetime(seconds: Double($0) / 1000)
            }
        }
        return value.doubleValue.flatMap(OAuth2TokenAnswer.lifetime(seconds:))
    }

    private static func problem(at name: String, _ detail: String) -> Problem {
        Problem(.badRequest, detail, at: JSONPointer().appending(name).description)
    }
}

extension CredentialStatus {
    /// Appends the members behind the upstream's name.
    fileprivate func append(at now: WallTime, to body: inout ByteBuffer) {
        body.append(",\"type\":\"oauth2\",\"grant\":")
        body.append(jsonString: grant.rawValue)
        body.member("state", dependency.state.rawValue)
        body.member("version", dependency.version)
        body.member("valid", dependency.isValid)
        body.member("expiresAt", now.after(dependency.expiresIn))
        body.member("refreshToken", hasRefreshToken)
        body.member("persisted", isPersisted)
        body.member("retryAt", now.after(dependency.retryIn))
        body.member("reason", dependency.reason)
        body.member("waiting", dependency.waiting)
        dependency.counts.append(to: &body)
        // Four levels at most: the configuration bounds them.
        guard let outer else { return }
        body.append(",\"outer\":{\"level\":\"outer\"")
        outer.append(at: now, to: &body)
        body.append("}")
    }
}

extension DependencyStatus.Counts {
    /// Appends the member `counts`.
    func append(to body: inout ByteBuffer) {
        body.member(
            "counts",
            [
                ("refreshes", refreshes), ("failures", failures), ("timeouts", timeouts),
                ("accepted", accepted), ("refused", refused), ("late", late), ("loops", loops),
            ])
    }
}
