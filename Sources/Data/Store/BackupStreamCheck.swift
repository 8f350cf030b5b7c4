import FreshetBase

/// Proves by its checksum of all that a backup has come whole, while it passes by: for whoever
/// sends it on and cannot read it again. What its members hold is not looked at.
package struct BackupStreamCheck: Sendable {
    private var head: [UInt8] = []
    /// The last bytes that have come: they are the end, or become part of what is before it.
    private var tail: [UInt8] = []
    /// Crc of everything before `tail`.
    private var checksum: UInt32 = 0
    /// Bytes that have come.
    package private(set) var count = 0

    package init() {}

    /// The next bytes, however they are split.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        count += bytes.count
        head += bytes.prefix(max(0, BackupHeader.length - head.count))
        let passed = max(0, tail.count + bytes.count - BackupEnd.length)
        let fromTail = min(passed, tail.count)
        tail.withUnsafeBytes {
            checksum = CRC32C.checksum(
                UnsafeRawBufferPointer(rebasing: $0[..<fromTail]), continuing: checksum)
        }
        tail.removeFirst(fromTail)
        let cut = passed - fromTail
        checksum = CRC32C.checksum(
            UnsafeRawBufferPointer(rebasing: bytes[..<cut]), continuing: checksum)
        tail += bytes[cut...]
    }

    /// The newest commit of the backup that has come; nil where it is no whole one.
    package var seqOfWhole: UInt64? {
        guard let header = BackupHeader(verifying: head),
            let end = BackupEnd(verifying: tail),
            header.bytes == count, end.bytes == count - BackupEnd.length,
            end.members == header.members, end.checksum == checksum
        else { return nil }
        return header.seq
    }
}
