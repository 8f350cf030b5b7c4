// The scanner: one pass over the bytes of a JSON text that decides everything at once.
//
// It answers three questions: is this JSON to the letter of RFC 8259 (and of our own limits:
// nesting, no duplicate names, no lone surrogates), is it already in the canonical form in which
// documents are stored, and where do the members of the root object stand. Nothing is built.
//
// The loop has two halves. The upper one reads a value: a scalar is skipped over by wide loads,
// an opening bracket pushes a frame and comes back for the first value inside. The lower half
// runs behind a value: ',' leads up again, a closing bracket pops a frame and stays below, since
// what was closed is itself a value that has ended. There is no recursion; the frames are one
// word each, in an array as long as the depth limit.
//
// Duplicate names. Each open object's names lie on a stack (`NameStack`) above those of its
// parents, and are compared when the object closes: up to eight pair by pair by a 64-bit
// fingerprint, more through a table hashed with the process's random key. So any input costs
// linear time, and no one can choose names that collide. A name with escapes is unescaped first.
//
// All loads are guarded by the distance to the end; no byte behind the text is read.

import FreshetBase

/// A member of the root object, as places in the buffer that was scanned.
package struct JSONMember: Sendable {
    /// Where the name's bytes start and end, as spelled, without quotes.
    package let nameStart: UInt32
    package let nameEnd: UInt32
    package let valueStart: UInt32
    package internal(set) var valueEnd: UInt32
    package let valueKind: JSONKind
    /// Whether the name must be compared with `JSONText.equals(escaped:plain:)`.
    package let nameHasEscapes: Bool
}

/// What a scan found out about a value.
package struct JSONSummary: Equatable, Sendable {
    /// The value is `bytes[start..<end]`, whitespace around it excluded.
    package let start: Int
    package let end: Int
    package let kind: JSONKind
    /// Whether the bytes `start..<end` are in canonical form as they stand.
    package let isCanonical: Bool
}

