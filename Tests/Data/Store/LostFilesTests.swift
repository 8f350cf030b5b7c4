import FreshetBase
import FreshetQuery
import Testing

@testable import FreshetStore

/// Files that are not there: no command takes what is left for a whole store that is smaller.
@Suite struct LostFilesTests {
    enum Loss: CaseIterable {
        case newestSegment, newestSegmentAndManifest, allButSnapshots
    }

    private func lived(without loss: Loss) throws -> SimulatedFileSystem {
        let made = try Lived()
        made.store.close()
        let names = made.files.names()
        let segments = names.filter { LogFormat.firstSeq(ofName: $0) != nil }
        let manifests = names.filter { Manifest.number(ofName: $0) != nil }
        try #require(segments.count > 1 && manifests.count > 1)
        switch loss {
        case .newestSegment: made.files.delete(segments[segments.count - 1])
        case .newestSegmentAndManifest:
            made.files.delete(segments[segments.count - 1])
            made.files.delete(manifests[manifests.count - 1])
        case .allButSnapshots: for name in segments + manifests { made.files.delete(name) }
        }
        return made.files
    }

    @Test(arguments: Loss.allCases) func whatIsLeftIsNotTakenForAll(_ loss: Loss) throws {
        let files = try lived(without: loss)
        let copy = files.restarted(seed: 1, keepingCache: true)
        let opened = Result { () throws(StoreError) in try Simulated.open(copy) }
        guard case .failure(.damaged) = opened else {
            Issue.record("\(loss): \(opened)")
            return
        }
        let report = try StoreVerifier.verify(directory: "data", files: files)
        #expect(!report.isIntact)
        #expect(throws: StoreError.self) { try files.restore("data", into: "restored") }
        #expect(throws: StoreError.self) {
            try StoreCheckpoint.make(of: "data", at: "point", files: files, clock: ManualClock())
        }
        let saved = try salvage("data", files)
        #expect(!saved.losses.ranges.isEmpty)
        #expect(saved.entities > 0)
    }

    @Test func aRestoredStoreWithoutItsSnapshotHasLostAll() throws {
        let made = try Lived()
        try made.files.keep(made.store.backup())
        _ = try made.files.restore(into: "new")
        made.store.close()
        made.files.delete(SnapshotFormat.name(10), in: "new")
        let saved = try salvage("new", made.files)
        #expect(saved.entities == 0)
        #expect(saved.losses.ranges.contains { $0.seqs == 1...10 })
    }

    /// The blocks of a snapshot tell its seq, whatever has become of the rest of its header.
    @Test func whatASnapshotProvesIsKeptWithoutItsHeader() throws {
        let files = try lived(without: .allButSnapshots)
        let name = SnapshotFormat.name(7)
        for other in files.names() where other.hasPrefix("snap-") && other != name {
            files.delete(other)
        }
        var bytes = try #require(files.content(of: name))
        bytes[64] ^= 1
        files.replace(name, with: bytes)
        let saved = try salvage("data", files)
        #expect(saved.seq == 7 && saved.entities > 0 && !saved.losses.ranges.isEmpty)
        #expect(try files.contents(at: "saved").count == saved.entities)
    }

    private func salvage(
        _ source: String, _ files: SimulatedFileSystem
    ) throws(StoreError) -> SalvageReport {
        try StoreSalvager.salvage(
            source, into: "saved", writerVersion: "test", files: files, clock: ManualClock())
    }
}
