import FreshetBase
import Glibc

@testable import FreshetStore

/// A seeded source of randomness (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

/// Files in memory that know what a disk would still have after a power loss.
///
/// Each file has its content as programs see it, the content that is synced, and the writes between
/// the two; each directory the same of its names. A crash keeps any subset of the unsynced writes,
/// each whole, torn, or with some of its sectors only, and any prefix of the unsynced changes of
/// names. A sync that fails forgets the unsynced writes and leaves them in the cache, as Linux does.
final class SimulatedFileSystem: FileSystem {
    fileprivate enum Pending {
        case write(offset: Int, bytes: [UInt8])
        case truncate(Int)
        case extend(Int)

        func apply(to content: inout [UInt8]) {
            switch self {
            case .write(let offset, let bytes):
                if content.count < offset + bytes.count {
                    content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
                }
                content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            case .truncate(let size):
                if content.count > size {
                    content.removeLast(content.count - size)
                } else {
                    content += [UInt8](repeating: 0, count: size - content.count)
                }
            case .extend(let size):
                if content.count < size {
                    content += [UInt8](repeating: 0, count: size - content.count)
                }
            }
        }
    }

    fileprivate struct File {
        var content: [UInt8] = []
        var synced: [UInt8] = []
        var pending: [Pending] = []
    }

    fileprivate struct Directory {
        var names: [String: Int] = [:]
        var synced: [String: Int] = [:]
        /// Later states of `names`, oldest first.
        var pending: [[String: Int]] = []
    }

    /// What a call meets in place of its work.
    struct Fault {
        let call: String
        /// Counted from 1 among the calls of that name since the fault was set.
        let occurrence: Int
        let code: CInt
    }

    fileprivate struct State {
        var files: [Int: File] = [:]
        /// Bytes that the disk does not give any more, by file.
        var unreadable: [Int: Range<Int>] = [:]
        var directories: [Int: Directory] = [:]
        var paths: [String: Int] = [:]
        var handles: [CInt: Int] = [:]
        var locks: [Int: CInt] = [:]
        var nextNode = 1
        var nextHandle: CInt = 3
        var calls = 0
        var counts: [String: Int] = [:]
        var crashAt = Int.max
        var hasCrashed = false
        var faults: [Fault] = []
        var capacity = Int.max
        var shortWrites = false
        var random: Seeded
        /// The sync under way is one that fails.
        var failedSync = false
    }

    private let lock = Lock()
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var state: State

    init(seed: UInt64) {
        state = State(random: Seeded(seed))
    }

    // MARK: What a test sets and asks

    var calls: Int { lock.withLock { state.calls } }

    /// How often a call was made.
    func count(of call: String) -> Int { lock.withLock { state.counts[call, default: 0] } }

    /// Every call after `count` of them in all fails: the process is dead.
    func crash(after count: Int) { lock.withLock { state.crashAt = count } }

    var hasCrashed: Bool { lock.withLock { state.hasCrashed } }

    func fail(_ call: String, occurrence: Int = 1, code: CInt) {
        lock.withLock {
            let before = state.counts[call, default: 0]
            state.faults.append(
                Fault(call: call, occurrence: before + occurrence, code: code))
        }
    }

    /// Forgets the faults that were set. - Returns: Whether one was met.
    @discardableResult
    func heal() -> Bool {
        lock.withLock {
            defer { state.faults = [] }
            return state.faults.contains { state.counts[$0.call, default: 0] >= $0.occurrence }
        }
    }

    func setCapacity(_ bytes: Int) { lock.withLock { state.capacity = bytes } }

    func writeShort() { lock.withLock { state.shortWrites = true } }

    var usedBytes: Int { lock.withLock { Self.used(state) } }

    /// The content of a file as programs see it.
    func content(of name: String, in path: String = "data") -> [UInt8]? {
        lock.withLock {
            guard let node = state.paths[path], let file = state.directories[node]?.names[name]
            else { return nil }
            return state.files[file]?.content
        }
    }

    func names(in path: String = "data") -> [String] {
        lock.withLock {
            guard let node = state.paths[path] else { return [] }
            return state.directories[node]?.names.keys.sorted() ?? []
        }
    }

    /// Puts `bytes` in the place of a file's content, synced.
    func replace(_ name: String, with bytes: [UInt8], in path: String = "data") {
        lock.withLock {
            guard let node = state.paths[path], let file = state.directories[node]?.names[name]
            else { return }
            state.files[file] = File(content: bytes, synced: bytes)
        }
    }

    /// Makes a file, or another in its place.
    func put(_ name: String, _ bytes: [UInt8], in path: String) throws(StoreError) {
        do throws(SystemFault) {
            let directory = try openDirectory(path: path, creating: true)
            defer { close(directory) }
            let file = try open(name, in: directory, .make)
            defer { close(file) }
            try truncate(file, to: 0)
            try writeAll(file, bytes, at: 0)
        } catch {
            throw .system(directory: path, error)
        }
    }

