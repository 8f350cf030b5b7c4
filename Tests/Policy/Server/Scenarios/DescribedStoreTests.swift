import FreshetBase
import FreshetConfig
import FreshetJSON
import Testing

@testable import FreshetServer

/// What `GET /v1/_store` tells of a store, beside what is on the disk and what others tell.
@Suite struct DescribedStoreTests {
    private static let members = [
        "state", "reason", "durability", "directory", "format", "epoch", "revision",
        "durableRevision", "entities", "liveBytes", "files", "snapshot", "scrub", "memoryErrors",
        "space", "writes", "backup", "recovery",
    ]

    private func told(_ server: TestServer) throws -> JSONValue {
        let answer = try server.send("GET", "/v1/_store")
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.header("Cache-Control") == "no-store")
        let told = try JSONValue.parse(answer.body)
        #expect(told.objectValue?.map(\.name) == Self.members)
        return told
    }

    private func write(_ ids: ClosedRange<Int>, to server: TestServer) throws {
        for id in ids {
            let answer = try server.send("PUT", "/v1/t/\(id)", "{\"text\":\"number \(id)\"}")
            #expect(answer.status == 201)
        }
    }

    private func names(_ told: JSONValue, _ kind: String) -> [String] {
        files(told).filter { $0["kind"] == .string(kind) }.compactMap { $0["name"]?.stringValue }
    }

    private func files(_ told: JSONValue) -> [JSONValue] { told["files"]?.arrayValue ?? [] }

    /// Files of the folder by their names, and each size.
    private func compare(_ told: JSONValue, _ folder: DataFolder) {
        let present = folder.names(in: "/data").filter {
            $0.hasSuffix(".fs") || $0.hasSuffix(".fl") || $0.hasPrefix("MANIFEST-")
        }
        let aside = folder.names(in: "/data/aside").map { "aside/\($0)" }
        let named = files(told).compactMap { $0["name"]?.stringValue }
        #expect(named.sorted() == (present + aside).sorted())
        for file in files(told) {
            let name = file["name"]?.stringValue ?? ""
            #expect(file["bytes"]?.intValue == folder.size(of: name), "\(name)")
        }
    }

    private func metric(_ name: String, _ server: TestServer) throws -> Int? {
        try server.send("GET", "/metrics").body.split(separator: "\n")
            .first { $0.hasPrefix("freshet_\(name) ") }
            .flatMap { Int($0.split(separator: " ")[1]) }
    }

    @Test("Files, figures and the disk agree, before and behind a snapshot and a scrub")
    func figures() throws {
        let folder = try DataFolder()
        let server = try folder.server()
        try write(1...5, to: server)
        #expect(try server.send("POST", "/v1/_store/compact").status == 200)
        try write(6...9, to: server)
        let before = try told(server)
        compare(before, folder)
        #expect(before["state"] == "ready" && before["durability"] == "full")
        #expect(before["directory"] == .string(folder.path + "/data"))
        #expect(before["revision"] == 9 && before["durableRevision"] == 9)
        #expect(before["entities"] == 9 && before["format"] == "1.0")
        let bytes = try (1...9).reduce(0) {
            try $0 + server.send("GET", "/v1/t/\($1)").body.utf8.count { $0 != 0x0A }
        }
        #expect(before["liveBytes"]?.intValue == bytes)
        let active = files(before).filter { $0["active"] == true }
        #expect(active.count == 1 && active.first?["firstSeq"] == 6)
        #expect(active.first?["lastSeq"] == 9)
        let snapshot = try #require(before["snapshot"])
        #expect(snapshot["seq"] == 5 && snapshot["running"] == .null)
        #expect(
            snapshot["bytes"]?.intValue
                == names(before, "snapshot").last.flatMap { folder.size(of: $0) })
        #expect(snapshot["dueAtLogBytes"]?.intValue == 64 << 20)
        #expect(try metric("store_snapshot_bytes", server) == snapshot["bytes"]?.intValue)
        let writes = try #require(before["writes"])
        for (name, metric) in [
            ("commits", "store_commits_total"), ("batches", "store_batches_total"),
            ("syncs", "store_syncs_total"),
        ] {
            #expect(try writes[name]?.intValue == self.metric(metric, server), "\(name)")
        }
        #expect(before["scrub"]?["last"] == .null && before["scrub"]?["passes"] == 0)

        let scrub = try JSONValue.parse(server.send("POST", "/v1/_store/scrub").body)
        let behind = try told(server)
        #expect(files(behind).allSatisfy { $0["state"] == "good" && $0["verifiedAt"] != .null })
        #expect(behind["scrub"]?["passes"] == 1 && behind["scrub"]?["running"] == .null)
        #expect(behind["scrub"]?["last"]?["bytes"] == scrub["bytes"])
        #expect((behind["space"]?["free"]?.intValue ?? 0) > 0)
        #expect(behind["recovery"] == before["recovery"] && before["recovery"]?["commits"] == 0)
    }

    @Test("A damaged file is shown where it is set aside")
    func damage() throws {
        let folder = try DataFolder()
        let server = try folder.server()
        try write(1...5, to: server)
        #expect(try server.send("POST", "/v1/_store/compact").status == 200)
        try write(6...7, to: server)
        let name = try #require(names(try told(server), "snapshot").last)
        try folder.damage(name, at: 150)
        #expect(try server.send("POST", "/v1/_store/scrub").status == 200)
        let told = try told(server)
        compare(told, folder)
        #expect(names(told, "aside") == ["aside/\(name)"])
        #expect(told["scrub"]?["damages"] == 1 && told["snapshot"]?["seq"] == 7)
        #expect(told["state"] == "ready")
    }

    @Test("A store in memory has no files, and no figures of any")
    func memory() throws {
        let server = try TestServer { $0.storage = .memory }
        try write(1...3, to: server)
        let told = try told(server)
        #expect(told["durability"] == "memory" && told["entities"] == 3 && told["revision"] == 3)
        for name in [
            "directory", "format", "durableRevision", "snapshot", "scrub", "space", "recovery",
        ] {
            #expect(told[name] == .null, "\(name)")
        }
        #expect(told["files"] == [] && told["writes"]?["commits"] == 3)
        #expect(told["backup"] == ["running": 0, "last": .null])
    }

    @Test("The last backup is told, with who took it")
    func backup() throws {
        let folder = try DataFolder()
        let access = try AccessScene.settings(AccessScene.standard)
        let server = try folder.server { $0.access = access }
        _ = try server.ask("root", "PUT", "/v1/t/1", "{}")
        #expect(try server.ask("root", "GET", "/v1/_backup").status == 200)
        // The client may have all of it before the server knows.
        var last: JSONValue?
        repeat {
            last = try JSONValue.parse(server.ask("root", "GET", "/v1/_store").body)["backup"]
        } while last?["last"] == .null || last?["running"] != 0
        let backup = try #require(last?["last"])
        #expect(backup["outcome"] == "done" && backup["by"] == "root" && backup["seq"] == 1)
        #expect((backup["bytes"]?.intValue ?? 0) > 4_096)

        let record = BackupRecord()
        record.begin(by: nil)?.end(seq: 9, bytes: 100, isWhole: false)
        let held = [record.begin(by: "ci"), record.begin(by: "ci")]
        #expect(record.begin(by: "ci") == nil && held.count == 2)
        var body = ByteBuffer()
        record.append(to: &body)
        let shown = try JSONValue.parse([UInt8](body.bytes))
        #expect(shown["running"] == 2 && shown["last"]?["outcome"] == "aborted")
        #expect(shown["last"]?["by"] == .null && shown["last"]?["bytes"] == 100)
        withExtendedLifetime(held) {}
    }

    @Test("Only administrators are told, and parameters are refused")
    func refusals() throws {
        let server = try AccessScene.server()
        #expect(try server.ask("writer", "GET", "/v1/_store").status == 403)
        #expect(try server.ask(nil, "GET", "/v1/_store").status == 401)
        #expect(try server.ask("root", "GET", "/v1/_store?files=1").status == 400)
        let other = try server.ask("root", "GET", "/v1/_store", headers: ["Accept: text/html"])
        #expect(other.status == 406)
        let links = try JSONValue.parse(server.ask("root", "GET", "/v1").body)["links"]
        #expect(links?["store"] == "/v1/_store")
    }
}

extension JSONValue {
    fileprivate var intValue: Int? { int64Value.map { Int($0) } }
}
