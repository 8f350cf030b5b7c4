import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetLogDrivers

@Suite(
    "etcd as the place of a log",
    .enabled(if: EtcdCluster.program != nil, "etcd is missing; .ci/run installs it (etcd-server)"))
struct EtcdStatusTests {
    @Test(
        "Versions whose answers are not to be trusted are refused",
        arguments: [
            ("3.4.21", true), ("3.4.23", true), ("3.4.20", false), ("3.3.27", false),
            ("2.3.8", false), ("3.5.20", true), ("3.5.19", false), ("3.5.0", false),
            ("3.6.0", true), ("3.6.0-rc.1", true), ("4.0.0", true), ("", false), ("3.4", false),
        ])
    func versions(version: String, isGood: Bool) {
        #expect((EtcdStatus.complaint(about: version) == nil) == isGood)
    }

    @Test("A start is warned of one member, of nodes that are away, and of keys of others")
    func check() async throws {
        try await offPool {
            let cluster = try EtcdCluster(flags: ["--quota-backend-bytes", "123456789"])
            let dead = "127.0.0.1:\(ServerPort.free())"
            var settings = try EtcdLog.Settings(
                EtcdAddress("etcd://\(cluster.places),\(dead)/tests/a"))
            let log = try EtcdLog(settings)
            try log.fill(1...2)
            let first = try log.check()
            #expect(first.count == 2)
            #expect(first.first?.hasPrefix("\(dead) does not answer: ") == true)
            #expect(
                first.last
                    == "etcd has 1 member: a log that outlives the loss of one needs 3")
            settings.address = try EtcdAddress("etcd://\(cluster.places)/tests/b")
            let other = try EtcdLog(settings)
            #expect(
                try other.check().last
                    == "etcd holds keys of others: its history is compacted where \"compact\" is true"
            )
            settings.compacts = true
            #expect(try EtcdLog(settings).check().count == 1)

            let facts = Dictionary(
                log.describe().map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            #expect(facts["kind"] == "etcd" && facts["leader"] == "known")
            #expect(facts["version"]?.hasPrefix("3.") == true)
            #expect(facts["bytes"].flatMap { Int($0) } ?? 0 > 0)
            #expect(facts["quota"] == "123456789")

            settings.address = try EtcdAddress("etcd://\(dead)/tests/b")
            let away = try EtcdLog(settings)
            guard case .away = trouble({ () throws(LogTrouble) in try away.check() }) else {
                Issue.record("not away")
                return
            }
            #expect(away.describe().contains { $0.name == "error" && $0.value.hasPrefix(dead) })
        }
    }

    @Test("A truncation gives up history that is old enough, unless others have keys")
    func compaction() async throws {
        try await offPool {
            let cluster = try EtcdCluster()
            var settings = try EtcdLog.Settings(EtcdAddress("etcd://\(cluster.places)/tests/a"))
            let patient = try EtcdLog(settings)
            let head = try patient.fill(1...5)
            func isThere(_ revision: UInt64) -> Bool {
                let request = EtcdText.make { text in
                    text.add("key", bytes: patient.keys.head)
                    text.add("revision", number: revision)
                }
                return (try? patient.nodes.read("/v3/kv/range", request)) != nil
            }
            try patient.truncate(below: 3)
            #expect(isThere(head.revision))
            settings.historyAge = .zero
            try EtcdLog(settings).truncate(below: 4)
            #expect(!isThere(head.revision))
            // Once more, though nothing has changed.
            try EtcdLog(settings).truncate(below: 4)
            #expect(try patient.read(from: 4, limit: 9).map(\.seq) == [4, 5])

            settings.address = try EtcdAddress("etcd://\(cluster.places)/tests/b")
            let other = try EtcdLog(settings)
            let second = try other.fill(1...5)
            try other.truncate(below: 4)
            #expect(isThere(second.revision))
            settings.compacts = true
            try EtcdLog(settings).truncate(below: 5)
            #expect(!isThere(second.revision))
        }
    }

    @Test("A full engine refuses, and takes what comes when there is room")
    func full() async throws {
        try await offPool {
            let cluster = try EtcdCluster(flags: ["--quota-backend-bytes", "\(8 << 20)"])
            let log = try EtcdLog(.init(EtcdAddress("etcd://\(cluster.places)/tests")))
            var head = try log.append(nil, head: bytes("h0"), expecting: nil)
            let large = [UInt8](repeating: 7, count: 1 << 20)
            var refusal: LogTrouble?
            var seq: UInt64 = 0
            // What etcd says of the last one that it takes is that it is full.
            while refusal == nil, seq < 20 {
                seq += 1
                do throws(LogTrouble) {
                    head = try log.append(
                        LogRecord(seq: seq, bytes: large), head: bytes("h\(seq)"), expecting: head)
                } catch {
                    refusal = error
                }
            }
            guard case .full(let text) = refusal else {
                Issue.record("\(String(describing: refusal))")
                return
            }
            #expect(text.contains("space exceeded"), "\(text)")
            #expect(try log.head() == head)
            #expect(log.describe().contains { $0.name == "error" && $0.value.contains("NOSPACE") })
            // What is deleted takes its space until the history is given up and the files are made anew.
            try log.truncate(below: seq)
            let before = try #require(log.number("bytes"))
            // Who leads no more leaves the nodes to the next leader.
            try log.makeRoom { false }
            #expect(try #require(log.number("bytes")) >= before)
            try log.makeRoom { true }
            let after = try #require(log.number("bytes"))
            #expect(after * 4 < before, "\(before) \(after)")
        }
    }
}

extension EtcdLog {
    /// A number that it tells of its engine.
    fileprivate func number(_ name: String) -> Int? {
        describe().first { $0.name == name }.flatMap { Int($0.value) }
    }
}
