import FreshetBase
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

/// Crashes and failures around snapshots: after any call, in any order of what was not synced.
///
/// Every third crash point is tried, each where `FRESHET_LONG_TESTS` is set.
@Suite struct CompactionCrashTests {
    private static let isLong = getenv("FRESHET_LONG_TESTS") != nil

    private static func options(retain: Int) -> FileStoreOptions {
        var options = Simulated.options()
        options.segmentLength = 1_024
        options.snapshotMinimum = 1_500
        options.retain = retain
        return options
    }

    @Test(arguments: [1, 2])
    func aCrashAfterAnyCallLosesNothingAcknowledged(_ retain: Int) throws {
        let options = Self.options(retain: retain)
        let whole = try life(crashingAfter: .max, options)
        #expect(whole.snapshots > 3)
        var shown = (fallbacks: 0, tails: 0)
        for point in stride(from: 0, through: whole.files.calls, by: Self.isLong ? 1 : 3) {
            let lived = try life(crashingAfter: point, options)
            for seed in 0..<3 as Range<UInt64> {
                let machine = lived.files.restarted(
                    seed: seed &+ UInt64(point), keepingCache: seed == 2)
                let note: Comment = "retain \(retain), crash after call \(point), seed \(seed)"
                let store = try Simulated.open(machine, options)
                let found = store.contents
                #expect(lived.states.contains(found), note)
                #expect(lived.states.lastIndex(of: found) ?? -1 >= lived.acknowledged, note)
                #expect(store.recovery.fallback == [], note)
                shown.tails += store.recovery.torn == nil ? 0 : 1
                shown.fallbacks += store.recovery.snapshotSeq == nil ? 0 : 1
                store.checkConsistency()
                let outcome = store.submitted(try Make.set("z", #"{"id":"after"}"#))
                #expect(outcome.name == "changed", note)
                let contents = store.contents
                if seed == 1 { _ = try store.compact() }
                store.close()
                let report = try StoreVerifier.verify(directory: "data", files: machine)
                #expect(report.isIntact && report.entities == contents.count, note)
                // A crash must leave nothing that stays for ever.
                let logs = machine.names().filter { $0.hasPrefix("snap-") }
                if seed == 1 { #expect(logs.count <= retain, note) }
                #expect(!machine.names().contains { $0.hasPrefix("tmp-") }, note)
            }
        }
        #expect(shown.fallbacks > 50)
    }

    /// The older generation alone must do as well, whatever the crash left of the newer one.
    @Test func aCrashAndTheLossOfTheNewestSnapshotLoseNothingAcknowledged() throws {
        let options = Self.options(retain: 2)
        let whole = try life(crashingAfter: .max, options)
        var tried = 0
        for point in stride(from: 0, through: whole.files.calls, by: Self.isLong ? 1 : 7) {
            let lived = try life(crashingAfter: point, options)
            let machine = lived.files.restarted(seed: UInt64(point))
            guard let newest = machine.names().filter({ $0.hasPrefix("snap-") }).max() else {
                continue
            }
            tried += 1
            var bytes = try #require(machine.content(of: newest))
            bytes[bytes.count - 9] ^= 1
            machine.replace(newest, with: bytes)
            let note: Comment = "crash after call \(point)"
            let store = try Simulated.open(machine, options)
            let found = store.contents
            #expect(lived.states.lastIndex(of: found) ?? -1 >= lived.acknowledged, note)
            store.close()
        }
        #expect(tried > 20)
    }

    /// Two sessions of random transactions, with compactions that the log's length brings about and
    /// one that writes go on beside.
    ///
    /// - Returns: Every state that the store went through, and the index of the last one that was
    ///   acknowledged.
    private func life(
        crashingAfter point: Int, _ options: FileStoreOptions
    ) throws -> (
        files: SimulatedFileSystem, states: [[String: String]], acknowledged: Int, snapshots: Int
    ) {
        let files = SimulatedFileSystem(seed: 11)
        files.crash(after: point)
        let history = History()
        var snapshots = 0
        for _ in 0..<2 {
            guard let store = try? Simulated.open(files, options) else { break }
            for index in 0..<24 {
                try history.write(to: store)
                if files.hasCrashed { break }
                if index == 12 {
                    _ = try? store.compact {
                        try? history.write(to: store, stepping: true)
                    }
                }
                if files.hasCrashed { break }
            }
            snapshots += store.metrics.snapshots
            if files.hasCrashed { break }
            store.idle()
            store.close()
        }
        return (files, history.states, history.acknowledged, snapshots)
    }

    /// What was written, and what came of it.
    private final class History {
        var states: [[String: String]] = [[:]]
        var acknowledged = 0
        private var random = Seeded(5)

        func write(to store: FileStore, stepping: Bool = false) throws {
            let (transaction, after) = try RandomWrites.transaction(
                on: states[states.count - 1], &random)
            states.append(after)
            let outcome = AwaitedValue<WriteOutcome>()
            store.submit(transaction) { outcome.give($0) }
            if stepping { store.stepQueue() } else { store.runQueue() }
            if outcome.wait().receipt != nil { acknowledged = states.count - 1 }
        }
    }

    // MARK: Failures

    @Test(arguments: ["write", "sync", "syncData", "rename", "read", "remove", "truncate", "open"])
    func aFailureOfACompactionLeavesTheStoreAsItWas(_ call: String) throws {
        for occurrence in 1...40 {
            let files = SimulatedFileSystem(seed: 11)
            let clock = ManualClock()
            let store = try Simulated.open(files, clock: clock)
            for index in 0..<10 {
                _ = store.submitted(try Make.set("t", "{\"id\":\(index)}"))
            }
            _ = try store.compact()
            _ = store.submitted(try Make.remove("t", "3"))
            let contents = store.contents
            files.fail(call, occurrence: occurrence, code: EIO)
            let failed = (try? store.compact()) == nil
            let wasMet = files.heal()
            let report = try StoreVerifier.verify(directory: "data", files: files)
            #expect(report.isIntact, "\(call) \(occurrence)")
            #expect(store.contents == contents && (wasMet || !failed))
            let note: Comment = "\(call) \(occurrence)"
            if store.status.phase == .failed {
                // The log's own call was the one that failed.
                try store.reopen()
            }
            #expect(store.submitted(try Make.set("t", #"{"id":"x"}"#)).name == "changed", note)
            clock.advance(milliseconds: 60_000)
            _ = try store.compact()
            let held = store.contents
            let again = try Simulated.open(files.restarted(seed: UInt64(occurrence)))
            #expect(again.contents == held && again.recovery.fallback == [], note)
            again.close()
            if !wasMet { break }
        }
    }

    @Test func aFullDiskCostsTheSnapshotAloneAndItsFileIsGone() throws {
        let files = SimulatedFileSystem(seed: 11)
        let clock = ManualClock()
        let store = try Simulated.open(files, clock: clock)
        let text = String(repeating: "x", count: 100_000)
        for index in 0..<10 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(index),\"x\":\"\(text)\"}"))
        }
        files.setCapacity(files.usedBytes + 200_000)
        #expect(throws: StoreError.self) { _ = try store.compact() }
        #expect(!files.names().contains { $0.hasPrefix("tmp-") || $0.hasPrefix("snap-") })
        #expect(store.submitted(try Make.set("t", #"{"id":"x"}"#)).name == "changed")
        files.setCapacity(1 << 30)
        _ = try store.compact()
        let contents = store.contents
        let again = try Simulated.open(files.restarted(seed: 1))
        #expect(again.contents == contents && again.recovery.snapshotSeq == 11)
        again.close()
    }

