import FreshetBase
import FreshetQuery
import FreshetStore
import Testing

@testable import FreshetServer

@Suite struct RequestGuardTests {
    private func refusal(
        host: String, origin: String? = nil, site: String? = nil, isSafe: Bool = false,
        guardian: RequestGuard
    ) -> ProblemCode? {
        func lend(_ text: String?, _ body: (UnsafeRawBufferPointer?) -> ProblemCode?)
            -> ProblemCode?
        {
            guard let text else { return body(nil) }
            return Array(text.utf8).withUnsafeBytes { body($0) }
        }
        return lend(host) { host in
            lend(origin) { origin in
                lend(site) { site in
                    guardian.refusal(
                        authority: host ?? UnsafeRawBufferPointer(start: nil, count: 0),
                        origin: origin, fetchSite: site, isSafe: isSafe)?.code
                }
            }
        }
    }

    private let local = RequestGuard(
        boundHost: "127.0.0.1", isLoopback: true, hosts: ["Freshet.test:8080"],
        allowedOrigins: ["https://app.test"])

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:1234", true), ("127.0.0.1:8080", true), ("[::1]:80", true),
        ("freshet.test", true), ("evil.test", false), ("localhost.evil.test", false),
        ("127.0.0.1.evil.test", false), ("[::1", false), ("[::2]:80", false),
    ])
    func aLoopbackServerAnswersToItsOwnNamesOnly(host: String, isKnown: Bool) {
        let code = refusal(host: host, isSafe: true, guardian: local)
        #expect(code == (isKnown ? nil : .hostNotAllowed))
    }

    @Test(
        arguments: [
            (nil, nil, true), ("http://localhost:8080", nil, true), ("https://app.test", nil, true),
            ("https://app.test", "cross-site", true), ("http://evil.test", nil, false),
            ("null", nil, false), (nil, "cross-site", false), (nil, "same-origin", true),
            ("http://localhost:9090", nil, false),
        ] as [(String?, String?, Bool)])
    func unsafeMethodsNeedAnOwnOrANamedOrigin(origin: String?, site: String?, isFine: Bool) {
        let code = refusal(host: "localhost:8080", origin: origin, site: site, guardian: local)
        #expect(code == (isFine ? nil : .originNotAllowed))
    }

    @Test func anOpenServerAnswersToAnyName() {
        let open = RequestGuard(
            boundHost: "0.0.0.0", isLoopback: false, hosts: [], allowedOrigins: [])
        #expect(refusal(host: "anything.test", isSafe: true, guardian: open) == nil)
    }
}

@Suite struct IdempotencyKeysTests {
    private func start(
        _ keys: IdempotencyKeys, _ key: Int, at seconds: UInt64 = 0
    ) throws -> IdempotencyKeys.Start {
        try keys.start(
            Array("\(key)".utf8), body: 1,
            now: MonotonicInstant(nanoseconds: seconds * 1_000_000_000))
    }

    /// What a commit on a store of its own gives.
    private func receipt() throws -> WriteReceipt {
        let type = try #require(TypeName("t"))
        let outcome = MemoryStore().commit(Transaction(.remove(type, try EntityID("1"), .none)))
        guard case .done(let receipt) = outcome else {
            throw Problem(.internal, "a removal of nothing is done")
        }
        return receipt
    }

    @Test func aRunningRequestBlocksItsRepeatAndAFinishedOneAnswersIt() throws {
        let keys = IdempotencyKeys()
        let ticket = try #require(try start(keys, 1).ticket)
        #expect(throws: Problem.self) { try start(keys, 1) }
        ticket.finish(.done(try receipt()))
        #expect(try start(keys, 1).ticket == nil)
        // A day later it is a new request.
        #expect(try start(keys, 1, at: 24 * 3600 + 1).ticket != nil)
    }

    @Test func aRefusedRequestIsForgottenAndLeavesNothing() throws {
        let keys = IdempotencyKeys()
        _ = try #require(try start(keys, 0).ticket).finish(.done(try receipt()))
        for key in 1...5_000 {
            try #require(try start(keys, key).ticket).finish(.overloaded)
        }
        #expect(keys.rememberedKeys < 200)
        #expect(try start(keys, 0).ticket == nil)
        #expect(try start(keys, 77).ticket != nil)
    }

    @Test func theOldestAnswersGoWhereThereAreTooMany() throws {
        let keys = IdempotencyKeys()
        for key in 0..<10_050 {
            try #require(try start(keys, key).ticket).finish(.done(try receipt()))
        }
        #expect(try start(keys, 0).ticket != nil)
        #expect(try start(keys, 10_049).ticket == nil)
    }
}
