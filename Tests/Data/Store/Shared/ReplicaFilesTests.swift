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
        on engine: MemoryEngine? = nil, recordLimit: Int = .max, clock: ManualClock = ManualClock(),
        drive: ReplicaStore.Drive = .init()
    ) throws(StoreError) -> ReplicaStore {
        var settings = ReplicaSettings(replica: "a")
        settings.url = "http://a"
        let store = try ReplicaStore.open(
            options ?? self.options(), settings: settings,
            log: MemoryLog(engine ?? self.engine, recordLimit: recordLimit),
            parts: StoreParts(
                files: files, log: Log(level: .error, descriptor: -1), clock: clock),
            drive: drive)
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

    /// A seq is the shared log's, and its first commits may be on this disk alone: the file that a power
    /// loss has torn before its first commit is made anew by its name.
    @Test(arguments: [Int.max, 1_024])
    func aSegmentThatIsTornBeforeItsFirstCommitIsMadeAnew(snapshotMinimum: Int) throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try open(files, options(snapshotMinimum: snapshotMinimum))
        try write(store, 1...40)
        for length in stride(from: 256, through: 512, by: 8) {
            let dead = files.restarted(seed: 1, keepingCache: true)
            let seq = try #require(
                dead.names().compactMap { LogFormat.firstSeq(ofName: $0) }.max())
            let name = LogFormat.segmentName(seq)
            let whole = try #require(dead.content(of: name))
            dead.replace(name, with: Array(whole.prefix(length)))
            let again = try open(dead)
            expectSeqs(40, again)
            again.close()
            again.path.finish()
            let report = try StoreVerifier.verify(directory: "data", files: dead)
            #expect(report.isIntact, "\(length): \(report.damages)")
        }
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

    @Test func aFrameThatOneNodeCannotReadIsReadFromAnother() throws {
        try write(try open(SimulatedFileSystem(seed: 1)), 1...5)
        engine.spoil(3, everywhere: false)
        let store = try open(SimulatedFileSystem(seed: 2))
        #expect(store.path.role == .leader)
        expectSeqs(5, store)
    }

    @Test(arguments: [false, true])
    func whoLacksAFrameOfTheLogStopsAndSaysWhich(isGone: Bool) throws {
        try write(try open(SimulatedFileSystem(seed: 1)), 1...5)
        if isGone { engine.lose(3) } else { engine.spoil(3, everywhere: true) }
        let store = try open(SimulatedFileSystem(seed: 2))
        #expect(store.path.role == .stopped(.damaged))
        #expect(store.state.stop == StopPlace(applied: 2, found: 3))
        // Whoever gives a backup must have passed it.
        #expect(store.state.backupFloor == 4)
        #expect(
            store.status.reason.contains("it has applied all up to seq 2, and needs seq 3"),
            "\(store.status.reason)")
        expectSeqs(2, store)
    }

    /// An engine knows no difference between a log whose beginning was given up and one that lacks it:
    /// the head does.
    @Test func whoLacksTheFirstFrameOfTheLogStopsAndSaysWhich() throws {
        try write(try open(SimulatedFileSystem(seed: 1)), 1...5)
        engine.lose(1)
        let store = try open(SimulatedFileSystem(seed: 2))
        #expect(store.path.role == .stopped(.damaged))
        #expect(store.state.stop == StopPlace(applied: 0, found: 1))
    }

    /// A log that was restored from a copy and written on, whatever its frames are now: one of them
    /// holds what this server has applied last, and goes on behind it; or none has its chain.
    @Test(arguments: [([1, 4], nil), ([5], nil), ([2, 2], nil), ([2, 2], UInt64(6))])
    func aLogThatIsAnotherOneIsForkedWhereverItsFramesEnd(frames: [Int], lost: UInt64?) throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try open(files)
        try write(store, 1...3)
        let copy = engine.copied()
        try write(store, 4...5)
        store.close()
        let other = try open(SimulatedFileSystem(seed: 2), on: copy)
        #expect(other.path.role == .leader)
        var id = 100
        for count in frames {
            for _ in 0..<count {
                other.submit(Transaction(try Make.set("t", #"{"id":\#(id)}"#))) { _ in }
                id += 1
            }
            settle(other)
        }
        #expect(other.seq == 3 + UInt64(id - 100) && copy.count == 3 + frames.count)
        other.close()
        if let lost { copy.lose(lost) }
        let again = try open(files.restarted(seed: 3, keepingCache: true), on: copy)
        #expect(again.path.role == .stopped(.forked))
        #expect(again.state.stop?.applied == 5)
        #expect(again.state.backupFloor == nil)
        expectSeqs(5, again)
    }

    /// Between its read of the head and that of the records the log was given up as a whole, so that
    /// no record is left which would say so.
    @Test func aLogThatWasGivenUpMeanwhileIsNotDamaged() throws {
        let files = SimulatedFileSystem(seed: 1)
        try write(try open(files), 1...3)
        let leader = try open(SimulatedFileSystem(seed: 2))
        try write(leader, 4...6)
        // SAFETY: called on this thread, by the opening below.
        nonisolated(unsafe) let path = leader.path
        engine.afterNextHead { #expect(path.truncate(below: 7)) }
        let store = try open(files.restarted(seed: 3, keepingCache: true))
        #expect(engine.count == 0)
        #expect(store.path.role == .stopped(.truncated))
        #expect(store.state.stop == StopPlace(applied: 3, found: 7))
        #expect(store.state.backupFloor == 7)
    }

    /// That others have taken part stands in the log: a leader that comes again and hears nobody gives
    /// nothing up that its own disk alone has.
    @Test func aRestartForgetsNotThatOthersTakePart() throws {
        for hasOthers in [false, true] {
            let engine = MemoryEngine()
            let files = SimulatedFileSystem(seed: 1)
            let clock = ManualClock()
            let store = try open(files, options(snapshotMinimum: 1_024), on: engine, clock: clock)
            try write(store, 1...40)
            if hasOthers { store.heardOfOthers() }
            settle(store)
            clock.advance(milliseconds: 1_100)
            settle(store)
            let again = try open(
                files.restarted(seed: 2, keepingCache: true), options(snapshotMinimum: 1_024),
                on: engine, clock: clock)
            #expect(again.path.role == .leader && again.metrics.snapshotSeq > 0)
            clock.advance(milliseconds: 1_000_000)
            #expect(again.path.truncate(by: []))
            #expect((again.path.head.floor > 1) == !hasOthers, "hasOthers: \(hasOthers)")
        }
    }

    /// A hand-over that is put and has no answer is done all the same: whoever is named leads.
    @Test func aHandOverThatIsSettledLateEndsTheLead() throws {
        let clock = ManualClock()
        let drive = ReplicaStore.Drive(sleep: {
            clock.advance(milliseconds: Int($0 / .milliseconds(1)))
        })
        let store = try open(SimulatedFileSystem(seed: 1), clock: clock, drive: drive)
        try write(store, 1...3)
        let told = AwaitedValue<Bool?>()
        engine.loseNextAnswer()
        store.stepDown(to: "b") { told.give($0) }
        settle(store)
        #expect(told.wait() == nil && store.state.role == .leader, "nobody knows yet")
        engine.isAway = false
        settle(store)
        #expect(store.state.role == .follower && store.path.head.successor == "b")
    }

    /// Time in which the engine gives no answer does not count: its return starts the wait anew.
    @Test func aLeaderIsWaitedForAnewOnceTheEngineIsThereAgain() throws {
        let clock = ManualClock()
        let leader = try open(SimulatedFileSystem(seed: 1), clock: clock)
        try write(leader, 1...3)
        let other = try ReplicaStore.open(
            options(), settings: ReplicaSettings(replica: "b"), log: MemoryLog(engine),
            parts: StoreParts(
                files: SimulatedFileSystem(seed: 2), log: Log(level: .error, descriptor: -1),
                clock: clock),
            drive: ReplicaStore.Drive(random: { $0.lowerBound }))
        settle(other)
        #expect(other.seq == 3)
        clock.advance(milliseconds: 1_000)
        settle(leader)
        settle(other)
        // It waits for 3 s from here on, and the engine is away for most of them.
        clock.advance(milliseconds: 500)
        engine.isAway = true
        settle(other)
        clock.advance(milliseconds: 2_400)
        engine.isAway = false
        settle(other)
        clock.advance(milliseconds: 200)
        settle(other)
        #expect(other.state.role == .follower, "the leader has had no time to beat")
        clock.advance(milliseconds: 2_900)
        settle(other)
        #expect(other.state.role == .leader, "it does not beat")
    }

    /// What a leader that was deposed unawares would answer from its tables is not confirmed.
    @Test func whatAnotherMayHaveChangedIsNotConfirmed() throws {
        let store = try open(SimulatedFileSystem(seed: 1))
        try write(store, 1...3)
        func confirmed() -> String {
            let outcome = AwaitedValue<String>()
            store.confirm { outcome.give($0?.name ?? "yes") }
            settle(store)
            return outcome.wait()
        }
        #expect(confirmed() == "yes")
        #expect(store.seq == 3, "nothing is written")
        engine.isAway = true
        #expect(confirmed() == "log-away")
        engine.isAway = false
        settle(store)
        engine.replaceHead(#""term":1,"leader":"a""#, by: #""term":2,"leader":"b""#)
        #expect(store.state.role == .leader, "it has not heard of it")
        #expect(confirmed() == "not-leader")
        #expect(store.state.role == .follower)
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

    /// What the replicas' own logs cannot take is no frame, whoever has put it there.
    @Test func aFrameOfHalfAWordIsNone() throws {
        func frame(_ payload: [UInt8]) -> SharedFrame? {
            var bytes = [UInt8](repeating: 0, count: SharedFrame.length) + payload
            payload.withUnsafeBytes { payload in
                var frame = SharedFrame(
                    firstSeq: 1, commits: 1, term: 1, id: .random(), behind: 0, payload: payload)
                bytes.withUnsafeMutableBytes {
                    frame.write(
                        to: UnsafeMutableRawBufferPointer(rebasing: $0[..<SharedFrame.length]))
                }
            }
            return bytes.withUnsafeBytes { SharedFrame.read($0) }
        }
        #expect(frame([1, 2, 3, 4, 5, 6, 7, 8]) != nil)
        #expect(frame([1, 2, 3, 4, 5, 6, 7]) == nil)
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

    /// What is in files that failed is of no use to anybody.
    @Test func aLeaderWhoseFilesHaveFailedGivesNothingUpByThem() throws {
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        let store = try open(files, options(snapshotMinimum: 1_024), clock: clock)
        try write(store, 1...40)
        files.fail("write", code: EIO)
        try write(store, 41...41)
        #expect(store.cacheStatus.phase == .failed && store.metrics.snapshotSeq > 0)
        clock.advance(milliseconds: 15_000)
        settle(store)
        #expect(store.path.role == .leader, "there is nobody else")
        clock.advance(milliseconds: 1_000_000)
        #expect(store.path.truncate(by: []) && store.path.head.floor == 1)
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

    /// What it has put would be overwritten by its next frame if it went on without it.
    @Test func whoCannotReadWhatItHasPutLeadsNoMore() throws {
        let clock = ManualClock()
        let drive = ReplicaStore.Drive(sleep: {
            clock.advance(milliseconds: Int($0 / .milliseconds(1)))
        })
        let store = try open(
            SimulatedFileSystem(seed: 1), recordLimit: 100, clock: clock, drive: drive)
        try write(store, 1...3)
        func submit(_ id: Int) throws -> WriteOutcome {
            let text = String(repeating: "x", count: 1_000)
            let outcome = AwaitedValue<WriteOutcome>()
            store.submit(Transaction(try Make.set("t", #"{"id":\#(id),"v":"\#(text)"}"#))) {
                outcome.give($0)
            }
            settle(store)
            return outcome.wait()
        }
        engine.loseNextAnswer()
        #expect(try submit(4).name == "log-away-unknown")
        engine.withholdsRecords = true
        engine.isAway = false
        settle(store)
        #expect(store.state.headSeq == 4 && store.seq == 3, "settled, and its parts are not here")
        #expect(store.state.role == .follower)
        #expect(try submit(5).name == "not-leader")
        engine.withholdsRecords = false
        clock.advance(milliseconds: 10_000)
        settle(store)
        #expect(store.state.role == .leader && store.seq == 4)
        #expect(try submit(5).receipt?.cursor.seq == 5)
        let other = try open(SimulatedFileSystem(seed: 2), recordLimit: 100)
        #expect(other.contents == store.contents)
        expectSeqs(5, other)
    }

    @Test func whatIsKnownAndNotAppliedMakesWhatIsReadOld() throws {
        let clock = ManualClock()
        let store = try open(SimulatedFileSystem(seed: 1), recordLimit: 100, clock: clock)
        try write(store, 1...3)
        #expect(store.lag == nil)
        var settings = ReplicaSettings(replica: "b")
        settings.url = "http://b"
        let other = try ReplicaStore.open(
            options(), settings: settings, log: MemoryLog(engine, recordLimit: 100),
            parts: StoreParts(
                files: SimulatedFileSystem(seed: 2), log: Log(level: .error, descriptor: -1),
                clock: clock),
            drive: ReplicaStore.Drive())
        settle(other)
        #expect(other.seq == 3 && other.lag == nil)
        engine.withholdsRecords = true
        let text = String(repeating: "x", count: 1_000)
        for id in 4...8 {
            store.submit(Transaction(try Make.set("t", #"{"id":\#(id),"v":"\#(text)"}"#))) { _ in }
            settle(store)
            settle(other)
            clock.advance(milliseconds: 500)
        }
        // It hears of each, and cannot read the parts of the first.
        #expect(store.seq == 8 && other.seq == 3)
        guard case .known(let age) = other.lag else {
            Issue.record("it is behind, and says nothing of it")
            return
        }
        #expect(age >= .milliseconds(2_000))
        engine.withholdsRecords = false
        settle(store)
        store.submit(Transaction(try Make.set("t", #"{"id":9}"#))) { _ in }
        settle(store)
        settle(other)
        #expect(other.seq == 9 && other.lag == nil)
    }

    @Test func aLeaderWhoseOthersAreAwayGivesNothingUp() throws {
        let clock = ManualClock()
        let store = try open(
            SimulatedFileSystem(seed: 1), options(snapshotMinimum: 1_024), clock: clock)
        try write(store, 1...40)
        clock.advance(milliseconds: 1_000_000)
        let other = ReplicaPost(replica: "b", applied: 40, snapshot: 10, age: .zero)
        #expect(store.path.truncate(by: [other]) && store.path.head.floor == 11)
        // It was forgotten: one disk alone would have what is given up.
        #expect(store.path.truncate(by: []) && store.path.head.floor == 11)
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
        let floor = Cursor(epoch: store.cursor.epoch, seq: 4)
        let needed = StoreError.needsBackup(directory: "data", peer: "http://a", behind: floor)
        #expect(throws: needed) {
            try open(SimulatedFileSystem(seed: 2))
        }
        engine.isAway = true
        #expect(throws: StoreError.logAway(reason: "the engine is away")) {
            try open(SimulatedFileSystem(seed: 3))
        }
    }

    // MARK: A log that went back

    /// - Parameter sleep: What happens between two looks at the head.
    /// - Returns: The outcome, and how long it took.
    private func renew(
        of epoch: Epoch, sleep: () -> Void = {}
    ) throws(StoreError) -> (LogRenewal.Outcome, Duration) {
        var settings = ReplicaSettings(replica: "a")
        settings.url = "http://a"
        var slept = Duration.zero
        let outcome = try LogRenewal.renew(MemoryLog(engine), of: epoch, for: settings) {
            slept += $0
            sleep()
        }
        return (outcome, slept)
    }

    /// An answer that is lost changes nothing.
    @Test(arguments: [false, true])
    func aLogThatNobodyFollowsGetsAnotherEpoch(isLost: Bool) throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try open(files)
        try write(store, 1...3)
        if isLost { engine.loseNextAnswer() }
        let (outcome, time) = try renew(of: store.cursor.epoch) { engine.isAway = false }
        #expect(outcome == .renewed)
        #expect(time >= ReplicaSettings(replica: "a").takeover * 4)
        // Whoever has the former epoch finds that the log was made anew, and another joins it.
        let former = try open(files.restarted(seed: 1, keepingCache: true))
        #expect(former.path.role == .stopped(.recovered))
        let next = try open(SimulatedFileSystem(seed: 2))
        expectSeqs(3, next)
        #expect(next.cursor.epoch != store.cursor.epoch)
        #expect(next.path.role == .leader)
        try write(next, 4...5)
    }

    @Test func aLogThatIsFollowedKeepsItsEpoch() throws {
        let store = try open(SimulatedFileSystem(seed: 1))
        try write(store, 1...3)
        let epoch = store.cursor.epoch
        var looks = 0
        let (outcome, _) = try renew(of: epoch) {
            looks += 1
            // The last one before it would be changed.
            if looks == 50 { engine.replaceHead(#""beat":"#, by: #""beat":9"#) }
        }
        let followed = LogRenewal.Outcome.isFollowed(
            first: Cursor(epoch: epoch, seq: 1), leader: "http://a")
        #expect(looks == 50 && outcome == followed)
        // So does one that another server has given a new epoch meanwhile.
        let (other, time) = try renew(of: .random())
        #expect(other == followed && time == .zero)
        #expect(try open(SimulatedFileSystem(seed: 2)).cursor.epoch == epoch)
    }

    /// With another epoch nobody's backup would do.
    @Test func aLogWithoutItsBeginningKeepsItsEpoch() throws {
        let store = try open(SimulatedFileSystem(seed: 1))
        try write(store, 1...5)
        #expect(store.path.truncate(below: 4))
        let first = Cursor(epoch: store.cursor.epoch, seq: 4)
        #expect(try renew(of: first.epoch).0 == .lacksBeginning(first: first))
        engine.isAway = true
        #expect(throws: StoreError.logAway(reason: "the engine is away")) {
            try renew(of: first.epoch)
        }
    }
}
