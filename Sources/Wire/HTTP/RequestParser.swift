// How a request head is read.
//
// The parser is a state machine over the bytes of one head (RFC 9112), without socket or clock. Its
// caller holds a buffer that begins with the head's first byte, appends what arrives, and calls
// `parse` with all of it until the answer is something other than `incomplete`.
//
//     emptyLines → method → target → query → version → fieldStart → name → value ─┐
//                                                          ↑  └ CRLF: complete    │
//                                                          └──────────────────────┘
//
// What is strict, and why. A proxy in front and this parser must find the same requests in the same
// bytes; whatever one reader could mend and another could not is therefore a fault: a line that ends
// with LF alone, a CR elsewhere, a folded line, white space before a colon, control characters,
// lengths that are not plain digits, two of anything that decides framing. After a fault the place
// of the next request is unknown, so the connection ends. Tolerated are a few empty lines
// before the request line (2.2), white space around a value, and in a target every visible
// character but "#", and bytes from 0x80, because people type filters and names into a URL.
//
// The result does not depend on how the bytes are split. There are two kinds of faults, and both keep
// that promise in their own way:
// * A fault of form is found at one certain byte, and everything before that byte was in order. A rule
//   that needs more bytes (CR and LF, the version) waits for them without moving on. The limits
//   are offsets, too: a state never looks behind the last byte that its limit allows.
// * A fault of meaning (the target's form, Host, framing) is decided when the empty line has been
//   seen, from all lines together, in a fixed order.
//
// What is remembered between calls is 16 bytes: the state, how far it has read, where line and
// headers began, and how many header lines there were. Not remembered is what the lines said,
// because the `RequestHead` belongs to the event loop and serves other connections in between. So a
// head that arrives in one piece, as nearly all do, is checked and recorded in one pass; one that
// comes in pieces is only checked while it comes, each byte once, and recorded by one more pass
// from the start when it is complete. One byte at a time costs O(n) in total.
//
// Speed comes from looking at each byte once: names by a table of character classes, values eight
// bytes at a time, looking for the first control character.

/// What `RequestParser.parse` made of the bytes.
package enum ParseResult: Equatable, Sendable {
    /// In order so far; call again when more bytes stand behind these.
    case incomplete
    /// The head ends behind `consumed` bytes, empty lines before it included.
    case complete(consumed: Int)
    /// No request begins here; answer `fault.status` and close.
    case failed(RequestFault)
}

