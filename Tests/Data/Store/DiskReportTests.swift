import FreshetBase
import Glibc
import Testing

@testable import FreshetStore

@Suite struct DiskReportTests {
    private func report(_ made: Lived) throws -> DiskReport { try made.store.keeper.report() }

    /// What the report says of files must be what is in the directory.
    private func compare(_ report: DiskReport, _ files: SimulatedFileSystem) {
        let expected = files.names().filter {
            SnapshotFormat.seq(ofName: $0) != nil || LogFormat.firstSeq(ofName: $0) != nil
                || Manifest.number(ofName: $0) != nil
        }
        let live = report.files.filter { $0.kind != .aside }
        #expect(live.map(\.name).sorted() == expected)
        for file in live {
            #expect(files.content(of: file.name)?.count == file.bytes, "\(file.name)")
        }
    }

    @Test func theFilesAreThoseOfTheDirectory() throws {
        let made = try Lived()
        let report = try report(made)
        compare(report, made.files)
        #expect(report.directory == "data" && report.format == "1.0")
        #expect(report.durableSeq == 10)
        let segments = report.files.filter { $0.kind == .segment }
        #expect(segments.map(\.firstSeq) == [6, 8] && segments.map(\.lastSeq) == [7, 10])
        #expect(segments.map(\.isActive) == [false, true])
        let snapshots = report.files.filter { $0.kind == .snapshot }
        #expect(snapshots.map(\.lastSeq) == [5, 7])
        // They were read again when they had been written.
        #expect(snapshots.allSatisfy { $0.state == .good && $0.verifiedAt != nil })
        #expect(segments.allSatisfy { $0.state == .unread && $0.verifiedAt == nil })
        #expect(report.snapshot?.seq == 7 && report.snapshot?.bytes == snapshots[1].bytes)
        #expect(report.snapshotPercent == nil && report.scrub == nil)
        // The log behind the snapshot is what the active segment has of frames.
        #expect(report.logBytes > 0 && report.logBytes <= segments[1].bytes)
        made.store.close()
        #expect(throws: StoreError.self) { try made.store.keeper.report() }
    }

    @Test func aScrubVerifiesAllOfThem() throws {
        let made = try Lived()
        let pass = made.store.scrub()
        let report = try report(made)
        #expect(report.files.allSatisfy { $0.state == .good && $0.verifiedAt != nil })
        #expect(report.lastScrub?.bytes == pass.bytes && report.scrub == nil)
    }

    @Test func aDamagedFileIsToldOfUntilItIsSetAside() throws {
        let made = try Lived()
        let name = LogFormat.segmentName(8)
        var bytes = try #require(made.files.content(of: name))
        bytes[150] ^= 0x20
        made.files.replace(name, with: bytes)
        // The snapshot that is to take its place cannot be named; a segment has been before.
        made.files.fail("rename", occurrence: 2, code: EIO)
        #expect(made.store.scrub().failure != nil)
        let damaged = try report(made)
        #expect(damaged.files.first { $0.name == name }?.state == .damaged)
        compare(damaged, made.files)
        #expect(made.store.scrub().failure == nil)
        let healed = try report(made)
        compare(healed, made.files)
        #expect(healed.files.contains { $0.name == "aside/\(name)" && $0.kind == .aside })
        #expect(!healed.files.contains { $0.name == name })
        #expect(healed.snapshot?.seq == 10)
    }

    @Test func aStoreThatHasFailedIsToldOf() throws {
        let made = try Lived()
        made.files.fail("syncData", code: EIO)
        #expect(made.store.submitted(try Make.set("t", #"{"id":4}"#)).name == "unknown")
        let report = try report(made)
        compare(report, made.files)
        #expect(report.durableSeq == 10 && !report.files.contains { $0.isActive })
    }

    @Test func aRelaxedStoreTellsWhatIsSynced() throws {
        var options = Simulated.options()
        options.durability = .relaxed
        let clock = ManualClock()
        let store = try Simulated.open(SimulatedFileSystem(seed: 1), options, clock: clock)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        _ = store.submitted(try Make.set("t", #"{"id":2}"#))
        #expect(try store.keeper.report().durableSeq < 2 && store.seq == 2)
        clock.advance(milliseconds: 200)
        store.idle()
        #expect(try store.keeper.report().durableSeq == 2)
        store.close()
    }

    @Test func aStartKnowsWhatItHasRead() throws {
        let made = try Lived()
        let written = try #require(try report(made).snapshot)
        made.store.close()
        let store = try Simulated.open(made.files)
        let report = try store.keeper.report()
        compare(report, made.files)
        let snapshot = try #require(report.snapshot)
        #expect(snapshot.seq == written.seq && snapshot.bytes == written.bytes)
        #expect(snapshot.writtenAt == written.writtenAt && snapshot.duration == nil)
        let states = Dictionary(uniqueKeysWithValues: report.files.map { ($0.name, $0.state) })
        #expect(states[SnapshotFormat.name(7)] == .good)
        #expect(states[LogFormat.segmentName(8)] == .good)
        // Of the generation before.
        #expect(states[SnapshotFormat.name(5)] == .unread)
        #expect(states[LogFormat.segmentName(6)] == .unread)
        store.close()
    }
}
