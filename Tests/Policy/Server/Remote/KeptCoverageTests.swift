import FreshetConfig
import FreshetCore
import FreshetQuery
import FreshetServer
import FreshetStore
import FreshetTestSupport
import Glibc
import Testing

/// What is known of fetches, over a restart.
@Suite struct KeptCoverageTests {
    @Test func whatWasFetchedSufficesAfterARestart() async throws {
        try await offPool {
            var template = Array("/tmp/freshet-coverage-XXXXXX".utf8CString)
            let folder = String(cString: try #require(mkdtemp(&template)))
            let type = try #require(TypeName("todo"))
            func server() throws -> (TestServer, ScriptedSource) {
                let server = try TestServer {
                    $0.storage = .directory(folder + "/data")
                    $0.durability = .full
                }
                let remote = ScriptedSource(type, [#"{"id":"b"}"#, #"{"id":"a"}"#])
                remote.set(etag: "v1")
                server.server.core.operations.remotes.replace([type: remote])
                return (server, remote)
            }
            do {
                let (first, _) = try server()
                _ = try first.send("GET", "/v1/todo?source=remote")
                _ = try first.send("GET", "/v1/todo/a?source=remote")
                _ = try first.send("PUT", "/v1/todo/c", "{}")
            }
            let (second, remote) = try server()
            let rows = try second.send("GET", "/v1/todo?source=localOrRemote&meta=true")
            #expect(rows.header("Freshet-Source") == "local")
            #expect(rows.header("Age") != nil)
            #expect(remote.calls == [])
            let items = rows.body.split(separator: #""_meta":"#).dropFirst()
            #expect(items.count == 3, "in the remote's order, ours behind: \(rows.body)")
            #expect(
                items.first?.contains(#""source":"remote","fetchedAt":"2"#) == true
                    && items.first?.contains(#""sync":"synced""#) == true)
            #expect(
                items.last?.contains(#""source":"local","fetchedAt":null,"sync":"none""#) == true)
            // What came from the remote is known as such: replace removes it, and not ours.
            remote.set(rows: [#"{"id":"a"}"#])
            remote.set(etag: nil)
            _ = try second.send("GET", "/v1/todo?source=remote&persist=replace")
            #expect(
                try second.send("GET", "/v1/todo?source=local&order=id").body
                    .contains(#""items":[{"id":"a"},{"id":"c"}]"#))
            let listed = try second.send("GET", "/v1").body + second.send("GET", "/v1/_export").body
            for name in ["_coverage", "_order", "_fetched"] { #expect(!listed.contains(name)) }
            second.server.stop()
            // The folder holds files of the log alone.
            if let entries = opendir(folder + "/data") {
                while let entry = readdir(entries) {
                    let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                        pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                            String(cString: $0)
                        }
                    }
                    unlink(folder + "/data/" + name)
                }
                closedir(entries)
            }
            rmdir(folder + "/data/aside")
            rmdir(folder + "/data")
            rmdir(folder)
        }
    }
}