/// Reads request heads; one per connection, 16 bytes.
package struct RequestParser: Sendable {
    private enum State: UInt8 {
        case emptyLines, method, target, query, version, fieldStart, name, value
    }

    private var position: UInt32 = 0
    private var lineStart: UInt32 = 0
    private var headersStart: UInt32 = 0
    private var fieldCount: UInt16 = 0
    private var emptyLines: UInt8 = 0
    private var state = State.emptyLines

    package init() {}

    /// Whether a byte of a request line was seen: the time limit of a head runs from then.
    package var hasBegun: Bool { state != .emptyLines }

    /// Begins anew; needed only where a head that failed or was incomplete is given up.
    package mutating func reset() { self = RequestParser() }

    /// Reads on.
    ///
    /// - Parameters:
    ///   - bytes: Everything received since the head's first byte; longer at each call. What
    ///     stands behind the head is not looked at.
    ///   - head: Holds the request after `.complete`, and nothing of use after the other answers. It
    ///     need not be the same one at each call.
    ///   - limits: The same at each call.
    /// - Returns: After `.complete` the parser is ready for the next head.
    /// - Complexity: O(new bytes), and once more O(head) for a head that came in pieces.
    package mutating func parse(
        _ bytes: UnsafeRawBufferPointer, into head: inout RequestHead, limits: HTTPLimits
    ) -> ParseResult {
        guard let start = bytes.baseAddress else { return .incomplete }
        let base = start.assumingMemoryBound(to: UInt8.self)
        let isWhole = position == 0
        if isWhole { head.clear() }
        var result = run(base, bytes.count, into: &head, limits, isRecording: isWhole)
        guard case .complete(let consumed) = result else { return result }
        reset()
        if !isWhole {
            head.clear()
            result = run(base, consumed, into: &head, limits, isRecording: true)
            reset()
        }
        if let fault = head.interpret(UnsafeRawBufferPointer(start: start, count: consumed)) {
            return .failed(fault)
        }
        return result
    }

    /// One pass from `position` on. Only a pass from the head's first byte may record.
    private mutating func run(
        _ base: UnsafePointer<UInt8>, _ count: Int, into head: inout RequestHead,
        _ limits: HTTPLimits, isRecording: Bool
    ) -> ParseResult {
        var position = Int(self.position)
        var nameStart = 0
        var nameEnd = 0
        var valueStart = 0
        var targetStart = 0
        let fieldLimit = min(limits.headerFields, head.capacity)
        // The end of what the current line's limit allows to look at, and of what is there.
        var bound = 0
        setBound(&bound, count, limits)

        while true {
            switch state {
            case .emptyLines:
                guard position < count else { return pause(at: position) }
                let byte = base[position]
                if byte == Ascii.carriageReturn {
                    guard position + 1 < count else { return pause(at: position) }
                    guard base[position + 1] == Ascii.lineFeed else {
                        return .failed(.bareCarriageReturn)
                    }
                    guard Int(emptyLines) < min(limits.leadingEmptyLines, 255) else {
                        return .failed(.tooManyEmptyLines)
                    }
                    emptyLines += 1
                    position += 2
                    continue
                }
                if byte == Ascii.lineFeed { return .failed(.bareLineFeed) }
                guard CharacterClass.allows(byte, CharacterClass.token) else {
                    return .failed(.illegalMethod)
                }
                lineStart = UInt32(truncatingIfNeeded: position)
                state = .method
                setBound(&bound, count, limits)

            case .method:
                while position < bound, CharacterClass.allows(base[position], CharacterClass.token)
                {
                    position += 1
                }
                guard position < bound else {
                    return pause(
                        at: position, count, limit: limits.requestLine, since: lineStart,
                        else: .requestLineTooLong)
                }
                guard base[position] == Ascii.space else {
                    switch base[position] {
                    case Ascii.lineFeed: return .failed(.bareLineFeed)
                    case Ascii.carriageReturn: return .failed(.malformedRequestLine)
                    default: return .failed(.illegalMethod)
                    }
                }
                if isRecording {
                    let start = Int(lineStart)
                    head.methodRange = ByteRange(start: start, count: position - start)
                    head.method = Method(
                        UnsafeRawBufferPointer(start: base + start, count: position - start))
                }
                position += 1
                targetStart = position
                state = .target

            case .target:
                while position < bound,
                    CharacterClass.allows(base[position], CharacterClass.target)
                {
                    position += 1
                }
                guard position < bound else {
                    return pause(
                        at: position, count, limit: limits.requestLine, since: lineStart,
                        else: .requestLineTooLong)
                }
                if isRecording {
                    head.path = ByteRange(start: targetStart, count: position - targetStart)
                }
                if base[position] == UInt8(ascii: "?") {
                    position += 1
                    state = .query
                    continue
                }
                if let fault = endOfTarget(base, position) { return .failed(fault) }
                if isRecording { head.target = head.path }
                position += 1
                state = .version

            case .query:
                while position < bound,
                    CharacterClass.allows(base[position], CharacterClass.target)
                        || base[position] == UInt8(ascii: "?")
                {
                    position += 1
                }
                guard position < bound else {
                    return pause(
                        at: position, count, limit: limits.requestLine, since: lineStart,
                        else: .requestLineTooLong)
                }
                if let fault = endOfTarget(base, position) { return .failed(fault) }
                if isRecording {
                    let queryStart = head.path.end + 1
                    head.query = ByteRange(start: queryStart, count: position - queryStart)
                    head.target = ByteRange(start: targetStart, count: position - targetStart)
                }
                position += 1
                state = .version

            case .version:
                switch readVersion(base + position, available: bound - position) {
                case .incomplete:
                    return pause(
                        at: position, count, limit: limits.requestLine, since: lineStart,
                        else: .requestLineTooLong)
                case .failed(let fault): return .failed(fault)
                case .complete(let minor):
                    if isRecording { head.minorVersion = minor == 0 ? 0 : 1 }
                }
                position += 10
                headersStart = UInt32(truncatingIfNeeded: position)
                state = .fieldStart
                setBound(&bound, count, limits)

            case .fieldStart:
                guard position < bound else {
                    return pause(
                        at: position, count, limit: limits.headerBytes, since: headersStart,
                        else: .headersTooLarge)
                }
                let byte = base[position]
                if byte == Ascii.carriageReturn {
                    guard position + 1 < bound else {
                        return pause(
                            at: position, count, limit: limits.headerBytes, since: headersStart,
                            else: .headersTooLarge)
                    }
                    guard base[position + 1] == Ascii.lineFeed else {
                        return .failed(.bareCarriageReturn)
                    }
                    return .complete(consumed: position + 2)
                }
                guard CharacterClass.allows(byte, CharacterClass.token) else {
                    switch byte {
                    case Ascii.space, Ascii.tab: return .failed(.foldedHeader)
                    case Ascii.lineFeed: return .failed(.bareLineFeed)
                    case Ascii.colon: return .failed(.emptyFieldName)
                    default: return .failed(.illegalFieldName)
                    }
                }
                guard Int(fieldCount) < fieldLimit else { return .failed(.tooManyFields) }
                fieldCount += 1
                nameStart = position
                state = .name

            case .name:
                while position < bound, CharacterClass.allows(base[position], CharacterClass.token)
                {
                    position += 1
                }
                guard position < bound else {
                    return pause(
                        at: position, count, limit: limits.headerBytes, since: headersStart,
                        else: .headersTooLarge)
                }
                guard base[position] == Ascii.colon else {
                    switch base[position] {
                    case Ascii.space, Ascii.tab: return .failed(.spaceBeforeColon)
                    case Ascii.lineFeed: return .failed(.bareLineFeed)
                    case Ascii.carriageReturn: return .failed(.missingColon)
                    default: return .failed(.illegalFieldName)
                    }
                }
                nameEnd = position
                position += 1
                valueStart = position
                state = .value

            case .value:
                position = Self.firstControl(base, from: position, to: bound)
                guard position < bound else {
                    return pause(
                        at: position, count, limit: limits.headerBytes, since: headersStart,
                        else: .headersTooLarge)
                }
                switch base[position] {
                case Ascii.tab:
                    position += 1
                    continue
                case Ascii.carriageReturn:
                    guard position + 1 < bound else {
                        return pause(
                            at: position, count, limit: limits.headerBytes, since: headersStart,
                            else: .headersTooLarge)
                    }
                    guard base[position + 1] == Ascii.lineFeed else {
                        return .failed(.bareCarriageReturn)
                    }
                case Ascii.lineFeed:
                    return .failed(.bareLineFeed)
                default:
                    return .failed(.controlInValue)
                }
                if isRecording {
                    var valueEnd = position
                    while valueStart < valueEnd, HeaderText.isBlank(base[valueStart]) {
                        valueStart += 1
                    }
                    while valueStart < valueEnd, HeaderText.isBlank(base[valueEnd - 1]) {
                        valueEnd -= 1
                    }
                    head.add(base, name: nameStart..<nameEnd, value: valueStart..<valueEnd)
                }
                position += 2
                state = .fieldStart
            }
        }
    }

    /// Sets how far the line that `state` stands in may be read: two bytes more than its limit, for
    /// the CRLF that ends the line or the headers.
    @inline(__always)
    private func setBound(_ bound: inout Int, _ count: Int, _ limits: HTTPLimits) {
        switch state {
        case .emptyLines: bound = count
        case .method, .target, .query, .version:
            bound = min(count, Int(lineStart) + limits.requestLine + 2)
        case .fieldStart, .name, .value:
            bound = min(count, Int(headersStart) + limits.headerBytes + 2)
        }
    }

    @inline(__always)
    private mutating func pause(at position: Int) -> ParseResult {
        self.position = UInt32(truncatingIfNeeded: position)
        return .incomplete
    }

    /// The line is not at its end where the bytes are, or where its limit is.
    private mutating func pause(
        at position: Int, _ count: Int, limit: Int, since start: UInt32, else fault: RequestFault
    ) -> ParseResult {
        count >= Int(start) + limit + 2 ? .failed(fault) : pause(at: position)
    }

    /// Nil for the space that ends a target; `position` is the first byte that is no part of it.
    @inline(__always)
    private func endOfTarget(_ base: UnsafePointer<UInt8>, _ position: Int) -> RequestFault? {
        switch base[position] {
        case Ascii.space:
            // The byte before a target is a space, and none is inside: this tells an empty one.
            base[position - 1] == Ascii.space ? .malformedRequestLine : nil
        case UInt8(ascii: "#"): .fragmentInTarget
        case Ascii.lineFeed: .bareLineFeed
        case Ascii.carriageReturn: .malformedRequestLine
        default: .malformedTarget
        }
    }

    private enum VersionResult {
        case incomplete
        case complete(minor: UInt8)
        case failed(RequestFault)
    }

    /// `HTTP/1.1` and its CRLF, ten bytes, each judged as soon as it is there.
    @inline(__always)
    private func readVersion(_ text: UnsafePointer<UInt8>, available: Int) -> VersionResult {
        let pattern: StaticString = "HTTP/0.0\r\n"
        let raw = UnsafeRawPointer(text)
        if available >= 10,
            raw.loadUnaligned(as: UInt64.self)
                == UnsafeRawPointer(("HTTP/1.1" as StaticString).utf8Start)
                .loadUnaligned(as: UInt64.self),
            text[8] == Ascii.carriageReturn, text[9] == Ascii.lineFeed
        {
            return .complete(minor: 1)
        }
        for index in 0..<10 {
            guard index < available else { return .incomplete }
            let byte = text[index]
            switch index {
            case 5, 7:
                guard byte &- UInt8(ascii: "0") <= 9 else { return .failed(.malformedVersion) }
                if index == 7, text[5] != UInt8(ascii: "1") { return .failed(.unsupportedVersion) }
            default:
                if byte == pattern.utf8Start[index] { continue }
                if byte == Ascii.lineFeed { return .failed(.bareLineFeed) }
                return .failed(index == 9 ? .bareCarriageReturn : .malformedVersion)
            }
        }
        return .complete(minor: text[7] &- UInt8(ascii: "0"))
    }

    /// The first byte from `start` on that is below 0x20 or is 0x7f, or `bound`.
    ///
    /// Eight bytes at a time. `(word - 0x20…) & ~word` has the high bit of each byte below 0x20;
    /// a borrow can mark bytes above a true mark falsely, never below it, so the lowest mark is true.
    /// The same holds for 0x7f, which becomes 0 by exclusive or and is then the byte below 1.
    @inline(__always)
    private static func firstControl(
        _ base: UnsafePointer<UInt8>, from start: Int, to bound: Int
    ) -> Int {
        let raw = UnsafeRawPointer(base)
        var position = start
        while position + 8 <= bound {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let delete = word ^ 0x7f7f_7f7f_7f7f_7f7f
            let low = (word &- 0x2020_2020_2020_2020) & ~word
            let del = (delete &- 0x0101_0101_0101_0101) & ~delete
            let marks = (low | del) & 0x8080_8080_8080_8080
            if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bound, CharacterClass.allows(base[position], CharacterClass.value),
            base[position] != Ascii.tab
        {
            position += 1
        }
        return position
    }
}
