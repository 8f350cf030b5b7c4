import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetLogDrivers

@Suite(
    "A shared log on etcd",
    .enabled(if: EtcdCluster.program != nil, "etcd is missing; .ci/run installs it (etcd-server)"))
struct EtcdLogTests {
    @Test("There is no head before the first, and one alone makes it")
    func first() async throws {
        try await offPool {
            let log = try SharedEtcd.log("first")
            #expect(try log.head() == nil)
            let made = try log.append(nil, head: bytes("h0"), expecting: nil)
            #expect(made.bytes == bytes("h0") && made.revision > 0)
            #expect(try log.head() == made)
            #expect(log.trouble(nil, "h0", expecting: nil) == .conflict)
        }
    }

    @Test("A step is made if the head is what was seen last, by value and by revision")
    func steps() async throws {
        try await offPool {
            let log = try SharedEtcd.log("steps")
            let zero = try log.append(nil, head: bytes("h0"), expecting: nil)
            let one = try log.append(record(1, "a"), head: bytes("h1"), expecting: zero)
            #expect(one.revision > zero.revision)
            for stale in [
                zero, LogValue(bytes: bytes("h2"), revision: one.revision),
                LogValue(bytes: one.bytes, revision: one.revision + 1),
            ] {
                #expect(log.trouble(record(2, "x"), "hx", expecting: stale) == .conflict)
            }
            #expect(try log.head() == one)
            // The same value put again has another revision.
            let again = try log.append(nil, head: bytes("h1"), expecting: one)
            #expect(again.bytes == one.bytes && again.revision > one.revision)
            #expect(try log.read(from: 1, limit: 10) == [record(1, "a")])
        }
    }

    @Test("Records come in order, from the one that is asked for, as many as are asked for")
    func reads() async throws {
        try await offPool {
            let log = try SharedEtcd.log("reads")
            let seqs: [UInt64] = [1, 2, 9, 10, 16, 255, 256, 1 << 40]
            try log.fill(seqs)
            #expect(try log.read(from: 1, limit: 100).map(\.seq) == seqs)
            #expect(try log.read(from: 9, limit: 3).map(\.seq) == [9, 10, 16])
            #expect(try log.read(from: 9, limit: 1) == [record(9, "r9")])
            #expect(try log.read(from: 1 << 40, limit: 1).map(\.seq) == [1 << 40])
            #expect(try log.read(from: 1 << 41, limit: 1) == [])
            // A hole is none of the engine's business.
            #expect(try log.read(from: 3, limit: 1).map(\.seq) == [9])
        }
    }

    @Test("Records of more bytes than one answer carries are read all the same")
    func largeReads() async throws {
        try await offPool {
            let log = try SharedEtcd.log("largeReads")
            var head = try log.append(nil, head: bytes("h0"), expecting: nil)
            let large = (0..<log.recordLimit).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
            var records = [record(1, "small")]
            for seq in UInt64(2)...6 { records.append(LogRecord(seq: seq, bytes: large)) }
            for record in records {
                head = try log.append(record, head: bytes("h\(record.seq)"), expecting: head)
            }
            var read: [LogRecord] = []
            while true {
                let next = try log.read(from: (read.last?.seq ?? 0) + 1, limit: 64)
                if next.isEmpty { break }
                read += next
            }
            #expect(read == records)
            #expect(try log.read(from: 2, limit: 1) == [records[1]])
        }
    }

    @Test("Parts come behind their record, all of them, whatever the limit")
    func parts() async throws {
        try await offPool {
            let log = try SharedEtcd.log("parts")
            let head = try log.append(nil, head: bytes("h0"), expecting: nil)
            // Parts of one that was never finished, and of one that was.
            for name in ["dead", "live"] {
                for number in 1...11 {
                    let part = LogRecord(
                        seq: 5, part: .init(record: name, number: number), bytes: [UInt8(number)])
                    #expect(try log.append(part, head: nil, expecting: head) == head)
                }
            }
            #expect(try log.head() == head)
            let next = try log.append(record(5, "5"), head: bytes("h5"), expecting: head)
            _ = try log.append(record(6, "6"), head: bytes("h6"), expecting: next)
            for limit in [1, 2, 5, 30] {
                let read = try log.read(from: 5, limit: limit).filter { $0.seq == 5 }
                #expect(read.count == 23)
                #expect(read.first == record(5, "5"))
                let live = read.filter { $0.part?.record == "live" }
                #expect(live.allSatisfy { $0.bytes == [UInt8($0.part?.number ?? 0)] })
                #expect(Set(live.map(\.bytes)).count == 11)
            }
            // A part expects a head as well.
            let late = LogRecord(seq: 7, part: .init(record: "late", number: 1), bytes: [1])
            #expect(log.trouble(late, nil, expecting: head) == .conflict)
        }
    }

    @Test("What is truncated is said to be, with the first seq that is left")
    func truncation() async throws {
        try await offPool {
            let log = try SharedEtcd.log("truncation")
            let head = try log.fill(1...20)
            try log.truncate(below: 17)
            let truncated = trouble { () throws(LogTrouble) in try log.read(from: 16, limit: 1) }
            #expect(truncated == .truncated(floor: 17))
            #expect(try log.read(from: 17, limit: 9).map(\.seq) == [17, 18, 19, 20])
            #expect(try log.head() == head)
        }
    }

    @Test("A request that etcd finds too large is refused")
    func tooLarge() async throws {
        try await offPool {
            let log = try SharedEtcd.log("tooLarge")
            let head = try log.append(nil, head: bytes("h0"), expecting: nil)
            let large = LogRecord(seq: 1, bytes: [UInt8](repeating: 7, count: 1_700_000))
            guard case .refused(let text) = log.trouble(large, "h1", expecting: head) else {
                Issue.record("not refused")
                return
            }
            #expect(text.contains("request is too large"), "\(text)")
            #expect(try log.head() == head)
        }
    }

    @Test("Where nobody listens nothing was sent: away, and the next node is asked")
    func away() async throws {
        try await offPool {
            let dead = "127.0.0.1:\(ServerPort.free())"
            var settings = try EtcdLog.Settings(EtcdAddress("etcd://\(dead)/tests/away"))
            let away = try EtcdLog(settings)
            guard case .away(let text) = away.trouble(nil, "h0", expecting: nil) else {
                Issue.record("not away")
                return
            }
            #expect(text.hasPrefix("\(dead): "), "\(text)")
            settings.address = try EtcdAddress(
                "etcd://\(dead),\(SharedEtcd.one.get().places)/tests/away")
            let log = try EtcdLog(settings)
            #expect(try log.append(nil, head: bytes("h0"), expecting: nil).bytes == bytes("h0"))
        }
    }

    @Test("A node without a leader has proposed nothing: away")
    func noQuorum() async throws {
        try await offPool {
            let cluster = try EtcdCluster(3)
            var settings = try EtcdLog.Settings(EtcdAddress("etcd://\(cluster.places)/tests"))
            settings.timeout = .seconds(120)
            let log = try EtcdLog(settings)
            let head = try log.append(nil, head: bytes("h0"), expecting: nil)
            cluster.kill(0)
            cluster.kill(1)
            // The one that is left takes some time to find out; what it takes until then is open.
            var seen: LogTrouble?
            for _ in 0..<10 {
                seen = log.trouble(record(1, "a"), "h1", expecting: head)
                if case .away = seen { break }
            }
            guard case .away(let text) = seen else {
                Issue.record("not away: \(String(describing: seen))")
                return
            }
            #expect(text.contains("no leader"), "\(text)")
        }
    }
}
