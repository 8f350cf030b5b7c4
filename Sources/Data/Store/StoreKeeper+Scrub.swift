import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc

/// Looks after what is stored (see Scrubber). Any thread.
final class Scrubber: Sendable {
    /// The first pass begins so long after the start, and one begins so long after another.
    static let firstWait = Duration.seconds(60)
    static let interval = Duration.seconds(6 * 3_600)
    /// A pass reads everything in so many seconds at most, so that each byte is read every day.
    static let longestPass = 12 * 3_600

    let stop = StopSignal()
    /// Held by whoever makes a pass.
    let turn = Lock()
    // SAFETY: set once before the store is used, read when it closes.
    nonisolated(unsafe) var thread: WriterThread?

    func close() {
        stop.stop()
        thread?.join()
        // One that was asked for from elsewhere.
        turn.withLock {}
    }
}

extension StoreKeeper {
    private var stored: StoreFiles {
        StoreFiles(files: files, directory: directory, store: identity.store)
    }

    /// Begins the passes of the background; without a rate memory alone is looked at, and only where a
    /// snapshot has met what is wrong there.
    func beginScrubbing() {
        guard !options.isStepped else { return }
        let hasPasses = options.scrubRate > 0
        scrubber.thread = try? WriterThread(isBackground: true) { [weak self, scrubber] in
            var next = MonotonicInstant.now + Scrubber.firstWait
            while scrubber.stop.wait(hasPasses ? next - .now : Scrubber.interval) {
                guard let self else { return }
                if scrubber.stop.takeHurry() {
                    scrubber.turn.withLock { self.checkMemory() }
                    continue
                }
                guard hasPasses else { continue }
                next = .now + Scrubber.interval
                let report = scrub(bytesPerSecond: nil)
                next = max(next, .now + report.duration / 10)
            }
        }
        if scrubber.thread == nil {
            log.error(
                "there is no thread to scrub the store on: it is not scrubbed until a restart")
        }
    }

    /// Reads every live file and every entity once, and replaces what is damaged. Takes its time: as
    /// fast as a snapshot is written. Must not be called from a completion or an observer.
    package func scrub() -> ScrubReport {
        scrub(bytesPerSecond: options.snapshotRate)
    }

    /// - Parameter bytesPerSecond: nil: the rate of the background.
    private func scrub(bytesPerSecond: Int?) -> ScrubReport {
        scrubber.turn.withLock {
            let start = MonotonicInstant.now
            var report = ScrubReport()
            do throws(StoreError) {
                report = try pass(bytesPerSecond)
            } catch {
                report.failure = error.description
            }
            report.duration = MonotonicInstant.now - start
            let pass = ScrubPass(endedAt: .now, duration: report.duration, bytes: report.bytes)
            figures.board.endScrub(report.failure == nil ? pass : nil)
            if !scrubber.stop.isStopped { note(report) }
            return report
        }
    }

    private func pass(_ bytesPerSecond: Int?) throws(StoreError) -> ScrubReport {
        let manifest = try pinned().manifest
        var rate = bytesPerSecond ?? options.scrubRate
        let signal = scrubber.stop
        func isCancelled() -> Bool {
            // A pass of the background may take hours.
            if bytesPerSecond == nil, signal.takeHurry() { checkMemory() }
            return signal.isStopped
        }
        func scrub(_ rate: Int) -> FileScrub {
            FileScrub(
                stored, path: options.directory, bytesPerSecond: rate, figures.board,
                isCancelled: isCancelled)
        }
        var probe = scrub(rate)
        let bytes = try probe.liveBytes(manifest)
        if rate > 0 { rate = max(rate, bytes / Scrubber.longestPass) }
        figures.board.beginScrub(bytes)
        var pass = scrub(rate)
        var failure: String?
        var told = 0
        while true {
            let damaged = try pass.next { () throws(StoreError) in try pinned().manifest }
            if damaged.isEmpty { break }
            for damage in pass.report.damages[told...] {
                log.error(
                    "a file of the store is damaged; a new snapshot takes its place",
                    [
                        "file": .string("\(options.directory)/\(damage.file)"),
                        "offset": .integer(damage.offset), "finding": .string(damage.finding),
                        "hint": .string("look after the disk"),
                    ])
            }
            told = pass.report.damages.count
            do throws(StoreError) {
                _ = try compact(without: damaged) {}
            } catch {
                failure = error.description
            }
        }
        var report = pass.report
        report.failure = failure
        figures.board.scrub(nil)
        try scrubMemory(&report, rate, isCancelled: isCancelled)
        return report
    }

