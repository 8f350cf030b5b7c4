import FreshetEngine
import Glibc

/// What `freshet verify` found.
package struct VerifyReport: Sendable, Equatable {
    package struct Segment: Sendable, Equatable {
        package let name: String
        /// Behind the last good frame.
        package let end: Int
        package let frames: Int
        package let lastSeq: UInt64
        package let isSealed: Bool
    }

    package struct Snapshot: Sendable, Equatable {
        package let name: String
        package let seq: UInt64
        package let entities: Int
        package let bytes: Int
    }

    /// Of both generations, the newest first.
    package var snapshots: [Snapshot] = []
    /// Of both generations, in the order of their commits.
    package var segments: [Segment] = []
    package var commits = 0
    /// Entries of commits: sets and removes.
    package var entries = 0
    /// Entities after the last commit.
    package var entities = 0
    package var lastSeq: UInt64 = 0
    package var bytes = 0
    /// Written and never acknowledged; no damage.
    package var torn: TornTail?
    package var damages: [LogDamage] = []
    /// Damage that costs nothing, since the other generation tells the same.
    package var outvoted: [LogDamage] = []

    package var isIntact: Bool { damages.isEmpty && outvoted.isEmpty }
}

/// Reads every record of a data directory and changes nothing. It may run beside a server; where
/// none runs it holds the lock shared, so that none begins meanwhile.
package enum StoreVerifier {
    /// - Throws: Where there is nothing that can be read at all; damage is in the report.
    package static func verify(
        directory path: String, files: any FileSystem = POSIXFileSystem(),
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> VerifyReport {
        // A server that writes while its files are read can make a whole log look torn or worse,
        // by a part that is read before and a part that is read after a write; and its compaction
        // takes files away. Damage stays.
        var attempts = 5
        while true {
            attempts -= 1
            do throws(StoreError) {
                let report = try verifyOnce(path, files, progress)
                if report.isIntact || attempts == 0 { return report }
            } catch {
                guard case .system(_, let fault) = error, fault.code == ENOENT, attempts > 0 else {
                    throw error
                }
            }
        }
    }

    /// Reads every frame of a log that no snapshot has shortened, and makes nothing of it: what a
    /// start spends on checking, for measurement.
    package static func scanLog(
        directory path: String, files: any FileSystem = POSIXFileSystem()
    ) throws(StoreError) -> (bytes: Int, commits: Int) {
        try StoreFiles.read(at: path, files) { source, _ throws(StoreError) in
            try DataDirectory.wrapping(path) { () throws(SystemFault) in
                let check = LogCheck()
                let log = try LogReader(source: source).read(LogStart(behind: nil), into: check)
                return (log.bytes, check.commits)
            }
        }
    }

    private static func verifyOnce(
        _ path: String, _ files: any FileSystem, _ progress: (RecoveryProgress) -> Void
    ) throws(StoreError) -> VerifyReport {
        try StoreFiles.read(at: path, files) { source, _ throws(StoreError) in
            try withoutActuallyEscaping(progress) { report throws(StoreError) in
                try DataDirectory.wrapping(path) { () throws(SystemFault) in
                    let lock = try DataDirectory.share(files, source.directory)
                    defer { if let lock { files.close(lock) } }
                    return try verify(source, report)
                }
            }
        }
    }

    private static func verify(
        _ source: StoreFiles, _ report: @escaping (RecoveryProgress) -> Void
    ) throws(SystemFault) -> VerifyReport {
        let replay = LogReplay(memoryTypes: [], report: report)
        let state = try StateReader(source: source).read(into: replay, report: report)
        var result = VerifyReport()
        result.damages = state.log.damages
        // Where nothing else helps, what could not be used is part of the loss.
        if state.log.damages.isEmpty {
            result.outvoted = state.fallback
        } else {
            result.damages = state.fallback + state.log.damages
        }
        if let snapshot = state.snapshot { result.snapshots.append(.init(snapshot)) }
        try verifyOlder(source, state: state, report: report, result: &result)
        let bytes = try source.files.contents(
            of: DataDirectory.identityName, in: source.directory, atMost: LogFormat.identityLength)
        if let half = StoreIdentity.damagedHalf(of: bytes ?? []) {
            result.outvoted.append(
                LogDamage(
                    file: DataDirectory.identityName, offset: half, lost: nil,
                    finding: "this half is damaged, and the other one tells the same"))
        }
        result.segments += state.log.segments.map(VerifyReport.Segment.init)
        result.commits += replay.commits
        result.entries += replay.entries
        result.lastSeq = state.log.lastSeq
        result.bytes += state.log.bytes
        result.torn = state.log.torn
        result.entities = replay.finish().entityCount
        return result
    }

    /// The generation before the one that a start would use.
    private static func verifyOlder(
        _ source: StoreFiles, state: StoredState,
        report: @escaping (RecoveryProgress) -> Void, result: inout VerifyReport
    ) throws(SystemFault) {
        guard let newest = state.snapshot,
            let older = state.manifests.compactMap(\.manifest).first(where: {
                $0.firstNeededSeq <= newest.seq
            })
        else { return }
        if let named = older.snapshot {
            let reader = source.snapshot(named.seq)
            var done = 0
            do throws(SnapshotFailure) {
                let found = try reader.verify { count throws(SnapshotFailure) in
                    done += count
                    report(
                        RecoveryProgress(
                            phase: .snapshot, bytesRead: done, bytesTotal: named.length,
                            commits: 0))
                }
                result.snapshots.append(.init(found))
                if found != named {
                    result.outvoted.append(
                        LogDamage(
                            file: reader.name, offset: 0, lost: nil,
                            finding: "the snapshot is not the one that the manifest names"))
                }
            } catch {
                switch error {
                case .damaged(let damage): result.outvoted.append(damage)
                case .system(let fault): throw fault
                case .cancelled, .memory: break
                }
            }
        }
        var start = LogStart(behind: older.snapshot, [older])
        start.end = newest.seq + 1
        let check = LogCheck(report)
        let log = try LogReader(source: source).read(start, into: check)
        result.segments += log.segments.map(VerifyReport.Segment.init)
        result.commits += check.commits
        result.entries += check.entries
        result.bytes += log.bytes
        result.outvoted += log.damages
        // A missing segment is told of by the one behind it, which may be the newer generation's.
        if log.damages.isEmpty, let next = try source.segments().first(where: { $0 >= start.end }),
            let header = try source.header(ofSegment: next, .report),
            header.predecessor != log.segments.last?.header.firstSeq ?? 0
        {
            result.outvoted.append(
                LogDamage(
                    file: LogFormat.segmentName(header.predecessor), offset: 0,
                    lost: log.lastSeq < header.predecessorSeq
                        ? log.lastSeq + 1...header.predecessorSeq : nil,
                    finding: "it is missing"))
        }
    }
}

extension VerifyReport.Segment {
    fileprivate init(_ segment: SegmentSummary) {
        self.init(
            name: segment.name, end: segment.end, frames: segment.frames, lastSeq: segment.lastSeq,
            isSealed: segment.isSealed)
    }
}

extension VerifyReport.Snapshot {
    fileprivate init(_ snapshot: Manifest.Snapshot) {
        self.init(
            name: SnapshotFormat.name(snapshot.seq), seq: snapshot.seq,
            entities: snapshot.entities, bytes: snapshot.length)
    }
}

/// Counts what a log holds and makes nothing of it.
private final class LogCheck: LogVisitor {
    private(set) var commits = 0
    private(set) var entries = 0
    private let report: (RecoveryProgress) -> Void

    init(_ report: @escaping (RecoveryProgress) -> Void = { _ in }) {
        self.report = report
    }

    func visit(_ frame: Frame) -> String? {
        frame.read { _ in
            commits += 1
        } entry: { _, _ in
            entries += 1
            return true
        }
    }

    func progress(bytesRead: Int, bytesTotal: Int) {
        report(
            RecoveryProgress(
                phase: .log, bytesRead: bytesRead, bytesTotal: bytesTotal, commits: commits))
    }
}
