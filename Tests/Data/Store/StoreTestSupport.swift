import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

/// Shorthand for what every test needs.
enum Make {
    static func type(_ name: String) -> TypeName {
        guard let type = TypeName(name) else { preconditionFailure("no type name: \(name)") }
        return type
    }

    static func id(_ text: String) throws -> EntityID { try EntityID(text) }

    static func document(_ json: String) throws -> Document {
        var builder = DocumentBuilder()
        return try Array(json.utf8).withUnsafeBytes { bytes in
            try builder.build(json: bytes, id: .fromBody)
        }
    }

    static func set(
        _ type: String, _ json: String, _ condition: WriteCondition = .none
    ) throws -> WriteOperation {
        .set(Make.type(type), try document(json), condition)
    }

    static func merge(
        _ type: String, _ id: String, _ patch: String, _ condition: WriteCondition = .none
    ) throws -> WriteOperation {
        .merge(Make.type(type), try Make.id(id), patch: Array(patch.utf8), condition)
    }

    static func remove(
        _ type: String, _ id: String, _ condition: WriteCondition = .none
    ) throws -> WriteOperation {
        .remove(Make.type(type), try Make.id(id), condition)
    }
}

extension Document {
    var text: String { String(decoding: json, as: UTF8.self) }
}

/// Time that stands still until a test moves it.
final class ManualClock: StoreClock {
    private let now = Counter()
    private let wall = Counter()

    init() {
        now.set(1_000_000_000_000)
        wall.set(1_700_000_000_000)
    }

    var instant: MonotonicInstant { MonotonicInstant(nanoseconds: UInt64(now.value)) }
    var wallTime: WallTime { WallTime(milliseconds: Int64(wall.value)) }

    func advance(milliseconds: Int) {
        now.add(milliseconds * 1_000_000)
        wall.add(milliseconds)
    }
}

/// Keeps every change that it hears of, and checks that seqs never go back.
final class Recorder: CommitObserver {
    private let lock = Lock()
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var heard: [Change] = []

    func committed(_ changes: [Change]) {
        lock.withLock { heard.append(contentsOf: changes) }
    }

    var changes: [Change] { lock.withLock { heard } }
}

extension EntityStore {
    /// Submits and waits.
    func submitted(_ transaction: Transaction) -> WriteOutcome {
        let reply = AwaitedValue<WriteOutcome>()
        submit(transaction) { reply.give($0) }
        (self as? FileStore)?.runIfStepped()
        return reply.wait()
    }

    func submitted(_ operations: WriteOperation...) -> WriteOutcome {
        guard let transaction = Transaction(operations: operations) else { return .closed }
        return submitted(transaction)
    }

    /// All entities as `type/id` → JSON.
    var contents: [String: String] {
        var contents: [String: String] = [:]
        for (name, table) in views().types {
            table.forEach { contents["\(name)/\($0.id)"] = $0.text }
        }
        return contents
    }

    /// Point reads, trees and, in a file store, the log must tell the same.
    func checkConsistency(sourceLocation: SourceLocation = #_sourceLocation) {
        for (name, table) in views().types {
            var count = 0
            table.forEach { document in
                count += 1
                let found = self.document(name, document.id)
                #expect(
                    found?.revision == document.revision && found?.text == document.text,
                    sourceLocation: sourceLocation)
                let byBytes = self.document(name, idBytes: document.idBytes)
                #expect(byBytes?.revision == document.revision, sourceLocation: sourceLocation)
                #expect(document.revision <= seq, sourceLocation: sourceLocation)
            }
            #expect(count == table.count, sourceLocation: sourceLocation)
        }
    }
}

extension FileStore {
    var identity: StoreIdentity { keeper.identity }

    func compact(between: @escaping () -> Void) throws(StoreError) -> CompactionReport {
        try keeper.compact(between: between)
    }

    func runIfStepped() {
        if isStepped { runQueue() }
    }
}

extension WriteOutcome {
    var receipt: WriteReceipt? {
        if case .done(let receipt) = self { receipt } else { nil }
    }

    var isStorageFull: Bool {
        if case .storageFull = self { true } else { false }
    }

    /// A short name for comparisons.
    var name: String {
        switch self {
        case .done(let receipt): receipt.changed ? "changed" : "unchanged"
        case .rejected(let operation, let rejection):
            switch rejection {
            case .preconditionFailed, .unwanted: "precondition-failed@\(operation)"
            case .exists: "exists@\(operation)"
            case .notFound: "not-found@\(operation)"
            case .invalid: "invalid@\(operation)"
            case .tooLarge: "too-large@\(operation)"
            case .tooMuchWork: "too-much-work@\(operation)"
            case .repeated: "repeated@\(operation)"
            case .entityTooLarge: "entity-too-large@\(operation)"
            case .tooManyEntities: "too-many@\(operation)"
            case .tooManyTypes: "too-many-types@\(operation)"
            case .forbidden: "forbidden@\(operation)"
            case .unauthenticated: "unauthenticated@\(operation)"
            }
        case .storageFull: "full"
        case .storageFailed(let unknown): unknown ? "unknown" : "not-applied"
        case .notLeader: "not-leader"
        case .logAway(let unknown): unknown ? "log-away-unknown" : "log-away"
        case .logFull: "log-full"
        case .overloaded: "overloaded"
        case .closed: "closed"
        }
    }
}

/// Options and helpers for stores on simulated files.
enum Simulated {
    static func options() -> FileStoreOptions {
        var options = FileStoreOptions(directory: "data")
        options.isStepped = true
        options.reserve = 0
        options.allocationStep = 4_096
        options.zeroStep = 1_024
        options.lowSpace = 0
        options.writerVersion = "test"
        return options
    }

    static func open(
        _ files: SimulatedFileSystem, _ options: FileStoreOptions = options(),
        clock: any StoreClock = ManualClock(), observer: (any CommitObserver)? = nil
    ) throws(StoreError) -> FileStore {
        try FileStore.open(
            options, files: files, observer: observer, log: Log(level: .error, descriptor: -1),
            clock: clock)
    }
}

extension Simulated {
    /// nil where the log is found damaged.
    static func openUnlessDamaged(_ files: SimulatedFileSystem) throws -> FileStore? {
        switch Result(catching: { () throws(StoreError) in try open(files) }) {
        case .success(let store): return store
        case .failure(.damaged(_, let damages)):
            #expect(!damages.isEmpty)
            return nil
        case .failure(let error): throw error
        }
    }
}

/// A directory of its own in the place for temporary files, removed at the end.
final class TemporaryDirectory {
    let path: String

    init() {
        var template = Array("/tmp/freshet-store-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { preconditionFailure("no temporary directory") }
        path = String(cString: made)
    }

    deinit {
        Self.empty(path)
        rmdir(path)
    }

    private static func empty(_ path: String) {
        guard let stream = opendir(path) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let child = path + "/" + name
            if unlink(child) != 0 {
                empty(child)
                rmdir(child)
            }
        }
    }
}

extension StoreKeeper {
    /// A backup of now, on the thread that has the commit right.
    func backupBytes() throws -> [UInt8] {
        let source = try source(of: pinnedHere())
        var buffer = ByteBuffer(capacity: source.length)
        while buffer.count < source.length { try source.read(into: &buffer, atMost: 1 << 20) }
        return Array(buffer.bytes)
    }
}
