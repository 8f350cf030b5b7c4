import FreshetBase
import FreshetJSON
import Glibc
import Synchronization

/// The names of a document's members, in their order: the same for many documents.
struct DocumentShape {
    let hash: UInt64
    let memberCount: Int
    /// Where each name starts in `names`; one more, its end, behind the last.
    let starts: UnsafeMutablePointer<UInt16>
    let names: UnsafeMutableRawPointer

    @inline(__always)
    func nameCount(_ member: Int) -> Int {
        Int(starts[member + 1] - starts[member])
    }

    /// The member whose name canonical JSON spells `name`. O(members).
    func find(_ name: UnsafeRawBufferPointer) -> Int? {
        for member in 0..<memberCount where nameCount(member) == name.count {
            guard let first = name.baseAddress else { return member }
            if memcmp(names + Int(starts[member]), first, name.count) == 0 { return member }
        }
        return nil
    }
}

/// The shapes of the process.
///
/// A shape is entered when a second document has it, so documents whose names are never the same
/// (a map with keys of its own) do not fill the table; once it is full, later shapes go without.
/// Shapes are never given back: at most 4,095 of at most 2 KiB.
// SAFETY: `shapes[n]` is written once, under the lock, before a slot or a document names n with
// release order, and never changed; whoever knows n may read it. Slots are atomic.
final class DocumentShapes: @unchecked Sendable {
    static let process = DocumentShapes()

    private static let limit = 4096
    private static let slotCount = 2 * limit
    private static let maximumMembers = 64
    private static let maximumNameBytes = 1024
    private static let sightings = 1024

    private let shapes: UnsafeMutablePointer<DocumentShape>
    /// Numbers of shapes by hash, open addressing; 0 is free.
    private let slots: UnsafeMutablePointer<Atomic<UInt16>>
    private let lock = Lock()
    /// Under the lock: shapes so far, the next number.
    private var next = 1
    /// Under the lock: hashes that one document had.
    private var seen = [UInt64](repeating: 0, count: sightings)

    private init() {
        shapes = .allocate(capacity: Self.limit)
        slots = .allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount { (slots + index).initialize(to: Atomic(0)) }
    }

    /// - Parameter number: Of a document's header, not 0.
    @inline(__always)
    func shape(_ number: UInt16) -> DocumentShape { shapes[Int(number)] }

    /// The number of the shape of a document, 0 where it has none. About 5 ns a member.
    ///
    /// - Parameters:
    ///   - members: Whose offsets count from `text`.
    func number(
        of members: UnsafeBufferPointer<JSONMember>, in text: UnsafeRawPointer
    ) -> UInt16 {
        guard members.count > 0, members.count <= Self.maximumMembers else { return 0 }
        var hash: UInt64 = 0
        var bytes = 0
        for member in members {
            let name = Self.name(member, text)
            hash = (hash ^ SeededHash.process.hash(name)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
            bytes += name.count
        }
        guard bytes <= Self.maximumNameBytes else { return 0 }
        let (known, _) = find(hash, members, text)
        return known != 0 ? known : enter(hash, members, text, bytes: bytes)
    }

    @inline(__always)
    private static func name(
        _ member: JSONMember, _ text: UnsafeRawPointer
    ) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: text + Int(member.nameStart), count: Int(member.nameEnd - member.nameStart))
    }

    /// The number of a known shape, or 0 and the slot where it would be.
    private func find(
        _ hash: UInt64, _ members: UnsafeBufferPointer<JSONMember>, _ text: UnsafeRawPointer
    ) -> (number: UInt16, slot: Int) {
        var slot = Int(truncatingIfNeeded: hash) & (Self.slotCount - 1)
        while true {
            let number = slots[slot].load(ordering: .acquiring)
            if number == 0 { return (0, slot) }
            if shapes[Int(number)].hash == hash, isSame(shapes[Int(number)], members, text) {
                return (number, slot)
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
    }

    private func isSame(
        _ shape: DocumentShape, _ members: UnsafeBufferPointer<JSONMember>,
        _ text: UnsafeRawPointer
    ) -> Bool {
        guard shape.memberCount == members.count else { return false }
        for index in 0..<members.count {
            let name = Self.name(members[index], text)
            guard name.count == shape.nameCount(index) else { return false }
            guard let first = name.baseAddress, name.count > 0 else { continue }
            if memcmp(shape.names + Int(shape.starts[index]), first, name.count) != 0 {
                return false
            }
        }
        return true
    }

    private func enter(
        _ hash: UInt64, _ members: UnsafeBufferPointer<JSONMember>, _ text: UnsafeRawPointer,
        bytes: Int
    ) -> UInt16 {
        lock.withLock {
            guard next < Self.limit else { return 0 }
            let sighting = Int(truncatingIfNeeded: hash >> 32) & (Self.sightings - 1)
            guard seen[sighting] == hash else {
                seen[sighting] = hash
                return 0
            }
            let (known, slot) = find(hash, members, text)
            guard known == 0 else { return known }
            let starts = UnsafeMutablePointer<UInt16>.allocate(capacity: members.count + 1)
            let names = UnsafeMutableRawPointer.allocate(
                byteCount: max(1, bytes), alignment: 1)
            var end = 0
            for index in 0..<members.count {
                let name = Self.name(members[index], text)
                (starts + index).initialize(to: UInt16(end))
                UnsafeMutableRawBufferPointer(start: names + end, count: name.count)
                    .copyMemory(from: name)
                end += name.count
            }
            (starts + members.count).initialize(to: UInt16(end))
            let number = UInt16(next)
            (shapes + next).initialize(
                to: DocumentShape(
                    hash: hash, memberCount: members.count, starts: starts, names: names))
            next += 1
            slots[slot].store(number, ordering: .releasing)
            return number
        }
    }
}
