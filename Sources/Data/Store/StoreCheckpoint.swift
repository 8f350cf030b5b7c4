import FreshetBase
import Glibc

/// What a checkpoint has made.
package struct CheckpointReport: Sendable, Equatable {
    /// The commit that it stands at.
    package var seq: UInt64
    /// Files that both directories share, and their bytes.
    package var linked: Int
    package var linkedBytes: Int
    /// Bytes of the active segment, which were copied.
    package var copiedBytes: Int
}

/// Makes a second data directory whose finished files are hard links to those of the first: at once,
/// whatever the size, and beside a running server, which is not asked.
///
/// Finished files are never written to again: a segment behind its seal, a snapshot under its name.
/// The active segment is, so its frames are copied, up to the last whole one. The copy ends with an
/// epoch of its own: a server that runs on it goes its own way, and cursors of the first are not
/// taken for its own. The store id stays, since the linked files have it.
package enum StoreCheckpoint {
    /// - Parameter target: Absent or empty, on the same file system.
    /// - Complexity: O(files) and one segment, 64 MiB at most, that is read and written.
    package static func make(
        of source: String, at target: String, allowsNetwork: Bool = false,
        files: any FileSystem = POSIXFileSystem(), clock: any StoreClock = SystemClock()
    ) throws(StoreError) -> CheckpointReport {
        try StoreFiles.read(at: source, files) { origin, _ throws(StoreError) in
            let builder = try StoreBuilder.begin(
                target, allowsNetwork: allowsNetwork, files, clock)
            defer { builder.close() }
            let lock = try DataDirectory.wrapping(source) { () throws(SystemFault) in
                try DataDirectory.share(files, origin.directory)
            }
            defer { if let lock { files.close(lock) } }
            var isBegun = false
            return try StoreFiles.beside { () throws(StoreError) in
                if isBegun {
                    try DataDirectory.wrapping(target) { () throws(SystemFault) in
                        try builder.startOver()
                    }
                }
                isBegun = true
                return try link(source, origin, builder)
            }
        }
    }

    private static func link(
        _ source: String, _ origin: StoreFiles, _ builder: StoreBuilder
    ) throws(StoreError) -> CheckpointReport {
        let (files, handle) = (origin.files, origin.directory)
        // Again, since a compaction may have added a feature meanwhile.
        let found = try DataDirectory.wrapping(source) { () throws(SystemFault) in
            try DataDirectory.read(files, handle)
        }
        let identity = try DataDirectory.checked(found ?? nil, source)
        // Its copy would end with an epoch of its own, which its cluster does not know.
        if identity.isReplica { throw .ofCluster(directory: source) }
        let manifests = try DataDirectory.wrapping(source) { () throws(SystemFault) in
            try origin.manifests().compactMap(\.manifest)
        }
        let firstSeq = manifests.map(\.firstNeededSeq).min() ?? 0
        let active = try DataDirectory.wrapping(source) { () throws(SystemFault) in
            try origin.newestKnownSegment(manifests)
        }
        let snapshots = Set(manifests.compactMap { $0.snapshot?.seq })
        let names = try DataDirectory.wrapping(source) { () throws(SystemFault) in
            try files.list(handle)
        }
        let segments = names.compactMap(LogFormat.firstSeq(ofName:)).filter { $0 >= firstSeq }
            .sorted()
        guard let last = segments.last, let newest = manifests.first else {
            throw .damaged(
                directory: source,
                [
                    LogDamage(
                        file: manifests.isEmpty ? Manifest.name(1) : LogFormat.segmentName(1),
                        offset: 0, lost: nil, finding: "it is missing")
                ])
        }
        // What the files know of is there, or the copy would be a smaller store that is whole.
        let missing =
            active > last
            ? LogFormat.segmentName(active)
            : newest.snapshot.map { SnapshotFormat.name($0.seq) }.flatMap {
                names.contains($0) ? nil : $0
            }
        if let missing {
            throw .damaged(
                directory: source,
                [LogDamage(file: missing, offset: 0, lost: nil, finding: "it is missing")])
        }
        var report = CheckpointReport(seq: 0, linked: 0, linkedBytes: 0, copiedBytes: 0)
        let finished =
            names.filter { SnapshotFormat.seq(ofName: $0).map(snapshots.contains) ?? false }
            + segments.dropLast().map(LogFormat.segmentName)
        for name in finished {
            try link(name, source: source, handle: handle, builder: builder, report: &report)
        }
        let summary = try copy(
            last, known: manifests.map(\.durableSeq).max() ?? 0, source: source, origin: origin,
            builder: builder, report: &report)
        report.seq = summary.lastSeq
        try DataDirectory.wrapping(builder.path) { () throws(SystemFault) in
            for (index, manifest) in manifests.reversed().enumerated() {
                try DataDirectory.writeFile(
                    Manifest.name(index + 1), bytes: manifest.encoded(), files: files,
                    directory: builder.handle)
            }
            try files.sync(builder.handle)
            try builder.endLog(
                summary, store: identity.store, epoch: .random(), snapshot: newest.snapshot,
                writesManifest: false)
            try builder.finish(identity)
        }
        return report
    }

    private static func link(
        _ name: String, source: String, handle: FileHandle, builder: StoreBuilder,
        report: inout CheckpointReport
    ) throws(StoreError) {
        do throws(SystemFault) {
            try builder.files.link(name, in: handle, to: name, in: builder.handle)
            let file = try builder.files.open(name, in: builder.handle, .read)
            defer { builder.files.close(file) }
            report.linked += 1
            report.linkedBytes += try builder.files.size(file)
        } catch {
            switch error.code {
            case EXDEV, EPERM, EOPNOTSUPP, EMLINK:
                throw .notLinked(directory: builder.path, source: source, error)
            default: throw .system(directory: source, error)
            }
        }
    }

    /// Copies the frames of the newest segment.
    ///
    /// - Returns: What a writer must know to go on behind them.
    private static func copy(
        _ firstSeq: UInt64, known: UInt64, source: String, origin: StoreFiles,
        builder: StoreBuilder, report: inout CheckpointReport
    ) throws(StoreError) -> LogSummary {
        let files = builder.files
        let name = LogFormat.segmentName(firstSeq)
        let bytes = try DataDirectory.wrapping(source) { () throws(SystemFault) in
            guard
                let bytes = try files.contents(
                    of: name, in: origin.directory, atMost: LogReader.maximumSegment)
            else { throw SystemFault("openat", name, ENOENT) }
            return bytes
        }
        var summary = LogSummary()
        var damage: LogDamage?
        bytes.withUnsafeBytes { whole in
            guard let header = origin.header(ofSegment: firstSeq, in: whole),
                header.major == LogFormat.major
            else {
                damage = LogDamage(
                    file: name, offset: 0, lost: nil, finding: "the segment's header is damaged")
                return
            }
            var scan = SegmentScan(
                bytes: whole, header: header,
                lastSeq: max(header.predecessorSeq, firstSeq - 1), durableSeq: 0)
            while scan.next() != nil {}
            if case .damaged(let through) = scan.end(known: known) {
                damage = LogDamage(
                    file: name, offset: scan.position, lost: scan.lastSeq + 1...through,
                    finding: "a frame is damaged")
                return
            }
            // Every segment is born with a frame, and the newest one has what is known.
            guard scan.frameCount > 0, scan.lastSeq >= known else {
                damage = LogDamage(
                    file: name, offset: scan.position,
                    lost: scan.lastSeq < known ? scan.lastSeq + 1...known : nil,
                    finding: "its end is missing")
                return
            }
            summary.lastSeq = scan.lastSeq
            summary.durableSeq = scan.durableSeq
            summary.segments = [SegmentSummary(header, scan)]
            if !scan.sealed { summary.tail = LogTail(firstSeq, scan, size: scan.position) }
        }
        if let damage { throw .damaged(directory: source, [damage]) }
        let end = summary.segments[0].end
        report.copiedBytes += end
        try DataDirectory.wrapping(builder.path) { () throws(SystemFault) in
            try DataDirectory.writeFile(
                name, bytes: Array(bytes[..<end]), files: files, directory: builder.handle)
        }
        return summary
    }
}
