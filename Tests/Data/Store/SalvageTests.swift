import FreshetBase
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

@Suite struct SalvageTests {
    private func salvage(_ files: SimulatedFileSystem) throws(StoreError) -> SalvageReport {
        try StoreSalvager.salvage(
            "data", into: "saved", writerVersion: "test", files: files, clock: ManualClock())
    }

    /// The offset of a frame in a segment, by the first seq that it holds.
    private func offset(ofSeq seq: UInt64, _ name: String, _ files: SimulatedFileSystem) throws
        -> Int
    {
        let bytes = try #require(files.content(of: name))
        let first = try #require(LogFormat.firstSeq(ofName: name))
        return bytes.withUnsafeBytes { whole in
            guard let header = SegmentHeader(verifying: whole) else { return -1 }
            var scan = SegmentScan(
                bytes: whole, header: header, lastSeq: first - 1, durableSeq: 0)
            while let frame = scan.next() {
                if frame.header.commitCount > 0 && frame.header.firstSeq == seq {
                    return frame.offset
                }
            }
            return -1
        }
    }

    private func damage(_ name: String, at offset: Int, _ files: SimulatedFileSystem) throws {
        var bytes = try #require(files.content(of: name))
        bytes[offset] ^= 0x10
        files.replace(name, with: bytes)
    }