/// Validates JSON and indexes the members of its root object.
///
/// Keeps its scratch memory between scans: one scanner per thread, reused. No allocation per scan
/// once the scratch has grown to the usual size; memory for an unusually large text is given back
/// at the next scan.
package struct JSONScanner: ~Copyable {
    /// The deepest nesting of a document itself: of an entity, or a merge patch to one.
    package static let documentDepth = 64
    /// The deepest nesting of texts around documents and filters (answers, batches, lines, events,
    /// queries): a document's own levels, a filter's as JSON (two for each of its 64), and around
    /// them more than any such text has. What is inside is judged by its own limit.
    package static let frameDepth = 256
    /// The highest limit that can be asked for; comparison and merging recurse this deep.
    package static let highestDepth = 512

    private let depthLimit: Int
    /// A frame per open array or object: where its names start on the stack, twice, plus 1 for
    /// objects.
    private let frames: UnsafeMutablePointer<UInt32>
    private var names: NameStack
    private var memberBase: UnsafeMutablePointer<JSONMember>
    private var memberCapacity: Int
    private var memberCount: Int

    /// - Parameter depthLimit: How deep arrays and objects may nest, 1...512; `[]` has depth 1.
    package init(depthLimit: Int = documentDepth) {
        self.depthLimit = min(max(depthLimit, 1), Self.highestDepth)
        frames = .allocate(capacity: self.depthLimit + 1)
        names = NameStack()
        memberCapacity = Self.usualMembers
        memberBase = .allocate(capacity: memberCapacity)
        memberCount = 0
    }

    deinit {
        frames.deallocate()
        memberBase.deallocate()
    }

    private static let usualMembers = 64
    /// Scratch above this many members is given back: 4,096 × 20 bytes.
    private static let keptMembers = 4096

    /// The members of the last scan's root object in order; none if it was no object or the scan
    /// failed. Valid until the next scan or the scanner's end.
    package var members: UnsafeBufferPointer<JSONMember> {
        UnsafeBufferPointer(start: memberBase, count: memberCount)
    }

    /// Scans one complete JSON text; whitespace may stand around the value, nothing else.
    ///
    /// - Complexity: O(bytes) for every input.
    package mutating func scan(
        _ text: UnsafeRawBufferPointer
    ) throws(JSONFault) -> JSONSummary {
        let summary = try scanValue(in: text, at: 0)
        guard let base = text.baseAddress else { return summary }
        let rest = JSONLexis.whitespaceEnd(base, from: summary.end, to: text.count)
        guard rest == text.count else {
            memberCount = 0
            throw JSONFault(.expectedEnd, at: rest)
        }
        return summary
    }

    /// Scans the one value that starts, after whitespace, at `offset`; what follows it is not
    /// looked at. A number may go on behind the buffer's end.
    package mutating func scanValue(
        in bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(JSONFault) -> JSONSummary {
        memberCount = 0
        if memberCapacity > Self.keptMembers { resizeMembers(to: Self.usualMembers) }
        names.removeAll()
        guard let base = bytes.baseAddress, offset >= 0, offset < bytes.count else {
            throw JSONFault(.endOfText, at: bytes.count)
        }
        guard bytes.count <= Int(UInt32.max) else { throw JSONFault(.tooLong, at: 0) }
        let start = JSONLexis.whitespaceEnd(base, from: offset, to: bytes.count)
        guard start < bytes.count else { throw JSONFault(.endOfText, at: bytes.count) }
        if start == 0, bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw JSONFault(.byteOrderMark, at: 0)
        }
        do throws(JSONFault) {
            return try run(base, from: start, end: bytes.count)
        } catch {
            memberCount = 0
            throw error
        }
    }

    private mutating func resizeMembers(to capacity: Int) {
        let larger = UnsafeMutablePointer<JSONMember>.allocate(capacity: capacity)
        larger.update(from: memberBase, count: memberCount)
        memberBase.deallocate()
        memberBase = larger
        memberCapacity = capacity
    }

    private mutating func run(
        _ base: UnsafeRawPointer, from start: Int, end: Int
    ) throws(JSONFault) -> JSONSummary {
        var offset = start
        var depth = 0
        var isObject = false
        var isCanonical = true
        let frames = self.frames
        let kind = Self.kind(of: base.load(fromByteOffset: start, as: UInt8.self))

        value: while true {
            var needsName = false
            if offset >= end { throw JSONFault(.endOfText, at: end) }
            switch base.load(fromByteOffset: offset, as: UInt8.self) {
            case JSONLexis.quote:
                offset =
                    try Self.string(base, start: offset + 1, end: end, isCanonical: &isCanonical)
                    .end + 1

            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                offset = try Self.number(base, offset, end)

            case UInt8(ascii: "{"):
                guard depth < depthLimit else { throw JSONFault(.tooDeep, at: offset) }
                frames[depth] = UInt32(truncatingIfNeeded: names.count << 1 | 1)
                depth += 1
                isObject = true
                offset = Self.skip(base, offset: offset + 1, end: end, isCanonical: &isCanonical)
                if offset >= end { throw JSONFault(.endOfText, at: end) }
                if base.load(fromByteOffset: offset, as: UInt8.self) != UInt8(ascii: "}") {
                    guard base.load(fromByteOffset: offset, as: UInt8.self) == JSONLexis.quote
                    else { throw JSONFault(.expectedNameOrBrace, at: offset) }
                    needsName = true
                }

            case UInt8(ascii: "["):
                guard depth < depthLimit else { throw JSONFault(.tooDeep, at: offset) }
                frames[depth] = UInt32(truncatingIfNeeded: names.count << 1)
                depth += 1
                isObject = false
                offset = Self.skip(base, offset: offset + 1, end: end, isCanonical: &isCanonical)
                if offset >= end { throw JSONFault(.endOfText, at: end) }
                let next = base.load(fromByteOffset: offset, as: UInt8.self)
                if next != UInt8(ascii: "]") {
                    guard Self.startsValue(next) else {
                        throw JSONFault(.expectedValueOrBracket, at: offset)
                    }
                    continue value
                }

            case UInt8(ascii: "t"):
                offset = try Self.literal(
                    base, offset: offset, end: end, word: 0x6575_7274, length: 4)
            case UInt8(ascii: "n"):
                offset = try Self.literal(
                    base, offset: offset, end: end, word: 0x6C6C_756E, length: 4)
            case UInt8(ascii: "f"):
                offset = try Self.literal(
                    base, offset: offset, end: end, word: 0x736C_6166, length: 5)

            default:
                throw JSONFault(.expectedValue, at: offset)
            }

            if !needsName {
                // Behind a value, or at the bracket that closes an empty array or object.
                behind: while true {
                    if depth == 0 {
                        return JSONSummary(
                            start: start, end: offset, kind: kind, isCanonical: isCanonical)
                    }
                    if depth == 1, memberCount > 0 {
                        memberBase[memberCount - 1].valueEnd = UInt32(truncatingIfNeeded: offset)
                    }
                    offset = Self.skip(base, offset: offset, end: end, isCanonical: &isCanonical)
                    if offset >= end { throw JSONFault(.endOfText, at: end) }
                    let byte = base.load(fromByteOffset: offset, as: UInt8.self)
                    if isObject {
                        if byte == UInt8(ascii: ",") {
                            offset = Self.skip(
                                base, offset: offset + 1, end: end, isCanonical: &isCanonical)
                            if offset >= end { throw JSONFault(.endOfText, at: end) }
                            guard
                                base.load(fromByteOffset: offset, as: UInt8.self)
                                    == JSONLexis.quote
                            else { throw JSONFault(.expectedName, at: offset) }
                            break behind
                        }
                        guard byte == UInt8(ascii: "}") else {
                            throw JSONFault(.expectedCommaOrBrace, at: offset)
                        }
                        if let duplicate = names.popObject(
                            from: Int(frames[depth - 1] >> 1), in: base, end)
                        {
                            throw JSONFault(.duplicateName, at: duplicate)
                        }
                    } else {
                        if byte == UInt8(ascii: ",") {
                            offset = Self.skip(
                                base, offset: offset + 1, end: end, isCanonical: &isCanonical)
                            continue value
                        }
                        guard byte == UInt8(ascii: "]") else {
                            throw JSONFault(.expectedCommaOrBracket, at: offset)
                        }
                    }
                    offset += 1
                    depth -= 1
                    if depth > 0 { isObject = frames[depth - 1] & 1 == 1 }
                }
            }

            // At the opening quote of a member name.
            let nameStart = offset + 1
            let name = try Self.string(base, start: nameStart, end: end, isCanonical: &isCanonical)
            names.push(
                base, start: nameStart, nameEnd: name.end, end: end, hasEscapes: name.hasEscapes)
            offset = Self.skip(base, offset: name.end + 1, end: end, isCanonical: &isCanonical)
            if offset >= end { throw JSONFault(.endOfText, at: end) }
            guard base.load(fromByteOffset: offset, as: UInt8.self) == UInt8(ascii: ":") else {
                throw JSONFault(.expectedColon, at: offset)
            }
            offset = Self.skip(base, offset: offset + 1, end: end, isCanonical: &isCanonical)
            if depth == 1 {
                if offset >= end { throw JSONFault(.endOfText, at: end) }
                if memberCount == memberCapacity { resizeMembers(to: memberCapacity * 2) }
                memberBase[memberCount] = JSONMember(
                    nameStart: UInt32(truncatingIfNeeded: nameStart),
                    nameEnd: UInt32(truncatingIfNeeded: name.end),
                    valueStart: UInt32(truncatingIfNeeded: offset), valueEnd: 0,
                    valueKind: Self.kind(of: base.load(fromByteOffset: offset, as: UInt8.self)),
                    nameHasEscapes: name.hasEscapes)
                memberCount += 1
            }
        }
    }
}
