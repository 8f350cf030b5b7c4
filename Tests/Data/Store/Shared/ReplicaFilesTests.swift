import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetTestSupport
import Glibc
import Testing

@testable import FreshetStore

/// What a replica keeps in its directory, over a log in memory, step by step.
@Suite struct ReplicaFilesTests {
    private let engine = MemoryEngine()

    private func options(snapshotMinimum: Int = .max) -> FileStoreOptions {
        var options = Simulated.options()
        options.snapshotMinimum = snapshotMinimum
        return options
    }

    /// Opens a replica and lets it come to lead.
    private func open(
        _ files: SimulatedFileSystem, _ options: FileStoreOptions? = nil,
        on engine: MemoryEngine? = nil, recordLimit: Int = .max, clock: ManualClock = ManualClock()
    ) throws(StoreError) -> ReplicaStore {
        var settings = ReplicaSettings(replica: "a")
        settings.url = "http://a"
        let store = try ReplicaStore.open(
            options ?? self.options(), settings,
            log: MemoryLog(engine ?? self.engine, recordLimit: recordLimit),
            StoreParts(
                files: files, log: Log(level: .error, descriptor: -1), clock: clock),
            ReplicaStore.Drive())
        settle(store)
        return store
    }

    private func settle(_ store: ReplicaStore) {
        while store.step() {}
        while store.step() {}
    }

