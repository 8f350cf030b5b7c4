import FreshetBase
import FreshetJSON
import FreshetRefresh
import FreshetTestSupport
import Testing

@testable import FreshetRemote

@Suite("OAuth 2.0 credentials", .timeLimit(.minutes(2)))
struct OAuth2CredentialTests {
    let remote = ScriptedRemote()
    let clock = ManualOperationClock()

    private func configuration(
        _ grant: OAuth2Configuration.Grant = .refreshToken,
        _ change: (inout OAuth2Configuration) -> Void = { _ in }
    ) -> OAuth2Configuration {
        var configuration = OAuth2Configuration(
            tokenURL: .known("http://token.test/inner"), clientID: "client", grant: grant)
        configuration.clientSecret = Secret("s3cret")
        change(&configuration)
        return configuration
    }

    private func credential(
        _ configuration: OAuth2Configuration, replacing earlier: OAuth2Credential? = nil,
        directory: String? = nil
    ) -> OAuth2Credential {
        OAuth2Credential(
            id: "api", configuration, replacing: earlier, directory: directory, log: nil,
            clock: clock, transport: { origin, _ in remote.transport(origin) })
    }

    private func get(_ credential: OAuth2Credential) async throws(UpstreamError) -> Int {
        try await credential.perform { header throws(UpstreamError) in remote.data(header) }.status
    }

    /// The code of the problem that a request ends with, and whether it is the finder's.
    private func failure(_ credential: OAuth2Credential) async -> String {
        do throws(UpstreamError) {
            return "\(try await get(credential))"
        } catch {
            guard case .auth(let code, let origin, let detail) = error else { return "\(error)" }
            for secret in ["s3cret", "canary", "r0", "a1"] { #expect(!detail.contains(secret)) }
            return code.rawValue + (origin ? " origin" : "")
        }
    }

    @Test("A stored credential is used, renewed once it is refused, and its rotation followed")
    func rotation() async throws {
        let credential = credential(configuration())
        remote.accepted = ["a0"]
        credential.store(accessToken: Secret("a0"), refreshToken: Secret("r0"), lifetime: nil)
        #expect(try await get(credential) == 200)
        #expect(remote.tokenCalls.isEmpty)
        for round in 1...3 {
            remote.accepted = []
            #expect(try await get(credential) == 200)
            #expect(remote.tokenCalls.count == round)
            #expect(remote.tokenCalls.last?.form["refresh_token"] == "r\(round - 1)")
        }
        let call = try #require(remote.tokenCalls.first)
        #expect(call.path == "/inner")
        #expect(call.form["client_id"] == "client")
        #expect(call.form["client_secret"] == "s3cret")
        #expect(credential.status.dependency.version == 4)
    }

    @Test("One in the place of another of the same client goes on with its newest refresh token")
    func replacement() async throws {
        let earlier = credential(configuration())
        earlier.store(accessToken: Secret("a0"), refreshToken: Secret("r0"), lifetime: nil)
        #expect(try await get(earlier) == 200)
        let later = credential(configuration { $0.scope = "more" }, replacing: earlier)
        #expect(try await get(later) == 200)
        #expect(remote.tokenCalls.last?.form["refresh_token"] == "r1")
        // A request of before that is still under way renews it once more, for both.
        remote.accepted = []
        #expect(try await get(earlier) == 200)
        #expect(remote.tokenCalls.last?.form["refresh_token"] == "r2")
        remote.accepted = []
        #expect(try await get(later) == 200)
        #expect(remote.tokenCalls.last?.form["refresh_token"] == "r3")
        let other = credential(configuration { $0.clientID = "other" }, replacing: later)
        #expect(!other.status.hasRefreshToken)
    }

    @Test("120 late refusals cost one token call")
    func lateRefusals() async throws {
        let credential = credential(configuration())
        credential.store(accessToken: Secret("a0"), refreshToken: Secret("r0"), lifetime: nil)
        let gate = Gate()
        let late = Gate()
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<120 {
                group.addTask {
                    try await credential.perform { header throws(UpstreamError) in
                        if header.1 == "Bearer a0" { await (number < 60 ? gate : late).pass() }
                        return remote.data(header)
                    }.status
                }
            }
            await gate.arrived(60)
            await late.arrived(60)
            gate.open()
            var statuses: [Int] = []
            for _ in 0..<60 { statuses.append(try await group.next() ?? 0) }
            late.open()
            for try await status in group { statuses.append(status) }
            return statuses
        }
        #expect(statuses == Array(repeating: 200, count: 120))
        #expect(remote.tokenCalls.count == 1)
    }

