import Foundation
import Testing

@testable import FreshetRemote

/// A directory of its own, gone with the value.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("freshet-remote-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }
}

@Suite("The file of a refresh token")
struct RefreshTokenFileTests {
    private let configuration = OAuth2Configuration(
        tokenURL: .known("http://127.0.0.1:1/token"), clientID: "client", grant: .refreshToken)

    private func content(_ token: String, _ version: UInt64) -> RefreshTokenFile.Content {
        .init(refreshToken: Secret(token), version: version)
    }

    @Test("What is written is read again, by its owner only, and leaves nothing else behind")
    func roundTrip() throws {
        let directory = try TemporaryDirectory()
        let file = RefreshTokenFile(
            directory: directory.path, id: "api/é", level: 0, of: configuration)
        #expect(try file.read() == nil)
        try file.remove()
        try file.write(content("r-1 \"quoted\"", 3))
        try file.write(content("r-2", 4))
        #expect(try file.read() == content("r-2", 4))
        #expect(directory.names == ["credential-api%2f%c3%a9.json"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try file.remove()
        #expect(directory.names == [])
    }

    @Test("What a crash in the middle of a rotation leaves is the old token, or the new one")
    func crash() throws {
        let directory = try TemporaryDirectory()
        let file = RefreshTokenFile(directory: directory.path, id: "a", level: 0, of: configuration)
        try file.write(content("old", 1))
        let written = try Data(contentsOf: URL(fileURLWithPath: file.path))
        let temporary = URL(fileURLWithPath: file.path + ".new")
        for count in 0...written.count {
            try written.prefix(count).write(to: temporary)
            #expect(try file.read() == content("old", 1))
        }
        try file.write(content("new", 2))
        #expect(try file.read() == content("new", 2))
        #expect(directory.names.count == 1)
    }

    @Test("A damaged file, or one of another endpoint or client, is not used")
    func foreign() throws {
        let directory = try TemporaryDirectory()
        let file = RefreshTokenFile(directory: directory.path, id: "a", level: 0, of: configuration)
        try file.write(content("r", 1))
        var other = configuration
        other.tokenURL = .known("http://127.0.0.1:2/token")
        var another = configuration
        another.clientID = "someone else"
        for changed in [other, another] {
            let view = RefreshTokenFile(directory: directory.path, id: "a", level: 0, of: changed)
            #expect(throws: RefreshTokenFile.Fault.self) { try view.read() }
        }
        let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
        for count in 0..<whole.count {
            try whole.prefix(count).write(to: URL(fileURLWithPath: file.path))
            #expect(throws: RefreshTokenFile.Fault.self) { try file.read() }
        }
    }
}