    private func write(_ store: ReplicaStore, _ ids: ClosedRange<Int>) throws {
        for id in ids {
            let outcome = AwaitedValue<WriteOutcome>()
            store.submit(Transaction(try Make.set("t", #"{"id":\#(id)}"#))) { outcome.give($0) }
            settle(store)
            #expect(outcome.wait().receipt?.cursor.seq == UInt64(id))
        }
    }

    private func expectSeqs(_ count: Int, _ store: ReplicaStore) {
        #expect(store.seq == UInt64(count))
        #expect(store.contents.count == count)
        store.checkConsistency()
    }

    @Test func aStartReadsTheFilesAndThenTheLog() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try open(files)
        try write(store, 1...20)
        let epoch = store.cursor.epoch
        let chain = store.path.chain
        let again = try open(files.restarted(seed: 2, keepingCache: true))
        #expect(again.keeper.recovery.commits == 20, "of the files")
        #expect(again.cursor.epoch == epoch && again.path.chain == chain)
        expectSeqs(20, again)
        try write(again, 21...21)
    }

    /// The cache is synced ten times a second: after a power loss its end is missing, and the log has
    /// it. Cursors stay what they are.
    @Test(arguments: UInt64(1)...40)
    func aPowerLossCostsTheEndOfTheFilesAndNothingElse(seed: UInt64) throws {
        let files = SimulatedFileSystem(seed: seed)
        let store = try open(files, options(snapshotMinimum: seed % 2 == 0 ? .max : 1_024))
        try write(store, 1...30)
        let epoch = store.cursor.epoch
        let dead = files.restarted(seed: seed)
        let again: ReplicaStore
        do {
            again = try open(dead)
        } catch StoreError.damaged {
            // A segment without a commit was torn, whose name cannot be used again.
            try ReplicaDirectory.setAside("data", files: dead)
            again = try open(dead)
        }
        #expect(again.cursor.epoch == epoch)
        expectSeqs(30, again)
    }

    @Test func aSnapshotAndABackupSayWhereTheLogIs() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try open(files, options(snapshotMinimum: 1_024))
        try write(store, 1...40)
        let position = ClusterPosition(
            cluster: try #require(store.state.cluster), chain: store.path.chain)
        let seq = UInt64(store.metrics.snapshotSeq)
        #expect(seq > 0)
        let snapshot = try #require(
            files.content(of: SnapshotFormat.name(seq)).flatMap(SnapshotHeader.init(verifying:)))
        #expect(snapshot.position?.cluster == position.cluster)
        #expect(snapshot.epoch == store.cursor.epoch)
        let backup = try store.keeper.backupBytes()
        let header = try #require(BackupHeader(verifying: backup))
        #expect(header.cluster == position.cluster && header.chain == position.chain)
        #expect(header.seq == 40 && header.epoch == store.cursor.epoch)

        // A server that joins by it goes on where it ends.
        try write(store, 41...45)
        let other = SimulatedFileSystem(seed: 2)
        try other.put("b", backup, in: "/from")
        let report = try ReplicaDirectory.restore(
            "/from/b", into: "data", writerVersion: "test", files: other)
        #expect(report.seq == 40)
        let joined = try open(other)
        #expect(joined.keeper.recovery.snapshotSeq == 40)
        #expect(joined.keeper.identity.store != store.keeper.identity.store)
        expectSeqs(45, joined)
        #expect(joined.path.chain == store.path.chain)
    }

    @Test func aBackupOfAReplicaRestoresASingleServer() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try open(files)
        try write(store, 1...5)
        let other = SimulatedFileSystem(seed: 2)
        try other.put("b", try store.keeper.backupBytes(), in: "/from")
        _ = try StoreRestorer.restore(
            "/from/b", into: "data", writerVersion: "test", files: other)
        let single = try Simulated.open(other)
        #expect(single.contents == store.contents)
        #expect(single.cursor.epoch != store.cursor.epoch)
        single.close()
        // The other way it is none of a cluster.
        let plain = SimulatedFileSystem(seed: 3)
        let bytes = try Simulated.open(other.restarted(seed: 1)).keeper.backupBytes()
        try plain.put("b", bytes, in: "/from")
        #expect(throws: StoreError.self) {
            try ReplicaDirectory.restore(
                "/from/b", into: "data", writerVersion: "test", files: plain)
        }
    }

    @Test func eachKindOfServerRefusesTheDirectoryOfTheOther() throws {
        let single = SimulatedFileSystem(seed: 1)
        try Simulated.open(single).close()
        #expect(throws: StoreError.notOfCluster(directory: "data")) {
            try open(single.restarted(seed: 1))
        }
        let files = SimulatedFileSystem(seed: 2)
        _ = try open(files)
        let dead = files.restarted(seed: 1, keepingCache: true)
        #expect(throws: StoreError.ofCluster(directory: "data")) { try Simulated.open(dead) }
        #expect(
            StoreError.notOfCluster(directory: "data").description.contains(
                "freshet cluster init --cluster-log URL --data data"))
        #expect(StoreError.ofCluster(directory: "data").description.contains("--cluster-log"))
    }

    @Test func theDirectoryOfAnotherClusterIsNotFollowed() throws {
        let files = SimulatedFileSystem(seed: 1)
        try write(try open(files), 1...3)
        let other = MemoryEngine()
        _ = try open(SimulatedFileSystem(seed: 2), on: other)
        let store = try open(files.restarted(seed: 1, keepingCache: true), on: other)
        #expect(store.path.role == .stopped(.foreign))
        #expect(store.status.phase == .stopped)
        #expect(store.seq == 3)
    }

    /// The log itself is never made anew where it is lost: its data is here.
    @Test func aLogThatIsGoneStopsWhoHasItsData() throws {
        let files = SimulatedFileSystem(seed: 1)
        try write(try open(files), 1...3)
        let store = try open(files.restarted(seed: 1, keepingCache: true), on: MemoryEngine())
        #expect(store.path.role == .stopped(.rewound))
    }

    @Test func damageInTheFilesIsSetAsideAndReadFromTheLog() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try open(files)
        try write(store, 1...20)
        store.close()
        store.path.finish()
        let dead = files.restarted(seed: 1)
        let name = LogFormat.segmentName(1)
        var bytes = try #require(dead.content(of: name))
        bytes[1_000] ^= 1
        dead.replace(name, with: bytes)
        do {
            _ = try open(dead)
            Issue.record("opened")
        } catch {
            guard case .damaged = error else { throw error }
        }
        try ReplicaDirectory.setAside("data", files: dead)
        #expect(!dead.names().contains { LogFormat.firstSeq(ofName: $0) != nil })
        let again = try open(dead)
        #expect(again.keeper.recovery.isNew)
        expectSeqs(20, again)
    }

    /// A frame that follows by the file's own chain and not by the shared log's is damage as well.
    @Test func aFrameThatIsMissingInTheFilesIsFound() throws {
        let log = MemoryLog(engine)
        let files = SimulatedFileSystem(seed: 1)
        try write(try open(files), 1...3)
        let records = try log.read(from: 1, limit: 10)
        #expect(records.count == 3)
        let cluster = try #require(try log.head().flatMap { LogHead($0.bytes) })
        var position = ClusterPosition(
            cluster: cluster.cluster, chain: SharedFrame.seed(of: cluster.cluster))
        for index in [0, 2] {
            let finding = records[index].bytes.withUnsafeBytes { bytes -> String? in
                let header = FrameHeader(
                    type: .shared, firstSeq: records[index].seq, commitCount: 1, durableSeq: 0,
                    chain: 0, payload: bytes)
                return position.follow(Frame(offset: 0, header: header, payload: bytes))
            }
            #expect((finding == nil) == (index == 0))
        }
    }

    /// The disk is full or has failed: the replica goes on in memory, and the next start takes the
    /// rest from the log.
    @Test func withoutItsFilesAReplicaGoesOn() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try open(files)
        try write(store, 1...5)
        files.fail("write", code: EIO)
        try write(store, 6...6)
        #expect(store.cacheStatus.phase == .failed)
        expectSeqs(6, store)
        let again = try open(files.restarted(seed: 1, keepingCache: true))
        #expect(again.keeper.recovery.cursor.seq == 5)
        expectSeqs(6, again)
    }

    @Test func aLeaderGivesUpWhatOthersHaveInSnapshots() throws {
        let clock = ManualClock()
        let store = try open(
            SimulatedFileSystem(seed: 1), options(snapshotMinimum: 1_024), clock: clock)
        try write(store, 1...40)
        let snapshot = UInt64(store.metrics.snapshotSeq)
        let other = ReplicaPost(replica: "b", applied: 40, snapshot: 10, age: .zero)
        #expect(!store.path.truncate(by: [other]), "it has not heard of all yet")
        clock.advance(milliseconds: 1_000_000)
        #expect(store.path.truncate(by: [other]))
        #expect(store.path.head.floor == 11, "of two replicas both have it")
        let third = ReplicaPost(replica: "c", applied: 40, snapshot: 40, age: .zero)
        #expect(store.path.truncate(by: [other, third]))
        #expect(store.path.head.floor == snapshot + 1 && engine.count == 40 - Int(snapshot))
        #expect(store.replicaFigures.applied == 40)
        let told = AwaitedValue<Bool>()
        store.truncate(by: [other, third]) { told.give($0) }
        settle(store)
        #expect(told.wait())
    }

    @Test(arguments: [65, 100, 128, 1_000])
    func aFrameThatTheEngineDoesNotTakeIsPutInParts(limit: Int) throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try open(files, recordLimit: limit)
        try write(store, 1...3)
        let text = String(repeating: "x", count: 5_000)
        let outcome = AwaitedValue<WriteOutcome>()
        store.submit(Transaction(try Make.set("t", #"{"id":4,"v":"\#(text)"}"#))) {
            outcome.give($0)
        }
        settle(store)
        #expect(outcome.wait().receipt?.cursor.seq == 4)
        #expect(engine.count > 3 + 5_000 / limit)
        // From the log, and from files.
        for files in [SimulatedFileSystem(seed: 2), files.restarted(seed: 3, keepingCache: true)] {
            let again = try open(files, recordLimit: limit)
            #expect(again.contents == store.contents && again.path.chain == store.path.chain)
        }
    }

    @Test func anEmptyDirectoryAsksForABackupWhereTheLogHasNoBeginning() throws {
        let store = try open(SimulatedFileSystem(seed: 1))
        try write(store, 1...5)
        #expect(store.path.truncate(below: 4))
        #expect(engine.count == 2)
        #expect(throws: StoreError.needsBackup(directory: "data", peer: "http://a")) {
            try open(SimulatedFileSystem(seed: 2))
        }
        engine.isAway = true
        #expect(throws: StoreError.logAway(reason: "the engine is away")) {
            try open(SimulatedFileSystem(seed: 3))
        }
    }
}
