import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

@Suite struct ScrubTests {
    private func damage(_ name: String, at place: Int, _ files: SimulatedFileSystem) throws {
        var bytes = try #require(files.content(of: name))
        bytes[place < 0 ? bytes.count + place : place] ^= 0x20
        files.replace(name, with: bytes)
    }

    /// A bit of an entity in memory, as a memory error does.
    private func flip(_ document: Document, at place: Int) {
        UnsafeMutableRawBufferPointer(mutating: document.json)[place] ^= 1
    }

    /// All that is left of a store must be sound, and tell the same.
    private func finish(_ made: Lived) throws {
        let contents = made.store.contents
        #expect(made.store.scrub().damages == [])
        made.store.close()
        let report = try StoreVerifier.verify(directory: "data", files: made.files)
        #expect(report.isIntact, "\(report.damages) \(report.outvoted)")
        #expect(try made.files.contents(at: "data") == contents)
    }

    @Test func aSoundStoreIsReadWholeAndLeftAsItIs() throws {
        let made = try Lived()
        let before = made.files.names()
        let report = made.store.scrub()
        #expect(report.damages == [] && report.memoryErrors == 0 && report.failure == nil)
        #expect(report.entities == made.history[10]?.count && report.bytes > 1_000)
        // FRESHET, two manifests, two snapshots, the log behind the older one.
        #expect(report.files == 7)
        #expect(made.files.names() == before)
        #expect(made.store.metrics.scrubs == 1 && made.store.metrics.scrubDamages == 0)
        try finish(made)
    }

    @Test(arguments: [
        SnapshotFormat.name(7), SnapshotFormat.name(5), LogFormat.segmentName(6),
        LogFormat.segmentName(8),
    ])
    func aDamagedFileIsReplacedByANewSnapshotAndSetAside(_ name: String) throws {
        let made = try Lived()
        let contents = made.store.contents
        try damage(name, at: 150, made.files)
        let report = made.store.scrub()
        #expect(report.damages.map(\.file) == [name] && report.failure == nil)
        #expect(made.store.metrics.snapshotSeq == 10 && made.store.metrics.scrubDamages == 1)
        #expect(!made.files.names().contains(name))
        #expect(made.store.contents == contents)
        try finish(made)
    }

    @Test func theNewestSnapshotIsReplacedWhereNothingWasWrittenSince() throws {
        let made = try Lived()
        _ = try made.store.compact()
        let name = SnapshotFormat.name(10)
        let sound = made.files.content(of: name)
        try damage(name, at: -5, made.files)
        let broken = made.files.content(of: name)
        #expect(made.store.scrub().damages.map(\.file) == [name])
        let now = made.files.content(of: name)
        #expect(now != nil && now != broken && now?.count == sound?.count)
        try finish(made)
    }