    /// Every read of any byte in `range` fails from now on.
    func makeUnreadable(_ name: String, _ range: Range<Int>, in path: String = "data") {
        lock.withLock {
            guard let node = state.paths[path], let file = state.directories[node]?.names[name]
            else { return }
            state.unreadable[file] = range
        }
    }

    func delete(_ name: String, in path: String = "data") {
        lock.withLock {
            guard let node = state.paths[path] else { return }
            state.directories[node]?.names[name] = nil
            state.directories[node]?.synced[name] = nil
        }
    }

    /// The machine after a power loss (or, `keepingCache`, the death of the process alone).
    func restarted(seed: UInt64, keepingCache: Bool = false) -> SimulatedFileSystem {
        let next = SimulatedFileSystem(seed: seed)
        lock.withLock {
            var random = Seeded(seed)
            var copy = State(random: Seeded(seed &+ 1))
            copy.nextNode = state.nextNode
            copy.paths = state.paths
            for (node, file) in state.files.sorted(by: { $0.key < $1.key }) {
                if keepingCache {
                    copy.files[node] = file
                    continue
                }
                var content = file.synced
                for pending in file.pending where Bool.random(using: &random) {
                    for part in Self.torn(pending, &random) { part.apply(to: &content) }
                }
                copy.files[node] = File(content: content, synced: content)
            }
            for (node, directory) in state.directories.sorted(by: { $0.key < $1.key }) {
                var kept = directory
                if !keepingCache {
                    let states = [directory.synced] + directory.pending
                    kept.names = states[Int.random(in: 0..<states.count, using: &random)]
                    kept.synced = kept.names
                    kept.pending = []
                }
                copy.directories[node] = kept
            }
            next.state = copy
        }
        return next
    }

    /// What the disk has of a write that was not synced.
    private static func torn(_ pending: Pending, _ random: inout Seeded) -> [Pending] {
        guard case .write(let offset, let bytes) = pending, Bool.random(using: &random) else {
            return [pending]
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            // Its sectors reach the disk in any order: some of them, anywhere in it.
            var parts: [Pending] = []
            var start = 0
            while start < bytes.count {
                let end = min((offset + start) / 512 * 512 + 512 - offset, bytes.count)
                if Bool.random(using: &random) {
                    parts.append(
                        .write(offset: offset + start, bytes: Array(bytes[start..<end])))
                }
                start = end
            }
            return parts
        }
        // At a sector of the disk, or, as some do, anywhere.
        var end = Int.random(in: 0...bytes.count, using: &random)
        if Bool.random(using: &random) { end = max(0, (offset + end) / 512 * 512 - offset) }
        return [.write(offset: offset, bytes: Array(bytes[..<min(end, bytes.count)]))]
    }

    private static func used(_ state: State) -> Int {
        let live = Set(state.directories.values.flatMap { $0.names.values })
        return state.files.reduce(0) { $0 + (live.contains($1.key) ? $1.value.content.count : 0) }
    }

    // MARK: Calls

    private func call<Value>(
        _ call: String, _ name: String = "file",
        _ body: (inout State) throws(SystemFault) -> Value
    ) throws(SystemFault) -> Value {
        try lock.withLock { () throws(SystemFault) -> Value in
            if state.hasCrashed { throw SystemFault(call, name, EIO) }
            state.calls += 1
            state.counts[call, default: 0] += 1
            if state.calls > state.crashAt {
                state.hasCrashed = true
                throw SystemFault(call, name, EIO)
            }
            let occurrence = state.counts[call, default: 0]
            if let fault = state.faults.first(where: {
                $0.call == call && $0.occurrence == occurrence
            }) {
                if call == "syncData" || call == "sync" { state.failedSync = true }
                defer { state.failedSync = false }
                if call == "syncData" || call == "sync" { _ = try? body(&state) }
                throw SystemFault(call, name, fault.code)
            }
            return try body(&state)
        }
    }

    private static func node(
        _ state: State, _ handle: FileHandle
    ) throws(SystemFault) -> Int {
        guard let node = state.handles[handle.number] else {
            throw SystemFault("handle", "file", EBADF)
        }
        return node
    }

    private static func handle(_ state: inout State, _ node: Int) -> FileHandle {
        state.nextHandle += 1
        state.handles[state.nextHandle] = node
        return FileHandle(number: state.nextHandle)
    }