    @Test(arguments: [0..<128, 128..<200, 4_100..<4_110], [false, true])
    func whatTheDiskCannotReadIsNamedAndTheRestSalvaged(
        _ range: Range<Int>, _ isOlder: Bool
    ) throws {
        let made = try Lived()
        made.store.close()
        let name = LogFormat.segmentName(isOlder ? 6 : 8)
        let size = try #require(made.files.content(of: name)).count
        made.files.makeUnreadable(name, range.clamped(to: 0..<size))
        let report = try StoreVerifier.verify(directory: "data", files: made.files)
        if isOlder {
            // Of the generation before: a start does not need it.
            #expect(report.damages.isEmpty)
            #expect(try made.files.contents(at: "data") == made.history[10])
        } else {
            let damage = try #require(report.damages.first)
            #expect(report.damages.count == 1 && damage.file == name)
            #expect(damage.finding == "the disk cannot read it: pread of \(name): \(ioError)")
            #expect(damage.lost == (range.lowerBound < 4_000 ? 8...10 : nil))
            #expect(damage.offset <= range.lowerBound)
            #expect(throws: StoreError.damaged(directory: "data", report.damages)) {
                _ = try made.files.contents(at: "data")
            }
        }
        let saved = try salvage(made.files)
        #expect(saved.seq == 10)
        #expect(saved.losses.ranges.contains { $0.file == name } == (range.lowerBound < size))
        // One of its sectors is all of it here.
        let known = isOlder || range.lowerBound >= 4_000 ? made.history[10] : made.history[7]
        #expect(try made.files.contents(at: "saved") == known)
    }

    @Test func whatMayNotBeReadIsNotLost() throws {
        let made = try Lived()
        made.store.close()
        var number = 0
        var isMet = true
        while isMet {
            number += 1
            let files = made.files.restarted(seed: 1, keepingCache: true)
            files.fail("open", occurrence: number, code: EACCES)
            let result = Result { () throws(StoreError) in try salvage(files) }
            isMet = files.heal()
            switch result {
            case .success(let report): #expect(report.losses.isEmpty && !isMet, "open \(number)")
            case .failure(let error): #expect("\(error)".contains("Permission denied"))
            }
        }
        #expect(number > 10)
    }

    @Test func anIdentityThatTheDiskCannotReadIsNamedAndTheRestSalvaged() throws {
        let made = try Lived()
        made.store.close()
        made.files.makeUnreadable("FRESHET", 0..<1)
        made.files.makeUnreadable("LOCK", 0..<1)
        let expected = LogDamage(
            file: "FRESHET", offset: 0, lost: nil,
            finding: "the disk cannot read it: pread of FRESHET: \(ioError)")
        #expect(throws: StoreError.damaged(directory: "data", [expected])) {
            _ = try made.files.contents(at: "data")
        }
        #expect(throws: StoreError.damaged(directory: "data", [expected])) {
            _ = try StoreVerifier.verify(directory: "data", files: made.files)
        }
        #expect(try salvage(made.files).losses.isEmpty)
        #expect(try made.files.contents(at: "saved") == made.history[10])
    }

    private let ioError = "Input/output error (errno 5)"

    @Test func aSoundStoreIsSalvagedWhole() throws {
        let made = try Lived()
        made.store.close()
        let report = try salvage(made.files)
        #expect(report.losses.isEmpty && report.seq == 10)
        #expect(try made.files.contents(at: "saved") == made.history[10])
        #expect(made.files.content(of: "lost.ndjson", in: "saved") == [])
        #expect(throws: StoreError.notEmpty(directory: "saved")) { try salvage(made.files) }
    }

    @Test func aRunningStoreIsNotSalvaged() throws {
        let made = try Lived()
        #expect(throws: StoreError.self) { try salvage(made.files) }
        made.store.close()
    }

    @Test func aDamagedCommitIsLostAndThoseBehindItAreNot() throws {
        let made = try Lived()
        made.store.close()
        let name = LogFormat.segmentName(8)
        let place = try offset(ofSeq: 9, name, made.files)
        try damage(name, at: place + LogFormat.frameHeaderLength + 8, made.files)
        let before = made.files.names().map { ($0, made.files.content(of: $0)) }
        #expect(throws: StoreError.self) { try made.files.contents(at: "data") }
        let report = try salvage(made.files)
        #expect(report.losses.ranges.map(\.seqs) == [9...9] && report.seq == 10)
        #expect(report.losses.ranges.first?.file == name)
        // Seq 9 removed u/x; seq 10 set t/3.
        var expected = try #require(made.history[10])
        expected["u/x"] = made.history[8]?["u/x"]
        #expect(try made.files.contents(at: "saved") == expected)
        let lost = try #require(made.files.content(of: "lost.ndjson", in: "saved"))
        let lines = String(decoding: lost, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains(#""from":9,"to":9"#))
        #expect(lines[1].contains(#""lost":"entity","type":"u","id":"x""#))
        for (name, content) in before { #expect(made.files.content(of: name) == content) }
    }

    @Test func aDamagedFrameHeaderLosesWhatIsUpToTheNextFrame() throws {
        let made = try Lived()
        made.store.close()
        let name = LogFormat.segmentName(8)
        try damage(name, at: try offset(ofSeq: 8, name, made.files) + 8, made.files)
        let report = try salvage(made.files)
        #expect(report.losses.ranges.compactMap(\.seqs) == [8...8])
        var expected = try #require(made.history[10])
        expected["t/six"] = nil
        #expect(try made.files.contents(at: "saved") == expected)
    }

    @Test func bothSnapshotsDamagedTheirSoundBlocksAndTheLogCount() throws {
        let made = try Lived()
        made.store.close()
        for seq in [7, 5] as [UInt64] {
            // The header of the first section, so that the type of its entities is not known.
            try damage(SnapshotFormat.name(seq), at: 136, made.files)
        }
        let report = try salvage(made.files)
        #expect(report.snapshotSeq == nil && report.seq == 10)
        let saved = try made.files.contents(at: "saved")
        for (key, text) in saved {
            let known = made.history.values.contains { $0[key] == text }
            #expect(known, "\(key) was never \(text)")
        }
        #expect(saved["t/six"] != nil && saved["t/3"] != nil)
        #expect(report.losses.entities > 0)
    }

    @Test func aLostEndAndALostIdentityAreTold() throws {
        let made = try Lived()
        made.store.close()
        let name = LogFormat.segmentName(8)
        var bytes = try #require(made.files.content(of: name))
        bytes.removeLast(bytes.count - (try offset(ofSeq: 10, name, made.files)))
        made.files.replace(name, with: bytes)
        made.files.delete("FRESHET")
        let report = try salvage(made.files)
        #expect(report.losses.ranges.compactMap(\.seqs) == [10...10] && report.seq == 10)
        #expect(try made.files.contents(at: "saved") == made.history[9])
    }

    @Test func noDamageMakesItInventOrCrash() throws {
        let made = try Lived()
        made.store.close()
        var random = Seeded(11)
        let names = made.files.names().filter { $0 != "aside" && $0 != "LOCK" }
        for round in 0..<150 {
            let files = made.files.restarted(seed: UInt64(round), keepingCache: true)
            for _ in 0...Int.random(in: 0...2, using: &random) {
                let name = names.randomElement(using: &random) ?? "FRESHET"
                var bytes = files.content(of: name) ?? []
                guard !bytes.isEmpty else { continue }
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] ^= UInt8.random(in: 1...255, using: &random)
                } else {
                    bytes.removeLast(bytes.count - place)
                }
                files.replace(name, with: bytes)
            }
            do throws(StoreError) {
                _ = try salvage(files)
            } catch {
                // Where no file tells whose they are nothing can be proved.
                continue
            }
            for (key, text) in try files.contents(at: "saved") {
                let known = made.history.values.contains { $0[key] == text }
                #expect(known, "round \(round): \(key) was never \(text)")
            }
        }
    }
}
