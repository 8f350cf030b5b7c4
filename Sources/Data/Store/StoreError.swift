import Glibc

/// A place in the log that cannot be what it must be.
package struct LogDamage: Equatable, Sendable, CustomStringConvertible {
    package let file: String
    /// Offset in the file of the first byte that is not as it must be; 0 for a missing file.
    package let offset: Int
    /// The seqs that cannot be read, nil where that is not known.
    package let lost: ClosedRange<UInt64>?
    /// What is wrong, in a few words.
    package let finding: String

    package init(file: String, offset: Int, lost: ClosedRange<UInt64>?, finding: String) {
        self.file = file
        self.offset = offset
        self.lost = lost
        self.finding = finding
    }

    package var description: String {
        let seqs =
            switch lost {
            case .some(let range) where range.lowerBound == range.upperBound:
                "seq \(range.lowerBound) in "
            case .some(let range): "seq \(range.lowerBound)…\(range.upperBound) in "
            case nil: ""
            }
        return "\(seqs)\(file) at \(offset): \(finding)"
    }
}

/// Why a data directory cannot be used. The description is a sentence with what to do.
package enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another process has it: its pid, or `reader`.
    case locked(directory: String, holder: String)
    /// Acknowledged data cannot be read.
    case damaged(directory: String, [LogDamage])
    /// `freshet cluster init` or `recover` was interrupted between the old directory and the new one.
    case unfinished(directory: String)
    /// The directory holds other things.
    case notAStore(directory: String)
    /// It lies on a network file system.
    case network(directory: String, kind: String)
    /// Another version's format.
    case incompatible(directory: String, format: String, writer: String)
    /// A system call failed.
    case system(directory: String, SystemFault)
    /// `reopen` found less on the disk than is being served.
    case behind(directory: String, disk: UInt64, served: UInt64)
    /// No snapshot could be made; the store goes on as it was.
    case notCompacted(directory: String, reason: String)
    /// As `notCompacted`, because the disk is full.
    case noSpace(directory: String, reason: String)
    /// The store, or what it holds, cannot be read as a whole now.
    case notReadable(directory: String, reason: String)
    /// A directory that is to be made holds something already.
    case notEmpty(directory: String)
    /// A file that is no backup, or a damaged one, or does not reach as far as was asked.
    case backup(file: String, reason: String)
    /// Two directories cannot share files.
    case notLinked(directory: String, source: String, SystemFault)
    /// It is the directory of a replica, and was opened by a server that stands alone.
    case ofCluster(directory: String)
    /// It is the directory of a server that stands alone, and was opened by a replica.
    case notOfCluster(directory: String)
    /// A shared log is to be made, and there is one already.
    case logExists(cluster: String)
    /// The shared log gives no answer, and without it there is nothing to begin with.
    case logAway(reason: String)
    /// The directory is empty, and the shared log no longer has its beginning: what is missing is in
    /// a backup of another replica, such as the one at `peer`, that has all commits before `behind`.
    case needsBackup(directory: String, peer: String, behind: Cursor)
    /// The store is closed, or `reopen` is not what its state needs.
    case closed

    /// A fault of a system call. Where something else stands in the place of a file that holds data,
    /// or the disk cannot read it, that data is damaged.
    init(_ fault: SystemFault, directory: String) {
        let holdsData =
            fault.name == DataDirectory.identityName
            || LogFormat.firstSeq(ofName: fault.name) != nil
            || SnapshotFormat.seq(ofName: fault.name) != nil
            || Manifest.number(ofName: fault.name) != nil
        // A write that fails says nothing of what is there.
        let isRead = fault.call == "pread" || fault.call == "openat"
        if holdsData && (fault.isNoFile || isRead && fault.isUnreadable) {
            self = .damaged(
                directory: directory,
                [
                    LogDamage(
                        file: fault.name, offset: 0, lost: nil, finding: fault.finding)
                ])
        } else {
            self = .system(directory: directory, fault)
        }
    }

    /// Stands for the pid where it is no server that has the directory.
    static let reader = "reader"

    package var description: String {
        switch self {
        case .locked(let directory, Self.reader):
            "the data directory \(directory) is being verified: start again when that is done"
        case .locked(let directory, let holder):
            "the data directory \(directory) is in use by another process (pid \(holder)): "
                + "stop it, or choose another directory with --data"
        case .damaged(let directory, let damages):
            Self.sentence(directory, damages)
        case .unfinished(let directory):
            "\(directory) is between two: `freshet cluster init` or `recover` was interrupted while it"
                + " put the cluster's directory in the place of this one. Run it again, and it goes on"
                + " (with another prefix, where there is a log by now); until then remove nothing"
                + " from it"
        case .notAStore(let directory):
            "\(directory) is no Freshet data directory (it has no FRESHET file; where a restore was"
                + " interrupted, run it again): choose another one with --data, or for a new store"
                + " an empty one"
        case .network(let directory, let kind):
            "\(directory) lies on a network file system (\(kind)), whose locks and syncs are not "
                + "reliable: choose a local directory, or allow it with --allow-network-fs"
        case .incompatible(let directory, let format, let writer):
            "\(directory) has format \(format), written by Freshet \(writer); this version reads "
                + "\(LogFormat.major).x: use the version that wrote it, or a newer one"
        case .system(let directory, let fault) where fault.code == ENOENT && fault.call == "open":
            "there is no data directory \(directory): name another one with --data"
        case .system(let directory, let fault):
            "the data directory \(directory) cannot be used: \(fault)"
        case .behind(let directory, let disk, let served):
            "\(directory) ends at seq \(disk) on disk but \(served) has been served: "
                + "restore the disk, then restart"
        case .notCompacted(let directory, let reason), .noSpace(let directory, let reason):
            "\(directory) was not compacted and is as it was: \(reason)"
        case .notReadable(let directory, let reason):
            "\(directory) cannot be copied now: \(reason)"
        case .notEmpty(let directory):
            "\(directory) is not empty: name a directory that is empty or does not exist"
        case .backup(let file, let reason):
            "the backup \(file) cannot be used as asked: \(reason)"
        case .notLinked(let directory, let source, let fault):
            "\(directory) cannot share files with \(source) (\(fault)): choose a directory on the"
                + " same file system, or use `freshet backup`"
        case .ofCluster(let directory):
            "\(directory) is the directory of a server of a cluster: start with --cluster-log; or, where"
                + " its log is lost or was never made, begin one with `freshet cluster recover"
                + " --cluster-log URL --data \(ShellWord.quoted(directory))`; or restore a backup of the"
                + " cluster into another directory"
        case .notOfCluster(let directory):
            "\(directory) is the directory of a server that stands alone: make the cluster's log"
                + " from it with `freshet cluster init --cluster-log URL --data"
                + " \(ShellWord.quoted(directory))`, or choose an empty directory with --data"
        case .logExists(let cluster):
            "there is a log at that URL already, of the cluster \(cluster): a server with an empty"
                + " directory joins it; for another cluster choose another prefix"
        case .logAway(let reason):
            "the shared log gives no answer, and there is no data to begin with: \(reason)"
        case .needsBackup(let directory, let peer, _):
            "\(directory) is empty, and the shared log no longer has its beginning: it is restored"
                + " from another server of the cluster (\(peer))"
        case .closed:
            "the store is closed"
        }
    }

    private static func sentence(_ directory: String, _ damages: [LogDamage]) -> String {
        let word = ShellWord.quoted(directory)
        let found = damages.map(\.description).joined(separator: "; ")
        return "store-damaged: acknowledged data in \(directory) cannot be read: \(found). Nothing"
            + " was changed. `freshet verify --data \(word)` tells all of it; restore a backup, or take"
            + " what can be proved into a new directory: `freshet salvage --data \(word)"
            + " NEW-DIRECTORY`"
    }
}
