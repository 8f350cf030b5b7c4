import FreshetBase
import FreshetQuery

/// What stands in front of a segment's slots.
struct IDSegmentHeader {
    /// Slots in use.
    var count: Int
    /// Leading bits of the hash that all entries of the segment share.
    var depth: Int
}

/// Up to 2,048 slots of an `IDHash`; 0 is an empty slot.
final class IDSegment: ManagedBuffer<IDSegmentHeader, UInt64> {
    static func make(slots: Int, depth: Int) -> IDSegment {
        let segment = unsafeDowncast(
            IDSegment.create(minimumCapacity: slots) { _ in
                IDSegmentHeader(count: 0, depth: depth)
            }, to: IDSegment.self)
        segment.slots.initialize(repeating: 0, count: slots)
        return segment
    }

    // SAFETY: the slots lie in the segment's own allocation and stay in place while it lives;
    // every user of this pointer holds the segment.
    @inline(__always)
    var slots: UnsafeMutablePointer<UInt64> {
        withUnsafeMutablePointerToElements { $0 }
    }
}

/// The hash from ids to documents: extendible hashing over small open-addressed segments.
///
/// A directory, indexed by the leading bits of the id's seeded hash, names a segment; a segment
/// that is 7/8 full splits in two. So growth costs one segment at a time (2,048 slots, about
/// 0.1 ms), never a pass over all, and no moment holds two copies of the hash. As long as there is
/// one segment it grows by doubling from 16 slots, so that a small type costs little.
///
/// A slot is 8 bytes: 20 bits of the hash, whose low 11 also are the entry's home in the segment,
/// above the 44 significant bits of the document's address (objects are 16-byte aligned and user
/// addresses end at 2^48). Slots do not own: the hash lives beside a tree with the same documents.
/// A value, copy-on-write by the segment.
// SAFETY: a segment is changed only by the hash that holds the one reference to it (checked before
// each change); one that several hashes share is never written again.
struct IDHash: @unchecked Sendable {
    private var segments: [IDSegment] = [IDSegment.make(slots: 16, depth: 0)]
    /// Positions in `segments`, 2^depth of them. Each segment has one owner this way, however many
    /// entries of the directory name it.
    private var directory: [UInt32] = [0]
    private var depth = 0
    /// Slots of each segment less one.
    private var mask = 15

    private static let segmentSlots = 2048
    private static let tagBits: UInt64 = 20

    init() {}

    /// An empty hash that takes about `count` entries without splitting.
    init(expecting count: Int) {
        var segmentCount = 1
        while segmentCount * Self.segmentSlots * 3 / 4 < count {
            segmentCount *= 2
            depth += 1
        }
        if segmentCount == 1 {
            while mask + 1 < Self.segmentSlots, (mask + 1) * 3 / 4 < count { mask = mask * 2 + 1 }
        } else {
            mask = Self.segmentSlots - 1
        }
        segments = (0..<segmentCount).map { _ in IDSegment.make(slots: mask + 1, depth: depth) }
        directory = (0..<segmentCount).map { UInt32(truncatingIfNeeded: $0) }
    }

    @inline(__always)
    private static func tag(_ hash: UInt64) -> UInt64 {
        hash & ((1 << tagBits) - 1)
    }

    @inline(__always)
    private static func slot(_ document: Document, tag: UInt64) -> UInt64 {
        let address = UInt64(UInt(bitPattern: document.address))
        precondition(address & 0xFFFF_0000_0000_000F == 0, "an address that needs over 44 bits")
        return tag << (64 - tagBits) | address >> 4
    }

    // SAFETY: the tree beside the hash owns every document that a slot names.
    @inline(__always)
    private static func document(_ slot: UInt64) -> Document? {
        let address = UInt(truncatingIfNeeded: (slot << tagBits) >> (tagBits - 4))
        return UnsafeRawPointer(bitPattern: address).map { Document(at: $0) }
    }

    @inline(__always)
    private func segmentIndex(_ hash: UInt64) -> Int {
        // A shift by 64 gives 0, as it must with one segment.
        Int(directory[Int(truncatingIfNeeded: hash >> UInt64(64 - depth))])
    }

    /// Where in the segment the entry with the id `text` is, and its document; else where the
    /// search ended.
    @inline(__always)
    private func find(
        _ text: UnsafeRawBufferPointer, tag: UInt64, in slots: UnsafeMutablePointer<UInt64>
    ) -> (index: Int, document: Document?) {
        var index = Int(truncatingIfNeeded: tag) & mask
        while true {
            let slot = slots[index]
            if slot == 0 { return (index, nil) }
            if slot >> (64 - Self.tagBits) == tag, let document = Self.document(slot),
                FilterEvaluator.sameBytes(document.idBytes, text)
            {
                return (index, document)
            }
            index = (index + 1) & mask
        }
    }

    /// The document with the id `text`. O(1), about two cache misses in a big table.
    func document(_ text: UnsafeRawBufferPointer) -> Document? {
        let hash = SeededHash.process.hash(text)
        return find(text, tag: Self.tag(hash), in: segments[segmentIndex(hash)].slots).document
    }