    @Test("Client credentials are got with the first request, or early where so configured")
    func clientCredentials() async throws {
        let lazy = credential(configuration(.clientCredentials) { $0.scope = "read write" })
        await lazy.acquireEarly()
        #expect(remote.tokenCalls.isEmpty)
        #expect(try await get(lazy) == 200)
        #expect(remote.tokenCalls.count == 1)
        #expect(remote.tokenCalls[0].form["grant_type"] == "client_credentials")
        #expect(remote.tokenCalls[0].form["scope"] == "read+write")
        #expect(remote.tokenCalls[0].form["refresh_token"] == nil)

        let eager = credential(configuration(.clientCredentials) { $0.acquisition = .eager })
        await eager.acquireEarly()
        #expect(remote.tokenCalls.count == 2)
        #expect(eager.status.dependency.state == .ready)
        #expect(try await get(eager) == 200)
        #expect(remote.tokenCalls.count == 2)
    }

    @Test("A client authenticates in the header where so configured, encoded as the standard says")
    func basic() async throws {
        let credential = credential(
            configuration(.clientCredentials) {
                $0.clientAuthentication = .basic
                $0.clientSecret = Secret("a:b c")
            })
        _ = try await get(credential)
        let call = try #require(remote.tokenCalls.first)
        #expect(
            call.headers.contains {
                $0.0 == "Authorization"
                    && $0.1 == "Basic " + Base64.encode(Array("client:a%3Ab+c".utf8))
            })
        #expect(call.form["client_secret"] == nil)
        #expect(call.form["client_id"] == nil)
    }

    @Test("The token is injected as configured")
    func injection() async throws {
        let credential = credential(
            configuration(.clientCredentials) {
                $0.injection = .init(header: "X-Key", format: "k={token};v={token}")
            })
        let response = try await credential.perform { header throws(UpstreamError) in
            .make(200, "\(header.0): \(header.1)")
        }
        #expect(String(decoding: response.body, as: UTF8.self) == "X-Key: k=a1;v=a1")
    }

    @Test("All that was sent lately is known for a secret, the outer credential's, too")
    func secrets() async throws {
        let outer = configuration(.clientCredentials) { $0.clientSecret = Secret("0uter") }
        let credential = credential(
            configuration(.clientCredentials) {
                $0.refreshToken = Secret("ref0")
                $0.outer = outer
            })
        credential.store(
            accessToken: Secret("acc0"), refreshToken: Secret("ref9"), lifetime: nil)
        remote.prefix = "token"
        #expect(try await get(credential) == 200)
        #expect(remote.accepted.count == 2)
        let basic = Base64.encode(Array("client:s3cret".utf8))
        for secret in ["acc0", "ref0", "ref9", "s3cret", "0uter", basic] + remote.accepted {
            let shown = credential.mask.applied(to: Array("<\(secret)>".utf8))
            #expect(String(decoding: shown, as: UTF8.self) == "<***>", "\(secret)")
        }
    }

    @Test("A token that expires within the skew is renewed before the request")
    func expiry() async throws {
        remote.expiresIn = 60
        let credential = credential(configuration(.clientCredentials))
        #expect(try await get(credential) == 200)
        clock.advance(by: .seconds(29))
        #expect(try await get(credential) == 200)
        #expect(remote.tokenCalls.count == 1)
        clock.advance(by: .seconds(1))
        #expect(try await get(credential) == 200)
        #expect(remote.tokenCalls.count == 2)
    }

    @Test("Any failure of the token endpoint fails fast, and is tried again once after its time")
    func failedRefresh() async throws {
        let answers: [(Int, String)] = [
            (400, #"{"error":"invalid_grant","error_description":"canary"}"#), (500, "canary"),
            (200, "<html>canary"), (302, ""), (200, #"{"access_token":""}"#),
        ]
        for (status, body) in answers {
            let credential = credential(configuration(.clientCredentials))
            let before = remote.tokenCalls.count
            remote.next(status, body)
            #expect(await failure(credential) == "auth-refresh origin")
            #expect(await failure(credential) == "auth-refresh")
            #expect(credential.status.dependency.state == .failed)
            clock.advance(by: .seconds(29))
            #expect(await failure(credential) == "auth-refresh")
            #expect(remote.tokenCalls.count == before + 1)
            clock.advance(by: .seconds(1))
            remote.next(503, "")
            #expect(await failure(credential) == "auth-refresh origin")
            #expect(remote.tokenCalls.count == before + 2)
            clock.advance(by: .seconds(30))
            #expect(await failure(credential) == "200")
        }
        for error in [UpstreamError.timeout, .cancelled] {
            let credential = credential(configuration(.clientCredentials))
            remote.next { _ throws(UpstreamError) in throw error }
            #expect(await failure(credential) == "auth-refresh origin")
        }
        let broken = credential(configuration(.clientCredentials))
        remote.next(400, #"{"error":"invalid_grant","error_description":"canary"}"#)
        _ = await failure(broken)
        #expect(
            broken.status.dependency.reason == "the token endpoint answered 400 (invalid_grant)")
    }

    @Test("Without a refresh token nothing is sent, and an operator's credential ends it")
    func noRefreshToken() async throws {
        let credential = credential(configuration())
        #expect(await failure(credential) == "auth-refresh origin")
        #expect(remote.tokenCalls.isEmpty)
        remote.accepted = ["mine"]
        credential.store(accessToken: Secret("mine"), refreshToken: nil, lifetime: .seconds(3600))
        #expect(try await get(credential) == 200)
        #expect(credential.status.dependency.expiresIn == .seconds(3600))
        #expect(!credential.status.hasRefreshToken)
        credential.empty()
        #expect(credential.status.dependency.state == .empty)
    }

    @Test("Critical answers of data or of the token endpoint last until an operator acts")
    func critical() async throws {
        let rules = configuration(.clientCredentials) {
            $0.criticalOn = [
                .init(status: 403, pointer: JSONPointer("/code"), value: "client_disabled"),
                .init(status: 410),
            ]
        }
        let inData = credential(rules)
        let forbidden = Counter()
        func ask() async -> String {
            do throws(UpstreamError) {
                let body =
                    forbidden.value == 0 ? #"{"code":"other"}"# : #"{"code":"client_disabled"}"#
                return try await inData.perform { _ throws(UpstreamError) in .make(403, body) }
                    .status.description
            } catch {
                guard case .auth(let code, let origin, _) = error else { return "\(error)" }
                return code.rawValue + (origin ? " origin" : "")
            }
        }
        // Another 403 is an answer.
        #expect(await ask() == "403")
        forbidden.add()
        #expect(await ask() == "auth-critical origin")
        #expect(await ask() == "auth-critical")
        clock.advance(by: .seconds(100_000))
        #expect(await ask() == "auth-critical")
        #expect(
            inData.status.dependency.reason
                == "the remote answered 403 with \"client_disabled\" at /code")
        inData.store(accessToken: Secret("new"), refreshToken: nil, lifetime: nil)
        forbidden.set(0)
        #expect(await ask() == "403")

        for (status, body) in [(403, #"{"code":"client_disabled","x":"canary"}"#), (410, "gone")] {
            let atEndpoint = credential(rules)
            remote.next(status, body)
            #expect(await failure(atEndpoint) == "auth-critical origin")
            #expect(await failure(atEndpoint) == "auth-critical")
            atEndpoint.empty()
            #expect(await failure(atEndpoint) == "200")
        }
    }

    @Test("An upstream that refuses every token is told as a loop until one more is tried")
    func loop() async throws {
        let credential = credential(configuration())
        credential.store(accessToken: Secret("a0"), refreshToken: Secret("r0"), lifetime: nil)
        func ask() async -> String {
            do throws(UpstreamError) {
                _ = try await credential.perform { _ throws(UpstreamError) in .make(401, "") }
                return "200"
            } catch {
                guard case .auth(let code, let origin, _) = error else { return "\(error)" }
                return code.rawValue + (origin ? " origin" : "")
            }
        }
        #expect(await ask() == "auth-loop origin")
        for _ in 0..<4 { #expect(await ask() == "auth-loop") }
        #expect(remote.tokenCalls.count == 1)
        #expect(credential.status.dependency.state == .failed)
        #expect(credential.status.dependency.retryIn == .seconds(30))
        clock.advance(by: .seconds(30))
        #expect(await ask() == "auth-loop origin")
        #expect(remote.tokenCalls.count == 2)
        clock.advance(by: .seconds(30))
        #expect(await failure(credential) == "200")
        #expect(remote.tokenCalls.count == 3)
    }

    @Test("A transport's error is passed on and says nothing about the token")
    func transportError() async throws {
        let credential = credential(configuration(.clientCredentials))
        await #expect(throws: UpstreamError.self) {
            try await credential.perform { _ throws(UpstreamError) in throw .timeout }
        }
        #expect(credential.status.dependency.isValid)
        #expect(try await get(credential) == 200)
        #expect(remote.tokenCalls.count == 1)
    }

    @Test("A leaver does not cancel the refresh that it began")
    func leaver() async throws {
        let credential = credential(configuration(.clientCredentials))
        let gate = Gate()
        remote.next { _ throws(UpstreamError) in
            await gate.pass()
            return nil
        }
        let leaver = Task { try await get(credential) }
        await gate.arrived(1)
        leaver.cancel()
        await #expect(throws: UpstreamError.self) { try await leaver.value }
        gate.open()
        #expect(try await get(credential) == 200)
        #expect(remote.tokenCalls.count == 1)
    }

    @Test("With persist a rotated refresh token outlives the process; without, nothing is written")
    func persistence() async throws {
        for persists in [true, false] {
            let directory = try TemporaryDirectory()
            let configuration = configuration { $0.persists = persists }
            remote.expected = "r0"
            let first = credential(configuration, directory: directory.path)
            first.store(accessToken: Secret("x"), refreshToken: Secret("r0"), lifetime: nil)
            #expect(try await get(first) == 200)
            let newest = remote.expected
            #expect(newest != "r0")
            #expect(first.status.isPersisted == persists)
            #expect(directory.names == (persists ? ["credential-api.json"] : []))

            let second = credential(configuration, directory: directory.path)
            let calls = remote.tokenCalls.count
            if persists {
                #expect(try await get(second) == 200)
                #expect(remote.tokenCalls.last?.form["refresh_token"] == newest)
                #expect(second.status.dependency.version > first.status.dependency.version)
                second.empty()
                #expect(directory.names == [])
            } else {
                #expect(await failure(second) == "auth-refresh origin")
                #expect(remote.tokenCalls.count == calls)
            }
        }
    }

    @Test("A token lost between rotation and persistence is told, and an operator repairs it")
    func lostRotation() async throws {
        let directory = try TemporaryDirectory()
        let configuration = configuration { $0.persists = true }
        let first = credential(configuration, directory: directory.path)
        first.store(accessToken: Secret("x"), refreshToken: Secret("r0"), lifetime: nil)
        // The endpoint rotates, and the answer never arrives: the process is killed.
        let gate = Gate()
        remote.next { _ throws(UpstreamError) in
            _ = remote.issue()
            await gate.pass()
            throw .cancelled
        }
        let killed = Task { try await get(first) }
        await gate.arrived(1)

        let second = credential(configuration, directory: directory.path)
        #expect(await failure(second) == "auth-refresh origin")
        #expect(remote.tokenCalls.last?.form["refresh_token"] == "r0")
        #expect(second.status.dependency.reason?.contains("invalid_grant") == true)
        second.store(
            accessToken: Secret("y"), refreshToken: Secret(remote.expected), lifetime: nil)
        #expect(try await get(second) == 200)
        gate.open()
        _ = try? await killed.value
    }

    @Test("A refresh that an operator overtook neither replaces nor persists anything")
    func overtaken() async throws {
        let directory = try TemporaryDirectory()
        let credential = credential(
            configuration { $0.persists = true }, directory: directory.path)
        credential.store(accessToken: Secret("x"), refreshToken: Secret("r0"), lifetime: nil)
        let gate = Gate()
        let answered = Gate()
        remote.next { _ throws(UpstreamError) in
            await gate.pass()
            answered.open()
            return remote.issue()
        }
        let waiter = Task { try await get(credential) }
        await gate.arrived(1)
        remote.accepted = ["mine"]
        credential.store(accessToken: Secret("mine"), refreshToken: Secret("r-mine"), lifetime: nil)
        #expect(try await waiter.value == 200)
        gate.open()
        await answered.pass()
        let file = RefreshTokenFile(
            directory: directory.path, id: "api", level: 0, of: credential.configuration)
        #expect(try file.read()?.refreshToken.reveal() == "r-mine")
        #expect(try await get(credential) == 200)
        #expect(credential.status.dependency.version == 2)
    }

    @Test("An inner refusal renews the outer once and the inner with it; other faults do not climb")
    func nested() async throws {
        var outer = OAuth2Configuration(
            tokenURL: .known("http://token.test/outer"), clientID: "gate", grant: .clientCredentials
        )
        outer.injection = .init(header: "X-Gate", format: "{token}")
        let credential = credential(configuration(.clientCredentials) { $0.outer = outer })
        let urls = { remote.tokenCalls.map { $0.path.split(separator: "/").last ?? "" } }
        #expect(try await get(credential) == 200)
        #expect(urls() == ["outer", "inner"])
        #expect(
            remote.tokenCalls[1].headers.contains { $0.0 == "X-Gate" && $0.1 == "a1" })

        // The inner token is refused: the inner alone is renewed.
        remote.accepted = []
        #expect(try await get(credential) == 200)
        #expect(urls() == ["outer", "inner", "inner"])

        // The inner refresh is refused as well: the outer is renewed for all who wait.
        remote.accepted = []
        remote.next(401, "")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await get(credential) } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(urls() == ["outer", "inner", "inner", "inner", "outer", "inner"])

        // A failure does not climb.
        remote.accepted = []
        remote.next(500, "")
        #expect(await failure(credential) == "auth-refresh origin")
        #expect(urls().suffix(1) == ["inner"])
        #expect(urls().count == 7)
    }
}
