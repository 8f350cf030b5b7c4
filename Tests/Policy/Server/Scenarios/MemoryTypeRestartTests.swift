import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetServer
import FreshetStore
import Testing

// One type in memory beside types in files: what a restart means for the cursors of each.

@Suite struct MemoryTypeRestartTests {
    private func server(_ folder: DataFolder, memory: [String] = ["m"]) throws -> TestServer {
        let types = try memory.map { try declaredType($0, #"{"store":"memory"}"#) }
        return try folder.server { $0.types = types }
    }

    private func put(_ server: TestServer, _ path: String) throws -> String {
        let answer = try server.send("PUT", "/v1/\(path)", #"{"n":1}"#)
        return try #require(answer.header("Freshet-Cursor"))
    }

    private func epoch(_ cursor: String) -> String {
        String(cursor.prefix { $0 != "." })
    }

    private func seq(_ cursor: String) throws -> Int {
        try #require(Int(cursor.dropFirst(epoch(cursor).count + 1)))
    }

    /// The first event behind `hello`.
    private func first(
        _ server: TestServer, _ target: String, after cursor: String
    ) throws -> TestEvent {
        let stream = try TestStream(server, target, lastEventID: cursor)
        _ = try stream.next()
        return try stream.next()
    }

    /// The cursor that a stream of `target` has at first.
    private func cursor(_ server: TestServer, _ target: String) throws -> String {
        let stream = try TestStream(server, target)
        var event = try stream.next()
        while event.id == nil { event = try stream.next() }
        return try #require(event.id)
    }

    @Test func aCleanRestartKeepsTheCursorsOfTypesInFiles() throws {
        let folder = try DataFolder()
        var server = try server(folder)
        _ = try put(server, "t/1")
        _ = try put(server, "m/1")
        let ofFiles = try cursor(server, "/v1/t?live=delta")
        let ofMemory = try cursor(server, "/v1/m?live=delta")
        let ofBoth = try cursor(server, "/v1/_live?q.t=/v1/t&q.m=/v1/m")
        let left = try put(server, "m/2")
        server.server.stop()
        server = try self.server(folder)
        // Nothing has happened to the rows in files, and the epoch is the same.
        let sync = try first(server, "/v1/t?live=delta", after: ofFiles)
        #expect(sync.name == "sync" && sync.id.map(epoch) == epoch(ofFiles))
        for cursor in [ofMemory, ofMemory.split(separator: ".").prefix(2).joined(separator: ".")] {
            let event = try first(server, "/v1/m?live=delta", after: cursor)
            #expect(event.name == "snapshot" && event.data.contains(#""why":"epoch""#))
            #expect(event.data.contains(#""items":[]"#))
        }
        // A seq that a commit in memory had is not given again.
        let next = try put(server, "t/2")
        #expect(epoch(next) == epoch(left))
        let given = try seq(left)
        #expect(try seq(next) == given + 1)
        let delta = try first(server, "/v1/t?live=delta", after: ofFiles)
        #expect(delta.name == "delta" && delta.data.contains(#""id":"2""#))
        // Of both on one connection: a delta for the one, a snapshot for the other, one `sync`.
        let stream = try TestStream(
            server, "/v1/_live?q.t=/v1/t&q.m=/v1/m", lastEventID: ofBoth)
        var names: [String: String] = [:]
        var event = try stream.next()
        while event.name != "sync" {
            if let alias = try JSONValue.parse(event.data)["q"]?.stringValue {
                names[alias] = event.name
            }
            event = try stream.next()
        }
        #expect(names == ["t": "delta", "m": "snapshot"])
        // And from a cursor of after the start both go on where they were.
        _ = try put(server, "m/9")
        let held = try #require(event.id)
        let later = try first(server, "/v1/m?live=delta", after: held)
        #expect(later.name == "delta" && later.data.contains(#""id":"9""#))
    }

    @Test func aKillMakesANewEpochSinceItsSeqsMayHaveBeenShown() throws {
        let folder = try DataFolder()
        let server = try server(folder)
        _ = try put(server, "t/1")
        let held = try cursor(server, "/v1/t?live=delta")
        _ = try put(server, "m/1")
        let next = try self.server(try folder.leftBehind())
        let event = try first(next, "/v1/t?live=delta", after: held)
        #expect(event.name == "snapshot" && event.data.contains(#""why":"epoch""#))
    }

    @Test func aTypeThatMovesToMemoryAndBackLeavesNoCursorGood() throws {
        let folder = try DataFolder()
        var server = try server(folder, memory: [])
        _ = try put(server, "m/1")
        for memory in [["m"], []] {
            let held = try cursor(server, "/v1/m?live=delta")
            server.server.stop()
            server = try self.server(folder, memory: memory)
            let left = try #require(server.server.store.disk?.recovery.leftInLog)
            #expect(
                left.map(\.type.text) == memory && left.map(\.entities) == memory.map { _ in 1 })
            let event = try first(server, "/v1/m?live=delta", after: held)
            #expect(event.name == "snapshot" && event.data.contains(#""why":"epoch""#))
            // Hidden and told of; then there again.
            #expect(event.data.contains(#""id":"1""#) == memory.isEmpty)
        }
    }
}