    /// Behind a snapshot the file that is written to has no commit, and the next one would have its name.
    @Test(arguments: [nil, 20, 150])
    func anActiveSegmentWithoutACommitIsMadeAnewInItsPlace(place: Int?) throws {
        var made = try Lived()
        _ = try made.store.compact()
        let name = LogFormat.segmentName(11)
        if let place { try damage(name, at: place, made.files) } else { made.files.delete(name) }
        let report = made.store.scrub()
        #expect(report.damages.map(\.file) == [name] && report.failure == nil)
        try made.commit(Make.set("t", #"{"id":"seven"}"#))
        #expect(made.files.content(of: name) != nil)
        try finish(made)
    }

    @Test func aMissingFileAndHalfAnIdentityAreMadeGood() throws {
        let made = try Lived()
        made.files.delete(SnapshotFormat.name(7))
        try damage("FRESHET", at: 20, made.files)
        let manifest = try #require(made.files.names().last { $0.hasPrefix("MANIFEST") })
        try damage(manifest, at: 9, made.files)
        let report = made.store.scrub()
        // The damaged manifest hides what it names.
        #expect(report.damages.map(\.file).contains("FRESHET"))
        #expect(report.damages.map(\.file).contains(manifest))
        try finish(made)
    }

    @Test func anEntityThatMemoryHasChangedIsPutRightFromTheDisk() throws {
        for (type, id, inLog) in [("t", "3", true), ("t", "5", false)] {
            let made = try Lived()
            let contents = made.store.contents
            let document = try #require(
                made.store.document(Make.type(type), try Make.id(id)))
            #expect((document.revision > 7) == inLog)
            flip(document, at: document.json.count - 2)
            #expect(made.store.contents != contents)
            let report = made.store.scrub()
            #expect(report.memoryErrors == 1 && made.store.metrics.memoryErrors == 1)
            #expect(made.store.contents == contents)
            made.store.checkConsistency()
            #expect(made.store.scrub().memoryErrors == 0)
            try finish(made)
        }
    }

    @Test func aSnapshotDoesNotMakeAMemoryErrorDurable() throws {
        let made = try Lived()
        let contents = made.store.contents
        let document = try #require(made.store.document(Make.type("t"), try Make.id("5")))
        flip(document, at: 3)
        #expect(throws: StoreError.self) { try made.store.compact() }
        #expect(made.store.scrub().memoryErrors == 1)
        _ = try made.store.compact()
        #expect(made.store.contents == contents)
        try finish(made)
    }

    @Test func aReadErrorThatGoesAwayIsNoDamageAndOneThatStaysIs() throws {
        let made = try Lived()
        var reads = made.files.count(of: "read")
        _ = made.store.scrub()
        reads = made.files.count(of: "read") - reads
        for read in stride(from: 1, through: reads, by: 2) {
            made.files.fail("read", occurrence: read, code: EIO)
            let report = made.store.scrub()
            made.files.heal()
            #expect(report.damages == [] && made.store.status.phase == .ready, "read \(read)")
        }
        try finish(made)
    }

    @Test func whatTheDiskNeverReadsAgainIsReplaced() throws {
        let made = try Lived()
        made.store.close()
        for name in made.files.names() where name != "LOCK" && name != "aside" {
            let files = made.files.restarted(seed: 1, keepingCache: true)
            let store = try Simulated.open(files)
            guard files.content(of: name) != nil else { continue }
            files.makeUnreadable(name, 0..<1)
            #expect(store.scrub().damages.map(\.file) == [name])
            store.close()
            let report = try StoreVerifier.verify(directory: "data", files: files)
            #expect(report.isIntact, "\(name): \(report.damages + report.outvoted)")
            #expect(try files.contents(at: "data") == made.history[10])
        }
    }

    @Test func aMissingFileOfTheOlderGenerationIsFound() throws {
        var options = Simulated.options()
        options.segmentLength = 1_024
        let made = try Lived(options)
        made.store.close()
        let older = made.files.names().filter { name in
            LogFormat.firstSeq(ofName: name).map { $0 < 8 } ?? (name == SnapshotFormat.name(5))
        }
        #expect(older.count > 1)
        for name in older {
            let files = made.files.restarted(seed: 1, keepingCache: true)
            let store = try Simulated.open(files, options)
            files.delete(name)
            let report = store.scrub()
            #expect(report.damages.map(\.file) == [name] && report.failure == nil)
            #expect(store.scrub().damages == [])
            store.close()
            #expect(try StoreVerifier.verify(directory: "data", files: files).isIntact)
            #expect(try files.contents(at: "data") == made.history[10])
        }
    }

    @Test func aCrashWhileItHealsLosesNothing() throws {
        let name = SnapshotFormat.name(7)
        let made = try Lived()
        made.store.close()
        try damage(name, at: 150, made.files)
        var call = 0
        var isDone = false
        while !isDone {
            call += 1
            // Opened while it is whole, so that the start does not heal it.
            let whole = made.files.restarted(seed: 1, keepingCache: true)
            try damage(name, at: 150, whole)
            let store = try Simulated.open(whole)
            try damage(name, at: 150, whole)
            whole.crash(after: whole.calls + call)
            _ = store.scrub()
            isDone = !whole.hasCrashed
            let after = whole.restarted(seed: UInt64(call))
            #expect(try after.contents(at: "data") == made.history[10], "call \(call)")
        }
        #expect(call > 50)
    }

    /// Between the damaged file and the one that takes its place there is never none.
    @Test func aCrashWhileItHealsTheOnlyGenerationLeavesOne() throws {
        var options = Simulated.options()
        options.retain = 1
        let name = SnapshotFormat.name(10)
        let made = try Lived(options)
        _ = try made.store.compact()
        made.store.close()
        var call = 0
        var isDone = false
        while !isDone {
            call += 1
            let files = made.files.restarted(seed: 1, keepingCache: true)
            let store = try Simulated.open(files, options)
            try damage(name, at: 150, files)
            let broken = files.content(of: name)
            files.crash(after: files.calls + call)
            _ = store.scrub()
            isDone = !files.hasCrashed
            let after = files.restarted(seed: UInt64(call))
            // Memory alone has it whole until another is in its place.
            if after.content(of: name) != broken {
                #expect(try after.contents(at: "data") == made.history[10], "call \(call)")
            }
        }
        #expect(call > 20)
    }

    @Test func aHealThatHasFailedIsTriedAgain() throws {
        let clock = ManualClock()
        let made = try Lived(clock: clock)
        let name = LogFormat.segmentName(8)
        try damage(name, at: 150, made.files)
        // Behind that of the next segment.
        made.files.fail("rename", occurrence: 2, code: EIO)
        let report = made.store.scrub()
        #expect(report.damages.map(\.file) == [name] && report.failure != nil)
        #expect(made.files.heal() && made.store.metrics.snapshotSeq == 7)
        clock.advance(milliseconds: 60_000)
        made.store.idle()
        made.store.runQueue()
        #expect(made.store.metrics.snapshotSeq == 10)
        #expect(!made.files.names().contains(name))
        try finish(made)
    }

    @Test func damageAnywhereInALiveFileIsFound() throws {
        let made = try Lived()
        let clean = made.files
        made.store.close()
        var missed: [String] = []
        for name in clean.names() {
            guard name != "LOCK", name != "aside", let size = clean.content(of: name)?.count else {
                continue
            }
            // Zeros behind the log's end are not read.
            let end = LogFormat.firstSeq(ofName: name) == nil ? size : min(size, 300)
            for place in stride(from: 0, to: end, by: 13) {
                let files = clean.restarted(seed: 1, keepingCache: true)
                let store = try Simulated.open(files)
                guard files.content(of: name) != nil else { continue }
                var bytes = files.content(of: name) ?? []
                bytes[place] ^= 8
                files.replace(name, with: bytes)
                if store.scrub().damages.map(\.file) != [name] { missed.append("\(name) \(place)") }
                store.close()
            }
        }
        #expect(missed == [])
    }
}
