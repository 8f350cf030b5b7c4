import Foundation
import FreshetConfig
import FreshetJSON
import FreshetRemote
import FreshetStore
import Testing

@testable import FreshetServer

@Suite("Credentials over HTTP")
struct CredentialTests {
    private let path = "/v1/_upstreams/api/credential"

    private func configuration(
        _ change: (inout OAuth2Configuration) -> Void = { _ in }
    ) throws -> OAuth2Configuration {
        // Nothing here makes a token call; a discard port would refuse it.
        var configuration = OAuth2Configuration(
            tokenURL: try #require(.init("http://127.0.0.1:9/token")), clientID: "me",
            grant: .refreshToken)
        change(&configuration)
        return configuration
    }

    private func get(_ server: TestServer) throws -> JSONValue {
        let response = try server.send("GET", path)
        #expect(response.status == 200)
        #expect(response.header("Cache-Control") == "no-store")
        #expect(!response.body.contains("canary"))
        return try JSONValue.parse(response.body)
    }

    @Test("PUT stores, GET tells all but the tokens, DELETE empties; versions only grow")
    func life() throws {
        let configuration = try configuration()
        let server = try TestServer { $0.credentials = ["api": configuration] }
        var status = try get(server)
        #expect(status["state"] == "empty")
        #expect(status["version"] == 0)
        #expect(status["valid"] == false)
        #expect(status["refreshToken"] == false)
        let stored = try server.send(
            "PUT", path,
            #"{"accessToken":"canary-1","refreshToken":"canary-2","expiresIn":3600}"#)
        #expect(stored.status == 200)
        #expect(!stored.body.contains("canary"))
        status = try get(server)
        #expect(status["upstream"] == "api")
        #expect(status["state"] == "ready")
        #expect(status["version"] == 1)
        #expect(status["valid"] == true)
        #expect(status["refreshToken"] == true)
        #expect(status["persisted"] == false)
        #expect(status["expiresAt"]?.stringValue != nil)
        #expect(status["counts"]?["refreshes"] == 0)
        #expect(try server.send("PUT", path, #"{"accessToken":"canary-3"}"#).status == 200)
        status = try get(server)
        #expect(status["version"] == 2)
        #expect(status["refreshToken"] == false)
        #expect(status["expiresAt"] == .null)
        #expect(try server.send("DELETE", path).status == 204)
        status = try get(server)
        #expect(status["state"] == "empty")
        #expect(status["version"] == 2)
        #expect(try server.send("DELETE", path).status == 204)
    }

    @Test("With persist the refresh token is on the disk when the PUT is answered")
    func persisted() throws {
        let directory =
            FileManager.default.temporaryDirectory.path + "/freshet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let configuration = try configuration { $0.persists = true }
        let file = directory + "/credential-api.json"
        for _ in 0..<2 {
            let server = try TestServer {
                $0.storage = .directory(directory)
                $0.durability = .full
                $0.credentials = ["api": configuration]
            }
            let body = #"{"accessToken":"canary-1","refreshToken":"canary-2"}"#
            #expect(try server.send("PUT", path, body).status == 200)
            #expect(try get(server)["persisted"] == true)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let content = try String(contentsOfFile: file, encoding: .utf8)
            #expect(content.contains("canary-2"))
            #expect(!content.contains("canary-1"))
            #expect(try server.send("DELETE", path).status == 204)
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test(
        "Bodies that are none are refused with the place, and never repeated",
        arguments: [
            ("{}", 400, "/accessToken"), ("[]", 400, nil), ("canary", 400, nil),
            (#"{"accessToken":7}"#, 400, "/accessToken"),
            (#"{"accessToken":""}"#, 400, "/accessToken"),
            (#"{"accessToken":"canary\r\nX-Evil: 1"}"#, 400, "/accessToken"),
            (#"{"accessToken":"canary","refreshToken":""}"#, 400, "/refreshToken"),
            (#"{"accessToken":"canary","expiresIn":-1}"#, 400, "/expiresIn"),
            (#"{"accessToken":"canary","expiresIn":"soon"}"#, 400, "/expiresIn"),
            (#"{"accessToken":"canary","access_token":"x"}"#, 400, "/access_token"),
        ])
    func badBodies(body: String, status: Int, pointer: String?) throws {
        let configuration = try configuration()
        let server = try TestServer { $0.credentials = ["api": configuration] }
        let response = try server.send("PUT", path, body)
        #expect(response.status == status)
        #expect(!response.body.contains("canary"))
        if let pointer {
            #expect(
                try JSONValue.parse(response.body)["errors"]?[0]?["pointer"]?.stringValue == pointer
            )
        }
        #expect(try get(server)["state"] == "empty")
    }

    @Test("Other upstreams are not found, other kinds and sizes of bodies are not read")
    func others() throws {
        let configuration = try configuration()
        let server = try TestServer { $0.credentials = ["api": configuration] }
        for method in ["GET", "PUT", "DELETE"] {
            let body = method == "PUT" ? #"{"accessToken":"x"}"# : nil
            let response = try server.send(method, "/v1/_upstreams/other/credential", body)
            #expect(response.status == 404)
        }
        #expect(
            try server.send("PUT", path, "accessToken=x", headers: ["Content-Type: text/plain"])
                .status == 415)
        let large = #"{"accessToken":"\#(String(repeating: "x", count: 70_000))"}"#
        #expect(try server.send("PUT", path, large).status == 413)
        #expect(try server.send("POST", path, "{}").status == 405)
        #expect(try server.send("GET", path + "?x=1").status == 400)
    }

    @Test("Durations and nulls are taken")
    func forms() throws {
        let configuration = try configuration()
        let server = try TestServer { $0.credentials = ["api": configuration] }
        for body in [
            #"{"accessToken":"x","expiresIn":"1h"}"#, #"{"accessToken":"x","expiresIn":0.5}"#,
            #"{"accessToken":"x","expiresIn":null,"refreshToken":null}"#,
            #"{"accessToken":"x","expiresIn":1e300}"#,
        ] {
            #expect(try server.send("PUT", path, body).status == 200, "\(body)")
        }
        #expect(try get(server)["version"] == 4)
    }

    @Test("A configuration read anew keeps the tokens of what is unchanged")
    func reload() throws {
        let configuration = try configuration()
        var settings = ServeSettings.standard
        let server = try TestServer {
            $0.credentials = ["api": configuration]
            settings = $0
        }
        #expect(try server.send("PUT", path, #"{"accessToken":"x"}"#).status == 200)
        server.server.reload(settings)
        #expect(try get(server)["version"] == 1)
        settings.credentials["api"]?.scope = "other"
        server.server.reload(settings)
        #expect(try get(server)["state"] == "empty")
        settings.credentials = [:]
        server.server.reload(settings)
        #expect(try server.send("GET", path).status == 404)
    }

    @Test("An upstream that goes on until the next start keeps its credential until then")
    func goneUpstream() throws {
        let configuration = try configuration()
        let base = try #require(UpstreamBase("http://127.0.0.1:9"))
        var settings = ServeSettings.standard
        let server = try TestServer {
            $0.upstreams = [UpstreamSettings(name: "api", base: base)]
            $0.credentials = ["api": configuration]
            settings = $0
        }
        #expect(try server.send("PUT", path, #"{"accessToken":"x"}"#).status == 200)
        settings.upstreams = []
        settings.credentials = [:]
        server.server.reload(settings)
        #expect(try get(server)["version"] == 1)
        // Where it will be is not yet where it is.
        let elsewhere = try #require(UpstreamBase("http://127.0.0.1:10"))
        settings.upstreams = [UpstreamSettings(name: "api", base: elsewhere)]
        settings.credentials = ["api": try self.configuration { $0.scope = "other" }]
        server.server.reload(settings)
        #expect(try get(server)["version"] == 1)
        settings.upstreams = [UpstreamSettings(name: "api", base: base)]
        server.server.reload(settings)
        #expect(try get(server)["state"] == "empty")
    }
}