    func openDirectory(path: String, creating: Bool) throws(SystemFault) -> FileHandle {
        try call("openDirectory", path) { state throws(SystemFault) in
            // `data/NAME` is in the directory `data`, where there is one.
            if let slash = path.lastIndex(of: "/"),
                let parent = state.paths[String(path[..<slash])]
            {
                let name = String(path[path.index(after: slash)...])
                if let node = state.directories[parent]?.names[name] {
                    guard state.directories[node] != nil else {
                        throw SystemFault("open", path, ENOTDIR)
                    }
                    return Self.handle(&state, node)
                }
                guard creating else { throw SystemFault("open", path, ENOENT) }
                state.directories[parent]?.names[name] = state.nextNode
                state.directories[parent]?.note()
                state.directories[state.nextNode] = Directory()
                state.nextNode += 1
                return Self.handle(&state, state.nextNode - 1)
            }
            if state.paths[path] == nil {
                guard creating else { throw SystemFault("open", path, ENOENT) }
                state.paths[path] = state.nextNode
                state.directories[state.nextNode] = Directory()
                state.nextNode += 1
            }
            return Self.handle(&state, state.paths[path] ?? 0)
        }
    }

    func openDirectory(_ name: String, in directory: FileHandle) throws(SystemFault) -> FileHandle {
        try call("openDirectory", name) { state throws(SystemFault) in
            let parent = try Self.node(state, directory)
            guard let node = state.directories[parent]?.names[name] else {
                throw SystemFault("openat", name, ENOENT)
            }
            return Self.handle(&state, node)
        }
    }

    func makeDirectory(_ name: String, in directory: FileHandle) throws(SystemFault) {
        try call("makeDirectory", name) { state throws(SystemFault) in
            let parent = try Self.node(state, directory)
            if state.directories[parent]?.names[name] != nil {
                throw SystemFault("mkdirat", name, EEXIST)
            }
            state.directories[state.nextNode] = Directory()
            state.directories[parent]?.names[name] = state.nextNode
            state.directories[parent]?.note()
            state.nextNode += 1
        }
    }

    func list(_ directory: FileHandle) throws(SystemFault) -> [String] {
        try call("list") { state throws(SystemFault) in
            let node = try Self.node(state, directory)
            return state.directories[node]?.names.keys.sorted() ?? []
        }
    }

    func open(
        _ name: String, in directory: FileHandle, _ mode: OpenMode
    ) throws(SystemFault) -> FileHandle {
        try call("open", name) { state throws(SystemFault) in
            let parent = try Self.node(state, directory)
            if let node = state.directories[parent]?.names[name] {
                return Self.handle(&state, node)
            }
            guard mode == .make else {
                throw SystemFault("openat", name, ENOENT)
            }
            state.files[state.nextNode] = File()
            state.directories[parent]?.names[name] = state.nextNode
            state.directories[parent]?.note()
            state.nextNode += 1
            return Self.handle(&state, state.nextNode - 1)
        }
    }

    func close(_ file: FileHandle) {
        lock.withLock {
            if let node = state.handles[file.number], state.locks[node] == file.number {
                state.locks[node] = nil
            }
            state.handles[file.number] = nil
        }
    }

    func size(_ file: FileHandle) throws(SystemFault) -> Int {
        try call("size") { state throws(SystemFault) in
            state.files[try Self.node(state, file)]?.content.count ?? 0
        }
    }

    func read(
        _ file: FileHandle, into bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemFault) -> Int {
        try call("read") { state throws(SystemFault) in
            let node = try Self.node(state, file)
            let content = state.files[node]?.content ?? []
            guard offset < content.count else { return 0 }
            let count = min(bytes.count, content.count - offset)
            if let gone = state.unreadable[node], gone.overlaps(offset..<offset + count) {
                throw SystemFault("pread", "file", EIO)
            }
            bytes.copyBytes(from: content[offset..<offset + count])
            return count
        }
    }

