import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

/// A store on simulated files that has lived through two compactions.
private struct Compacted {
    let files: SimulatedFileSystem
    let contents: [String: String]
    let cursor: Cursor

    /// Snapshots at 7 and 10, commits to 12, closed.
    init(closing: Bool = true, options: FileStoreOptions = Simulated.options()) throws {
        files = SimulatedFileSystem(seed: 7)
        let store = try Simulated.open(files, options)
        for index in 1...5 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(index),\"n\":\"v\(index)\"}"))
        }
        _ = store.submitted(try Make.remove("t", "2"))
        _ = store.submitted(
            try Make.set("u", #"{"id":"x"}"#), try Make.set("t", #"{"id":1,"n":"new"}"#))
        _ = try store.compact()
        _ = store.submitted(try Make.set("t", #"{"id":"six","n":"\u00e9"}"#))
        _ = store.submitted(try Make.remove("u", "x"))
        _ = store.submitted(try Make.set("t", #"{"id":3,"n":"third"}"#))
        _ = try store.compact()
        _ = store.submitted(try Make.set("t", #"{"id":8}"#))
        _ = store.submitted(try Make.remove("t", "4"))
        contents = store.contents
        cursor = store.cursor
        if closing { store.close() }
    }

    static let newest = SnapshotFormat.name(10)
    static let older = SnapshotFormat.name(7)
}

@Suite struct SnapshotTests {
    @Test func aStartBeginsWithTheSnapshotAndReadsTheLogBehindIt() throws {
        let made = try Compacted()
        let store = try Simulated.open(made.files.restarted(seed: 1))
        #expect(store.contents == made.contents && store.cursor == made.cursor)
        #expect(store.recovery.snapshotSeq == 10 && store.recovery.commits == 2)
        #expect(store.recovery.fallback == [] && store.recovery.wasClosed)
        #expect(store.views().types.map(\.name.text) == ["t", "u"], "u was written once")
        let third = store.document(Make.type("t"), try Make.id("3"))
        #expect(third?.revision == 10)
        #expect(store.document(Make.type("t"), try Make.id("5"))?.revision == 5)
        store.checkConsistency()
        #expect(store.submitted(try Make.set("t", #"{"id":9}"#)).receipt?.cursor.seq == 13)
        store.close()
    }

    @Test func twoGenerationsAreKeptAndNothingElse() throws {
        let made = try Compacted()
        let names = made.files.names()
        #expect(names.filter { $0.hasPrefix("snap-") } == [Compacted.older, Compacted.newest])
        #expect(
            names.filter { $0.hasPrefix("log-") }
                == [LogFormat.segmentName(8), LogFormat.segmentName(11)])
        #expect(names.filter { $0.hasPrefix("MANIFEST-") }.count == 2)
        #expect(!names.contains { $0.hasPrefix("tmp-") })
        let again = try Simulated.open(made.files.restarted(seed: 1))
        again.close()
    }

    @Test func oneGenerationIsKeptWhereThatIsAskedFor() throws {
        var options = Simulated.options()
        options.retain = 1
        let made = try Compacted(options: options)
        let names = made.files.names()
        #expect(names.filter { $0.hasPrefix("snap-") } == [Compacted.newest])
        #expect(names.filter { $0.hasPrefix("log-") } == [LogFormat.segmentName(11)])
        let store = try Simulated.open(made.files.restarted(seed: 1), options)
        #expect(store.contents == made.contents)
        store.close()
    }

    @Test func restartsKeepTheOlderGeneration() throws {
        let made = try Compacted()
        var files = made.files
        for seed in 1...4 as ClosedRange<UInt64> {
            files = files.restarted(seed: seed)
            try Simulated.open(files).close()
        }
        files.delete(Compacted.newest)
        let store = try Simulated.open(files)
        #expect(store.contents == made.contents && store.recovery.snapshotSeq == 7)
        store.close()
    }

    @Test func aDamagedSnapshotCostsNothingAndIsReplaced() throws {
        let made = try Compacted()
        let files = made.files.restarted(seed: 1)
        var bytes = try #require(files.content(of: Compacted.newest))
        bytes[bytes.count / 2] ^= 4
        files.replace(Compacted.newest, with: bytes)
        let report = try StoreVerifier.verify(directory: "data", files: files)
        #expect(report.damages == [] && report.outvoted.map(\.file) == [Compacted.newest])
        let store = try Simulated.open(files)
        #expect(store.contents == made.contents && store.cursor.seq == made.cursor.seq)
        #expect(store.recovery.snapshotSeq == 7 && store.recovery.commits == 5)
        #expect(store.recovery.fallback.map(\.file) == [Compacted.newest])
        #expect(files.content(of: Compacted.newest, in: "data") == nil, "it is set aside")
        store.idle()
        store.runQueue()
        #expect(store.metrics.snapshots == 1 && store.metrics.snapshotSeq == 12)
        store.close()
        let after = try StoreVerifier.verify(directory: "data", files: files)
        #expect(after.isIntact && after.snapshots.map(\.seq) == [12, 7])
    }

    @Test func whereBothSnapshotsAreDamagedTheServerDoesNotStart() throws {
        let made = try Compacted()
        let files = made.files.restarted(seed: 1)
        for name in [Compacted.newest, Compacted.older] {
            var bytes = try #require(files.content(of: name))
            bytes[200] ^= 1
            files.replace(name, with: bytes)
        }
        let before = files.names()
        do {
            _ = try Simulated.open(files)
            Issue.record("it opened")
        } catch {
            guard case .damaged(_, let damages) = error else { throw error }
            #expect(damages.map(\.file).prefix(2) == [Compacted.newest, Compacted.older])
        }
        #expect(files.names() == before)
    }

    @Test func withoutAnyManifestTheNewestWholeSnapshotStands() throws {
        let made = try Compacted()
        let files = made.files.restarted(seed: 1)
        for name in files.names() where name.hasPrefix("MANIFEST-") { files.delete(name) }
        let store = try Simulated.open(files)
        #expect(store.contents == made.contents && store.recovery.snapshotSeq == 10)
        store.close()
    }

    @Test func writesGoOnWhileASnapshotIsWritten() throws {
        let files = SimulatedFileSystem(seed: 3)
        let store = try Simulated.open(files)
        let text = String(repeating: "x", count: 60_000)
        for index in 0..<20 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(index),\"x\":\"\(text)\"}"))
        }
        let before = store.seq
        var written = 0
        let report = try store.compact {
            written += 1
            guard let operation = try? Make.set("t", "{\"id\":\(written % 30),\"n\":\(written)}")
            else { return }
            store.submit(Transaction(operation)) { _ in }
            store.stepQueue()
        }
        #expect(written > 5 && report.seq == before && report.entities == 20)
        let contents = store.contents
        for seed in 0..<5 as Range<UInt64> {
            let again = try Simulated.open(files.restarted(seed: seed))
            #expect(again.contents == contents && again.recovery.snapshotSeq == before)
            again.close()
        }
    }

    @Test func theLogsLengthBringsASnapshotAboutByItself() throws {
        let files = SimulatedFileSystem(seed: 3)
        var options = Simulated.options()
        options.snapshotMinimum = 4_096
        let store = try Simulated.open(files, options)
        for index in 0..<400 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(index % 10),\"n\":\(index)}"))
        }
        #expect(store.metrics.snapshots > 3 && store.metrics.snapshotFailures == 0)
        #expect(files.usedBytes < 64 << 10)
        let contents = store.contents
        store.close()
        let again = try Simulated.open(files.restarted(seed: 1), options)
        #expect(again.contents == contents)
        again.close()
    }

    @Test func aLogShorterThanTheEntitiesBringsNoSnapshotAbout() throws {
        let files = SimulatedFileSystem(seed: 3)
        var options = Simulated.options()
        options.snapshotMinimum = 1
        let store = try Simulated.open(files, options)
        let text = String(repeating: "x", count: 10_000)
        _ = store.submitted(try Make.set("t", "{\"id\":0,\"x\":\"\(text)\"}"))
        for index in 1..<50 {
            _ = store.submitted(try Make.set("t", "{\"id\":1,\"n\":\(index)}"))
        }
        #expect(store.metrics.snapshots == 1, "when the first was in the log beside it")
        store.close()
    }

    @Test func theFirstSnapshotNamesItsFeatureAndOlderReadersAreTold() throws {
        let made = try Compacted()
        let identity = try #require(
            StoreIdentity(file: made.files.content(of: "FRESHET") ?? []))
        #expect(identity.requiredFeatures == ["snapshots"])
        var unknown = identity
        unknown.requiredFeatures.append("time-travel")
        made.files.replace("FRESHET", with: unknown.file)
        let expected = StoreError.incompatible(
            directory: "data", format: "1.0 with time-travel", writer: "test")
        #expect(throws: expected) { _ = try Simulated.open(made.files.restarted(seed: 1)) }
    }

    @Test func aManifestOfTheFirstVersionsIsRead() throws {
        let files = SimulatedFileSystem(seed: 7)
        let store = try Simulated.open(files)
        for index in 1...3 { _ = store.submitted(try Make.set("t", "{\"id\":\(index)}")) }
        store.close()
        let names = files.names().filter { $0.hasPrefix("MANIFEST-") }
        for name in names {
            let bytes = try #require(files.content(of: name))
            var old = Array(bytes[..<64])
            old.withUnsafeMutableBytes { target in
                target.store(UInt32(64), at: 4)
                for index in 40..<60 { target[index] = 0 }
                let covered = UnsafeRawBufferPointer(rebasing: target[..<60])
                target.store(CRC32C.checksum(covered), at: 60)
            }
            #expect(Manifest(verifying: old)?.durableSeq == Manifest(verifying: bytes)?.durableSeq)
            files.replace(name, with: old)
        }
        let again = try Simulated.open(files.restarted(seed: 1))
        #expect(again.seq == 3 && again.recovery.fallback == [])
        _ = try again.compact()
        again.close()
        files.replace("FRESHET", with: try #require(files.content(of: "FRESHET")))
    }

    @Test func aFlippedBitInMemoryDoesNotBecomeDurable() throws {
        let files = SimulatedFileSystem(seed: 7)
        let store = try Simulated.open(files)
        _ = store.submitted(try Make.set("t", #"{"id":1,"n":"good"}"#))
        let document = try #require(store.document(Make.type("t"), try Make.id("1")))
        let json = UnsafeMutableRawBufferPointer(mutating: document.json)
        json[12] ^= 1
        defer { json[12] ^= 1 }
        #expect(throws: StoreError.self) { _ = try store.compact() }
        #expect(store.metrics.memoryErrors == 1 && store.status.phase == .ready)
        #expect(!files.names().contains { $0.hasPrefix("snap-") || $0.hasPrefix("tmp-") })
        store.close()
    }

    @Test func aTypeThatMovedToMemoryKeepsWhatTheLogHasOfIt() throws {
        let files = SimulatedFileSystem(seed: 7)
        let store = try Simulated.open(files)
        _ = store.submitted(try Make.set("m", #"{"id":"kept"}"#), try Make.set("t", #"{"id":1}"#))
        store.close()
        var options = Simulated.options()
        options.memoryTypes = [Make.type("m")]
        let inMemory = try Simulated.open(files.restarted(seed: 1), options)
        #expect(inMemory.recovery.leftInLog == [LeftInLog(type: Make.type("m"), entities: 1)])
        _ = inMemory.submitted(try Make.set("m", #"{"id":"SECRET"}"#))
        _ = inMemory.submitted(try Make.set("t", #"{"id":2}"#))
        _ = try inMemory.compact()
        _ = inMemory.submitted(try Make.set("t", #"{"id":3}"#))
        _ = try inMemory.compact()
        #expect(inMemory.contents.keys.sorted() == ["m/SECRET", "t/1", "t/2", "t/3"])
        inMemory.close()
    }

    @Test func aTypeThatComesBackFromMemoryFindsItsEntities() throws {
        let files = SimulatedFileSystem(seed: 7)
        let store = try Simulated.open(files)
        _ = store.submitted(try Make.set("m", #"{"id":"kept"}"#))
        store.close()
        var options = Simulated.options()
        options.memoryTypes = [Make.type("m")]
        options.retain = 1
        let inMemory = try Simulated.open(files, options)
        _ = inMemory.submitted(try Make.set("m", #"{"id":"SECRET"}"#))
        _ = try inMemory.compact()
        inMemory.close()
        let names = files.names().filter { $0.hasPrefix("snap-") || $0.hasPrefix("log-") }
        for name in names {
            let text = String(decoding: try #require(files.content(of: name)), as: UTF8.self)
            #expect(!text.contains("SECRET"))
        }
        #expect(!names.contains(LogFormat.segmentName(1)))
        let back = try Simulated.open(files)
        #expect(back.contents == ["m/kept": #"{"id":"kept"}"#])
        back.close()
    }

    @Test func verifyCountsBothGenerationsAndChangesNothing() throws {
        let made = try Compacted()
        let before = made.files.names().map { made.files.content(of: $0) }
        let report = try StoreVerifier.verify(directory: "data", files: made.files)
        #expect(report.isIntact && report.snapshots.map(\.seq) == [10, 7])
        #expect(report.entities == made.contents.count && report.lastSeq == 12)
        #expect(report.commits == 5 && report.segments.count == 2)
        #expect(made.files.names().map { made.files.content(of: $0) } == before)
        let read = try StoreReader.read(directory: "data", files: made.files)
        #expect(read.views.types.reduce(0) { $0 + $1.table.count } == made.contents.count)
    }

    @Test func verifyRunsBesideAServer() throws {
        let made = try Compacted(closing: false)
        let report = try StoreVerifier.verify(directory: "data", files: made.files)
        #expect(report.isIntact && report.lastSeq == 12)
    }
}

/// One fault in a directory that is small enough to try them all: found, or harmless.
///
/// One bit of each byte is tried, every bit where `FRESHET_LONG_TESTS` is set.
@Suite struct SmallDamageTests {
    private static let isLong = getenv("FRESHET_LONG_TESTS") != nil

    /// The bits to flip in the first `count` bytes.
    private func bits(_ count: Int) -> [Int] {
        Self.isLong ? Array(0..<count * 8) : (0..<count).map { $0 * 8 + $0 * 5 % 8 }
    }

    /// - Returns: Whether the store opened.
    private func judge(
        _ files: SimulatedFileSystem, _ made: Compacted, _ note: Comment
    ) throws -> Bool {
        guard let store = try Simulated.openUnlessDamaged(files) else { return false }
        #expect(store.contents == made.contents, note)
        #expect(store.cursor.seq >= made.cursor.seq, note)
        store.close()
        return true
    }

    private func damageable(_ files: SimulatedFileSystem) -> [String] {
        files.names().filter {
            $0.hasPrefix("snap-") || $0.hasPrefix("log-") || $0.hasPrefix("MANIFEST-")
                || $0 == "FRESHET"
        }
    }

    @Test func everyFlippedBitIsFoundOrHarmless() throws {
        let made = try Compacted()
        for name in damageable(made.files) {
            let whole = try #require(made.files.content(of: name))
            let used = (whole.lastIndex { $0 != 0 } ?? 0) + 1
            var opened = 0
            for bit in bits(min(whole.count, used + 16)) {
                // FRESHET is mostly zeros, twice.
                if name == "FRESHET" && !Self.isLong && bit % 128 > 7 { continue }
                var bytes = whole
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                let files = made.files.restarted(seed: 1)
                files.replace(name, with: bytes)
                if try judge(files, made, "\(name) bit \(bit)") { opened += 1 }
            }
            let isLog = name == LogFormat.segmentName(11)
            #expect(isLog || opened > 0, "only the newest log has no second copy: \(name)")
        }
    }

    @Test func everyTruncationIsFoundOrHarmless() throws {
        let made = try Compacted()
        for name in damageable(made.files) {
            let whole = try #require(made.files.content(of: name))
            let used = (whole.lastIndex { $0 != 0 } ?? 0) + 1
            for size in stride(from: 0, to: used, by: name == "FRESHET" ? 64 : 1) {
                let files = made.files.restarted(seed: 1)
                files.replace(name, with: Array(whole[..<size]))
                _ = try judge(files, made, "\(name) cut to \(size)")
            }
        }
    }

    @Test func verifyFindsEveryFlippedBitOfASnapshotAndAManifest() throws {
        let made = try Compacted()
        for name in damageable(made.files) where !name.hasPrefix("log-") && name != "FRESHET" {
            let whole = try #require(made.files.content(of: name))
            for bit in bits(whole.count) {
                var bytes = whole
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                made.files.replace(name, with: bytes)
                let report = try StoreVerifier.verify(directory: "data", files: made.files)
                #expect(!report.isIntact && report.damages == [], "\(name) bit \(bit)")
            }
            made.files.replace(name, with: whole)
        }
    }

    @Test func aMissingFileIsFoundOrHarmless() throws {
        let made = try Compacted()
        for name in damageable(made.files) where name != "FRESHET" {
            let files = made.files.restarted(seed: 1)
            files.delete(name)
            let opened = try judge(files, made, "\(name) is missing")
            #expect(opened == (name != LogFormat.segmentName(11)), "\(name)")
        }
    }
}