    private func note(_ report: ScrubReport) {
        figures.scrubBytes.add(report.bytes)
        figures.scrubDamages.add(report.damages.count)
        // Who watches these two is told by them that everything has been read lately.
        if let failure = report.failure {
            log.error("a scrub did not come to its end", ["why": .string(failure)])
        } else {
            figures.scrubs.add()
            figures.scrubNanoseconds.set(Int(report.duration / .nanoseconds(1)))
            figures.scrubTime.set(Int(WallTime.now.milliseconds))
            log.debug(
                "a scrub is done",
                ["files": .integer(report.files), "bytes": .integer(report.bytes)])
        }
    }

    // MARK: Memory

    /// A snapshot has met an entity that is not what was stored: it and others are put right now,
    /// since no snapshot can be made before. With the turn.
    private func checkMemory() {
        var report = ScrubReport()
        do throws(StoreError) {
            try scrubMemory(&report, options.snapshotRate) { [scrubber] in scrubber.stop.isStopped }
        } catch {
            report.failure = error.description
        }
        if let failure = report.failure, !scrubber.stop.isStopped {
            log.error("memory could not be checked", ["why": .string(failure)])
        }
    }

    /// Compares every entity in memory with its checksum.
    private func scrubMemory(
        _ report: inout ScrubReport, _ rate: Int, isCancelled: @escaping () -> Bool
    ) throws(StoreError) {
        var pace = SnapshotPace(bytesPerSecond: rate, isCancelled: isCancelled)
        for (name, table) in tables.views().types {
            var cursor = table.makeCursor()
            var bytes = 0
            while let document = cursor.next() {
                report.entities += 1
                bytes += document.json.count
                if CRC32C.checksum(document.json) != document.checksum {
                    report.memoryErrors += 1
                    figures.memoryErrors.add()
                    try repair(name, document)
                }
                if bytes > 1 << 20 {
                    do throws(SnapshotFailure) { try pace.pass(bytes) } catch { throw .closed }
                    bytes = 0
                }
            }
            do throws(SnapshotFailure) { try pace.pass(bytes) } catch { throw .closed }
        }
    }

    /// Puts an entity right that is not what was stored.
    func repair(_ type: TypeName, _ broken: Document) throws(StoreError) {
        let isInFiles = !options.memoryTypes.contains(type)
        let manifest = try pinned().manifest
        let repair = MemoryRepair(source: stored, manifest: manifest)
        let found = isInFiles ? repair.find(type, broken) : nil
        guard let found else {
            log.error(
                "an entity in memory is not what was stored, and is not found on the disk",
                [
                    "type": .string(type.text), "id": .string(broken.id.description),
                    "hint": .string("restart the server, and check this machine's memory"),
                ])
            return
        }
        _ = withCommitRight { [tables] in tables.replace(broken, by: found, type) }
        log.error(
            "an entity in memory was not what was stored, and is put right from the disk",
            [
                "type": .string(type.text), "id": .string(found.id.description),
                "hint": .string("check this machine's memory"),
            ])
    }
}

/// Finds on the disk what an entity in memory was.
struct MemoryRepair {
    let source: StoreFiles
    let manifest: Manifest

    /// The stored form of `broken`, whose revision and checksum are taken to be right; nil where
    /// there is none.
    ///
    /// - Complexity: O(bytes of the newest generation).
    func find(_ type: TypeName, _ broken: Document) -> Document? {
        let search = EntitySearch(type, revision: broken.revision, checksum: broken.checksum)
        if broken.revision > manifest.snapshot?.seq ?? 0 {
            // What cannot be read has not the entity; then it is not found.
            _ = try? LogReader(source: source)
                .read(LogStart(behind: manifest.snapshot), into: search)
            return search.found
        }
        guard let snapshot = manifest.snapshot else { return nil }
        // As above.
        return try? source.snapshot(snapshot.seq)
            .find(type, revision: broken.revision, checksum: broken.checksum)
    }
}

/// Looks for one image in a log.
private final class EntitySearch: LogVisitor {
    private let typeBytes: [UInt8]
    private let revision: UInt64
    private let checksum: UInt32
    private(set) var found: Document?
    private var builder = DocumentBuilder()

    init(_ type: TypeName, revision: UInt64, checksum: UInt32) {
        typeBytes = type.withBytes { Array($0) }
        self.revision = revision
        self.checksum = checksum
    }

    func visit(_ frame: Frame) -> String? {
        guard frame.header.firstSeq <= revision, revision <= frame.lastSeq else { return nil }
        // What cannot be read has not the entity.
        _ = frame.read { commit, entry in
            guard commit.seq == revision, entry.kind != .remove, entry.checksum == checksum,
                entry.type.elementsEqual(typeBytes)
            else { return true }
            do throws(DocumentFault) {
                let document = try builder.build(
                    stored: entry.entity, revision: revision, checksum: nil)
                guard document.checksum == checksum else { return true }
                if entry.kind == .setFetched { document.markFetched() }
                found = document
                return true
            } catch {
                return false
            }
        }
        return nil
    }

    func progress(bytesRead: Int, bytesTotal: Int) {}
}
