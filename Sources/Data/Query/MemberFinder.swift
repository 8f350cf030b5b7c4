import FreshetBase
package import FreshetJSON
import Synchronization

/// A property of documents made ready to be found in many of them.
///
/// Documents of one shape have a member at one place of their index. Which place that is the
/// finder remembers for some shapes, so that a value costs a look at the document's head and no
/// comparison of names. For any number of threads.
// SAFETY: the path's bytes are written by the initialiser alone; what it remembers are atomic
// words, each true for itself.
package final class MemberFinder: @unchecked Sendable {
    /// What is known of a shape: its number, the member, and how many bytes before the next
    /// member's value this one's ends, 0 for the last member.
    private struct Known {
        static let absent = 0xFFFF

        let word: UInt64

        @inline(__always)
        init(word: UInt64) { self.word = word }

        init(shape: UInt16, member: Int, gap: Int) {
            word = UInt64(shape) << 32 | UInt64(member) << 16 | UInt64(gap)
        }

        @inline(__always)
        var shape: Int { Int(word >> 32) }
        @inline(__always)
        var member: Int { Int(word >> 16 & 0xFFFF) }
        @inline(__always)
        var gap: Int { Int(word & 0xFFFF) }
    }

    private static let slots = 64

    /// Canonical names of the path, one after the other in `bytes`.
    private let names: [UnsafeRawBufferPointer]
    private let bytes: UnsafeMutableRawBufferPointer
    /// By the low bits of a shape's number. No document has shape 0, so 0 stands for nothing.
    private let known: UnsafeMutablePointer<Atomic<UInt64>>

    /// Takes what is read only to have it in the cache.
    private let sink = Atomic<UInt8>(0)

    package init(_ path: PropertyPath) {
        let all = path.names.flatMap(\.bytes)
        bytes = .allocate(byteCount: max(1, all.count), alignment: 1)
        bytes.copyBytes(from: all)
        var names: [UnsafeRawBufferPointer] = []
        var start = 0
        for name in path.names {
            let end = start + name.bytes.count
            names.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            start = end
        }
        self.names = names
        known = .allocate(capacity: Self.slots)
        for index in 0..<Self.slots { (known + index).initialize(to: Atomic(0)) }
    }

    deinit {
        known.deinitialize(count: Self.slots)
        known.deallocate()
        bytes.deallocate()
    }

    /// The value at the path in `document`; one without bytes where it is absent, whose kind is
    /// null. Valid while somebody keeps the document.
    package func value(in document: Document) -> JSONView {
        var effort = 0
        return inside(top(StoredDocument(document.address)), &effort)
    }

    /// Whether what a look costs depends on how large the value is that it looks in.
    package var isNested: Bool { names.count > 1 }

    /// The values at the path in each of `run`, into as many places from `values` on.
    package func values(
        in run: UnsafeBufferPointer<Document>, into values: UnsafeMutablePointer<JSONView>
    ) {
        guard let first = run.baseAddress else { return }
        self.values(at: Document.addresses(first), count: run.count, into: values)
    }

    /// As below, where nobody counts what it takes.
    package func values(
        at addresses: UnsafePointer<UnsafeRawPointer>, count: Int,
        into values: UnsafeMutablePointer<JSONView>
    ) {
        var effort = 0
        self.values(at: addresses, count: count, into: values, &effort)
    }

    /// The values at the path in each of `count` documents by their addresses, into as many places
    /// from `values` on. Of each document the header is read and where the value begins and ends, of
    /// all documents together, so that memory is waited for once.
    ///
    /// - Parameter effort: What it took for long values is added to it, in steps of about 5 ns.
    package func values(
        at addresses: UnsafePointer<UnsafeRawPointer>, count: Int,
        into values: UnsafeMutablePointer<JSONView>, _ effort: inout Int
    ) {
        var touched: UInt8 = 0
        for index in 0..<count {
            touched ^= StoredDocument(addresses[index]).touched
        }
        for index in 0..<count {
            (values + index).initialize(to: top(StoredDocument(addresses[index])))
        }
        for index in 0..<count {
            let bytes = values[index].bytes
            guard let first = bytes.baseAddress else { continue }
            touched ^= first.load(as: UInt8.self)
            touched ^= first.load(fromByteOffset: bytes.count - 1, as: UInt8.self)
        }
        sink.store(touched, ordering: .relaxed)
        guard names.count > 1 else { return }
        for index in 0..<count { values[index] = inside(values[index], &effort) }
    }

    /// The value of the path's first name.
    @inline(__always)
    private func top(_ document: StoredDocument) -> JSONView {
        let header = document.header
        let shape = Int(header.pointee.shape)
        let place = Known(
            word: known[shape & (Self.slots - 1)].load(ordering: .relaxed))
        guard place.shape == shape, shape != 0 else { return searched(document) }
        guard place.member != Known.absent else {
            return JSONView(canonical: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let entry = document.index + 2 * place.member
        let begin = Int(entry.loadUnaligned(as: UInt16.self))
        let end =
            place.gap == 0
            ? Int(header.pointee.jsonCount) - 1
            : Int(entry.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) - place.gap
        return JSONView(
            canonical: UnsafeRawBufferPointer(
                start: document.index + 2 * Int(header.pointee.memberCount) + begin,
                count: end - begin))
    }

    @inline(never)
    private func searched(_ document: StoredDocument) -> JSONView {
        let member = document.find(names[0])
        let number = document.header.pointee.shape
        if number != 0 {
            var gap = 0
            let shape = DocumentShapes.process.shape(number)
            if let member, member + 1 < shape.memberCount {
                // `,"` and `":` around the next name.
                gap = shape.nameCount(member + 1) + 4
            }
            known[Int(number) & (Self.slots - 1)].store(
                Known(shape: number, member: member ?? Known.absent, gap: gap).word,
                ordering: .relaxed)
        }
        guard let member else {
            return JSONView(canonical: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return document.value(of: member)
    }

    /// What the rest of the path leads to in the first name's value.
    @inline(__always)
    private func inside(_ value: JSONView, _ effort: inout Int) -> JSONView {
        names.count == 1 ? value : nested(value, &effort)
    }

    @inline(never)
    private func nested(_ value: JSONView, _ effort: inout Int) -> JSONView {
        var way = JSONDescent(value)
        var found = JSONView(canonical: UnsafeRawBufferPointer(start: nil, count: 0))
        var index = 1
        while index < names.count, way.enter(names[index]) { index += 1 }
        if index == names.count { found = way.value }
        let read = way.bytesRead + found.bytes.count
        if read > Self.longValue { effort += read >> 2 }
        return found
    }

    /// Bytes of a value that are looked through for less than anybody counts.
    private static let longValue = 1 << 12
}
