import FreshetBase
import FreshetCore
import Testing

@testable import FreshetServer

@Suite struct TokenTests {
    private func token(in header: String) -> String? {
        Array(header.utf8).withUnsafeBytes {
            BearerToken.token(in: $0).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test(
        arguments: [
            ("Bearer abc", "abc"), ("bearer a-._~+/9==", "a-._~+/9=="), ("BEARER   x", "x"),
            ("Bearer", nil), ("Bearer ", nil), ("Bearer a b", nil), ("Bearer a,b", nil),
            ("Bearer =", nil), ("Bearer a=b", nil), ("Basic abc", nil), ("Bearerabc", nil),
            ("Bearer ä", nil), ("", nil), ("abc", nil),
        ] as [(String, String?)])
    func onlyWellFormedTokensAreTaken(header: String, expected: String?) {
        #expect(token(in: header) == expected)
    }

    private func caller(_ name: String, _ generation: Int) -> Caller {
        Caller(
            name: name, digest: SHA256Digest(of: name),
            rights: AccessRights(named: [:], others: .nothing), expires: nil,
            use: TokenUse(), generation: generation)
    }

    @Test func theCacheFindsWholeTokensOfItsGeneration() {
        var cache = TokenCache()
        func find(_ text: String, _ generation: Int) -> String? {
            Array(text.utf8).withUnsafeBytes { cache.find($0, generation: generation)?.name }
        }
        func remember(_ text: String, _ generation: Int) {
            Array(text.utf8).withUnsafeBytes {
                cache.remember($0, caller(text, generation))
            }
        }
        #expect(find("a", 1) == nil)
        for index in 0..<20 { remember("token\(index)", 1) }
        #expect(find("token19", 1) == "token19" && find("token12", 1) == "token12")
        #expect(find("token1", 1) == nil, "there is room for eight")
        #expect(find("token1", 1) == nil && find("token190", 1) == nil)
        #expect(find("token19", 2) == nil, "the rights have changed")
        #expect(find("token19", 2) == nil)
        remember("late", 1)
        #expect(find("late", 2) == nil, "let in by rights that are gone")
    }

    private func instant(_ seconds: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 0) + .seconds(seconds)
    }

    @Test func theEleventhFailureOfAMinuteHasToWaitAndEachBehindItLonger() {
        let limiter = AttemptLimiter()
        for _ in 0..<10 { #expect(limiter.failure(of: 1, at: instant(0)) == nil) }
        #expect(limiter.failure(of: 1, at: instant(0)) == 1)
        #expect(limiter.failure(of: 2, at: instant(0)) == nil, "another network")
        var now = 1
        for seconds in [2, 4, 8, 16, 32, 60, 60] {
            #expect(limiter.failure(of: 1, at: instant(now)) == seconds)
            now += seconds
        }
    }

    @Test func aMinuteOfQuietForgetsFailures() {
        let limiter = AttemptLimiter()
        for _ in 0..<10 { #expect(limiter.failure(of: 1, at: instant(0)) == nil) }
        for _ in 0..<10 { #expect(limiter.failure(of: 1, at: instant(61)) == nil) }
        #expect(limiter.failure(of: 1, at: instant(61)) == 1)
    }

    @Test func theTableOfNetworksIsBounded() {
        let limiter = AttemptLimiter()
        for network in 0..<10_000 { _ = limiter.failure(of: UInt64(network), at: instant(0)) }
        #expect(limiter.count <= AttemptLimiter.capacity)
    }

    @Test func wrongTokensAreRefusedAlikeThenHaveToWait() throws {
        let server = try AccessScene.server(
            #"""
            {"tokens": [
             {"name": "reader", "sha256": "@reader", "types": {"*": {"read": true}}},
             {"name": "writer", "sha256": "@writer", "types": {"*": {"read": true}},
              "expires": "2020-01-01T00:00:00Z"}]}
            """#)
        let nobody = try server.ask(nil, "GET", "/v1/task")
        #expect(nobody.status == 401 && nobody.header("WWW-Authenticate") == "Bearer")
        let basic = try server.send("GET", "/v1/task", headers: ["Authorization: Basic eDp5"])
        #expect(basic.status == 401 && basic.header("WWW-Authenticate") == "Bearer")
        let unknown = try server.send("GET", "/v1/task", headers: ["Authorization: Bearer x"])
        #expect(unknown.header("WWW-Authenticate") == #"Bearer error="invalid_token""#)
        let expired = try server.ask("writer", "GET", "/v1/task")
        #expect(unknown.status == 401 && unknown.tellingParts == expired.tellingParts)
        let malformed = try server.send("GET", "/v1/task", headers: ["Authorization: Bearer a b"])
        #expect(unknown.tellingParts == malformed.tellingParts)
        for _ in 4..<9 { _ = try server.ask("root", "POST", "/v1/task", "{}") }
        #expect(try server.ask("root", "GET", "/v1/task").status == 401, "the tenth")
        let limited = try server.ask("root", "GET", "/v1/task")
        #expect(limited.status == 429 && limited.body.contains("rate-limited"))
        #expect(Int(limited.header("Retry-After") ?? "").map { $0 >= 1 } == true)
        #expect(try server.ask("reader", "GET", "/v1/task").status == 200)
        #expect(try server.ask(nil, "GET", "/livez").status == 200)
    }
}
