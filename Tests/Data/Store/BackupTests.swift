import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

/// A store with snapshots, removes, fetched entities, two types and a log behind it.
struct Lived {
    let files: SimulatedFileSystem
    let store: FileStore
    /// The contents at each seq.
    private(set) var history: [UInt64: [String: String]] = [0: [:]]

    init(_ options: FileStoreOptions = Simulated.options(), clock: ManualClock = ManualClock())
        throws
    {
        files = SimulatedFileSystem(seed: 3)
        store = try Simulated.open(files, options, clock: clock)
        for index in 1...5 {
            clock.advance(milliseconds: 1_000)
            try commit(Make.set("t", "{\"id\":\(index),\"n\":\"v\(index)\"}"))
        }
        _ = try store.compact()
        try commit(Make.remove("t", "2"))
        try commit(Make.set("u", #"{"id":"x","text":"\u00e9"}"#), Make.set("t", #"{"id":1}"#))
        _ = try store.compact()
        clock.advance(milliseconds: 1_000)
        try commit(Make.set("t", #"{"id":"six"}"#))
        try commit(Make.remove("u", "x"))
        try commit(Make.set("t", #"{"id":3,"n":"third"}"#))
    }

    mutating func commit(_ operations: WriteOperation...) throws {
        let transaction = try #require(Transaction(operations: operations))
        #expect(store.submitted(transaction).name == "changed")
        history[store.seq] = store.contents
    }
}

/// Files beside the data directory.
extension SimulatedFileSystem {
    /// All of a backup, in pieces of `step` bytes, as the file `name` of the directory `out`.
    func keep(_ source: BackupSource, as name: String = "b", step: Int = 1_000) throws {
        var buffer = ByteBuffer()
        var last = -1
        while buffer.count != last {
            last = buffer.count
            try source.read(into: &buffer, atMost: step)
        }
        #expect(buffer.count == source.length)
        put([UInt8](buffer.bytes), as: name)
    }

    func put(_ bytes: [UInt8], as name: String) {
        do throws(SystemFault) {
            let out = try openDirectory(path: "out", creating: true)
            try DataDirectory.writeFile(name, bytes: bytes, files: self, directory: out)
            close(out)
        } catch {
            Issue.record("\(error)")
        }
    }

    func restore(
        _ source: String = "out/b", into target: String, upTo point: RestorePoint = .newest
    ) throws(StoreError) -> RestoreReport {
        try StoreRestorer.restore(
            source, into: target, upTo: point, writerVersion: "test", files: self,
            clock: ManualClock())
    }

    func contents(at path: String) throws(StoreError) -> [String: String] {
        var options = Simulated.options()
        options.directory = path
        options.makesDirectory = false
        let store = try Simulated.open(self, options)
        defer { store.close() }
        store.checkConsistency()
        return store.contents
    }
}

@Suite struct BackupTests {
    @Test func aBackupRestoresExactlyWhatThereWasWhenItWasTaken() throws {
        var made = try Lived()
        let taken = made.store.contents
        let source = try made.store.backup()
        // What comes later is not in it, even where it deletes the files that it reads.
        try made.commit(Make.set("t", #"{"id":99}"#))
        _ = try made.store.compact()
        try made.commit(Make.set("t", #"{"id":100}"#))
        _ = try made.store.compact()
        try made.files.keep(source)
        let report = try StoreRestorer.verify(backup: "out/b", files: made.files)
        #expect(report.seq == 10 && report.entities == taken.count && report.bytes == source.length)
        let restored = try made.files.restore(into: "new")
        #expect(restored.seq == 10 && restored.newestSeq == 10)
        #expect(try made.files.contents(at: "new") == taken)
        made.store.close()
    }

    @Test func aRestoredStoreIsAnotherStoreWithTheSameSeqsAndRevisions() throws {
        let made = try Lived()
        try made.files.keep(made.store.backup(), step: 7)
        _ = try made.files.restore(into: "new")
        var options = Simulated.options()
        options.directory = "new"
        let store = try Simulated.open(made.files, options)
        #expect(store.cursor.seq == 10 && store.cursor.epoch != made.store.cursor.epoch)
        #expect(store.identity.store != made.store.identity.store)
        for (name, table) in made.store.views().types {
            table.forEach { document in
                let twin = store.document(name, document.id)
                #expect(twin?.revision == document.revision && twin?.text == document.text)
            }
        }
        #expect(store.submitted(try Make.set("t", #"{"id":11}"#)).receipt?.cursor.seq == 11)
        store.close()
        made.store.close()
        let verified = try StoreVerifier.verify(directory: "new", files: made.files)
        #expect(verified.isIntact)
    }

    /// What a restore has made begins with its snapshot: without it nothing is whole, and least of all
    /// an empty store.
    @Test(arguments: [true, false]) func withoutItsSnapshotARestoredStoreIsDamaged(
        _ isDamaged: Bool
    ) throws {
        let made = try Lived()
        try made.files.keep(made.store.backup())
        _ = try made.files.restore(into: "new")
        let name = SnapshotFormat.name(10)
        var bytes = try #require(made.files.content(of: name, in: "new"))
        if isDamaged {
            bytes[300] ^= 1
            made.files.replace(name, with: bytes, in: "new")
        } else {
            made.files.delete(name, in: "new")
        }
        for withManifest in [true, false] {
            if !withManifest { made.files.delete(Manifest.name(1), in: "new") }
            var options = Simulated.options()
            options.directory = "new"
            let result = Result { () throws(StoreError) in
                try Simulated.open(made.files.restarted(seed: 1, keepingCache: true), options)
            }
            guard case .failure(.damaged(_, let damages)) = result else {
                Issue.record("manifest \(withManifest): \(result)")
                continue
            }
            #expect(damages.contains { $0.lost == 1...10 }, "\(damages)")
            let report = try StoreVerifier.verify(directory: "new", files: made.files)
            #expect(!report.isIntact)
        }
        made.store.close()
    }

    @Test func aStoreWithoutCommitsAndOneWithoutSnapshotsAreBackedUpToo() throws {
        for commits in [0, 3] {
            let files = SimulatedFileSystem(seed: 1)
            let store = try Simulated.open(files)
            if commits == 0 { _ = try store.compact() }
            for index in 0..<commits { _ = store.submitted(try Make.set("t", "{\"id\":\(index)}")) }
            try files.keep(store.backup())
            let report = try files.restore(into: "new")
            #expect(report.seq == UInt64(commits) && report.entities == commits)
            #expect(try files.contents(at: "new") == store.contents)
            store.close()
        }
    }

    @Test func aDataDirectoryIsRestoredAsItWasAtAnyCommitThatItReachesBackTo() throws {
        let made = try Lived()
        for seq in 5...10 as ClosedRange<UInt64> {
            let report = try made.files.restore(
                "data", into: "at\(seq)", upTo: RestorePoint(seq: seq))
            #expect(report.seq == seq && report.newestSeq == 10)
            #expect(try made.files.contents(at: "at\(seq)") == made.history[seq], "seq \(seq)")
        }
        #expect(throws: StoreError.self) {
            try made.files.restore("data", into: "no", upTo: RestorePoint(seq: 4))
        }
        #expect(throws: StoreError.self) {
            try made.files.restore("data", into: "no", upTo: RestorePoint(seq: 11))
        }
        made.store.close()
    }

    @Test func aTimeNamesTheCommitsUpToIt() throws {
        let clock = ManualClock()
        let start = clock.wallTime.milliseconds
        var options = Simulated.options()
        options.directory = "data"
        let made = try Lived(options, clock: clock)
        let report = try made.files.restore(
            "data", into: "then", upTo: RestorePoint(milliseconds: start + 5_500))
        #expect(report.seq == 7)
        #expect(try made.files.contents(at: "then") == made.history[7])
        #expect(throws: StoreError.self) {
            try made.files.restore("data", into: "no", upTo: RestorePoint(milliseconds: start))
        }
        made.store.close()
    }

    /// A snapshot that is made where a batch begins a segment is of the commits before that batch, and of
    /// their time: a point before the batch is in the files.
    @Test func aTimeIsReachedWhereASnapshotWasMadeAsASegmentBegan() throws {
        let clock = ManualClock()
        var options = Simulated.options()
        options.segmentLength = 1_024
        options.snapshotMinimum = 1
        options.retain = 1
        let files = SimulatedFileSystem(seed: 3)
        let store = try Simulated.open(files, options, clock: clock)
        var checked = 0
        var snapshot = 0
        for index in 1...60 {
            clock.advance(milliseconds: 1_000)
            let before = clock.wallTime.milliseconds - 500
            #expect(store.submitted(try Make.set("t", "{\"id\":\(index)}")).name == "changed")
            guard store.metrics.snapshotSeq != snapshot else { continue }
            snapshot = store.metrics.snapshotSeq
            guard snapshot == index - 1 else { continue }
            let report = try files.restore(
                "data", into: "then\(index)", upTo: RestorePoint(milliseconds: before))
            #expect(report.seq == UInt64(index - 1))
            checked += 1
        }
        #expect(checked > 0)
        store.close()
    }

    /// What a check says while a backup passes by, `step` bytes at a time.
    private func passing(_ bytes: [UInt8], step: Int) -> UInt64? {
        var check = BackupStreamCheck()
        for start in stride(from: 0, to: bytes.count, by: step) {
            bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { check.add($0) }
        }
        return check.seqOfWhole
    }

    @Test func everyFlippedBitAndEveryCutOfABackupIsNoticed() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files)
        for index in 0..<3 { _ = store.submitted(try Make.set("t", "{\"id\":\(index)}")) }
        _ = try store.compact()
        _ = store.submitted(try Make.set("t", #"{"id":4}"#))
        try files.keep(store.backup())
        store.close()
        let whole = try #require(files.content(of: "b", in: "out"))
        for step in [1, 31, 33, whole.count] {
            #expect(passing(whole, step: step) == 4)
        }
        #expect(passing(whole + [0], step: 64) == nil)
        var missed: [Int] = []
        for place in stride(from: 0, to: whole.count, by: 3) {
            var bytes = whole
            bytes[place] ^= 1 << UInt8(place % 8)
            files.replace("b", with: bytes, in: "out")
            if (try? StoreRestorer.verify(backup: "out/b", files: files)) != nil {
                missed.append(place)
            }
            if passing(bytes, step: 100) != nil { missed.append(place) }
        }
        #expect(missed == [])
        files.replace("b", with: whole + [0], in: "out")
        let reason = "it goes on behind its end at offset \(whole.count), which none does"
        #expect(throws: StoreError.backup(file: "out/b", reason: reason)) {
            try StoreRestorer.verify(backup: "out/b", files: files)
        }
        for length in stride(from: 0, to: whole.count, by: 11) {
            files.replace("b", with: Array(whole[..<length]), in: "out")
            #expect(passing(Array(whole[..<length]), step: 100) == nil)
            #expect(throws: StoreError.self) {
                try StoreRestorer.verify(backup: "out/b", files: files)
            }
        }
    }

    @Test func nothingIsRestoredOverAnythingAndAnUnfinishedRestoreIsBegunAnew() throws {
        let made = try Lived()
        try made.files.keep(made.store.backup())
        made.store.close()
        #expect(throws: StoreError.notEmpty(directory: "data")) {
            try made.files.restore(into: "data")
        }
        let before = made.files.calls
        _ = try made.files.restore(into: "count")
        // The last call looks for the parent, which simulated directories do not have.
        let calls = made.files.calls - before - 1
        for call in 1..<calls {
            let files = made.files.restarted(seed: UInt64(call), keepingCache: true)
            files.crash(after: files.calls + call)
            #expect(throws: StoreError.self) { try files.restore(into: "new") }
            let after = files.restarted(seed: UInt64(call))
            // It is whole, or it is no store and can be begun anew.
            if after.names(in: "new").contains(DataDirectory.identityName) {
                #expect(try after.contents(at: "new") == made.history[10], "call \(call)")
            } else {
                var options = Simulated.options()
                options.directory = "new"
                options.makesDirectory = false
                #expect(throws: StoreError.self) { try Simulated.open(after, options) }
                _ = try after.restore(into: "new")
                #expect(try after.contents(at: "new") == made.history[10], "call \(call)")
            }
        }
    }

    @Test func aStoreThatCannotWriteGivesNoBackup() throws {
        let made = try Lived()
        made.files.fail("syncData", code: EIO)
        _ = made.store.submitted(try Make.set("t", #"{"id":7}"#))
        #expect(made.store.status.phase == .failed)
        #expect(throws: StoreError.self) { try made.store.backup() }
        made.store.close()
        #expect(throws: StoreError.closed) { try made.store.backup() }
    }
}

@Suite struct CheckpointTests {
    private func checkpoint(
        _ files: SimulatedFileSystem, _ target: String
    ) throws(StoreError) -> CheckpointReport {
        try StoreCheckpoint.make(of: "data", at: target, files: files, clock: ManualClock())
    }

    @Test func aCheckpointBesideARunningStoreHoldsWhatWasCommitted() throws {
        var made = try Lived()
        let taken = made.store.contents
        let report = try checkpoint(made.files, "point")
        #expect(report.seq == 10 && report.linked > 0)
        // Neither store changes the other.
        try made.commit(Make.set("t", #"{"id":"later"}"#))
        var options = Simulated.options()
        options.directory = "point"
        let twin = try Simulated.open(made.files, options)
        #expect(twin.contents == taken && twin.cursor.seq == 10)
        #expect(twin.cursor.epoch != made.store.cursor.epoch)
        _ = twin.submitted(try Make.set("t", #"{"id":"other"}"#))
        _ = try twin.compact()
        _ = try made.store.compact()
        #expect(twin.contents["t/later"] == nil && made.store.contents["t/other"] == nil)
        twin.close()
        made.store.close()
        for path in ["data", "point"] {
            #expect(try StoreVerifier.verify(directory: path, files: made.files).isIntact)
        }
        #expect(try made.files.contents(at: "data")["t/later"] != nil)
        #expect(try made.files.contents(at: "point")["t/other"] != nil)
    }

    @Test func aCheckpointOfAClosedStoreAndOneWithoutCommitsWork() throws {
        let made = try Lived()
        made.store.close()
        _ = try checkpoint(made.files, "point")
        #expect(try made.files.contents(at: "point") == made.history[10])
        let files = SimulatedFileSystem(seed: 9)
        try Simulated.open(files).close()
        _ = try checkpoint(files, "point")
        #expect(try files.contents(at: "point") == [:])
        #expect(throws: StoreError.notEmpty(directory: "data")) { try checkpoint(files, "data") }
    }

    @Test func aCrashLeavesAWholeCheckpointOrNone() throws {
        let made = try Lived()
        let before = made.files.calls
        _ = try checkpoint(made.files, "count")
        // The last call looks for the parent, which simulated directories do not have.
        let calls = made.files.calls - before - 1
        made.store.close()
        for call in 1..<calls {
            let files = made.files.restarted(seed: UInt64(call), keepingCache: true)
            files.crash(after: files.calls + call)
            #expect(throws: StoreError.self) { try checkpoint(files, "point") }
            let after = files.restarted(seed: UInt64(call))
            if !after.names(in: "point").contains(DataDirectory.identityName) {
                _ = try checkpoint(after, "point")
            }
            #expect(try after.contents(at: "point") == made.history[10], "call \(call)")
            #expect(try after.contents(at: "data") == made.history[10], "call \(call)")
        }
    }
}
