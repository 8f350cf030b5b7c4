import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore
import Glibc

/// The file store on a real disk, in a folder of its own under TMPDIR: how fast its log is scanned
/// and read into tables, what a synced commit takes, and how long writers wait at most beside
/// snapshots and without them.
func benchmarkDisk(_ samples: Samples) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/freshet-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil, let type = TypeName("package") else { return }
    let folder = template.withUnsafeBytes {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    defer { remove(folder: folder) }
    do throws(StoreError) {
        var options = FileStoreOptions(directory: folder + "/data")
        // Snapshots are made when they are asked for.
        options.snapshotMinimum = 1 << 40
        let store = try FileStore.open(options, log: Log(level: .error))
        load(store, type, samples)
        store.close()
        let scanned = try StoreVerifier.scanLog(directory: options.directory)
        measure("log scan, verified", operations: scanned.commits, bytes: scanned.bytes, rounds: 3)
        { keep(try? StoreVerifier.scanLog(directory: options.directory)) }
        measure("log into tables", operations: samples.lines.count, bytes: scanned.bytes, rounds: 3)
        {
            guard let store = try? FileStore.open(options, log: Log(level: .error)) else { return }
            store.close()
        }
        let reopened = try FileStore.open(options, log: Log(level: .error))
        for writers in [1, 64] { commitBeside(reopened, type, writers: writers) }
        reopened.close()
    } catch {
        print("the file store cannot be measured here: \(error)")
    }
}

private func load(_ store: FileStore, _ type: TypeName, _ samples: Samples) {
    var builder = DocumentBuilder()
    var operations: [WriteOperation] = []
    let done = Gate()
    func submit() {
        guard let transaction = Transaction(operations: operations) else { return }
        operations.removeAll(keepingCapacity: true)
        done.begin()
        store.submit(transaction) { _ in done.end() }
    }
    samples.forEach { line in
        guard let document = try? builder.build(json: line, id: .fromBody) else { return }
        operations.append(.set(type, document, .none))
        if operations.count == 8 { submit() }
    }
    submit()
    done.wait()
}

/// Commits of so many writers, each waiting for its answer; rounds with snapshots, one after the
/// other, between rounds without.
private func commitBeside(_ store: FileStore, _ type: TypeName, writers: Int) {
    var quiet: [Round] = []
    var busy: [Round] = []
    for _ in 0..<7 {
        quiet.append(Round(store, type, writers: writers, compacts: false))
        busy.append(Round(store, type, writers: writers, compacts: true))
    }
    for (name, rounds) in [("", quiet), (", beside snapshots", busy)] {
        let label = "synced commit, \(writers) writer\(writers == 1 ? "" : "s")\(name)"
        report(label, rounds.map(\.rate).max() ?? 0, "/s")
        // The median of each second's longest gap: the disk has pauses of its own.
        report(label + ", longest gap", rounds.map(\.gap).sorted()[rounds.count / 2], "µs")
        if !name.isEmpty {
            report(label + ", snapshots", Double(rounds.reduce(0) { $0 + $1.snapshots }), "made")
        }
    }
}

/// One second of writing.
private struct Round {
    var rate = 0.0
    /// The longest time between two answers, µs: what a pause of the writer looks like from outside.
    var gap = 0.0
    var snapshots = 0

    init(_ store: FileStore, _ type: TypeName, writers: Int, compacts: Bool) {
        let answers = Answers()
        let lanes = (0..<writers).map { lane in
            Thread {
                var builder = DocumentBuilder()
                var number = 0
                let end = MonotonicInstant.now + .seconds(1)
                while MonotonicInstant.now < end {
                    number += 1
                    let text =
                        "{\"id\":\"w\(lane)-\(number % 100)\",\"n\":\(number),\"x\":\"\(end.nanoseconds)\"}"
                    var text8 = text
                    let document = text8.withUTF8 {
                        try? builder.build(json: UnsafeRawBufferPointer($0), id: .fromBody)
                    }
                    guard let document else { return }
                    let done = Gate()
                    done.begin()
                    store.submit(Transaction(.set(type, document, .none))) { _ in
                        answers.note()
                        done.end()
                    }
                    done.wait()
                }
            }
        }
        if compacts {
            let end = MonotonicInstant.now + .seconds(1)
            while MonotonicInstant.now < end {
                if (try? store.compact()) == nil { break }
                snapshots += 1
            }
        }
        for lane in lanes { lane.join() }
        rate = Double(answers.count)
        gap = answers.longest / .microseconds(1)
    }
}

/// Counts answers and the longest time between two. Called by the store's writer alone.
// SAFETY: its variables are read and written under `lock` only.
private final class Answers: @unchecked Sendable {
    private let lock = Lock()
    private var last: MonotonicInstant?
    private var found = (count: 0, longest: Duration.zero)

    var count: Int { lock.withLock { found.count } }
    var longest: Duration { lock.withLock { found.longest } }

    func note() {
        let now = MonotonicInstant.now
        lock.withLock {
            if let last { found.longest = max(found.longest, now - last) }
            last = now
            found.count += 1
        }
    }
}

/// Waits until all that has begun has ended.
private final class Gate: Sendable {
    private let open = Counter()
    // SAFETY: initialised here, destroyed in deinit, and a semaphore is for any thread.
    nonisolated(unsafe) private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func begin() { open.add() }

    func end() { sem_post(semaphore) }

    func wait() {
        for _ in 0..<open.value { while sem_wait(semaphore) != 0 {} }
    }
}

/// A thread that is joined.
private final class Thread {
    private var handle = pthread_t()

    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    init(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        pthread_create(
            &handle, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, work)
    }

    func join() { pthread_join(handle, nil) }
}

func remove(folder: String) {
    guard let stream = opendir(folder) else { return }
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
            tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        if unlink("\(folder)/\(name)") != 0 { remove(folder: "\(folder)/\(name)") }
    }
    closedir(stream)
    rmdir(folder)
}
