import FreshetEngine

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

    package var isIntact: Bool { damages.isEmpty }
}

/// Reads every record of a data directory and changes nothing. Takes no lock, so it may run beside
/// a server.
package enum StoreVerifier {
    /// - Throws: Where there is nothing that can be read at all; damage is in the report.
    package static func verify(
        directory path: String, files: any FileSystem = POSIXFileSystem(),
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> VerifyReport {
        // A server that writes while its files are read can make a whole log look torn or worse,
        // by a part that is read before and a part that is read after a write. Damage stays.
        var report = try verifyOnce(path, files, progress)
        for _ in 0..<4 where !report.isIntact {
            report = try verifyOnce(path, files, progress)
        }
        return report
    }

    private static func verifyOnce(
        _ path: String, _ files: any FileSystem, _ progress: (RecoveryProgress) -> Void
    ) throws(StoreError) -> VerifyReport {
        let handle = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.openDirectory(path: path, creating: false)
        }
        defer { files.close(handle) }
        let found = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try DataDirectory.read(files, handle)
        }
        guard let found else { throw .notAStore(directory: path) }
        let identity = try DataDirectory.checked(found, path)
        let reader = LogReader(
            files: files, directory: handle, identity: identity, settlesTail: false)
        return try withoutActuallyEscaping(progress) { report throws(StoreError) in
            let replay = LogReplay(memoryTypes: [], report: report)
            let summary = try DataDirectory.wrapping(path) { () throws(SystemFault) in
                try reader.read(into: replay)
            }
            var result = VerifyReport()
            result.segments = summary.segments.map { segment in
                VerifyReport.Segment(
                    name: segment.name, end: segment.end, frames: segment.frames,
                    lastSeq: segment.lastSeq, isSealed: segment.isSealed)
            }
            result.commits = replay.commits
            result.entries = replay.entries
            result.lastSeq = summary.lastSeq
            result.bytes = summary.bytes
            result.torn = summary.torn
            result.damages = summary.damages
            result.entities = replay.finish().reduce(0) { $0 + $1.table.count }
            return result
        }
    }
}
