import FreshetBase
import FreshetTestSupport
import Glibc
import Testing

@testable import FreshetStore

/// A log's beginning that ends after any call: no server starts with less than there was, and what was
/// interrupted goes on.
@Suite struct DirectoryReplacementTests {
    private static let count = 60

    private static var options: FileStoreOptions {
        var options = Simulated.options()
        options.segmentLength = 1_024
        options.snapshotMinimum = .max
        return options
    }

    /// The directory of a server that stood alone, of several segments and a snapshot.
    private func made() throws -> SimulatedFileSystem {
        let files = SimulatedFileSystem(seed: 1)
        let store = try Simulated.open(files, Self.options)
        for id in 1...Self.count {
            #expect(store.submitted(try Make.set("t", #"{"id":\#(id)}"#)).name == "changed")
            if id == Self.count / 2 { _ = try store.compact() }
        }
        store.close()
        #expect(files.names().count { LogFormat.firstSeq(ofName: $0) != nil } > 2)
        return files
    }

    private func begin(
        _ engine: MemoryEngine, _ files: SimulatedFileSystem, isRecovery: Bool = false
    ) throws(StoreError) -> RestoreReport {
        try ReplicaDirectory.beginLog(
            MemoryLog(engine), from: "data", isRecovery: isRecovery, writerVersion: "test",
            files: files, clock: ManualClock())
    }

    private func begun(
        _ engine: MemoryEngine, _ files: SimulatedFileSystem
    ) -> Result<RestoreReport, StoreError> {
        Result { () throws(StoreError) in try begin(engine, files) }
    }

    private func opened(_ files: SimulatedFileSystem) -> Result<FileStore, StoreError> {
        Result { () throws(StoreError) in try Simulated.open(files, Self.options) }
    }

    @Test func anInterruptionAfterAnyCallLosesNothing() throws {
        let whole = try made()
        let before = whole.calls
        _ = try begin(MemoryEngine(), whole)
        #expect(whole.names().filter { $0.hasPrefix("tmp-") } == [])
        #expect(whole.calls - before > 50)
        var (refused, resumed) = (0, 0)
        for point in before...whole.calls {
            let engine = MemoryEngine()
            let dead = try made()
            dead.crash(after: point)
            // A crash behind the last of its own calls is none that it could tell of.
            if case .success = begun(engine, dead) {
                #expect(point >= whole.calls - 20, "after call \(point)")
            }
            for seed in 0..<3 as Range<UInt64> {
                let note: Comment = "crash after call \(point), seed \(seed)"
                let files = dead.restarted(seed: seed, keepingCache: seed == 2)
                // Whoever starts a server meanwhile has all, or is told what to do.
                var isReplica = false
                switch opened(files.restarted(seed: seed, keepingCache: true)) {
                case .success(let store): #expect(store.contents.count == Self.count, note)
                case .failure(.unfinished):
                    #expect(throws: StoreError.unfinished(directory: "data"), note) {
                        try ReplicaDirectory.isOwned("data", files)
                    }
                    refused += 1
                case .failure(.ofCluster): isReplica = true
                case .failure(let error): Issue.record(error, note)
                }
                guard engine.isEmpty else { continue }
                resumed += isReplica ? 0 : 1
                let report = try begin(engine, files, isRecovery: isReplica)
                #expect(report.seq == UInt64(Self.count) && report.entities == Self.count, note)
                #expect(!files.names().contains { $0.hasPrefix("tmp-") }, note)
                let found = try StoreVerifier.verify(directory: "data", files: files)
                #expect(found.isIntact && found.entities == Self.count, note)
            }
        }
        #expect(refused > 20 && resumed > 100)
    }

    /// A folder that a whole log was made in is nobody's rubbish while FRESHET is not there.
    @Test func whatIsLeftOfAnInterruptionIsNoEmptyDirectory() throws {
        let files = try made()
        // FRESHET has gone aside, the first file of the log has not.
        files.fail("rename", occurrence: 7, code: 28)
        #expect(throws: StoreError.self) { _ = try begin(MemoryEngine(), files) }
        #expect(files.heal() && !files.names().contains(DataDirectory.identityName))
        #expect(files.names().contains(DirectoryReplacement.folderName))
        #expect(throws: StoreError.notEmpty(directory: "data")) {
            try StoreBuilder.refuseUnlessFree("data", files)
        }
    }

    /// Whoever is at work on it now has not been interrupted.
    @Test func aServerBesideALivingBeginningIsToldWhoHasIt() throws {
        let files = try made()
        files.fail("rename", occurrence: 7, code: 28)
        #expect(throws: StoreError.self) { _ = try begin(MemoryEngine(), files) }
        #expect(files.heal())
        let living = try DirectoryReplacement.open("data", files, clock: ManualClock())
        let locked = StoreError.locked(directory: "data", holder: "\(getpid())")
        #expect(throws: locked) { try opened(files).get() }
        #expect(throws: locked) { try ReplicaDirectory.isOwned("data", files) }
        living.close()
        #expect(throws: StoreError.unfinished(directory: "data")) { try opened(files).get() }
    }

    /// What was never put in its place is nothing to go on with, also where not all of it can be
    /// removed and the directory loses its own FRESHET later.
    @Test func whatWasGivenUpIsNotTakenUpLater() throws {
        let files = try made()
        files.fail("rename", occurrence: 6, code: 28)
        #expect(throws: StoreError.self) { _ = try begin(MemoryEngine(), files) }
        #expect(files.heal())
        #expect(files.names().contains(DataDirectory.identityName))
        files.fail("remove", code: 13)
        #expect(throws: StoreError.self) { try opened(files).get() }
        #expect(files.heal())
        files.fail("remove", occurrence: 2, code: 13)
        try opened(files).get().close()
        #expect(files.heal() && files.names().contains(DirectoryReplacement.folderName))
        files.delete(DataDirectory.identityName)
        guard case .failure(.damaged) = opened(files) else {
            Issue.record("\(opened(files))")
            return
        }
        // A server of a cluster fetches nothing for it.
        guard
            case .failure(.damaged) = Result(catching: { () throws(StoreError) in
                try ReplicaDirectory.isOwned("data", files)
            })
        else {
            Issue.record("a directory that has lost FRESHET is not one to be made")
            return
        }
    }
}
