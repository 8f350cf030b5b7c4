import Synchronization

/// What a stream has done, readable on any thread.
final class LiveProgress: Sendable {
    private let written = Atomic<Int>(0)
    private let told = Atomic<UInt64>(.max)

    var bytes: Int { written.load(ordering: .relaxed) }
    /// `UInt64.max` before the client was told any.
    var seq: UInt64 { told.load(ordering: .relaxed) }

    /// One production has written `bytes`; the client is exact at `seq` behind it. One writer.
    func record(bytes: Int, seq: UInt64?) {
        if bytes > 0 {
            written.store(written.load(ordering: .relaxed) &+ bytes, ordering: .relaxed)
        }
        if let seq { told.store(seq, ordering: .relaxed) }
    }
}
