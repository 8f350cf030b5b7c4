import FreshetBase
import FreshetEngine
import FreshetLogDrivers
import FreshetQuery
import FreshetStore
import Glibc

/// The shared log on the etcd that `FRESHET_LOG_URL` names, `etcd://127.0.0.1:2379/bench`: commits a
/// second of a replica with 64 writers, beside a bare loop of appends of frames of 64 commits as
/// large, in turns; and how soon another replica shows a commit, beside its acknowledgement. The
/// prefixes are new ones below the one that is named; what is written stays there.
func benchmarkLog(_: Samples) {
    guard let url = getenv("FRESHET_LOG_URL").map({ String(cString: $0) }) else {
        print("log: set FRESHET_LOG_URL to an etcd, etcd://127.0.0.1:2379/bench")
        return
    }
    var template = Array("/tmp/freshet-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil, let type = TypeName("package") else { return }
    let folder = template.withUnsafeBytes {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    defer { remove(folder: folder) }
    do {
        let prefix = "\(url)-\(getpid())"
        let leader = try replica("a", at: prefix, in: folder)
        defer { leader.close() }
        while leader.state.role != .leader { usleep(10_000) }
        try compareRates(leader, of: type, against: EtcdLog(.init(EtcdAddress("\(prefix)-bare"))))
        // Not before: the bare loop has nobody who watches it either.
        let follower = try replica("b", at: prefix, in: folder)
        defer { follower.close() }
        while !follower.state.hasJoined { usleep(10_000) }
        compareDelays(leader, follower, of: type)
    } catch {
        print("the log cannot be measured here: \(error)")
    }
}

private func replica(_ name: String, at url: String, in folder: String) throws -> ReplicaStore {
    try ReplicaStore.open(
        FileStoreOptions(directory: "\(folder)/\(name)"), ReplicaSettings(replica: name),
        log: EtcdLog(.init(EtcdAddress(url))), logger: Log(level: .error))
}

private func compareRates(
    _ store: ReplicaStore, of type: TypeName, against bare: EtcdLog
) throws(LogTrouble) {
    var head = try bare.append(nil, head: [0], expecting: try bare.head())
    var own: [Double] = []
    var raw: [Double] = []
    for _ in 0..<5 {
        let before = store.replicaFigures
        own.append(commits(of: store, type, for: .seconds(2)))
        let after = store.replicaFigures
        let commits = max(1, after.commits - before.commits)
        let frames = max(1, after.appends - before.appends)
        report("commits a frame", Double(commits) / Double(frames), "")
        let size = (after.bytes - before.bytes) / commits
        raw.append(try appends(to: bare, &head, size * 64, for: .seconds(2)) * 64)
    }
    let (rate, bound) = (own.sorted()[2], raw.sorted()[2])
    report("commits over etcd, 64 writers", rate, "/s")
    report("bare appends of 64 commits", bound, "/s")
    report("share of the bare loop", rate / bound, "×")
}

/// Appends a second of records of so many bytes.
private func appends(
    to log: EtcdLog, _ head: inout LogValue, _ size: Int, for span: Duration
) throws(LogTrouble) -> Double {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    // As long as a replica's.
    let padding = [UInt8](repeating: 0x61, count: 300)
    let start = MonotonicInstant.now
    var count = 0
    while MonotonicInstant.now - start < span {
        count += 1
        let seq = head.revision + 1
        head = try log.append(
            LogRecord(seq: seq, bytes: bytes), head: padding + Array(String(seq).utf8),
            expecting: head)
    }
    return Double(count) / ((MonotonicInstant.now - start) / .seconds(1))
}

/// Commits a second of 64 writers, each of which waits for its answer.
private func commits(of store: ReplicaStore, _ type: TypeName, for span: Duration) -> Double {
    let done = Counter()
    let open = Counter()
    let start = MonotonicInstant.now
    @Sendable func write(_ lane: Int) {
        guard MonotonicInstant.now - start < span,
            let transaction = change(type, "w\(lane)", done.value)
        else {
            open.add(-1)
            return
        }
        store.submit(transaction) { outcome in
            if case .done = outcome { done.add() }
            write(lane)
        }
    }
    open.add(64)
    for lane in 0..<64 { write(lane) }
    while open.value > 0 { usleep(1_000) }
    return Double(done.value) / ((MonotonicInstant.now - start) / .seconds(1))
}

private func change(_ type: TypeName, _ id: String, _ number: Int) -> Transaction? {
    var builder = DocumentBuilder()
    var text =
        "{\"id\":\"\(id)\",\"n\":\(number),\"at\":\"\(MonotonicInstant.now.nanoseconds)\"}"
    let document = text.withUTF8 {
        try? builder.build(json: UnsafeRawBufferPointer($0), id: .fromBody)
    }
    return document.map { Transaction(.set(type, $0, .none)) }
}

/// One writer: when its commit is acknowledged, and when the other replica shows it.
private func compareDelays(_ leader: ReplicaStore, _ follower: ReplicaStore, of type: TypeName) {
    var acknowledged: [Duration] = []
    var shown: [Duration] = []
    for number in 0..<2_000 {
        guard let transaction = change(type, "one", number) else { return }
        let (answer, sight) = (Counter(), Counter())
        let start = MonotonicInstant.now
        follower.wait(for: leader.cursor.seq + 1, within: .seconds(10)) { _ in
            sight.set(Int(MonotonicInstant.now.nanoseconds))
        }
        leader.submit(transaction) { _ in answer.set(Int(MonotonicInstant.now.nanoseconds)) }
        while answer.value == 0 || sight.value == 0 { usleep(50) }
        acknowledged.append(MonotonicInstant(nanoseconds: UInt64(answer.value)) - start)
        shown.append(MonotonicInstant(nanoseconds: UInt64(sight.value)) - start)
    }
    let median = { (all: [Duration]) in all.sorted()[all.count / 2] / .microseconds(1) }
    report("acknowledged, p50", median(acknowledged), "µs")
    report("shown by a follower, p50", median(shown), "µs")
    report("shown against acknowledged", median(shown) / median(acknowledged), "×")
}
