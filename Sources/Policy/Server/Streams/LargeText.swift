import FreshetBase
import FreshetHTTPServer

/// An event, or a long poll's answer, that is sent piece by piece, each when the client has taken the
/// one before: its own text, and between that the bytes that it shares with those of others. Nothing
/// else may be written before its end.
struct LargeText {
    /// What has no more bytes is written at once: with what may be unsent before it, a stalled stream
    /// takes 192 KiB.
    static let mostAtOnce = 128 << 10

    /// What is left, in order.
    private var rest: [ArraySlice<UInt8>]

    init(_ bytes: [UInt8]) {
        rest = [bytes[...]]
    }

    /// - Parameter write: Encodes the text, and hands over what it shares in place of appending it.
    init(_ write: (inout ByteBuffer, LiveEventEncoder.Share) -> Void) {
        var own = ByteBuffer(capacity: 1024)
        var shared: [(offset: Int, bytes: [UInt8])] = []
        write(&own) { bytes, own in shared.append((own.count, bytes)) }
        let text = [UInt8](own.bytes)
        var rest: [ArraySlice<UInt8>] = []
        var start = 0
        for (offset, bytes) in shared {
            rest.append(text[start..<offset])
            rest.append(bytes[...])
            start = offset
        }
        rest.append(text[start...])
        self.rest = rest
    }

    /// Appends the next bytes.
    ///
    /// - Returns: Whether they were the last.
    mutating func write(atMost most: Int, into body: inout ByteBuffer) -> Bool {
        var room = most
        while let part = rest.first {
            guard room > 0 else { return false }
            let piece = part.prefix(room)
            piece.withUnsafeBytes { body.append($0) }
            room -= piece.count
            rest[0] = part.dropFirst(piece.count)
            if rest[0].isEmpty { rest.removeFirst() }
        }
        return true
    }
}

extension LargeText: BodySource {
    mutating func write(into body: inout ByteBuffer) -> StreamStep {
        write(atMost: BodyStream.pieceBytes, into: &body) ? .finish : .more
    }
}
