import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetLogDrivers

@Suite(
    "The tail of a shared log on etcd",
    .enabled(if: EtcdCluster.program != nil, "etcd is missing; .ci/run installs it (etcd-server)"))
struct EtcdTailTests {
    @Test("What is there is told first, then what comes, each record before its head")
    func order() async throws {
        try await offPool {
            let log = try SharedEtcd.log("order")
            var head = try log.fill(1...150)
            let events = TailEvents()
            let tail = log.tail(from: 3, events.take)
            events.wait(forHead: bytes("h150"))
            for seq in UInt64(151)...250 {
                head = try log.append(
                    record(seq, "r\(seq)"), head: bytes("h\(seq)"), expecting: head)
            }
            head = try log.append(nil, head: bytes("beat"), expecting: head)
            let all = events.wait(forHead: bytes("beat"))
            tail.cancel()
            #expect(all.records == (UInt64(3)...250).map { record($0, "r\($0)") })
            #expect(all.heads == (150...250).map { bytes("h\($0)") } + [bytes("beat")])
            #expect(all.troubles.isEmpty)
            for (index, event) in all.enumerated() {
                guard case .record(let record) = event, record.seq > 150 else { continue }
                #expect(Array(all[(index + 1)...].prefix(1)).heads == [bytes("h\(record.seq)")])
            }
            guard case .head(let last) = all.last else { return #expect(Bool(false)) }
            #expect(last == head)
        }
    }

    @Test("Parts are not told, and records of megabytes are")
    func large() async throws {
        try await offPool {
            let log = try SharedEtcd.log("largeTail")
            let start = try log.append(nil, head: bytes("h0"), expecting: nil)
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            events.wait(forHead: bytes("h0"))
            let large = [UInt8](repeating: 0xA5, count: log.recordLimit)
            let part = LogRecord(seq: 1, part: .init(record: "x", number: 1), bytes: large)
            _ = try log.append(part, head: nil, expecting: start)
            let whole = LogRecord(seq: 1, bytes: large)
            _ = try log.append(whole, head: bytes("h1"), expecting: start)
            #expect(events.wait(forHead: bytes("h1")).records == [whole])
            tail.cancel()
        }
    }

    @Test("Keys of somebody's among the records are passed by, however many")
    func strays() async throws {
        try await offPool {
            let log = try SharedEtcd.log("strays")
            func put(_ name: String) throws {
                let request = EtcdText.make {
                    $0.add("key", bytes: bytes("\(log.settings.address.prefix)/log/\(name)"))
                    $0.add("value", bytes: bytes("anything"))
                }
                _ = try log.nodes.change("/v3/kv/put", request)
            }
            for name in ["", "0", "hello", "4000000000000000", "ffffffffffffffff"] { try put(name) }
            var head = try log.fill(1...3)
            for number in 100..<500 { try put("0000000000000002/x\(number)") }
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            events.wait(forHead: bytes("h3"))
            for name in ["00000000000000zz", "7fffffffffffffff", "fffffffffffffffe"] {
                try put(name)
            }
            head = try log.append(record(4, "r4"), head: bytes("h4"), expecting: head)
            let all = events.wait(forHead: bytes("h4"))
            tail.cancel()
            let records = (UInt64(1)...4).map { record($0, "r\($0)") }
            #expect(all.records == records && all.troubles.isEmpty)
            var found: [LogRecord] = []
            while found.count < 4 {
                found += try log.read(from: UInt64(found.count + 1), limit: 10)
            }
            #expect(found == records)
        }
    }

    @Test("A tail of a log that nobody has made tells its first head")
    func nothing() async throws {
        try await offPool {
            let log = try SharedEtcd.log("nothing")
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            try log.fill(1...1)
            let all = events.wait(forHead: bytes("h1"))
            tail.cancel()
            #expect(all.records == [record(1, "r1")])
        }
    }

    @Test("Who takes no more gets no more, nor does who cancels")
    func ends() async throws {
        try await offPool {
            let log = try SharedEtcd.log("ends")
            let head = try log.fill(1...5)
            let refusing = TailEvents(limit: 3)
            let cancelled = TailEvents()
            let other = TailEvents()
            let first = log.tail(from: 1, refusing.take)
            let second = log.tail(from: 1, cancelled.take)
            let third = log.tail(from: 1, other.take)
            cancelled.wait(forHead: bytes("h5"))
            second.cancel()
            let seen = cancelled.all.count
            _ = try log.append(nil, head: bytes("h6"), expecting: head)
            other.wait(forHead: bytes("h6"))
            refusing.wait { $0.count == 3 }
            #expect(refusing.all.count == 3)
            #expect(cancelled.all.count == seen)
            for tail in [first, third] { tail.cancel() }
        }
    }

    @Test("A silent log is asked for again, and nothing is told twice but the head")
    func silence() async throws {
        try await offPool {
            let log = try SharedEtcd.log("silence") { $0.silence = .milliseconds(200) }
            let head = try log.fill(1...3)
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            events.wait { $0.heads.count == 3 }
            guard case .unknown(let text) = events.all.troubles.first else {
                Issue.record("no trouble")
                return
            }
            #expect(text.contains("nothing was heard"), "\(text)")
            _ = try log.append(record(4, "r4"), head: bytes("h4"), expecting: head)
            let all = events.wait(forHead: bytes("h4"))
            tail.cancel()
            #expect(all.records.map(\.seq) == [1, 2, 3, 4])
        }
    }

    @Test("A history that is compacted away under a tail is read anew")
    func compaction() async throws {
        try await offPool {
            let cluster = try EtcdCluster(2)
            var settings = try EtcdLog.Settings(EtcdAddress("etcd://\(cluster.places)/tests"))
            settings.silence = .milliseconds(300)
            let log = try EtcdLog(settings)
            var head = try log.fill(1...3)
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            events.wait(forHead: bytes("h3"))
            for seq in UInt64(4)...9 {
                head = try log.append(
                    record(seq, "r\(seq)"), head: bytes("h\(seq)"), expecting: head)
            }
            events.wait(forHead: bytes("h9"))
            try log.compact(at: head.revision)
            _ = try log.append(record(10, "r10"), head: bytes("h10"), expecting: head)
            let all = events.wait(forHead: bytes("h10"))
            tail.cancel()
            #expect(all.records.map(\.seq) == Array(1...10))
        }
    }

    @Test("The next node tells what a node that dies or freezes cannot", arguments: [true, false])
    func failover(isKilled: Bool) async throws {
        try await offPool {
            let cluster = try EtcdCluster(3)
            var settings = try EtcdLog.Settings(EtcdAddress("etcd://\(cluster.places)/tests"))
            settings.silence = .milliseconds(1_000)
            let log = try EtcdLog(settings)
            try log.fill(1...3)
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            events.wait(forHead: bytes("h3"))
            // The first of the list is asked first.
            isKilled ? cluster.kill(0) : cluster.freeze(0)
            for seq in UInt64(4)...6 {
                while true {
                    // As a leader does: what is not known is found out, what failed is repeated.
                    guard let head = try? log.head() else { continue }
                    if head.bytes == bytes("h\(seq)") { break }
                    _ = log.trouble(record(seq, "r\(seq)"), "h\(seq)", expecting: head)
                }
            }
            let all = events.wait(forHead: bytes("h6"))
            tail.cancel()
            if !isKilled { cluster.thaw(0) }
            #expect(all.records == (UInt64(1)...6).map { record($0, "r\($0)") })
            #expect(!all.troubles.isEmpty)
        }
    }
}
