import FreshetStore
import Foundation
import FreshetCore
import FreshetJSON
import FreshetRefresh
import FreshetRemote
import Testing

@testable import FreshetConfig

@Suite("The configuration of credentials")
struct CredentialFormTests {
    private static let environment = [
        "SECRET": "from-environment", "EMPTY": "", "BROKEN": "canary\r\nX: y",
    ]

    private func read(_ text: String) throws -> (OAuth2Configuration?, [ValueFault]) {
        var reading = Reading()
        reading.environment = Self.environment
        let configuration = OAuth2Configuration.form.read(
            try JSONValue.parse(text), JSONPointer().appending("credential"), &reading)
        return (configuration, reading.faults)
    }

    @Test("The least that can be said, with the contract's defaults")
    func defaults() throws {
        let (configuration, faults) = try read(
            #"{"type":"oauth2","tokenURL":"https://login.test/token?x=1","grant":"client_credentials"}"#
        )
        #expect(faults.isEmpty)
        let found = try #require(configuration)
        #expect(found.tokenURL.origin.description == "https://login.test")
        #expect(found.tokenURL.path == "/token?x=1")
        #expect(found.grant == .clientCredentials)
        #expect(found.acquisition == .lazy)
        #expect(found.requiresRefreshOn == [401])
        #expect(found.refreshFailedOn == [400, 401])
        #expect(found.criticalOn.isEmpty)
        #expect(found.policy == DependencyPolicy())
        #expect(found.policy.skew == .seconds(30))
        #expect(found.policy.refreshTimeout == .seconds(10))
        #expect(found.policy.retryFailedAfter == .seconds(30))
        #expect(found.policy.cooldown == .zero)
        #expect(found.policy.maxRefreshes == 1)
        #expect(found.injection == .init(header: "Authorization", format: "Bearer {token}"))
        #expect(!found.persists)
        #expect(found.outer == nil)
    }