    func write(
        _ file: FileHandle, _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(SystemFault) -> Int {
        try call("write") { state throws(SystemFault) in
            let node = try Self.node(state, file)
            var count = bytes.count
            if state.shortWrites && count > 1 {
                if Int.random(in: 0..<4, using: &state.random) == 0 {
                    throw SystemFault("pwrite", "file", EINTR)
                }
                count = Int.random(in: 1...count, using: &state.random)
            }
            let size = state.files[node]?.content.count ?? 0
            let room = state.capacity == .max ? .max : state.capacity - Self.used(state)
            let growth = max(0, offset + count - size)
            if growth > room {
                count -= growth - max(0, room)
                if count <= 0 { throw SystemFault("pwrite", "file", ENOSPC) }
            }
            let part = Array(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            state.change(node, .write(offset: offset, bytes: part))
            return count
        }
    }

    func syncData(_ file: FileHandle) throws(SystemFault) {
        try call("syncData") { state throws(SystemFault) in try Self.sync(&state, file) }
    }

    func sync(_ file: FileHandle) throws(SystemFault) {
        try call("sync") { state throws(SystemFault) in try Self.sync(&state, file) }
    }

    private static func sync(_ state: inout State, _ file: FileHandle) throws(SystemFault) {
        let node = try Self.node(state, file)
        if state.directories[node] != nil {
            if !state.failedSync { state.directories[node]?.settle() }
            return
        }
        guard var synced = state.files.removeValue(forKey: node) else { return }
        if !state.failedSync {
            // What an earlier failed sync forgot stays lost, although the cache still shows it.
            for pending in synced.pending { pending.apply(to: &synced.synced) }
        }
        synced.pending = []
        state.files[node] = synced
    }

    func truncate(_ file: FileHandle, to size: Int) throws(SystemFault) {
        try call("truncate") { state throws(SystemFault) in
            state.change(try Self.node(state, file), .truncate(size))
        }
    }

    func allocate(_ file: FileHandle, offset: Int, count: Int) throws(SystemFault) {
        try call("allocate") { state throws(SystemFault) in
            let node = try Self.node(state, file)
            let size = state.files[node]?.content.count ?? 0
            let growth = max(0, offset + count - size)
            if state.capacity != .max && growth > state.capacity - Self.used(state) {
                throw SystemFault("posix_fallocate", "file", ENOSPC)
            }
            state.change(node, .extend(offset + count))
        }
    }

    func rename(
        _ name: String, in directory: FileHandle, to newName: String, in newDirectory: FileHandle
    ) throws(SystemFault) {
        try call("rename", name) { state throws(SystemFault) in
            let from = try Self.node(state, directory)
            let to = try Self.node(state, newDirectory)
            guard let node = state.directories[from]?.names[name] else {
                throw SystemFault("renameat", name, ENOENT)
            }
            state.directories[from]?.names[name] = nil
            state.directories[to]?.names[newName] = node
            state.directories[to]?.note()
        }
    }

    func link(
        _ name: String, in directory: FileHandle, to newName: String, in newDirectory: FileHandle
    ) throws(SystemFault) {
        try call("link", name) { state throws(SystemFault) in
            let from = try Self.node(state, directory)
            let to = try Self.node(state, newDirectory)
            guard let node = state.directories[from]?.names[name] else {
                throw SystemFault("linkat", name, ENOENT)
            }
            guard state.directories[to]?.names[newName] == nil else {
                throw SystemFault("linkat", newName, EEXIST)
            }
            state.directories[to]?.names[newName] = node
            state.directories[to]?.note()
        }
    }

    func remove(_ name: String, in directory: FileHandle) throws(SystemFault) {
        try call("remove", name) { state throws(SystemFault) in
            let node = try Self.node(state, directory)
            guard state.directories[node]?.names.removeValue(forKey: name) != nil else {
                throw SystemFault("unlinkat", name, ENOENT)
            }
            state.directories[node]?.note()
        }
    }

    func removeDirectory(_ name: String, in directory: FileHandle) throws(SystemFault) {
        try call("removeDirectory", name) { state throws(SystemFault) in
            let parent = try Self.node(state, directory)
            guard let node = state.directories[parent]?.names[name],
                state.directories[node]?.names.isEmpty == true
            else { throw SystemFault("unlinkat", name, ENOTEMPTY) }
            state.directories[parent]?.names[name] = nil
            state.directories[parent]?.note()
        }
    }

    func lockDirectory(_ directory: FileHandle) -> Bool { true }

    func lock(_ file: FileHandle, exclusive: Bool) throws(SystemFault) -> Bool {
        try call("lock") { state throws(SystemFault) in
            let node = try Self.node(state, file)
            if state.locks[node] != nil { return false }
            state.locks[node] = file.number
            return true
        }
    }

    func space(_ directory: FileHandle) throws(SystemFault) -> FreeSpace {
        try call("space") { state throws(SystemFault) in
            if state.capacity == .max { return FreeSpace(free: 1 << 50, total: 1 << 50) }
            return FreeSpace(
                free: max(0, state.capacity - Self.used(state)), total: state.capacity)
        }
    }

    func dropCache(_ file: FileHandle) {
        lock.withLock {
            guard let node = state.handles[file.number], let known = state.files[node],
                known.pending.isEmpty
            else { return }
            state.files[node]?.content = known.synced
        }
    }

    func stopReadingAhead(_ file: FileHandle) {}

    func kind(of path: String) -> FileSystemKind? { nil }
}

extension SimulatedFileSystem.State {
    fileprivate mutating func change(_ node: Int, _ pending: SimulatedFileSystem.Pending) {
        guard var file = files.removeValue(forKey: node) else { return }
        pending.apply(to: &file.content)
        file.pending.append(pending)
        files[node] = file
    }
}

extension SimulatedFileSystem.Directory {
    fileprivate mutating func note() {
        pending.append(names)
    }

    fileprivate mutating func settle() {
        synced = names
        pending = []
    }
}
