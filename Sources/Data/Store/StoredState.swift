import FreshetBase
import FreshetEngine
import FreshetQuery

/// What was found of a store: a snapshot, where there is one, and the log behind it.
struct StoredState {
    var log: LogSummary
    /// What a manifest says of the snapshot that was read; nil: the log was read from its beginning.
    var snapshot: Manifest.Snapshot?
    /// What could not be used before that, the newest first, and why.
    var fallback: [LogDamage] = []
    /// All manifests, the newest first.
    var manifests: [Manifest.Entry] = []
}

/// Reads a store: newest manifest, its snapshot, the log behind it. Writes nothing.
///
/// The generations are tried in this order, until a snapshot is whole:
///  1. those that manifests name, the newest first;
///  2. snapshots in the directory that no whole manifest names, the newest first;
///  3. the log from its beginning.
/// The second is for a directory that has lost all manifests. A file under a snapshot's name has
/// been synced before it had that name, and says itself whether it is whole, so it can stand without
/// one. Whatever generation it is, the log behind it has to be whole up to the highest seq that
/// any manifest knows to be durable: nothing is ever lost in silence by falling back.
struct StateReader {
    let source: StoreFiles
    /// As in `LogReader`.
    var settlesTail = false
    var threads = 1
    /// Snapshots behind it are left out.
    var limit = RestorePoint.newest

    func read(
        into replay: LogReplay, report: (RecoveryProgress) -> Void
    ) throws(SystemFault) -> StoredState {
        let manifests = try source.manifests()
        var fallback: [LogDamage] = []
        for entry in manifests where entry.manifest == nil {
            fallback.append(
                LogDamage(
                    file: Manifest.name(entry.number), offset: 0, lost: nil,
                    finding: entry.isUnread
                        ? "the disk cannot read the manifest" : "the manifest is damaged"))
        }
        let found = try load(
            candidates(manifests), manifests: manifests, replay: replay, report: report,
            fallback: &fallback)
        let whole = manifests.compactMap(\.manifest)
        var start = LogStart(behind: found, whole)
        start.position = replay.position
        start.durableSeq = whole.map(\.durableSeq).max() ?? 0
        start.activeSegment = try source.newestKnownSegment(whole)
        let log = try LogReader(source: source, settlesTail: settlesTail)
            .read(start, into: replay)
        return StoredState(log: log, snapshot: found, fallback: fallback, manifests: manifests)
    }

    /// Seqs of snapshots, nil for the beginning of the log, in the order in which they are tried.
    private func candidates(_ manifests: [Manifest.Entry]) throws(SystemFault) -> [UInt64?] {
        var candidates: [UInt64?] = []
        for entry in manifests {
            guard let manifest = entry.manifest, (manifest.snapshot?.seq ?? 0) <= limit.seq else {
                continue
            }
            if !candidates.contains(manifest.snapshot?.seq) {
                candidates.append(manifest.snapshot?.seq)
            }
        }
        if candidates.contains(nil) { return candidates }
        for seq in try source.snapshots() where !candidates.contains(seq) && seq <= limit.seq {
            candidates.append(seq)
        }
        return candidates + [nil]
    }

    /// Loads the first candidate that is whole, and has the replay begin with it.
    private func load(
        _ candidates: [UInt64?], manifests: [Manifest.Entry], replay: LogReplay,
        report: (RecoveryProgress) -> Void, fallback: inout [LogDamage]
    ) throws(SystemFault) -> Manifest.Snapshot? {
        // Made in the place of one that was damaged, and not named before a crash. Where the log has its
        // beginning, that is proved and this is not.
        var unnamed: (snapshot: LoadedSnapshot, place: Manifest.Snapshot)?
        let hasWholeLog = manifests.contains { $0.manifest.map { $0.snapshot == nil } ?? false }
        for candidate in candidates {
            guard let seq = candidate else { break }
            let reader = source.snapshot(seq)
            do throws(SnapshotFault) {
                let loaded = try reader.load(threads: threads) { done, total in
                    report(
                        RecoveryProgress(
                            phase: .snapshot, bytesRead: done, bytesTotal: total, commits: 0))
                }
                let found = Manifest.Snapshot(
                    seq: seq, length: loaded.length, entities: loaded.header.entities,
                    checksum: loaded.checksum)
                for entry in manifests where entry.manifest?.snapshot?.seq == seq {
                    guard entry.manifest?.snapshot == found else {
                        if unnamed == nil, loaded.header.lastTime <= limit.milliseconds {
                            unnamed = (loaded, found)
                        }
                        throw .damaged(
                            LogDamage(
                                file: reader.name, offset: 0, lost: nil,
                                finding: "the snapshot is not the one that the manifest names"))
                    }
                    break
                }
                if loaded.header.lastTime > limit.milliseconds { continue }
                replay.begin(with: loaded)
                return found
            } catch {
                switch error {
                case .damaged(let damage): fallback.append(damage)
                case .system(let fault): throw fault
                }
            }
        }
        if let unnamed, !hasWholeLog {
            replay.begin(with: unnamed.snapshot)
            return unnamed.place
        }
        replay.begin(with: nil)
        return nil
    }
}
