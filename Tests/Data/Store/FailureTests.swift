import Foundation
import FreshetBase
import FreshetJSON
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

@Suite struct FailureTests {
    @Test func aFailedSyncEndsWritingAndReadsGoOn() throws {
        let files = SimulatedFileSystem(seed: 1)
        let recorder = Recorder()
        let store = try Simulated.open(files, observer: recorder)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        let syncs = files.count(of: "syncData")
        files.fail("syncData", code: EIO)
        #expect(store.submitted(try Make.set("t", #"{"id":2}"#)).name == "unknown")
        #expect(store.submitted(try Make.set("t", #"{"id":3}"#)).name == "not-applied")
        #expect(store.submitted(try Make.remove("t", "1")).name == "not-applied")
        #expect(files.count(of: "syncData") == syncs + 1, "a failed sync is never repeated")
        #expect(store.status.phase == .failed)
        #expect(store.contents == ["t/1": #"{"id":1}"#] && store.seq == 1)
        #expect(recorder.changes.count == 1)
        store.close()
        let again = try Simulated.open(files.restarted(seed: 1, keepingCache: true))
        #expect(again.contents == ["t/1": #"{"id":1}"#], "what only the cache holds is not there")
        again.close()
    }

    @Test func reopeningVerifiesTheDiskAndGoesOn() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        files.fail("syncData", code: EIO)
        _ = store.submitted(try Make.set("t", #"{"id":2}"#))
        try store.reopen()
        #expect(store.status.phase == .ready && store.seq == 1)
        #expect(store.submitted(try Make.set("t", #"{"id":3}"#)).receipt?.cursor.seq == 2)
        let contents = store.contents
        #expect(contents.keys.sorted() == ["t/1", "t/3"])
        let again = try Simulated.open(files.restarted(seed: 1))
        #expect(again.contents == contents)
        again.close()
    }

    @Test func spaceIsTakenAheadForTheSegmentAndNotBeyond() throws {
        var options = Simulated.options()
        options.segmentLength = 8_192
        options.allocationStep = 1 << 20
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        let store = try Simulated.open(files, options, clock: clock)
        let text = String(repeating: "x", count: 1_000)
        for number in 0..<100 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(number),\"x\":\"\(text)\"}"))
        }
        let sizes = files.names().filter { LogFormat.firstSeq(ofName: $0) != nil }.map {
            files.content(of: $0)?.count ?? 0
        }
        #expect(sizes.count > 10 && sizes.allSatisfy { $0 <= 8_192 + 4_096 }, "\(sizes)")
        // A disk that was full and has room for a segment again takes writes.
        files.setCapacity(files.usedBytes)
        var outcome = WriteOutcome.closed
        for number in 0..<20 where !outcome.isStorageFull {
            outcome = store.submitted(try Make.set("t", "{\"id\":\(number),\"y\":\"\(text)\"}"))
        }
        #expect(outcome.isStorageFull)
        files.setCapacity(files.usedBytes + 16_384)
        clock.advance(milliseconds: 1_500)
        #expect(store.submitted(try Make.set("t", #"{"id":"again"}"#)).name == "changed")
        store.close()
    }

    @Test func theFirstOfSeveralFailuresIsTheOneThatIsTold() throws {
        var options = Simulated.options()
        options.segmentLength = 1_024
        options.snapshotMinimum = 1_024
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files, options)
        let text = String(repeating: "x", count: 400)
        #expect(
            store.submitted(try Make.set("t", "{\"id\":1,\"x\":\"\(text)\"}")).name == "changed")
        // That of the seal. A compaction is due with it, so that the writer is asked twice.
        files.fail("syncData", code: ENOSPC)
        #expect(
            store.submitted(try Make.set("t", "{\"id\":2,\"x\":\"\(text)\"}")).name == "unknown")
        #expect(files.content(of: LogFormat.segmentName(2)) == nil)
        #expect(store.status.phase == .failed)
        #expect(store.status.reason.contains("syncData of log-0000000000000001.fl: No space"))
        store.close()
    }

    /// Every call while the log takes a new segment can find the disk full.
    @Test(
        arguments: [("open", 1), ("truncate", 1), ("sync", 1), ("rename", 1), ("sync", 2)],
        [ENOSPC, EDQUOT])
    func aSegmentThatFindsNoSpaceIsMadeLater(_ call: (String, Int), _ code: CInt) throws {
        var options = Simulated.options()
        options.segmentLength = 4_096
        options.memoryTypes = [Make.type("m")]
        let files = SimulatedFileSystem(seed: UInt64(code))
        let clock = ManualClock()
        let store = try Simulated.open(files, options, clock: clock)
        files.fail(call.0, occurrence: call.1, code: code)
        let text = String(repeating: "x", count: 400)
        var number = 0
        var outcome = WriteOutcome.closed
        repeat {
            number += 1
            outcome = store.submitted(try Make.set("t", "{\"id\":\(number),\"x\":\"\(text)\"}"))
        } while outcome.name == "changed" && number < 100
        #expect(outcome.isStorageFull && store.status.phase == .full)
        // It takes a seq, so that the segment gets another name.
        #expect(store.submitted(try Make.set("m", #"{"id":1}"#)).name == "changed")
        // Whatever a power loss leaves now, it can be opened and has what was acknowledged.
        let acknowledged = store.contents.filter { $0.key.hasPrefix("t/") }
        let cut = try Simulated.open(files.restarted(seed: 5), options)
        #expect(cut.contents == acknowledged)
        cut.close()
        clock.advance(milliseconds: 1_000)
        for number in 200..<220 {
            let set = try Make.set("t", "{\"id\":\(number),\"x\":\"\(text)\"}")
            #expect(store.submitted(set).name == "changed")
        }
        #expect(store.status.phase == .ready)
        let held = store.contents.filter { $0.key.hasPrefix("t/") }
        for seed in 0..<8 as Range<UInt64> {
            let again = try Simulated.open(files.restarted(seed: seed), options)
            #expect(again.contents == held)
            again.close()
        }
        store.close()
    }

    /// Found by a life (seed 15000): a segment whose name was not synced was written to again.
    @Test(arguments: [true, false])
    func aSegmentWhoseNameWasNotSyncedGetsADurableName(_ reopening: Bool) throws {
        var options = Simulated.options()
        options.segmentLength = 1_024
        let files = SimulatedFileSystem(seed: 1)
        var machine = files
        var store = try Simulated.open(files, options)
        files.fail("sync", occurrence: 2, code: EIO)
        var number = 0
        repeat {
            number += 1
            _ = store.submitted(try Make.set("t", "{\"id\":\(number),\"x\":\"0123456789\"}"))
        } while store.status.phase == .ready
        #expect(store.status.reason.contains("sync of log-"))
        // The manifest, whose writing syncs the directory by the way, cannot be written either.
        if !reopening { machine = files.restarted(seed: 1, keepingCache: true) }
        machine.fail("rename", code: EIO)
        if reopening {
            try store.reopen()
        } else {
            store = try Simulated.open(machine, options)
        }
        #expect(store.submitted(try Make.set("t", #"{"id":"kept"}"#)).name == "changed")
        let contents = store.contents
        for seed in 0..<20 as Range<UInt64> {
            let again = try Simulated.open(machine.restarted(seed: seed), options)
            #expect(again.contents == contents, "seed \(seed)")
            again.close()
        }
    }

    @Test func aWriteErrorOtherThanNoSpaceEndsWriting() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files)
        files.fail("write", code: EIO)
        #expect(store.submitted(try Make.set("t", #"{"id":1}"#)).name == "unknown")
        #expect(store.status.phase == .failed)
        store.close()
    }

    @Test(arguments: ["allocate", "write"])
    func aFileThatMayNotGrowIsAFullDisk(_ call: String) throws {
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        let store = try Simulated.open(files, clock: clock)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        if call == "write" { files.fail("allocate", code: EOPNOTSUPP) }
        let large = String(repeating: "x", count: Simulated.options().allocationStep)
        files.fail(call, code: EFBIG)
        let outcome = store.submitted(try Make.set("t", "{\"id\":2,\"x\":\"\(large)\"}"))
        #expect(outcome.isStorageFull && store.status.phase == .full)
        #expect(store.contents.keys.sorted() == ["t/1"])
        clock.advance(milliseconds: 1_000)
        store.idle()
        #expect(store.submitted(try Make.set("t", #"{"id":3}"#)).name == "changed")
        store.close()
    }

    @Test func reopeningLooksForSpaceAtOnce() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files, clock: ManualClock())
        _ = store.submitted(try Make.set("t", #"{"id":0}"#))
        let large = String(repeating: "x", count: Simulated.options().allocationStep)
        files.fail("allocate", code: EFBIG)
        let outcome = store.submitted(try Make.set("t", "{\"id\":1,\"x\":\"\(large)\"}"))
        #expect(outcome.isStorageFull && store.status.phase == .full)
        #expect(store.submitted(try Make.set("t", #"{"id":2}"#)).isStorageFull)
        try store.reopen()
        #expect(store.status.phase == .ready)
        #expect(store.submitted(try Make.set("t", #"{"id":2}"#)).name == "changed")
        store.close()
    }

    @Test("Zeros that cannot be written ahead refuse no write", arguments: [ENOSPC, EIO])
    func zerosThatFail(_ code: CInt) throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files)
        // The first one is the frame.
        files.fail("write", occurrence: 2, code: code)
        #expect(store.submitted(try Make.set("t", #"{"id":1}"#)).name == "changed")
        #expect(files.heal() && store.status.phase == .ready)
        #expect(store.submitted(try Make.set("t", #"{"id":2}"#)).name == "changed")
        for seed in 0..<20 as Range<UInt64> {
            let again = try Simulated.open(files.restarted(seed: seed))
            #expect(again.contents == store.contents, "seed \(seed)")
            again.close()
        }
        store.close()
    }

    @Test("A batch that was refused for space stays refused, however much of it was written")
    func refusedStaysRefused() throws {
        for seed in 0..<400 as Range<UInt64> {
            let files = SimulatedFileSystem(seed: seed)
            let store = try Simulated.open(files)
            #expect(store.submitted(try Make.set("t", #"{"id":"kept"}"#)).name == "changed")
            let before = store.contents
            files.writeShort()
            // The frame is written in several pieces; the last ones may be zeros that are there.
            files.fail("write", occurrence: Int(seed % 4) + 2, code: ENOSPC)
            let outcome = store.submitted(try Make.set("t", #"{"id":"refused"}"#))
            guard outcome.isStorageFull else { continue }
            let again = try Simulated.open(files.restarted(seed: seed))
            #expect(again.contents == before, "seed \(seed)")
            again.close()
        }
    }

    @Test func aFailureNamesItsFile() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files)
        files.fail("syncData", code: EIO)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        #expect(store.status.reason.contains(LogFormat.segmentName(1)))
        store.close()
    }

    @Test func aLinkInADataDirectoryIsRefusedInPlainWords() throws {
        let fault = SystemFault("openat", "log-1", ELOOP)
        #expect(fault.description.hasPrefix("log-1 is a symbolic link;"))
        #expect(SystemFault("open", "a", ELOOP).description.contains("errno"))
    }

    @Test func aFullDiskRefusesSetsAndHealsByItself() throws {
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        var options = Simulated.options()
        options.reserve = 16_384
        let store = try Simulated.open(files, options, clock: clock)
        _ = store.submitted(try Make.set("t", #"{"id":"kept"}"#))
        files.setCapacity(files.usedBytes)
        var index = 0
        var outcome = WriteOutcome.closed
        repeat {
            index += 1
            outcome = store.submitted(try Make.set("t", "{\"id\":\(index)}"))
        } while outcome.receipt != nil
        #expect(outcome.isStorageFull && store.status.phase == .full)
        let contents = store.contents
        #expect(contents.count == index)
        #expect(store.submitted(try Make.set("t", #"{"id":"x"}"#)).isStorageFull)
        #expect(store.submitted(try Make.remove("t", "1")).name == "changed", "from the reserve")
        files.setCapacity(1 << 30)
        #expect(store.submitted(try Make.set("t", #"{"id":"x"}"#)).isStorageFull)
        clock.advance(milliseconds: 1_000)
        #expect(store.submitted(try Make.set("t", #"{"id":"x"}"#)).name == "changed")
        #expect(store.status.phase == .ready)
        let held = store.contents
        let again = try Simulated.open(files.restarted(seed: 2), options)
        #expect(again.contents == held)
        again.close()
    }

    /// A start of such a store has an epoch to tell, which the reserve has room for.
    @Test func aFullDiskKeepsNoRelaxedStoreClosed() throws {
        let files = SimulatedFileSystem(seed: 1)
        var options = Simulated.options()
        options.durability = .relaxed
        options.reserve = 16_384
        let store = try Simulated.open(files, options)
        _ = store.submitted(try Make.set("t", #"{"id":"kept"}"#))
        files.setCapacity(files.usedBytes)
        var index = 0
        repeat {
            index += 1
        } while store.submitted(try Make.set("t", "{\"id\":\(index)}")).receipt != nil
        let contents = store.contents
        // Without one there is no way.
        let bare = files.restarted(seed: 2, keepingCache: true)
        bare.delete(DataDirectory.reserveName)
        bare.setCapacity(bare.usedBytes)
        #expect(throws: StoreError.self) { try Simulated.open(bare, options) }
        let dead = files.restarted(seed: 2, keepingCache: true)
        dead.setCapacity(dead.usedBytes)
        let again = try Simulated.open(dead, options)
        #expect(again.contents == contents)
        dead.setCapacity(1 << 30)
        again.close()
        let report = try StoreVerifier.verify(directory: "data", files: dead)
        #expect(report.isIntact, "\(report.damages)")
    }

    @Test func lowSpaceTakesRemovalsOnly() throws {
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        var options = Simulated.options()
        options.lowSpace = 1 << 20
        let store = try Simulated.open(files, options, clock: clock)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        // A tenth of the volume is less than 1 MiB.
        files.setCapacity(4 << 20)
        clock.advance(milliseconds: 1_000)
        #expect(store.submitted(try Make.set("t", #"{"id":2}"#)).name == "changed")
        files.setCapacity(files.usedBytes * 10 / 9 - 1)
        clock.advance(milliseconds: 1_000)
        guard case .storageFull(let reason) = store.submitted(try Make.set("t", #"{"id":3}"#))
        else {
            Issue.record("less than a tenth is free")
            return
        }
        #expect(reason.contains("MiB are free and") && reason.hasSuffix("MiB are wanted"))
        #expect(store.status.phase == .low && !store.status.acceptsSets)
        #expect(store.submitted(try Make.remove("t", "1")).name == "changed")
        store.close()
    }

    /// A store on a volume that another program has filled: ten entities of 10 KB, written once more
    /// behind each of `snapshots`.
    private func filled(
        _ files: SimulatedFileSystem, clock: ManualClock, reserve: Int, snapshots: Int
    ) throws -> (store: FileStore, options: FileStoreOptions) {
        var options = Simulated.options()
        options.reserve = reserve
        options.lowSpace = 20_000
        let store = try Simulated.open(files, options, clock: clock)
        let text = String(repeating: "x", count: 10_000)
        for round in 0...snapshots {
            for id in 0..<10 {
                let set = try Make.set("t", "{\"id\":\(id),\"n\":\(round),\"x\":\"\(text)\"}")
                #expect(store.submitted(set).name == "changed")
            }
            if round < snapshots { _ = try store.compact {} }
        }
        #expect(files.names().contains(DataDirectory.reserveName))
        files.setCapacity(files.usedBytes)
        return (store, options)
    }

    private func snapshots(_ files: SimulatedFileSystem) -> [UInt64] {
        files.names().compactMap { SnapshotFormat.seq(ofName: $0) }.sorted()
    }

    /// The next second.
    private func pass(_ store: FileStore, _ clock: ManualClock) {
        clock.advance(milliseconds: 1_000)
        store.idle()
        store.runQueue()
    }

    /// Not even a manifest has room.
    @Test func whereNothingIsFreeTheReserveIsGivenUpForTheOlderGeneration() throws {
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        let (store, options) = try filled(files, clock: clock, reserve: 16_384, snapshots: 2)
        #expect(snapshots(files) == [10, 20])
        clock.advance(milliseconds: 1_000)
        #expect(store.submitted(try Make.set("t", #"{"id":"a"}"#)).isStorageFull)
        #expect(snapshots(files) == [20] && store.status.phase == .ready)
        #expect(store.submitted(try Make.set("t", #"{"id":"a"}"#)).name == "changed")
        #expect(files.names().contains(DataDirectory.reserveName), "there is space again")
        let contents = store.contents
        for seed in 0..<8 as Range<UInt64> {
            let again = try Simulated.open(files.restarted(seed: seed), options)
            #expect(again.contents == contents)
            again.close()
        }
        store.close()
    }

    @Test func whatCannotBeGivenUpNowIsTriedAgainEachSecond() throws {
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        let (store, _) = try filled(files, clock: clock, reserve: 16_384, snapshots: 2)
        // The other program takes the reserve's space as well.
        files.setCapacity(files.usedBytes - 16_384)
        for _ in 0..<3 { pass(store, clock) }
        #expect(snapshots(files) == [10, 20] && !store.status.acceptsSets)
        #expect(!files.names().contains(DataDirectory.reserveName))
        files.setCapacity(files.usedBytes + 8_192)
        pass(store, clock)
        #expect(snapshots(files) == [20] && store.status.phase == .ready)
        pass(store, clock)
        #expect(files.names().contains(DataDirectory.reserveName))
        store.close()
    }

    @Test func aCompactionThatIsAskedForSaysThatTheDiskIsFull() throws {
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        let (store, _) = try filled(files, clock: clock, reserve: 16_384, snapshots: 1)
        // The second one knows that the disk is full already.
        for _ in 0..<2 {
            let result = Result { () throws(StoreError) in try store.compact() }
            guard case .failure(.noSpace(_, let reason)) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(reason.contains("MiB are free and") && reason.hasSuffix("MiB are wanted"))
        }
        files.setCapacity(1 << 30)
        #expect(try store.compact().seq == 20)
        #expect(store.status.phase == .ready)
        #expect(files.names().contains(DataDirectory.reserveName))
        store.close()
    }

    /// The log could be shortened, and the snapshot for that has room in the reserve alone.
    @Test("A compaction that is due takes the reserve", arguments: [true, false])
    func dueCompaction(_ fillsLog: Bool) throws {
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        var options = Simulated.options()
        options.reserve = 200_000
        options.lowSpace = 20_000
        options.snapshotMinimum = 1 << 20
        let store = try Simulated.open(files, options, clock: clock)
        let text = String(repeating: "x", count: 10_000)
        for round in 0..<50 {
            let set = try Make.set("t", "{\"id\":1,\"n\":\(round),\"x\":\"\(text)\"}")
            #expect(store.submitted(set).name == "changed")
        }
        files.setCapacity(files.usedBytes)
        let set = try Make.set("t", "{\"id\":2,\"x\":\"\(text)\"}")
        if fillsLog { #expect(store.submitted(set).isStorageFull) }
        for _ in 0..<3 { pass(store, clock) }
        #expect(store.metrics.snapshots == 1, "\(store.status)")
        #expect(store.status.phase == .ready, "\(store.status)")
        #expect(store.submitted(set).name == "changed")
        pass(store, clock)
        #expect(files.names().contains(DataDirectory.reserveName))
        let contents = store.contents
        let again = try Simulated.open(files.restarted(seed: 3), options)
        #expect(again.contents == contents)
        again.close()
        store.close()
    }

    /// The older generation is all that the disk has then.
    @Test func whereTheNewestSnapshotIsDamagedTheOlderGenerationIsKept() throws {
        let files = SimulatedFileSystem(seed: 1)
        let clock = ManualClock()
        let (store, options) = try filled(files, clock: clock, reserve: 16_384, snapshots: 2)
        let name = SnapshotFormat.name(20)
        var bytes = try #require(files.content(of: name))
        bytes[bytes.count / 2] ^= 1
        files.replace(name, with: bytes)
        #expect(store.scrub().failure != nil, "there is no room for another one")
        for _ in 0..<3 { pass(store, clock) }
        #expect(snapshots(files) == [10, 20])
        let contents = store.contents
        let again = try Simulated.open(files.restarted(seed: 3), options)
        #expect(again.contents == contents && again.recovery.snapshotSeq == 10)
        again.close()
        files.setCapacity(1 << 30)
        pass(store, clock)
        #expect(store.scrub().failure == nil)
        #expect(store.scrub().damages == [])
        store.close()
    }

    @Test func aFrameThatIsLargerThanAllIsWhatIsWanted() throws {
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files, clock: ManualClock())
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        files.setCapacity(files.usedBytes + 500_000)
        let text = String(repeating: "x", count: 900_000)
        guard
            case .storageFull(let reason) = store.submitted(
                try Make.set("t", "{\"id\":2,\"x\":\"\(text)\"}"))
        else {
            Issue.record("900 KB have no room")
            return
        }
        #expect(reason.hasSuffix("0.4 MiB are free and 0.8 MiB are wanted"), "\(reason)")
        store.close()
    }

    @Test("A log that has lost synced commits is not written again", arguments: [true, false])
    func lostCommits(_ hasMemoryTypes: Bool) throws {
        var options = Simulated.options()
        if hasMemoryTypes { options.memoryTypes = [Make.type("m")] }
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files, options)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        let name = LogFormat.segmentName(1)
        let bytes = try #require(files.content(of: name))
        _ = store.submitted(try Make.set("t", #"{"id":2}"#))
        files.fail("syncData", code: EIO)
        #expect(store.submitted(try Make.set("t", #"{"id":3}"#)).name == "unknown")
        files.replace(name, with: bytes)
        #expect(throws: StoreError.behind(directory: "data", disk: 1, served: 2)) {
            try store.reopen()
        }
        #expect(store.status.phase == .failed && store.contents.keys.sorted() == ["t/1", "t/2"])
        store.close()
    }

    /// What is kept free is a tenth at most, and what is removed can be written again.
    @Test(arguments: [4, 48, 85])
    func aSmallVolumeIsUsedAndComesBack(_ mebibytes: Int) throws {
        let standard = FileStoreOptions(directory: "data")
        var options = Simulated.options()
        options.lowSpace = standard.lowSpace
        options.reserve = standard.reserve
        options.snapshotMinimum = standard.snapshotMinimum
        options.segmentLength = standard.segmentLength
        options.allocationStep = standard.allocationStep
        let total = mebibytes << 20
        let files = SimulatedFileSystem(seed: 1)
        files.setCapacity(total)
        let clock = ManualClock()
        let store = try Simulated.open(files, options, clock: clock)
        let size = mebibytes << 13
        let text = String(repeating: "x", count: size)
        for round in 0..<3 {
            var refused = 0
            var number = 0
            while refused < 70 {
                let set = try Make.set("t", "{\"id\":\(number),\"x\":\"\(text)\"}")
                if store.submitted(set).receipt != nil {
                    number += 1
                } else {
                    refused += 1
                    clock.advance(milliseconds: 1_000)
                    store.idle()
                    store.runQueue()
                }
            }
            #expect(number * size > total / 3, "round \(round)")
            #expect(store.status.phase == .low)
            for id in 0..<number {
                #expect(store.submitted(try Make.remove("t", "\(id)")).name == "changed")
            }
            for _ in 0..<70 {
                clock.advance(milliseconds: 1_000)
                store.idle()
                store.runQueue()
            }
            #expect(store.status.phase == .ready && files.usedBytes < total / 4)
        }
        let contents = store.contents
        store.close()
        let again = try Simulated.open(files.restarted(seed: 1), options)
        #expect(again.contents == contents)
        again.close()
    }

    @Test func shortWritesAndInterruptionsAreContinued() throws {
        let files = SimulatedFileSystem(seed: 9)
        files.writeShort()
        let store = try Simulated.open(files)
        for index in 0..<50 {
            let outcome = store.submitted(try Make.set("t", "{\"id\":\(index)}"))
            #expect(outcome.name == "changed")
        }
        let again = try Simulated.open(files.restarted(seed: 3))
        #expect(again.contents == store.contents)
        again.close()
    }

    @Test func whereSpaceCannotBeTakenAheadTheLogIsAppendedTo() throws {
        let files = SimulatedFileSystem(seed: 9)
        files.fail("allocate", code: EOPNOTSUPP)
        let store = try Simulated.open(files)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        let again = try Simulated.open(files.restarted(seed: 3))
        #expect(again.contents == store.contents)
        again.close()
    }

    @Test func entitiesOfMemoryTypesNeverReachAFileAndAnUncleanEndMakesANewEpoch() throws {
        let files = SimulatedFileSystem(seed: 2)
        var options = Simulated.options()
        options.memoryTypes = [Make.type("m")]
        let store = try Simulated.open(files, options)
        let epoch = store.cursor.epoch
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        let memory = store.submitted(try Make.set("m", #"{"id":"SECRET"}"#))
        #expect(memory.receipt?.durability == .memory && memory.receipt?.cursor.seq == 2)
        let mixed = store.submitted(
            try Make.set("m", #"{"id":"SECRET2"}"#), try Make.set("t", #"{"id":2}"#))
        // A part of it is gone behind a restart.
        #expect(mixed.receipt?.durability == .memory && mixed.receipt?.cursor.seq == 3)
        let text = String(
            decoding: try #require(files.content(of: LogFormat.segmentName(1))), as: UTF8.self)
        #expect(!text.contains("SECRET"))
        let again = try Simulated.open(files.restarted(seed: 1), options)
        #expect(again.contents.keys.sorted() == ["t/1", "t/2"] && again.seq == 3)
        #expect(again.cursor.epoch != epoch)
        again.close()
    }

    @Test func aCleanEndKeepsTheEpochWithTheSameMemoryTypesAndNoSeqIsGivenTwice() throws {
        let files = SimulatedFileSystem(seed: 2)
        var options = Simulated.options()
        options.memoryTypes = [Make.type("m"), Make.type("cache")]
        let store = try Simulated.open(files, options)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        _ = store.submitted(try Make.set("m", #"{"id":1}"#))
        _ = store.submitted(try Make.set("m", #"{"id":2}"#))
        let held = store.cursor
        #expect(held.seq == 3)
        store.close()
        // The same types, in another order of insertion.
        options.memoryTypes = [Make.type("cache"), Make.type("m")]
        let again = try Simulated.open(files, options)
        #expect(again.cursor == held && again.contents.keys.sorted() == ["t/1"])
        #expect(again.submitted(try Make.set("m", #"{"id":1}"#)).receipt?.cursor.seq == 4)
        again.close()
        // A segment that is sealed, and a snapshot, keep the seq as well.
        let third = try Simulated.open(files, options)
        _ = try third.compact()
        #expect(third.submitted(try Make.set("m", #"{"id":5}"#)).receipt?.cursor.seq == 5)
        third.close()
        for types in [["m"], [], ["m"], ["m", "cache"]] {
            let before = try StoreReader.read(directory: "data", files: files).views.cursor.epoch
            options.memoryTypes = Set(types.map { Make.type($0) })
            let changed = try Simulated.open(files, options)
            #expect(changed.cursor.epoch != before && changed.seq == 5, "\(types)")
            changed.close()
        }
        let last = try Simulated.open(files, options)
        let epoch = last.cursor.epoch
        // Without a word, and without a write: seqs may have been shown that the log lacks.
        let killed = try Simulated.open(files.restarted(seed: 1), options)
        #expect(killed.cursor.epoch != epoch)
        killed.close()
        last.close()
    }

    @Test func theTraitsOfAnEpochNameTheMemoryTypesAndThoseOfOlderVersionsNone() {
        let types = EpochTraits(memoryTypes: [Make.type("m")], isRelaxed: false)
        // sha256 of "m\n", its first 56 bits, and both flags.
        #expect(types.rawValue == 0x01A6_0E35_DF88_D803)
        #expect(types.hasSameTypes(as: EpochTraits(rawValue: types.rawValue)))
        #expect(!types.hasSameTypes(as: EpochTraits(rawValue: 3)))
        #expect(!types.hasSameTypes(as: EpochTraits()))
        #expect(
            !types.hasSameTypes(
                as: EpochTraits(memoryTypes: [Make.type("m"), Make.type("n")], isRelaxed: false)))
        let relaxed = EpochTraits(memoryTypes: [], isRelaxed: true)
        #expect(relaxed.isVolatile && relaxed.hasSameTypes(as: EpochTraits()))
    }

    @Test func aStoreThatIsOpenedAnewGoesOnBehindWhatWasShownOfMemoryTypes() throws {
        let files = SimulatedFileSystem(seed: 2)
        var options = Simulated.options()
        options.memoryTypes = [Make.type("m")]
        let store = try Simulated.open(files, options)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        for number in 1...5 { _ = store.submitted(try Make.set("m", "{\"id\":\(number)}")) }
        files.fail("syncData", occurrence: 1, code: EIO)
        #expect(store.submitted(try Make.set("t", #"{"id":2}"#)).name == "unknown")
        try store.reopen()
        #expect(store.seq >= 6)
        let next = try #require(store.submitted(try Make.set("t", #"{"id":3}"#)).receipt)
        #expect(next.cursor.seq > 6)
        store.close()
        #expect(try StoreReader.read(directory: "data", files: files).views.cursor.seq >= 7)
    }

    @Test func whatWasShownAndIsNotOnTheDiskIsTakenBackByACommitBehindIt() throws {
        var lost = 0
        for seed in 0..<16 as Range<UInt64> {
            let files = SimulatedFileSystem(seed: seed)
            let clock = ManualClock()
            var options = Simulated.options()
            options.durability = .relaxed
            let recorder = Recorder()
            let store = try Simulated.open(files, options, clock: clock, observer: recorder)
            _ = store.submitted(try Make.set("t", #"{"id":1,"n":1}"#))
            clock.advance(milliseconds: 100)
            store.idle()
            _ = store.submitted(try Make.set("t", #"{"id":1,"n":2}"#))
            _ = store.submitted(try Make.set("t", #"{"id":2}"#))
            // A type of which the disk may have nothing.
            _ = store.submitted(try Make.set("new", #"{"id":9}"#))
            files.fail("syncData", occurrence: 1, code: EIO)
            clock.advance(milliseconds: 100)
            store.idle()
            #expect(store.status.phase == .failed && store.seq == 4)
            let shown = store.contents
            let heard = recorder.changes.count
            try store.reopen()
            #expect(store.seq >= 4)
            if store.contents != shown {
                lost += 1
                #expect(store.seq == 5)
                // A watcher that applies them shows what is stored.
                var state = shown
                for change in recorder.changes[heard...] {
                    #expect(change.seq == 5)
                    if let id = (change.new ?? change.old)?.id {
                        state["\(change.type)/\(id)"] = change.new?.text
                    }
                }
                #expect(state == store.contents)
            }
            #expect(store.submitted(try Make.set("t", #"{"id":3}"#)).receipt?.cursor.seq ?? 0 > 4)
            store.close()
        }
        #expect(lost > 0)
    }

    @Test func relaxedWritesAreSyncedLater() throws {
        let files = SimulatedFileSystem(seed: 2)
        let clock = ManualClock()
        var options = Simulated.options()
        options.durability = .relaxed
        let store = try Simulated.open(files, options, clock: clock)
        _ = store.submitted(try Make.set("t", #"{"id":0}"#))
        let syncs = files.count(of: "syncData")
        for index in 1...10 {
            let outcome = store.submitted(try Make.set("t", "{\"id\":\(index)}"))
            #expect(outcome.receipt?.durability == .relaxed)
        }
        #expect(files.count(of: "syncData") == syncs)
        clock.advance(milliseconds: 100)
        store.idle()
        #expect(files.count(of: "syncData") == syncs + 1)
        store.close()
    }
}

@Suite struct SyncedTypeTests {
    @Test("A type that asks for it is synced at once, and whatever is in its batch with it")
    func syncedTypes() throws {
        let files = SimulatedFileSystem(seed: 3)
        var options = Simulated.options()
        options.durability = .relaxed
        options.syncedTypes = [Make.type("order")]
        let store = try Simulated.open(files, options, clock: ManualClock())
        _ = store.submitted(try Make.set("hit", #"{"id":0}"#))
        let syncs = files.count(of: "syncData")
        #expect(
            store.submitted(try Make.set("hit", #"{"id":1}"#)).receipt?.durability == .relaxed)
        #expect(files.count(of: "syncData") == syncs)
        #expect(store.submitted(try Make.set("order", #"{"id":1}"#)).receipt?.durability == .full)
        #expect(files.count(of: "syncData") == syncs + 1)
        // Nothing is written, and what is there was synced.
        #expect(store.submitted(try Make.set("order", #"{"id":1}"#)).receipt?.durability == .full)
        let mixed = Transaction(operations: [
            try Make.set("hit", #"{"id":2}"#), try Make.set("order", #"{"id":2}"#),
        ])
        #expect(store.submitted(try #require(mixed)).receipt?.durability == .full)
        #expect(files.count(of: "syncData") == syncs + 2)
        // Power is lost: what was only relaxed may be gone, what was promised is there.
        let again = try Simulated.open(files.restarted(seed: 4), options)
        for id in ["1", "2"] {
            #expect(again.document(Make.type("order"), try Make.id(id)) != nil)
        }
        again.close()
    }
}

@Suite struct DirectoryTests {
    @Test func aSecondProcessIsRefusedWithThePidOfTheFirst() throws {
        let directory = TemporaryDirectory()
        var options = FileStoreOptions(directory: directory.path + "/data")
        options.lowSpace = 0
        options.reserve = 0
        let log = Log(level: .error, descriptor: -1)
        let store = try FileStore.open(options, log: log)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        #expect(throws: StoreError.locked(directory: options.directory, holder: "\(getpid())")) {
            _ = try FileStore.open(options, log: log)
        }
        var status = stat()
        #expect(stat(options.directory, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(options.directory + "/FRESHET", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600 && status.st_size == 4_096)
        store.close()
        let again = try FileStore.open(options, log: log)
        #expect(again.contents == ["t/1": #"{"id":1}"#] && again.recovery.wasClosed)
        again.close()
        #expect(try StoreVerifier.verify(directory: options.directory).isIntact)
    }

    /// Between its fork and its program, a child process has a copy of each descriptor.
    @Test func aClosedDirectoryIsFreeThoughACopyOfItsLockIsOpen() throws {
        let directory = TemporaryDirectory()
        var options = FileStoreOptions(directory: directory.path + "/data")
        options.lowSpace = 0
        options.reserve = 0
        let log = Log(level: .error, descriptor: -1)
        let store = try FileStore.open(options, log: log)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let locks = descriptors.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                == options.directory + "/LOCK"
        }
        let copy = dup(try #require(locks.first.flatMap { CInt($0) }))
        defer { close(copy) }
        store.close()
        try FileStore.open(options, log: log).close()
    }

    @Test func aDirectoryOfOtherThingsIsRefusedAndLeftAlone() throws {
        let directory = TemporaryDirectory()
        let file = fopen(directory.path + "/letter.txt", "w")
        fputs("dear reader", file)
        fclose(file)
        #expect(throws: StoreError.notAStore(directory: directory.path)) {
            _ = try FileStore.open(FileStoreOptions(directory: directory.path))
        }
        #expect(access(directory.path + "/LOCK", F_OK) != 0)
    }

    @Test func aDirectoryOfFoldersAndLinksIsNoDamagedStore() throws {
        let directory = TemporaryDirectory()
        let made = TemporaryDirectory()
        #expect(symlink(made.path, directory.path + "/a link") == 0)
        for name in ["a link", "Documents"] {
            if name == "Documents" {
                #expect(unlink(directory.path + "/a link") == 0)
                #expect(mkdir(directory.path + "/Documents", 0o700) == 0)
            }
            var options = FileStoreOptions(directory: directory.path)
            for makes in [true, false] {
                options.makesDirectory = makes
                #expect(throws: StoreError.notAStore(directory: directory.path)) {
                    _ = try FileStore.open(options)
                }
            }
        }
    }

    @Test func theIdentityIsReadFromEitherHalf() throws {
        let identity = StoreIdentity(
            store: .random(), created: WallTime(milliseconds: 5), writer: "1.0")
        let bytes = identity.file
        #expect(bytes.count == 4_096)
        var first = bytes
        first[100] ^= 1
        #expect(StoreIdentity(file: first) == identity)
        var both = first
        both[3_000] ^= 1
        #expect(StoreIdentity(file: both) == nil)
    }

    @Test func aNewerFormatIsRefused() throws {
        let files = SimulatedFileSystem(seed: 1)
        try Simulated.open(files).close()
        var identity = try #require(
            StoreIdentity(file: files.content(of: "FRESHET") ?? []))
        identity.major = 2
        identity.writer = "9.9"
        files.replace("FRESHET", with: identity.file)
        let expected = StoreError.incompatible(directory: "data", format: "2.0", writer: "9.9")
        #expect(throws: expected) { _ = try Simulated.open(files) }
    }

    @Test func fileSystemsAreKnownByTheirMounts() {
        let mounts = """
            22 1 8:1 / / rw - ext4 /dev/sda1 rw
            40 22 0:50 / /mnt/share rw,relatime shared:5 - nfs4 server:/x rw
            41 40 0:51 / /mnt/share/local rw - tmpfs tmpfs rw
            42 22 0:52 / /mnt/Our\\040Files\\134 rw - cifs //server/files rw
            """
        func kind(_ path: String) -> FileSystemKind? {
            MountTable.kind(of: path, mountinfo: mounts)
        }
        #expect(kind("/home/data") == FileSystemKind(name: "ext4"))
        #expect(kind("/mnt/share/data") == FileSystemKind(name: "nfs4"))
        #expect(kind("/mnt/shared") == FileSystemKind(name: "ext4"))
        #expect(kind("/mnt/share/local/x") == FileSystemKind(name: "tmpfs"))
        #expect(kind(#"/mnt/Our Files\/data"#) == FileSystemKind(name: "cifs"))
        #expect(MountTable.kind(of: "/home", mountinfo: "") == nil)
        #expect(FileSystemKind(name: "nfs4").isNetwork)
        #expect(!FileSystemKind(name: "ext4").isNetwork)
        #expect(FileSystemKind(name: "ext4").overwritesInPlace)
        #expect(!FileSystemKind(name: "btrfs").overwritesInPlace)
    }

    @Test func cursorsAreReadAsTheyAreWritten() {
        let cursor = Cursor(epoch: .random(), seq: 42)
        #expect(Cursor(cursor.description) == cursor)
        let largest = Cursor(epoch: Epoch(value: .max), seq: .max)
        #expect(largest.description == "fzzzzzzzzzzzz.18446744073709551615")
        #expect(Cursor(epoch: Epoch(value: 1), seq: 0).description == "1.0")
        for text in ["", ".", "a", "a.", ".1", "a.01", "a.-1", "a.1.2", "l.1", "0a.1"] {
            #expect(Cursor(text) == nil, "\(text)")
        }
    }
}

@Suite struct GroupCommitTests {
    @Test func aQueueThatIsFullOrStuckRefusesAtOnce() throws {
        let clock = ManualClock()
        let queue = CommitQueue(
            countLimit: 2, byteLimit: 1_000, overloadAfter: .seconds(2), clock: clock)
        let submission = Submission(
            transaction: Transaction(try Make.remove("t", "1")), size: 400, completion: { _ in })
        #expect(queue.push(submission) == nil)
        #expect(queue.push(submission) == nil)
        #expect(queue.push(submission) == .overloaded)
        var batch: [Submission] = []
        guard case .batch = queue.take(into: &batch, waitingAtMost: .zero) else {
            Issue.record("the queue holds a batch")
            return
        }
        #expect(batch.count == 2)
        clock.advance(milliseconds: 1_999)
        #expect(queue.push(submission) == nil)
        clock.advance(milliseconds: 2)
        #expect(queue.push(submission) == .overloaded, "the batch takes more than two seconds")
        queue.close()
        #expect(queue.push(submission) == .closed)
    }

    @Test func controlsThatFollowEachOtherKeepNoTransactionWaiting() throws {
        let queue = CommitQueue(
            countLimit: 10, byteLimit: 1_000, overloadAfter: .seconds(2), clock: ManualClock())
        let transaction = Transaction(try Make.remove("t", "1"))
        let submission = Submission(transaction: transaction, size: 100, completion: { _ in })
        func next() -> String {
            var batch: [Submission] = []
            return switch queue.take(into: &batch, waitingAtMost: .zero) {
            case .batch: "batch"
            case .control: "control"
            case .timeout: "nothing"
            case .closed: "closed"
            }
        }
        for _ in 0..<3 { _ = queue.push(control: {}) }
        #expect(queue.push(submission) == nil)
        let first = (0..<5).map { _ in next() }
        #expect(first == ["control", "batch", "control", "control", "nothing"])
        #expect(queue.push(submission) == nil)
        _ = queue.push(control: {})
        let second = (0..<3).map { _ in next() }
        #expect(second == ["batch", "control", "nothing"])
    }

    @Test func howeverManyAskForTheHeadOneReadingIsDue() {
        let clock = ManualClock()
        let waiters = SeqWaiters(clock: clock)
        let ends = Shared<[SeqWait]>([])
        func ask() -> Bool {
            waiters.add(nil, until: clock.instant + .seconds(2)) { end in
                ends.update { $0.append(end) }
            }
        }
        #expect(ask() && !ask() && !ask())
        #expect(waiters.beginReadingHead() == 3)
        // It may have been read before this one asked.
        #expect(ask() && !ask())
        waiters.advance(to: 7)
        waiters.resolve(3, to: 7)
        #expect(ends.value == [.reached, .reached, .reached])
        clock.advance(milliseconds: 2_000)
        waiters.expire()
        #expect(ends.value.count == 5)
        for end in ends.value.dropFirst(3) {
            guard case .away = end else {
                Issue.record("a head that was not read in time: \(end)")
                continue
            }
        }
        #expect(waiters.beginReadingHead() == nil)
        waiters.add(9, until: clock.instant + .seconds(1)) { end in ends.update { $0.append(end) } }
        clock.advance(milliseconds: 1_000)
        waiters.expire()
        #expect(ends.value.last == .late)
    }

    @Test(arguments: ["seq", "term", "beat", "floor"])
    func aHeadBehindWhichNothingCanBePutIsNone(_ name: String) throws {
        let line = LogHead(cluster: StoreID(high: 1, low: 2), epoch: Epoch(value: 3)).encoded()
        #expect(LogHead(line) != nil)
        guard case .object(var members) = try JSONValue.parse(line) else { return }
        for index in members.indices where members[index].name == name {
            members[index].value = .number(String(UInt64.max))
        }
        var changed = ByteBuffer()
        JSONValue.object(members).write(to: &changed)
        #expect(LogHead(Array(changed.bytes)) == nil)
    }

    @Test func whatWaitedForTooLongIsTakenOutWhateverTheWriterDoes() throws {
        let clock = ManualClock()
        let queue = CommitQueue(
            countLimit: 100, byteLimit: 100_000, overloadAfter: .seconds(2), batchBytes: 1_000,
            clock: clock)
        let transaction = Transaction(try Make.remove("t", "1"))
        let push = {
            queue.push(Submission(transaction: transaction, size: 400, completion: { _ in }))
        }
        for _ in 0..<7 { #expect(push() == nil) }
        var batch: [Submission] = []
        guard case .batch = queue.take(into: &batch, waitingAtMost: .zero) else {
            Issue.record("the queue holds a batch")
            return
        }
        #expect(batch.count == 3 && queue.count == 4, "a batch is no more than it can be")
        clock.advance(milliseconds: 1)
        #expect(push() == nil)
        clock.advance(milliseconds: 1_999)
        var late: [Submission] = []
        #expect(queue.takeLate(into: &late))
        #expect(late.count == 4 && queue.count == 1, "the last one came a millisecond later")
        queue.close()
        clock.advance(milliseconds: 1)
        late = []
        #expect(queue.takeLate(into: &late) && late.count == 1)
        #expect(!queue.takeLate(into: &late), "closed and empty")
    }

    @Test func aTransactionThatHasBecomeLateInABatchIsRefused() throws {
        let clock = ManualClock()
        let store = try Simulated.open(SimulatedFileSystem(seed: 1), clock: clock)
        let late = AwaitedValue<WriteOutcome>()
        let timely = AwaitedValue<WriteOutcome>()
        store.submit(Transaction(try Make.set("t", #"{"id":1}"#))) { late.give($0) }
        clock.advance(milliseconds: 2_001)
        store.submit(Transaction(try Make.set("t", #"{"id":2}"#))) { timely.give($0) }
        store.runQueue()
        #expect(late.wait().name == "overloaded" && timely.wait().name == "changed")
        #expect(store.contents.keys.sorted() == ["t/2"] && store.metrics.overloaded == 1)
        store.close()
    }

    /// Every answer carries its seq, so strict order can be checked: a write that began after
    /// another had been answered has a higher seq, and finds the other's effect.
    @Test func concurrentWritersSeeOneStrictOrder() throws {
        for kind in [StoreKind.memory, .threaded] {
            let recorder = Recorder()
            let store = try kind.make(observer: recorder)
            let threads = try (0..<8).map { writer in
                try WriterThread {
                    var last: UInt64 = 0
                    for index in 0..<100 {
                        do {
                            let outcome = store.submitted(
                                try Make.set("t", "{\"id\":\(writer),\"n\":\(index)}"),
                                try Make.set("u", "{\"id\":\(index),\"by\":\(writer)}"))
                            let seq = outcome.receipt?.cursor.seq ?? 0
                            #expect(seq > last)
                            last = seq
                            #expect(store.seq >= seq)
                            let own = store.document(Make.type("t"), try Make.id("\(writer)"))
                            #expect(own?.revision == seq)
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
            for thread in threads { thread.join() }
            store.checkConsistency()
            #expect(store.seq == 800)
            store.close()
            let seqs = recorder.changes.map(\.seq)
            #expect(seqs == seqs.sorted() && Set(seqs).count == 800)
        }
    }
}