    @Test func aSnapshotThatIsDueAndHasNoRoomMakesSpaceLow() throws {
        let files = SimulatedFileSystem(seed: 11)
        let clock = ManualClock()
        var options = Simulated.options()
        options.lowSpace = 1_000
        options.snapshotMinimum = 200_000
        let store = try Simulated.open(files, options, clock: clock)
        let text = String(repeating: "x", count: 50_000)
        for index in 0..<3 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(index),\"x\":\"\(text)\"}"))
        }
        files.setCapacity(files.usedBytes + 120_000)
        // 150 KB live, 70 KB free behind this write, with which the log passes 200 KB.
        _ = store.submitted(try Make.set("t", "{\"id\":0,\"y\":\"\(text)\"}"))
        clock.advance(milliseconds: 1_000)
        #expect(store.submitted(try Make.set("t", #"{"id":9}"#)).isStorageFull)
        #expect(store.status.phase == .low)
        #expect(store.metrics.snapshots == 0)
        #expect(store.submitted(try Make.remove("t", "1")).name == "changed")
        #expect(store.submitted(try Make.remove("t", "2")).name == "changed")
        clock.advance(milliseconds: 60_000)
        store.idle()
        #expect(store.submitted(try Make.set("t", #"{"id":9}"#)).name == "changed")
        #expect(store.metrics.snapshots == 1, "what is left has room")
        store.close()
    }

    @Test func aSnapshotThatReadsAsAnotherIsNotNamed() throws {
        let files = SimulatedFileSystem(seed: 11)
        let store = try Simulated.open(files)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        let contents = store.contents
        let name = SnapshotFormat.name(1)
        #expect(throws: StoreError.self) {
            _ = try store.compact {
                // Between the write and the sync, as a disk would.
                guard var bytes = files.content(of: "tmp-" + name) else { return }
                bytes[bytes.count - 10] ^= 1
                files.replace("tmp-" + name, with: bytes)
            }
        }
        #expect(!files.names().contains(name))
        #expect(store.metrics.snapshotFailures == 1)
        let again = try Simulated.open(files.restarted(seed: 1))
        #expect(again.contents == contents && again.recovery.snapshotSeq == nil)
        again.close()
    }

    @Test func aThreadedStoreCompactsBesideConcurrentWriters() throws {
        var options = Simulated.options()
        options.isStepped = false
        options.snapshotMinimum = 20_000
        options.snapshotRate = 0
        let files = SimulatedFileSystem(seed: 1)
        let store = try FileStore.open(
            options, files: files, log: Log(level: .error, descriptor: -1))
        let threads = try (0..<4).map { writer in
            try WriterThread {
                for index in 0..<300 {
                    do {
                        let outcome = store.submitted(
                            try Make.set("t", "{\"id\":\"\(writer)-\(index % 20)\",\"n\":\(index)}")
                        )
                        #expect(outcome.receipt != nil)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        for _ in 0..<5 { _ = try store.compact() }
        for thread in threads { thread.join() }
        let contents = store.contents
        #expect(store.metrics.snapshots >= 5 && store.metrics.snapshotFailures == 0)
        let again = try Simulated.open(files.restarted(seed: 2))
        #expect(again.contents == contents && again.recovery.snapshotSeq != nil)
        again.close()
        store.close()
    }

    @Test func aCloseDoesNotWaitForASnapshot() throws {
        var options = Simulated.options()
        options.isStepped = false
        options.snapshotRate = 1_000
        let files = SimulatedFileSystem(seed: 1)
        let store = try FileStore.open(
            options, files: files, log: Log(level: .error, descriptor: -1))
        for index in 0..<50 { _ = store.submitted(try Make.set("t", "{\"id\":\(index)}")) }
        let asked = AwaitedValue<Bool>()
        let thread = try WriterThread {
            asked.give(true)
            // 2,000 bytes at 1,000 a second: it is still at work when the store closes.
            #expect(throws: StoreError.self) { _ = try store.compact() }
        }
        _ = asked.wait()
        store.close()
        thread.join()
        #expect(!files.names().contains { $0.hasPrefix("tmp-") })
    }
}