    @Test("All members together")
    func everything() throws {
        let (configuration, faults) = try read(
            #"""
            {"type":"oauth2","tokenURL":"http://127.0.0.1:9/t","clientId":"me",
             "clientSecret":{"env":"SECRET"},"clientAuth":"basic","grant":"refresh_token",
             "scope":"a b","refreshToken":{"env":"SECRET"},"acquire":"eager",
             "requiresRefreshOn":[401,419],"refreshFailedOn":[400],
             "criticalOn":[{"status":403,"at":"/code","is":"client_disabled"},{"status":410}],
             "skew":"1m","maxRefreshes":3,"refreshTimeout":"500ms","retryFailedAfter":"2s",
             "cooldown":"1s","inject":{"header":"X-Token","format":"{token}"},"persist":true,
             "outer":{"type":"oauth2","tokenURL":"http://127.0.0.1:9/o","grant":"client_credentials",
               "inject":{"header":"X-Outer"}}}
            """#)
        #expect(faults.map(\.detail) == [])
        let found = try #require(configuration)
        #expect(found.clientSecret?.reveal() == "from-environment")
        #expect(found.refreshToken?.reveal() == "from-environment")
        #expect(found.clientAuthentication == .basic)
        #expect(found.acquisition == .eager)
        #expect(found.requiresRefreshOn == [401, 419])
        #expect(found.criticalOn.count == 2)
        #expect(found.criticalOn[0].value == "client_disabled")
        #expect(
            found.policy
                == DependencyPolicy(
                    skew: .seconds(60), maxRefreshes: 3, refreshTimeout: .milliseconds(500),
                    retryFailedAfter: .seconds(2), cooldown: .seconds(1)))
        #expect(found.persists)
        #expect(found.outer?.injection.header == "X-Outer")
        #expect(!"\(found)".contains("from-environment"))
    }

    @Test(
        "Each fault stops with the pointer to it",
        arguments: [
            (#"7"#, "/credential"), (#"{}"#, "/credential"),
            (#"{"type":"basic"}"#, "/credential/type"),
            (#"{"tokenURL":"ftp://x/y"}"#, "/credential/tokenURL"),
            (#"{"tokenURL":"/token"}"#, "/credential/tokenURL"),
            (#"{"tokenURL":"http://user:pass@x/y"}"#, "/credential/tokenURL"),
            (#"{"tokenURL":"http://x/a b"}"#, "/credential/tokenURL"),
            (#"{"tokenURL":"http://169.254.169.254/t"}"#, "/credential/tokenURL"),
            (#"{"grant":"password"}"#, "/credential/grant"),
            (#"{"clientSecret":"canary"}"#, "/credential/clientSecret"),
            (#"{"clientSecret":{"env":"MISSING"}}"#, "/credential/clientSecret/env"),
            (#"{"clientSecret":{"env":"EMPTY"}}"#, "/credential/clientSecret/env"),
            (#"{"clientSecret":{"env":"BROKEN"}}"#, "/credential/clientSecret/env"),
            (#"{"clientSecret":{"file":"/nonexistent/secret"}}"#, "/credential/clientSecret/file"),
            (#"{"clientSecret":{"env":"SECRET","file":"/x"}}"#, "/credential/clientSecret"),
            (#"{"refreshToken":"canary"}"#, "/credential/refreshToken"),
            (#"{"acquire":"soon"}"#, "/credential/acquire"),
            (#"{"requiresRefreshOn":401}"#, "/credential/requiresRefreshOn"),
            (#"{"requiresRefreshOn":[401,"x"]}"#, "/credential/requiresRefreshOn/1"),
            (#"{"refreshFailedOn":[4000]}"#, "/credential/refreshFailedOn/0"),
            (#"{"criticalOn":{}}"#, "/credential/criticalOn"),
            (#"{"criticalOn":[{"at":"/x"}]}"#, "/credential/criticalOn/0/status"),
            (#"{"criticalOn":[{"status":403,"at":"code"}]}"#, "/credential/criticalOn/0/at"),
            (#"{"criticalOn":[{"status":403,"is":1}]}"#, "/credential/criticalOn/0"),
            (#"{"criticalOn":[{"status":403,"when":1}]}"#, "/credential/criticalOn/0/when"),
            (#"{"skew":30}"#, "/credential/skew"), (#"{"skew":"-1s"}"#, "/credential/skew"),
            (#"{"refreshTimeout":"0s"}"#, "/credential/refreshTimeout"),
            (#"{"cooldown":"2d"}"#, "/credential/cooldown"),
            (#"{"maxRefreshes":0}"#, "/credential/maxRefreshes"),
            (#"{"inject":{"header":"Bad Name"}}"#, "/credential/inject/header"),
            (#"{"inject":{"header":"Content-Length"}}"#, "/credential/inject/header"),
            (#"{"inject":{"format":"Bearer"}}"#, "/credential/inject/format"),
            (#"{"inject":{"format":"{token}\r\nX: y"}}"#, "/credential/inject/format"),
            (#"{"inject":{"name":"x"}}"#, "/credential/inject/name"),
            (#"{"persist":"yes"}"#, "/credential/persist"),
            (#"{"clientID":"x"}"#, "/credential/clientID"),
            (#"{"outer":{"type":"oauth2"}}"#, "/credential/outer"),
            (#"{"outer":{"grant":"x"}}"#, "/credential/outer/grant"),
        ])
    func faults(change: String, pointer: String) throws {
        var members = try #require(
            JSONValue.parse(
                #"{"type":"oauth2","tokenURL":"http://h/t","grant":"client_credentials"}"#
            ).objectValue)
        let changed = try JSONValue.parse(change)
        if let changes = changed.objectValue, !changes.isEmpty {
            members.removeAll { member in changes.contains { $0.name == member.name } }
            members += changes
        } else {
            members = []
        }
        let text = changed.objectValue == nil ? change : JSONValue.object(members).text
        let (configuration, faults) = try read(text)
        #expect(configuration == nil)
        #expect(faults.contains { $0.pointer == pointer }, "\(faults)")
        for fault in faults { #expect(!fault.detail.contains("canary")) }
    }

    @Test("A secret of a file is taken without its line end")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.path + "/freshet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for (content, expected) in [
            ("s3cret\n", "s3cret"), ("s3cret\r\n", "s3cret"), ("two words", "two words"),
            ("", nil), ("\n", nil), ("a\nb\n", nil),
        ] {
            try content.write(toFile: path, atomically: true, encoding: .utf8)
            var reading = Reading()
            let secret = Secret.form(of: "it").read(
                .object([.init(name: "file", value: .string(path))]), JSONPointer(), &reading)
            #expect(secret?.reveal() == expected)
            #expect(reading.faults.isEmpty == (expected != nil))
        }
    }

    @Test("Credentials nest to a limit")
    func depth() throws {
        func text(_ depth: Int) -> String {
            let outer = depth > 1 ? #","outer":"# + text(depth - 1) : ""
            return
                #"{"type":"oauth2","tokenURL":"http://h/t","grant":"client_credentials"\#(outer)}"#
        }
        #expect(try read(text(4)).0 != nil)
        let (_, faults) = try read(text(5))
        #expect(faults.map(\.pointer) == ["/credential/outer/outer/outer/outer"])
    }
}