    /// Enters `document`, in place of the entry with its id if there is one.
    mutating func insert(_ document: Document) {
        let text = document.idBytes
        let hash = SeededHash.process.hash(text)
        let tag = Self.tag(hash)
        var segment = makeUnique(segmentIndex(hash))
        var (index, present) = find(text, tag: tag, in: segment.slots)
        if present == nil {
            while segment.headerPointer.pointee.count >= (mask + 1) / 8 * 7 {
                makeRoom(for: hash)
                segment = makeUnique(segmentIndex(hash))
                index = find(text, tag: tag, in: segment.slots).index
            }
            segment.headerPointer.pointee.count += 1
        }
        segment.slots[index] = Self.slot(document, tag: tag)
    }

    /// Removes the entry with the id `text`, if there is one.
    mutating func remove(_ text: UnsafeRawBufferPointer) {
        let hash = SeededHash.process.hash(text)
        let segment = makeUnique(segmentIndex(hash))
        let slots = segment.slots
        let place = find(text, tag: Self.tag(hash), in: slots)
        guard place.document != nil else { return }
        var hole = place.index
        // Entries behind the hole move up unless that put them before their home.
        var next = (hole + 1) & mask
        while slots[next] != 0 {
            let home = Int(truncatingIfNeeded: slots[next] >> (64 - Self.tagBits)) & mask
            if (next - home) & mask >= (next - hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole] = 0
        segment.headerPointer.pointee.count -= 1
    }

    private mutating func makeUnique(_ index: Int) -> IDSegment {
        if !isKnownUniquelyReferenced(&segments[index]) {
            let shared = segments[index]
            let copy = IDSegment.make(slots: mask + 1, depth: shared.headerPointer.pointee.depth)
            copy.slots.update(from: shared.slots, count: mask + 1)
            copy.headerPointer.pointee.count = shared.headerPointer.pointee.count
            segments[index] = copy
        }
        return segments[index]
    }

    /// Puts an entry that is not there yet into the first free slot from its home on.
    private static func place(_ slot: UInt64, in segment: IDSegment, mask: Int) {
        let slots = segment.slots
        var index = Int(truncatingIfNeeded: slot >> (64 - tagBits)) & mask
        while slots[index] != 0 { index = (index + 1) & mask }
        slots[index] = slot
        segment.headerPointer.pointee.count += 1
    }

    /// Doubles the only segment, or splits the one in which `hash` belongs.
    private mutating func makeRoom(for hash: UInt64) {
        let index = segmentIndex(hash)
        let full = segments[index]
        if mask + 1 < Self.segmentSlots {
            let larger = IDSegment.make(slots: (mask + 1) * 2, depth: 0)
            for position in 0...mask where full.slots[position] != 0 {
                Self.place(full.slots[position], in: larger, mask: mask * 2 + 1)
            }
            mask = mask * 2 + 1
            segments[index] = larger
            return
        }
        let common = full.headerPointer.pointee.depth
        if common == depth {
            directory = directory.flatMap { [$0, $0] }
            depth += 1
        }
        let low = IDSegment.make(slots: mask + 1, depth: common + 1)
        let high = IDSegment.make(slots: mask + 1, depth: common + 1)
        for position in 0...mask where full.slots[position] != 0 {
            let slot = full.slots[position]
            let entry =
                Self.document(slot).map { SeededHash.process.hash($0.idBytes) } ?? 0
            let isHigh = (entry << UInt64(common)) >> 63 == 1
            Self.place(slot, in: isHigh ? high : low, mask: mask)
        }
        segments[index] = low
        segments.append(high)
        // The entries of the directory that named the full segment are neighbours; the upper half
        // of them has the next bit set.
        let width = 1 << (depth - common)
        let first =
            Int(truncatingIfNeeded: hash >> UInt64(64 - depth)) & ~(width - 1)
        for position in first + width / 2..<first + width {
            directory[position] = UInt32(truncatingIfNeeded: segments.count - 1)
        }
    }

    /// A sentence about the first broken invariant, nil where all hold. For tests. O(slots).
    func brokenInvariant(count: Int) -> String? {
        guard directory.count == 1 << depth else { return "a directory of the wrong size" }
        var seen = 0
        for (index, segment) in segments.enumerated() {
            var used = 0
            for position in 0...mask where segment.slots[position] != 0 {
                used += 1
                guard let document = Self.document(segment.slots[position])
                else { return "a slot without a document" }
                let hash = SeededHash.process.hash(document.idBytes)
                guard segmentIndex(hash) == index else { return "an entry in the wrong segment" }
                guard let found = self.document(document.idBytes), found === document else {
                    return "an entry that is not found"
                }
            }
            guard used == segment.headerPointer.pointee.count else {
                return "a wrong count of a segment"
            }
            seen += used
        }
        return seen == count ? nil : "\(seen) entries, \(count) expected"
    }
}
