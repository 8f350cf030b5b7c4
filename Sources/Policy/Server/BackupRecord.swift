import FreshetBase
import FreshetJSON
import FreshetRefresh

/// The backups that are being taken, and what became of the last one. Any thread.
final class BackupRecord: Sendable {
    /// Backups at a time: each holds a thread, a piece of memory, and files that a compaction would
    /// delete.
    static let most = 2

    private struct Ended: Sendable {
        let at: WallTime
        let seq: UInt64
        let bytes: Int
        let duration: Duration
        let isWhole: Bool
        let caller: String?
    }

    private let count = WorkCount()
    private let last = Shared<Ended?>(nil)

    /// One more; nil where there are as many as there may be.
    ///
    /// - Parameter caller: Who takes it; nil: nobody in particular.
    func begin(by caller: String?) -> Backup? {
        count.permit(atMost: Self.most).map { Backup(self, $0, caller) }
    }

    /// Appends `{"running":NUMBER,"last":{…}|null}`.
    func append(to body: inout ByteBuffer) {
        body.append("{")
        body.member("running", count.value)
        body.member("last", last.value) { ended, body in
            body.append("{")
            body.member("endedAt", ended.at)
            body.member("seq", ended.seq)
            body.member("bytes", ended.bytes)
            body.member("durationMs", ended.duration.wholeMilliseconds)
            body.member("outcome", ended.isWhole ? "done" : "aborted")
            body.member("by", ended.caller)
            body.append("}")
        }
        body.append("}")
    }

    /// One that is being taken: it counts until it is let go of.
    final class Backup: Sendable {
        private let owner: BackupRecord
        private let permit: WorkCount.Permit
        private let caller: String?
        private let start = MonotonicInstant.now

        fileprivate init(_ owner: BackupRecord, _ permit: WorkCount.Permit, _ caller: String?) {
            self.owner = owner
            self.permit = permit
            self.caller = caller
        }

        /// Records its end.
        ///
        /// - Parameters:
        ///   - seq: The newest commit that is in it.
        ///   - bytes: As many as were handed to the client.
        func end(seq: UInt64, bytes: Int, isWhole: Bool) {
            owner.last.set(
                Ended(
                    at: .now, seq: seq, bytes: bytes, duration: MonotonicInstant.now - start,
                    isWhole: isWhole, caller: caller))
        }
    }
}
