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
        boundHost: "127.0.0.1", hosts: ["Freshet.test:8080"],
        allowedOrigins: ["https://app.test"], needsToken: false)

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:1234", true), ("127.0.0.1:8080", true), ("[::1]:80", true),
        ("freshet.test", true), ("evil.test", false), ("localhost.evil.test", false),
        ("127.0.0.1.evil.test", false), ("[::1", false), ("", true),
        // A rebinding name is never a literal address, whose address ever it is.
        ("[::2]:80", true), ("192.0.2.7:9100", true), ("[2001:db8::7]", true), ("0.0.0.0", true),
        ("[::ffff:192.0.2.7]:80", true), ("8.8.8.8.", false), ("localhost.", false),
        // Other spellings of an address are names to a browser's rules.
        ("127.1", false), ("0177.0.0.1", false), ("0x7f000001", false), ("2130706433", false),
        ("256.0.0.1", false), ("1.2.3", false), ("1.2.3.4.5", false), ("::1", false),
        ("[fe80::1%eth0]", false), ("[fe80::1%25eth0]", false), ("[]", false), ("[::1]x", true),
        ("[127.0.0.1]", false), ("[::g]", false), ("a\0b", false), ("127.0.0.1\0", false),
    ])
    func aServerAnswersToItsOwnNamesAndToAddresses(host: String, isKnown: Bool) {
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

    @Test(arguments: [
        (["a.test"], true, false), (["a.test"], false, false), ([], true, true),
        ([], false, false),
    ])
    func aForeignNameNeedsThatEveryRightNeedsAToken(
        hosts: [String], needsToken: Bool, isKnown: Bool
    ) {
        for bound in ["0.0.0.0", "127.0.0.1", "::"] {
            let guardian = RequestGuard(
                boundHost: bound, hosts: hosts, allowedOrigins: [], needsToken: needsToken)
            for isSafe in [true, false] {
                let code = refusal(host: "evil.test:9100", isSafe: isSafe, guardian: guardian)
                #expect(code == (isKnown ? nil : .hostNotAllowed))
                for host in hosts + ["localhost", "192.0.2.1", "[::1]:8080"] {
                    #expect(refusal(host: host, isSafe: isSafe, guardian: guardian) == nil)
                }
            }
        }
    }
}
