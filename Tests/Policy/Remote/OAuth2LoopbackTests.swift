import Dispatch
import FreshetBase
import FreshetRefresh
import Testing

@testable import FreshetRemote
import FreshetTestSupport

/// A service and its token endpoint on one loopback socket: `POST /token` rotates, everything else
/// is data for whoever bears a good token.
// SAFETY: all mutable state is read and written under `lock`.
private final class TokenService: @unchecked Sendable {
    enum Fault: Sendable {
        case answer(Int, String)
        case redirect(String)
        /// The token is rotated, and the connection breaks before the answer.
        case resetAfterRotation
        case hold
    }

    private let lock = Lock()
    private var number = 0
    private var good: Set<String> = []
    private var expected = "r0"
    private var faults: [Fault] = []
    private var forms: [String] = []
    private var held: [@Sendable () -> Void] = []
    private var isHolding = false
    private var hasHeldToken = false
    private var watchers: [CheckedContinuation<Void, Never>] = []
    private var started: ScriptedServer?

    init() {
        let server = ScriptedServer { [weak self] in self?.serve($0) ?? .close }
        lock.withLock { started = server }
    }

    deinit { server.stop() }

    var server: ScriptedServer {
        guard let server = lock.withLock({ started }) else {
            preconditionFailure("the server is there from init on")
        }
        return server
    }
    var tokenCalls: [String] { lock.withLock { forms } }
    var refreshToken: String { lock.withLock { expected } }

    func accept(_ token: String) { lock.withLock { _ = good.insert(token) } }
    func revokeAll() { lock.withLock { good = [] } }
    func next(_ fault: Fault) { lock.withLock { faults.append(fault) } }

