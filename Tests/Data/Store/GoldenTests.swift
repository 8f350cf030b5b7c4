import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

/// Data directories as earlier versions of this program wrote them, opened by this one.
///
/// They stand in Tests/Golden, one folder per format version and kind, each with a file `expected`:
/// the seq, then every entity with its revision. They are never changed: a version that writes
/// another format adds its own. They were made by
///
///     FRESHET_GOLDEN=Tests/Golden/1.0 swift test --filter GoldenTests
///
/// which makes those that are missing there, and leaves the others alone.
@Suite struct GoldenTests {
    private static let root: String = {
        let parts = String(#filePath).split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/") + "/Golden"
    }()

    /// What a directory was when it was left.
    enum Kind: String, CaseIterable {
        /// Two snapshots, a short log, closed.
        case generations
        /// A log alone, of several segments, closed.
        case segments
        /// Left without a close: no mark behind the last frame.
        case left
        /// A frame that was being written when the power went.
        case torn
        /// Commits of types in memory between the others, and an end without a close.
        case gaps
    }

    @Test(arguments: ["1.0"], Kind.allCases)
    func aDirectoryOfThisAndEveryEarlierFormatIsReadExactly(
        _ version: String, _ kind: Kind
    ) throws {
        let source = "\(Self.root)/\(version)/\(kind.rawValue)"
        let expected = try #require(Self.read("\(source)/expected"), "\(source) is missing")
        let temporary = TemporaryDirectory()
        let copy = temporary.path + "/data"
        mkdir(copy, 0o700)
        for name in Self.list(source) where name != "expected" {
            let bytes = try #require(Self.read("\(source)/\(name)"))
            try Self.write(bytes, to: "\(copy)/\(name)")
        }
        let report = try StoreVerifier.verify(directory: copy)
        #expect(report.isIntact && (report.torn != nil) == (kind == .torn))
        for _ in 0..<2 {
            var options = FileStoreOptions(directory: copy)
            options.reserve = 0
            options.makesDirectory = false
            let store = try FileStore.open(options, log: Log(level: .error, descriptor: -1))
            #expect(Self.text(of: store) == String(decoding: expected, as: UTF8.self))
            #expect(store.recovery.fallback == [])
            store.checkConsistency()
            store.close()
        }
    }

    // MARK: How they were made

    @Test(.enabled(if: getenv("FRESHET_GOLDEN") != nil))
    func makeThoseThatAreMissing() throws {
        let place = String(cString: try #require(getenv("FRESHET_GOLDEN")))
        for kind in Kind.allCases where access("\(place)/\(kind.rawValue)", F_OK) != 0 {
            try Self.make(kind, at: "\(place)/\(kind.rawValue)")
        }
    }

    private static func make(_ kind: Kind, at path: String) throws {
        var options = Simulated.options()
        options.directory = path
        options.segmentLength = kind == .segments ? 1_024 : 64 << 10
        options.allocationStep = 512
        options.writerVersion = "golden 1.0"
        if kind == .gaps { options.memoryTypes = [Make.type("cache")] }
        let store = try FileStore.open(
            options, log: Log(level: .error, descriptor: -1), clock: ManualClock())
        try fill(store, kind)
        let expected = text(of: store)
        switch kind {
        case .generations, .segments:
            store.close()
        case .left, .torn, .gaps:
            // The process goes on, but touches the files no more.
            break
        }
        if kind == .torn {
            let name = LogFormat.segmentName(1)
            var bytes = try #require(read("\(path)/\(name)"))
            let end = (bytes.lastIndex { $0 != 0 } ?? 0) / 8 * 8 + 8
            let part = Array(bytes[(end - 96)..<(end - 40)])
            bytes.replaceSubrange(end..<min(end + part.count, bytes.count), with: part)
            try write(bytes, to: "\(path)/\(name)")
        }
        unlink("\(path)/LOCK")
        rmdir("\(path)/aside")
        try write(Array(expected.utf8), to: "\(path)/expected")
    }

    private static func fill(_ store: FileStore, _ kind: Kind) throws {
        func submit(_ operations: WriteOperation...) {
            guard
                let transaction = Transaction(
                    operations: operations, tokenName: "ci", idempotencyKey: Array("key".utf8))
            else { return }
            #expect(store.submitted(transaction).receipt != nil)
        }
        submit(try Make.set("task", #"{"id":7,"n":123456789012345678901234567890.10,"s":"ä😀\n"}"#))
        submit(try Make.set("task", #"{"id":"b","z":{"b":[1,2,{}],"a":null}}"#))
        submit(
            try Make.set("user", #"{"id":"u/1"}"#), try Make.set("task", #"{"id":"c"}"#),
            try Make.remove("task", "b"))
        if kind == .gaps { submit(try Make.set("cache", #"{"id":1}"#)) }
        let ticket = store.beginFetch(nil)
        submit(.refresh(Make.type("task"), try Make.document(#"{"id":"fetched","n":1}"#), ticket))
        submit(try Make.merge("task", "c", #"{"n":1.50,"t":true}"#))
        if kind == .generations { _ = try store.compact() }
        submit(try Make.set("task", #"{"id":"d"}"#))
        var transaction = Transaction(try Make.set("user", #"{"id":"u/2","n":2}"#))
        transaction.companion = Note()
        _ = store.submitted(transaction)
        if kind == .generations { _ = try store.compact() }
        if kind == .gaps { submit(try Make.set("cache", #"{"id":2}"#)) }
        submit(try Make.remove("user", "u/1"))
        for index in 0..<(kind == .segments ? 20 : 2) {
            submit(try Make.set("task", "{\"id\":\"e\",\"text\":\"0123456789\",\"n\":\(index)}"))
        }
    }

    /// Writes an entity of the service's own.
    private final class Note: CommitCompanion {
        func companions(of changes: ArraySlice<Change>) -> [(type: TypeName, document: Document)] {
            guard let document = try? Make.document(#"{"id":"note","n":1}"#) else { return [] }
            return [(.internal("note"), document)]
        }
    }

    // MARK: What is compared

    /// The seq, then one line per entity of types that are in files.
    private static func text(of store: FileStore) -> String {
        var lines = ["seq \(store.seq)"]
        for (name, table) in store.views().types where name.text != "cache" {
            table.forEach { document in
                let fetched = document.isFetched ? " fetched" : ""
                lines.append("\(name) \(document.revision)\(fetched) \(document.text)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return bytes
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "we"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}
