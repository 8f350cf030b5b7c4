import FreshetBase
import FreshetConfig
import FreshetHTTP
import FreshetJSON
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// What `GET /v1/_service` tells of a server and its configuration.
@Suite struct DescribedServiceTests {
    private static let flags = ["memory": ["true"], "listen": ["127.0.0.1:0"]]

    /// Where secrets come from, and where a careless file has them itself.
    private static func file(secretFile: String) -> String {
        #"""
        {"limits": {"document": "2MiB", "queryTimeout": "3s"}, "hosts": ["data.example.org"],
         "$schema": "./schema.json", "cors": {"origins": ["https://app.example.org"]},
         "conditions": {"open": {}}, "types": {"task": {"remote": {"upstream": "api",
           "search": {"path": "/tasks", "query": {"api_key": "lit-query-secret"}}}}},
         "operations": {"todos": {"type": "task"}},
         "access": {"tokens": [
           {"name": "reader", "sha256": "@reader", "types": {"*": {"read": true}}},
           {"name": "blue", "sha256": "@blue", "claims": {"password": "lit-rule-secret"},
           "types": {"task": {"read": "team == $claims.password",
                              "write": "team == 'env-secret-1'"}}},
          {"name": "root", "sha256": "@root", "admin": true,
            "claims": {"session": "env-secret-1", "cookie": "lit-claim-secret"}}]},
         "upstreams": {"api": {"base": "http://127.0.0.1:9",
           "headers": {"X-Env": {"env": "SECRET"}, "X-File": {"file": "\#(secretFile)"},
                       "X-Plain": "lit-header-secret"},
           "credential": {"type": "oauth2", "tokenURL": "http://127.0.0.1:9/token",
             "grant": "client_credentials", "clientId": "me", "clientSecret": {"env": "SECRET"}}}}}
        """#
    }

    private static let secrets = [
        "env-secret-1", "file-secret-2", "lit-query-secret", "lit-header-secret",
        "lit-claim-secret", "lit-rule-secret",
    ]

    private struct Scene {
        let server: TestServer
        let source: ConfigurationSource
        private let file: TemporaryFile
        private let secret: TemporaryFile

        init() throws {
            secret = try TemporaryFile("file-secret-2\n")
            file = try TemporaryFile(
                AccessScene.withDigests(DescribedServiceTests.file(secretFile: secret.path)))
            source = Self.source(file, streams: 77)
            let resolution = source.resolve()
            #expect(resolution.faults.map(\.description) == [])
            server = try TestServer { $0 = resolution.settings }
        }

        private static func source(
            _ file: TemporaryFile, streams: Int, more: [String: String] = [:]
        ) -> ConfigurationSource {
            let environment = ["SECRET": "env-secret-1", "FRESHET_LIMIT_STREAMS": "\(streams)"]
            return ConfigurationSource(
                flags: DescribedServiceTests.flags,
                environment: environment.merging(more) { $1 }, path: file.path)
        }

        /// The settings with other limits and more.
        func changed(_ more: [String: String]) -> ServeSettings {
            Self.source(file, streams: 5, more: more).resolve().settings
        }

        func told(by caller: String) throws -> JSONValue {
            let answer = try server.ask(caller, "GET", "/v1/_service")
            #expect(answer.status == 200, "\(answer.body)")
            #expect(answer.header("Cache-Control") == "no-store")
            return try JSONValue.parse(answer.body)
        }
    }

    @Test("Every caller is told what the server takes; administrators also its configuration")
    func callers() throws {
        let scene = try Scene()
        let told = try scene.told(by: "reader")
        let names = [
            "service", "version", "started", "uptimeSeconds", "epoch", "durability", "access",
            "limits", "features",
        ]
        #expect(told.objectValue?.map(\.name) == names)
        #expect(told["service"] == "freshet" && told["durability"] == "memory")
        #expect(told["access"] == true)
        #expect(told["features"] == ["access", "remotes", "operations", "conditions"])
        let limits = try #require(told["limits"])
        #expect(limits["document"] == 2_097_152 && limits["queryTimeout"] == 3_000)
        #expect(limits["streams"] == 77 && limits["results"] == 10_000)
        let count = Setting.all.count { $0.key.rawValue.hasPrefix("limits.") }
        #expect(limits.objectValue?.count == count)

        let all = try scene.told(by: "root")
        #expect(
            all.objectValue?.map(\.name)
                == names + ["host", "listen", "loops", "active", "configuration"])
        #expect(all["listen"] == .string("127.0.0.1:\(scene.server.port)"))
        #expect(all["active"] == true && all["host"]?.stringValue?.isEmpty == false)
        let configuration = try #require(all["configuration"])
        #expect(configuration["file"]?.stringValue == scene.source.path)
        #expect(configuration["lastReload"] == .null)
        func setting(_ name: String) -> [String?]? {
            configuration["settings"]?.arrayValue?.first { $0["name"] == .string(name) }.map {
                [$0["value"], $0["origin"], $0["from"]].map { $0?.stringValue }
            }
        }
        #expect(setting("listen") == ["127.0.0.1:0", "flag", "--listen"])
        #expect(setting("limits.streams") == ["77", "environment", "FRESHET_LIMIT_STREAMS"])
        #expect(setting("limits.document") == ["2MiB", "file", scene.source.path])
        #expect(setting("drain") == ["0ms", "default", "default"])
        #expect(configuration["settings"]?.arrayValue?.count == Setting.all.count)
        // Settings do not stand here again.
        #expect(
            Set(configuration["sections"]?.objectValue?.map(\.name) ?? []) == [
                "conditions", "types", "operations", "access", "upstreams",
            ])
        #expect(try scene.server.ask("root", "GET", "/v1/_service?full=1").status == 400)
        #expect(try scene.server.ask(nil, "GET", "/v1/_service").status == 401)
    }

    @Test("No secret of the configuration is told, and where it comes from is")
    func secrets() throws {
        let scene = try Scene()
        let root = try scene.server.ask("root", "GET", "/v1/_service").body
        for secret in Self.secrets + [SHA256Digest(of: AccessScene.token("root")).hexadecimal] {
            #expect(!root.contains(secret), "\(secret)")
        }
        let sections = try #require(
            try JSONValue.parse(root)["configuration"]?["sections"])
        let headers = sections["upstreams"]?["api"]?["headers"]
        #expect(headers?["X-Env"] == ["env": "SECRET"] && headers?["X-Plain"] == "***")
        #expect(headers?["X-File"]?["file"]?.stringValue?.isEmpty == false)
        let credential = sections["upstreams"]?["api"]?["credential"]
        #expect(credential?["tokenURL"] == "http://127.0.0.1:9/token")
        #expect(credential?["clientSecret"] == ["env": "SECRET"])
        let token = sections["access"]?["tokens"]?.arrayValue?.last
        #expect(token?["name"] == "root" && token?["sha256"] == "***")
        #expect(token?["claims"] == ["session": "***", "cookie": "***"])
        #expect(
            sections["types"]?["task"]?["remote"]?["search"]?["query"]?["api_key"] == "***")
    }

    @Test("No answer about the server tells a secret of the configuration, to whomever")
    func everyAnswer() throws {
        let scene = try Scene()
        let paths = RouteTable.routes.filter {
            $0.method == .get && $0.need != .server && !$0.pattern.description.contains("{session}")
        }.map { route in
            route.pattern.description.replacing("{type}", with: "task")
                .replacing("{name}", with: "open").replacing("{code}", with: "forbidden")
                .replacing("{id}", with: named(route.pattern.description))
        }.filter { !$0.contains("{") && $0 != "/v1/_live" }
        #expect(paths.contains("/v1/_operations/todos") && paths.contains("/v1/_tokens/blue"))
        let questions = ["read", "write"].map {
            "{\"token\":\"blue\",\"do\":\"\($0)\",\"type\":\"task\",\"entity\":{\"id\":1}}"
        }
        let digests = ["reader", "blue", "root"].map {
            SHA256Digest(of: AccessScene.token($0)).hexadecimal
        }
        for caller in ["reader", "blue", "root"] {
            let answers =
                try paths.map { ($0, try scene.server.ask(caller, "GET", $0)) }
                + questions.map {
                    ($0, try scene.server.ask(caller, "POST", "/v1/_access/check", $0))
                }
            for (path, answer) in answers {
                for secret in Self.secrets + digests {
                    #expect(!answer.body.contains(secret), "\(path) by \(caller): \(secret)")
                }
            }
        }
        let blue = try scene.server.ask("root", "GET", "/v1/_tokens/blue").body
        #expect(blue.contains(#""read":"***","write":"***""#), "\(blue)")
    }

    /// Something that there is at a route.
    private func named(_ pattern: String) -> String {
        switch pattern.split(separator: "/").dropFirst().first {
        case "_operations": "todos"
        case "_upstreams": "api"
        case "_tokens": "blue"
        default: "1"
        }
    }

    @Test("What became of a reload is told: what waits for a start, or why it was refused")
    func reloads() throws {
        let scene = try Scene()
        scene.server.server.reload(
            scene.changed([
                "FRESHET_SCRUB_RATE": "1MiB", "FRESHET_DRAIN": "1s", "FRESHET_LOG_LEVEL": "error",
                "FRESHET_ALLOW_HOST": "other.example.org",
            ]))
        let reload = try scene.told(by: "root")["configuration"]?["lastReload"]
        #expect(reload?["applied"] == true && reload?["faults"] == [])
        #expect(reload?["waits"] == ["drain", "scrub.rate", "limits.streams"])
        // What was started with holds.
        #expect(try scene.told(by: "root")["limits"]?["streams"] == 77)

        scene.server.server.refuse([
            ConfigurationFault(
                place: .file("freshet.json", pointer: "/limits/body"), expected: "a size")
        ])
        let refused = try scene.told(by: "root")["configuration"]?["lastReload"]
        #expect(refused?["applied"] == false && refused?["waits"] == [])
        #expect(
            refused?["faults"] == [
                ["place": "freshet.json: /limits/body", "expected": "a size"]
            ])
    }
}