    /// Waits until a token call has come that is not answered (`Fault.hold`).
    func holdsToken() async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if !hasHeldToken { watchers.append(continuation) }
                return hasHeldToken
            }
            if isThere { continuation.resume() }
        }
    }

    /// From now on refusals wait until `release`.
    func holdRefusals() { lock.withLock { isHolding = true } }

    func release() {
        let waiting = lock.withLock {
            isHolding = false
            defer { held = [] }
            return held
        }
        for answer in waiting { answer() }
    }

    private func serve(_ exchange: ScriptedServer.Exchange) -> ScriptedServer.Next {
        guard exchange.request.target == "/token" else { return data(exchange) }
        let form = String(decoding: exchange.request.body, as: UTF8.self)
        let fault = lock.withLock {
            forms.append(form)
            return faults.isEmpty ? nil : faults.removeFirst()
        }
        switch fault {
        case .answer(let status, let body): exchange.answer(status, body)
        case .redirect(let location):
            exchange.answer(307, "", headers: ["Location: \(location)"])
        case .resetAfterRotation:
            _ = rotate()
            exchange.reset()
            return .close
        case .hold:
            let told = lock.withLock {
                hasHeldToken = true
                defer { watchers = [] }
                return watchers
            }
            for watcher in told { watcher.resume() }
            exchange.waitForHangUp()
            return .close
        case nil:
            let isExpected = lock.withLock {
                form.contains("client_credentials") || form.contains("refresh_token=\(expected)&")
            }
            if isExpected {
                exchange.answer(200, rotate())
            } else {
                exchange.answer(400, #"{"error":"invalid_grant"}"#)
            }
        }
        return .keep
    }

    private func rotate() -> String {
        lock.withLock {
            number += 1
            good.insert("a\(number)")
            expected = "r\(number)"
            return
                #"{"access_token":"a\#(number)","refresh_token":"\#(expected)","expires_in":3600}"#
        }
    }

    private func data(_ exchange: ScriptedServer.Exchange) -> ScriptedServer.Next {
        let token = exchange.request.header("Authorization")?.dropFirst("Bearer ".count) ?? ""
        let isGood = lock.withLock { good.contains(String(token)) }
        if isGood {
            exchange.answer(200, #"{"ok":true}"#)
            return .keep
        }
        let semaphore = DispatchSemaphore(value: 0)
        let waits = lock.withLock {
            if isHolding { held.append { semaphore.signal() } }
            return isHolding
        }
        if waits { semaphore.wait() }
        exchange.answer(401, #"{"error":"invalid_token"}"#)
        return .keep
    }
}

@Suite("OAuth 2.0 over sockets", .timeLimit(.minutes(2)))
struct OAuth2LoopbackTests {
    private let service = TokenService()
    private let clock = ManualOperationClock()

    private func configuration(
        _ grant: OAuth2Configuration.Grant = .refreshToken, persists: Bool = false
    ) -> OAuth2Configuration {
        var configuration = OAuth2Configuration(
            tokenURL: .known(service.server.base + "/token"), clientID: "me", grant: grant)
        configuration.clientSecret = Secret("s3cret")
        configuration.persists = persists
        return configuration
    }

    private func credential(
        _ configuration: OAuth2Configuration, directory: String? = nil
    ) -> OAuth2Credential {
        OAuth2Credential(
            id: "api", configuration, directory: directory, log: nil, clock: clock
        ) { HTTPTransport(base: $0, route: $1, clock: clock) }
    }

    private func data() throws -> HTTPTransport {
        HTTPTransport(
            base: try #require(UpstreamBase(service.server.base)), clock: clock)
    }

    private func get(
        _ credential: OAuth2Credential, _ transport: HTTPTransport
    ) async throws(UpstreamError) -> Int {
        try await credential.perform { header throws(UpstreamError) in
            try await transport.send(UpstreamRequest(path: "/data", headers: [header]))
        }.status
    }

    private func failure(
        _ credential: OAuth2Credential, _ transport: HTTPTransport
    ) async -> String {
        do throws(UpstreamError) {
            return "\(try await get(credential, transport))"
        } catch {
            guard case .auth(let code, let origin, let detail) = error else { return "\(error)" }
            for secret in ["s3cret", "r0", "a0"] { #expect(!detail.contains(secret)) }
            return code.rawValue + (origin ? " origin" : "")
        }
    }

    @Test("100 requests whose refusals come late cost one token call")
    func lateRefusals() async throws {
        let credential = credential(configuration())
        let transport = try data()
        credential.store(accessToken: Secret("a0"), refreshToken: Secret("r0"), lifetime: nil)
        service.holdRefusals()
        let requests = (0..<100).map { _ in Task { try await get(credential, transport) } }
        await service.server.arrived(100)
        service.release()
        for request in requests { #expect(try await request.value == 200) }
        #expect(service.tokenCalls.count == 1)
        #expect(
            service.tokenCalls.first
                == "grant_type=refresh_token&refresh_token=r0&client_id=me&client_secret=s3cret")
        #expect(credential.status.dependency.counts.refreshes == 1)
    }

    @Test("An upstream's callers share one refresh, and none that waits for it holds a place")
    func places() async throws {
        let credential = credential(configuration(.clientCredentials))
        credential.store(accessToken: Secret("a0"), refreshToken: nil, lifetime: nil)
        var settings = UpstreamSettings(
            name: "api", base: try #require(UpstreamBase(service.server.base)))
        settings.maxConcurrent = 2
        let upstream = Upstream(
            settings, transport: try data(), credential: credential, clock: clock)
        let call = { @Sendable () async -> String in
            do throws(UpstreamError) {
                return "\(try await upstream.perform(UpstreamRequest(path: "/data")).status)"
            } catch {
                guard case .auth(let code, _, _) = error else { return "\(error)" }
                return code.rawValue
            }
        }
        service.next(.hold)
        let held = (0..<40).map { _ in Task { await call() } }
        await service.holdsToken()
        while credential.status.dependency.waiting < 40 { await Task.yield() }
        #expect(upstream.load.active == 0)
        #expect(service.tokenCalls.count == 1)
        clock.advance(by: .seconds(10))
        for task in held { #expect(await task.value == "auth-refresh") }
        clock.advance(by: .seconds(30))
        let served = (0..<40).map { _ in Task { await call() } }
        for task in served { #expect(await task.value == "200") }
        #expect(service.tokenCalls.count == 2)
    }

    @Test("Rotating tokens are followed round after round")
    func rotation() async throws {
        let credential = credential(configuration())
        let transport = try data()
        credential.store(accessToken: Secret("a0"), refreshToken: Secret("r0"), lifetime: nil)
        for round in 1...5 {
            service.revokeAll()
            #expect(try await get(credential, transport) == 200)
            #expect(service.tokenCalls.count == round)
        }
    }

    @Test("A token endpoint that holds its answer fails everybody when its time is up")
    func held() async throws {
        let credential = credential(configuration(.clientCredentials))
        let transport = try data()
        service.next(.hold)
        let requests = (0..<5).map { _ in Task { await failure(credential, transport) } }
        await service.holdsToken()
        while credential.status.dependency.waiting < 5 { await Task.yield() }
        clock.advance(by: .seconds(10))
        var outcomes: [String] = []
        for request in requests { outcomes.append(await request.value) }
        #expect(
            outcomes.sorted() == Array(repeating: "auth-refresh", count: 4) + [
                "auth-refresh origin"
            ])
        #expect(await failure(credential, transport) == "auth-refresh")
        clock.advance(by: .seconds(30))
        #expect(await failure(credential, transport) == "200")
        #expect(service.tokenCalls.count == 2)
    }

    @Test("A token endpoint that lies, breaks off or sends elsewhere gives auth-refresh, no secret")
    func faults() async throws {
        let elsewhere = ScriptedServer {
            $0.answer(200, #"{"access_token":"stolen"}"#)
            return .keep
        }
        defer { elsewhere.stop() }
        for fault in [
            TokenService.Fault.answer(200, "<html></html>"),
            .answer(200, #"{"access_token":"\#(String(repeating: "x", count: 100_000))"}"#),
            .answer(503, "busy"), .redirect(elsewhere.base + "/token"), .resetAfterRotation,
        ] {
            let credential = credential(configuration(.clientCredentials))
            service.next(fault)
            let transport = try data()
            #expect(await failure(credential, transport) == "auth-refresh origin")
            #expect(credential.status.dependency.state == .failed)
        }
        #expect(elsewhere.requests.isEmpty)
    }

    @Test(
        "Killed between rotation and persistence: the old token is refused and an operator repairs")
    func lostRotation() async throws {
        let directory = try TemporaryDirectory()
        let configuration = configuration(persists: true)
        let transport = try data()
        let first = credential(configuration, directory: directory.path)
        first.store(accessToken: Secret("a0"), refreshToken: Secret("r0"), lifetime: nil)
        service.next(.resetAfterRotation)
        #expect(await failure(first, transport) == "auth-refresh origin")

        let second = credential(configuration, directory: directory.path)
        #expect(await failure(second, transport) == "auth-refresh origin")
        #expect(second.status.dependency.reason?.contains("invalid_grant") == true)
        second.store(
            accessToken: Secret("x"), refreshToken: Secret(service.refreshToken), lifetime: nil)
        #expect(try await get(second, transport) == 200)

        // Persisted before it was used: the next process goes on from there.
        service.revokeAll()
        let third = credential(configuration, directory: directory.path)
        #expect(try await get(third, transport) == 200)
        #expect(third.status.isPersisted)
    }
}
