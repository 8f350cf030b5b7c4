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
