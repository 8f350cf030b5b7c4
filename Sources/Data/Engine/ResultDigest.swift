package import FreshetQuery

/// A digest over (id, revision) of rows in order: what a live cursor carries, so that the server
/// knows without remembering its client whether it is up to date.
///
/// FNV-1a over the id's length, its text and the revision, then a final mix; without a secret, so
/// it is the same in every process and on every machine. Not against forgery: a client that lies
/// about its digest deceives itself alone.
package struct ResultDigest: Sendable {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The digest of no rows.
    package init() {}

    /// The digest of `documents` in this order.
    package init(_ documents: [Document]) {
        documents.withUnsafeBufferPointer { rows in
            guard let first = rows.baseAddress else { return }
            let addresses = Document.addresses(first)
            for index in 0..<rows.count {
                let row = StoredDocument(addresses[index])
                add(id: row.idBytes, revision: row.revision)
            }
        }
    }

    /// Takes the next row in. About 1 ns a byte of its id.
    package mutating func add(_ document: Document) {
        add(id: document.idBytes, revision: document.revision)
    }

    /// Takes the next row in, given by its id's text and its revision.
    package mutating func add(id: UnsafeRawBufferPointer, revision: UInt64) {
        add(UInt64(truncatingIfNeeded: id.count), bytes: 2)
        for byte in id { add(byte) }
        add(revision, bytes: 8)
    }

    /// Takes bytes in that are shown. About 1 ns a byte.
    package mutating func add(bytes: [UInt8]) {
        add(UInt64(truncatingIfNeeded: bytes.count), bytes: 8)
        for byte in bytes { add(byte) }
    }

    /// The digest of the rows so far.
    package var value: UInt64 {
        // The finaliser of MurmurHash3: every bit of the state reaches every bit of the value.
        var mixed = state
        mixed = (mixed ^ mixed >> 33) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return mixed ^ mixed >> 33
    }

    @inline(__always)
    private mutating func add(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    private mutating func add(_ value: UInt64, bytes: Int) {
        for index in 0..<bytes { add(UInt8(truncatingIfNeeded: value >> UInt64(index * 8))) }
    }
}
