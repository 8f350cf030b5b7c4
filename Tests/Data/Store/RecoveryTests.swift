import FreshetBase
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

@Suite struct RecoveryTests {
    /// A store with a few commits, closed or just left, and what it held.
    private func small(
        closing: Bool
    ) throws -> (files: SimulatedFileSystem, contents: [String: String], cursor: Cursor) {
        let files = SimulatedFileSystem(seed: 7)
        let store = try Simulated.open(files)
        for index in 1...5 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(index),\"n\":\"v\(index)\"}"))
        }
        _ = store.submitted(try Make.remove("t", "2"))
        _ = store.submitted(
            try Make.set("u", #"{"id":"x"}"#), try Make.set("t", #"{"id":1,"n":"new"}"#))
        let held = (store.contents, store.cursor)
        if closing { store.close() }
        return (files, held.0, held.1)
    }

    private static let first = LogFormat.segmentName(1)

    @Test func aClosedStoreIsFoundAsItWas() throws {
        let (files, contents, cursor) = try small(closing: true)
        let store = try Simulated.open(files.restarted(seed: 1))
        #expect(store.contents == contents)
        #expect(store.cursor == cursor)
        #expect(store.recovery.wasClosed && store.recovery.torn == nil)
        #expect(store.recovery.commits == 7 && store.recovery.entities == 5)
        store.checkConsistency()
        #expect(store.submitted(try Make.set("t", #"{"id":9}"#)).receipt?.cursor.seq == 8)
        store.close()
    }

    @Test func aStoreThatWasLeftIsFoundAsAcknowledged() throws {
        let (files, contents, cursor) = try small(closing: false)
        for seed in 0..<20 as Range<UInt64> {
            let store = try Simulated.open(files.restarted(seed: seed))
            #expect(store.contents == contents && store.cursor == cursor)
            #expect(!store.recovery.wasClosed)
            store.close()
        }
    }

    @Test func verifyCountsEveryRecordAndChangesNothing() throws {
        let (files, contents, _) = try small(closing: true)
        let before = files.content(of: Self.first)
        let report = try StoreVerifier.verify(directory: "data", files: files)
        #expect(report.isIntact && report.torn == nil)
        #expect(report.commits == 7 && report.entries == 8 && report.lastSeq == 7)
        #expect(report.entities == contents.count)
        #expect(files.content(of: Self.first) == before)
    }

    @Test func aClosedLogCutAnywhereIsDamagedOrWhole() throws {
        let (files, contents, cursor) = try small(closing: true)
        let whole = try #require(files.content(of: Self.first))
        let used = (whole.lastIndex { $0 != 0 } ?? 0) + 1
        for size in 0..<used {
            let copy = files.restarted(seed: 1)
            copy.replace(Self.first, with: Array(whole[..<size]))
            guard let store = try Simulated.openUnlessDamaged(copy) else { continue }
            #expect(store.contents == contents && store.cursor.seq == cursor.seq)
            store.checkConsistency()
            store.close()
        }
    }

    @Test func aClosedLogThatEndsTooSoonNamesTheLostSeqs() throws {
        let (files, _, cursor) = try small(closing: true)
        let copy = files.restarted(seed: 1)
        let whole = try #require(copy.content(of: Self.first))
        let used = (whole.lastIndex { $0 != 0 } ?? 0) + 1
        copy.replace(Self.first, with: Array(whole[..<(used / 2)]))
        let report = try StoreVerifier.verify(directory: "data", files: copy)
        #expect(!report.isIntact)
        #expect(report.damages.first?.lost?.upperBound == cursor.seq)
    }

    @Test func aDamagedWitnessIsNoWitness() throws {
        let (files, contents, _) = try small(closing: true)
        let copy = files.restarted(seed: 1)
        let names = copy.names().filter { $0.hasPrefix("MANIFEST-") }
        #expect(names.count == 2)
        for name in names {
            var bytes = try #require(copy.content(of: name))
            bytes[25] ^= 1
            copy.replace(name, with: bytes)
        }
        let store = try Simulated.open(copy)
        #expect(store.contents == contents)
        store.close()
    }

    @Test func aFlippedBitIsFoundOrHarmless() throws {
        let (files, contents, cursor) = try small(closing: true)
        let whole = try #require(files.content(of: Self.first))
        let used = (whole.lastIndex { $0 != 0 } ?? 0) + 1
        let mark = try #require(try frameOffsets(of: whole).last)
        var detected = 0
        for bit in 0..<(used + 16) * 8 {
            var bytes = whole
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let copy = files.restarted(seed: 1)
            copy.replace(Self.first, with: bytes)
            guard let store = try Simulated.openUnlessDamaged(copy) else {
                detected += 1
                continue
            }
            #expect(store.contents == contents, "bit \(bit)")
            #expect(store.cursor.seq >= cursor.seq, "bit \(bit)")
            // Only the closing mark and the zeros behind it can be spoilt without a loss.
            #expect(bit / 8 >= mark, "bit \(bit)")
            store.close()
        }
        #expect(detected == mark * 8)
    }

    @Test func aDamagedFrameNamesFileOffsetAndLostSeqs() throws {
        let (files, _, _) = try small(closing: true)
        var bytes = try #require(files.content(of: Self.first))
        let frames = try frameOffsets(of: bytes)
        // Frame 0 is the epoch; frame 3 is commit 3.
        bytes[frames[3] + 60] ^= 1
        files.replace(Self.first, with: bytes)
        let expected = LogDamage(
            file: Self.first, offset: frames[3], lost: 3...7, finding: "a frame is damaged")
        #expect(throws: StoreError.damaged(directory: "data", [expected])) {
            _ = try Simulated.open(files.restarted(seed: 1))
        }
        let report = try StoreVerifier.verify(directory: "data", files: files)
        #expect(report.damages == [expected])
    }

    private func frameOffsets(of bytes: [UInt8]) throws -> [Int] {
        try bytes.withUnsafeBytes { bytes in
            let header = try #require(SegmentHeader(verifying: bytes))
            var scan = SegmentScan(
                bytes: bytes, header: header, lastSeq: header.firstSeq - 1, durableSeq: 0)
            var offsets: [Int] = []
            while let frame = scan.next() { offsets.append(frame.offset) }
            return offsets
        }
    }

    // MARK: The tail rule, case by case

    /// A log of three synced commits without a closing mark, and a fourth that was only written.
    private func unfinished() throws -> (SimulatedFileSystem, [UInt8], [Int]) {
        let files = SimulatedFileSystem(seed: 3)
        let store = try Simulated.open(files)
        for index in 1...4 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(index)}"))
        }
        let bytes = try #require(files.content(of: Self.first))
        return (files, bytes, try frameOffsets(of: bytes))
    }

    @Test func zerosToTheEndAreTheEnd() throws {
        let (files, bytes, frames) = try unfinished()
        var cut = bytes
        for index in frames[4]..<cut.count { cut[index] = 0 }
        files.replace(Self.first, with: cut)
        let store = try Simulated.open(files.restarted(seed: 1))
        #expect(store.seq == 3 && store.recovery.torn == nil && store.recovery.segments == 1)
        store.close()
    }

    @Test func aTornLastFrameIsSetAsideAndASegmentGoesOn() throws {
        let (files, bytes, frames) = try unfinished()
        var torn = bytes
        torn[frames[4] + 50] ^= 0xFF
        files.replace(Self.first, with: torn)
        let machine = files.restarted(seed: 1)
        let store = try Simulated.open(machine)
        #expect(store.seq == 3)
        #expect(store.recovery.torn?.offset == frames[4])
        #expect(machine.content(of: Self.first) == torn, "recovery changes no file")
        #expect(machine.names().contains(LogFormat.segmentName(4)))
        let aside = try #require(store.recovery.aside)
        #expect(aside.hasPrefix("aside/\(Self.first).\(frames[4])."))
        #expect(store.submitted(try Make.set("t", #"{"id":"new"}"#)).receipt?.cursor.seq == 4)
        let contents = store.contents
        let again = try Simulated.open(machine.restarted(seed: 2))
        #expect(again.contents == contents && again.seq == 4 && again.recovery.torn == nil)
        again.close()
        let report = try StoreVerifier.verify(directory: "data", files: machine)
        #expect(report.isIntact && report.segments.count == 2)
    }

    /// Found by a life (seed 63404): only the torn segment was named.
    @Test func aDamagedHeaderBehindATornSegmentIsNamed() throws {
        let files = SimulatedFileSystem(seed: 5)
        let store = try Simulated.open(files)
        for index in 1...3 { _ = store.submitted(try Make.set("t", "{\"id\":\(index)}")) }
        let first = LogFormat.segmentName(1)
        var bytes = try #require(files.content(of: first))
        let end = (try #require(bytes.lastIndex { $0 != 0 }) / 8 + 1) * 8
        for index in end..<end + 24 { bytes[index] = 0xFF }
        let machine = files.restarted(seed: 1, keepingCache: true)
        machine.replace(first, with: bytes)
        let next = try Simulated.open(machine)
        #expect(next.recovery.torn != nil)
        _ = next.submitted(try Make.set("t", #"{"id":4}"#))
        next.close()
        let second = LogFormat.segmentName(4)
        var header = try #require(machine.content(of: second))
        header[44] ^= 1
        machine.replace(second, with: header)
        let failure = #expect(throws: StoreError.self) { _ = try Simulated.open(machine) }
        guard case .damaged(_, let damages)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(damages.map(\.file) == [first, second] && damages[1].lost == 4...4)
    }

    @Test func aTornFirstCommitOfASegmentSkipsOneSeq() throws {
        let (files, bytes, frames) = try unfinished()
        var torn = bytes
        for index in frames[2]..<torn.count { torn[index] = 0 }
        torn[frames[1] + 50] ^= 0xFF
        files.replace(Self.first, with: torn)
        let machine = files.restarted(seed: 1)
        let store = try Simulated.open(machine)
        #expect(store.contents.isEmpty && store.recovery.torn != nil)
        #expect(machine.names().contains(LogFormat.segmentName(2)))
        #expect(store.submitted(try Make.set("t", #"{"id":1}"#)).receipt?.cursor.seq == 2)
        let again = try Simulated.open(machine.restarted(seed: 1))
        #expect(again.seq == 2 && again.contents.count == 1)
        again.close()
    }

    @Test func aLaterFrameOfTheSameUnsyncedStretchIsNoProofOfLoss() throws {
        // Frames 3 and 4 as if both were written after the sync of 2: both say durableSeq 2.
        let store = StoreID(high: 1, low: 2)
        let bytes = try segment(store, durable: [0, 1, 2, 2], damaging: 3)
        let end = try scanned(bytes, store)
        #expect(end.lastSeq == 2 && end.end == .torn)
    }

    @Test func aLaterFrameThatFollowedASyncIsProofOfLoss() throws {
        let store = StoreID(high: 1, low: 2)
        let bytes = try segment(store, durable: [0, 1, 2, 3], damaging: 3)
        let end = try scanned(bytes, store)
        #expect(end.lastSeq == 2 && end.end == .damaged(through: 3))
    }

    @Test func framesOfAnotherStoreOrSegmentProveNothing() throws {
        let bytes = try segment(StoreID(high: 1, low: 2), durable: [0, 1, 2, 3], damaging: nil)
        let other = StoreID(high: 1, low: 3)
        let header = SegmentHeader(
            store: other, firstSeq: 1, predecessor: 0, predecessorEnd: 0, predecessorSeq: 0,
            durableSeq: 0, created: 0)
        let swapped = header.encoded() + bytes.dropFirst(LogFormat.segmentHeaderLength)
        let end = try scanned(swapped, other)
        #expect(end.lastSeq == 0 && end.end == .torn)
    }

    /// A segment of single commits with the given durableSeqs; the `damaging`-th is spoilt.
    private func segment(
        _ store: StoreID, durable: [UInt64], damaging: Int?
    ) throws -> [UInt8] {
        let header = SegmentHeader(
            store: store, firstSeq: 1, predecessor: 0, predecessorEnd: 0, predecessorSeq: 0,
            durableSeq: 0, created: 0)
        var bytes = header.encoded()
        let checksum = bytes.withUnsafeBytes { $0.littleEndian(at: 124, as: UInt32.self) }
        let seed = SegmentSeed(store: store, firstSeq: 1)
        var chain = seed.chain(payload: 0, header: checksum)
        for (index, durableSeq) in durable.enumerated() {
            let payload = [UInt8](repeating: UInt8(index), count: 16)
            let frame = payload.withUnsafeBytes {
                FrameHeader(
                    type: .commits, firstSeq: UInt64(index) + 1, commitCount: 1,
                    durableSeq: durableSeq, chain: chain, payload: $0)
            }
            var head = [UInt8](repeating: 0, count: LogFormat.frameHeaderLength)
            let headChecksum = try head.withUnsafeMutableBytes {
                frame.write(to: try #require($0.baseAddress), seed: seed)
            }
            chain = seed.chain(payload: frame.payloadChecksum, header: headChecksum)
            if index + 1 == damaging { head[3] ^= 1 }
            bytes += head + payload
        }
        return bytes
    }

    private func scanned(
        _ bytes: [UInt8], _ store: StoreID
    ) throws -> (lastSeq: UInt64, end: SegmentEnd) {
        try bytes.withUnsafeBytes { bytes in
            let header = try #require(SegmentHeader(verifying: bytes))
            var scan = SegmentScan(bytes: bytes, header: header, lastSeq: 0, durableSeq: 0)
            while scan.next() != nil {}
            return (scan.lastSeq, scan.end())
        }
    }

    // MARK: Segments

    @Test func segmentsFollowEachOtherAndAMissingOneIsNoticed() throws {
        let files = SimulatedFileSystem(seed: 4)
        var options = Simulated.options()
        options.segmentLength = 2_048
        let store = try Simulated.open(files, options)
        for index in 1...60 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(index),\"text\":\"0123456789\"}"))
        }
        let contents = store.contents
        store.close()
        let logs = files.names().filter { $0.hasPrefix("log-") }
        #expect(logs.count > 3)
        let again = try Simulated.open(files.restarted(seed: 1), options)
        #expect(again.contents == contents && again.recovery.segments == logs.count)
        again.close()
        for missing in logs.dropLast() {
            let copy = files.restarted(seed: 1)
            copy.delete(missing)
            #expect(throws: StoreError.self) { _ = try Simulated.open(copy, options) }
        }
    }

    @Test func noSegmentIsMissedInSilenceAfterADeathEither() throws {
        let files = SimulatedFileSystem(seed: 4)
        var options = Simulated.options()
        options.segmentLength = 2_048
        let store = try Simulated.open(files, options)
        defer { store.close() }
        for index in 1...60 {
            _ = store.submitted(try Make.set("t", "{\"id\":\(index),\"text\":\"0123456789\"}"))
            let logs = files.names().filter { $0.hasPrefix("log-") }
            guard let newest = logs.last else { continue }
            let copy = files.restarted(seed: 1)
            copy.delete(newest)
            do throws(StoreError) {
                _ = try Simulated.open(copy, options)
                Issue.record("\(newest) is missing, and nobody says so")
            } catch {
                guard case .damaged(_, let damages) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(damages.first?.file == newest)
            }
        }
    }

    // MARK: Crashes

    /// A life with several transactions, a second start and a close, crashed after every call.
    @Test func aCrashAfterAnyCallLosesNothingAcknowledged() throws {
        var options = Simulated.options()
        options.segmentLength = 1_024
        let total = try life(crashingAfter: .max, options).files.calls
        #expect(total > 60)
        for point in 0...total {
            let lived = try life(crashingAfter: point, options)
            for seed in 0..<3 as Range<UInt64> {
                let machine = lived.files.restarted(seed: seed, keepingCache: seed == 2)
                let note: Comment = "crash after call \(point), seed \(seed)"
                let store = try Simulated.open(machine, options)
                let found = store.contents
                #expect(lived.states.contains(found), note)
                let index = lived.states.lastIndex(of: found) ?? -1
                #expect(index >= lived.acknowledged, note)
                store.checkConsistency()
                let outcome = store.submitted(try Make.set("z", #"{"id":"after"}"#))
                #expect(outcome.name == "changed", note)
                store.close()
                let report = try StoreVerifier.verify(directory: "data", files: machine)
                #expect(report.isIntact, note)
            }
        }
    }

    /// - Returns: Every state that the store went through, and the index of the last one that was
    ///   acknowledged.
    private func life(
        crashingAfter point: Int, _ options: FileStoreOptions
    ) throws -> (files: SimulatedFileSystem, states: [[String: String]], acknowledged: Int) {
        let files = SimulatedFileSystem(seed: 11)
        files.crash(after: point)
        var random = Seeded(5)
        var states: [[String: String]] = [[:]]
        var acknowledged = 0
        for _ in 0..<2 {
            guard let store = try? Simulated.open(files, options) else { break }
            for _ in 0..<12 {
                let (transaction, after) = try RandomWrites.transaction(
                    on: states[states.count - 1], &random)
                states.append(after)
                if store.submitted(transaction).receipt != nil { acknowledged = states.count - 1 }
                if files.hasCrashed { return (files, states, acknowledged) }
            }
            store.idle()
            store.close()
        }
        return (files, states, acknowledged)
    }
}
