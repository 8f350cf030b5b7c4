import FreshetConfig
import FreshetJSON
import FreshetServer
import FreshetStore
import FreshetTestSupport
import Glibc
import Testing

// Cursors over a restart (storage.md, P9): a server on files is left as a killed one leaves them, and
// the next one on those files must bring each client, by one event, to what its search answers.

/// A new folder for data, removed at the end.
final class DataFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/freshet-restart-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    deinit { remove() }

    private var names: [String] { names(in: "/data") }

    /// - Parameter folder: `/data`, or one in it.
    func names(in folder: String) -> [String] {
        guard let folder = opendir(path + folder) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// What a process that is killed now leaves behind.
    func leftBehind() throws -> DataFolder {
        let copy = try DataFolder()
        mkdir(copy.path + "/data", 0o700)
        for name in names {
            let source = open(path + "/data/" + name, O_RDONLY)
            let target = open(copy.path + "/data/" + name, O_WRONLY | O_CREAT, 0o600)
            guard source >= 0, target >= 0 else { continue }
            defer {
                close(source)
                close(target)
            }
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            while true {
                let count = read(source, &buffer, buffer.count)
                guard count > 0 else { break }
                try #require(write(target, buffer, count) == count)
            }
        }
        return copy
    }

    /// nil where there is no such file.
    func size(of name: String) -> Int? {
        var status = stat()
        return stat(path + "/data/" + name, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Changes a bit of a file, as a disk does that forgets.
    func damage(_ name: String, at offset: Int) throws {
        let file = open(path + "/data/" + name, O_RDWR)
        try #require(file >= 0)
        defer { close(file) }
        var byte: UInt8 = 0
        try #require(pread(file, &byte, 1, offset) == 1)
        byte ^= 0x20
        try #require(pwrite(file, &byte, 1, offset) == 1)
    }

    private func remove() {
        for name in names(in: "/data/aside") { unlink(path + "/data/aside/" + name) }
        for name in names { unlink(path + "/data/" + name) }
        rmdir(path + "/data/aside")
        rmdir(path + "/data")
        rmdir(path)
    }

    func server(_ change: (inout ServeSettings) -> Void = { _ in }) throws -> TestServer {
        try TestServer { settings in
            settings.storage = .directory(path + "/data")
            settings.durability = .full
            change(&settings)
        }
    }
}

@Suite struct RestartTests {
    private static let queries = [
        "order=-n", "filter=a==1&order=n", "filter=a>=2+and+n<4&limit=3&offset=1",
        "filter=n+in+(1,3,5)&count=true", "ids=4,k3,1", "limit=2&filter=s=='x'&order=-a,n",
        "filter=a==9", "aggregate=count&filter=a==1",
    ]

    private func write(
        _ count: Int, _ random: inout SocketGenerator, to connection: TestConnection
    ) throws {
        for _ in 0..<count {
            let number = random.below(16)
            let id = number % 3 == 0 ? "k\(number)" : "\(number)"
            if random.below(4) == 0 {
                _ = try connection.send("DELETE", "/v1/t/\(id)")
            } else {
                _ = try connection.send(
                    "PUT", "/v1/t/\(id)",
                    "{\"a\":\(random.below(4)),\"n\":\(random.below(6)),"
                        + "\"s\":\"\(["x", "y", "Z"][random.below(3)])\"}")
            }
        }
    }

    /// What was held: by a stream, whose cursor has a digest, or from a search, whose has none.
    private struct Held {
        let query: String
        let cursor: String
        let state: ReducedState
    }

    private func hold(_ query: String, _ server: TestServer) throws -> [Held] {
        let stream = try TestStream(server, "/v1/t?live=delta&\(query)")
        var state = ReducedState()
        var event = try stream.next()
        while event.id == nil {
            try state.apply(event)
            event = try stream.next()
        }
        try state.apply(event)
        let cursor = try #require(event.id)
        let bare = cursor.split(separator: ".").prefix(2).joined(separator: ".")
        return [cursor, bare].map { Held(query: query, cursor: $0, state: state) }
    }

    @Test func aCursorOfBeforeAKillGetsOneNetChange() throws {
        let first = TestSeed.first
        var deltas = 0
        var syncs = 0
        // What changes between a cursor and the kill is of no matter to some of the queries.
        let isEnough = { deltas > 10 && syncs > 4 }
        for round in Rounds(1, until: isEnough) {
            let outcome = try restart(seed: first &+ UInt64(round))
            deltas += outcome.deltas
            syncs += outcome.syncs
        }
        #expect(isEnough(), "first seed \(first): \(deltas) deltas, \(syncs) syncs")
    }

    /// One life of a server, and one behind a kill.
    ///
    /// - Returns: How many cursors got a delta, and how many were up to date.
    private func restart(seed: UInt64) throws -> (deltas: Int, syncs: Int) {
        print("restart: seed \(seed)")
        var random = SocketGenerator(state: seed)
        let folder = try DataFolder()
        let server = try folder.server()
        let writer = try server.connect()
        var held: [Held] = []
        for _ in 0..<4 {
            try write(10, &random, to: writer)
            for query in Self.queries { held += try hold(query, server) }
        }
        try write(8, &random, to: writer)
        let left = try folder.leftBehind()
        let next = try left.server()
        var deltas = 0
        var syncs = 0
        for entry in held {
            let stream = try TestStream(
                next, "/v1/t?live=delta&\(entry.query)", lastEventID: entry.cursor)
            var state = entry.state
            var event = try stream.next()
            while event.id == nil {
                try state.apply(event)
                event = try stream.next()
            }
            try state.apply(event)
            let answer = try next.send("GET", "/v1/t?\(entry.query)").body
            if let items = try JSONValue.parse(answer)["items"]?.text {
                #expect(
                    state.text == items, "seed \(seed): \(entry.query) from \(entry.cursor)")
            }
            #expect(!event.data.contains("\"why\":\"epoch\""), "seed \(seed): the data is the same")
            if event.name == "delta" { deltas += 1 }
            if event.name == "sync" { syncs += 1 }
        }
        return (deltas, syncs)
    }

    @Test func whatIsNotRetainedOverARestartIsASnapshot() throws {
        let folder = try DataFolder()
        let server = try folder.server()
        _ = try server.send("PUT", "/v1/t/1", #"{"a":1}"#)
        let held = try hold("order=id", server)
        for number in 2...9 {
            _ = try server.send("PUT", "/v1/t/\(number)", #"{"a":1}"#)
        }
        let next = try folder.leftBehind().server { $0.limits.history = 4 }
        for entry in held {
            let stream = try TestStream(
                next, "/v1/t?live=delta&\(entry.query)", lastEventID: entry.cursor)
            _ = try stream.next()
            let event = try stream.next()
            #expect(event.name == "snapshot" && event.data.contains(#""why":"retention""#))
        }
    }
}
