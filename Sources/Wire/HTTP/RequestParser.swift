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
        switch state {
        case .fieldStart, .name, .value: break
        default:
            let fault = readRequestLine(base, count, into: &head, limits, isRecording: isRecording)
            if let fault { return .failed(fault) }
            guard state == .fieldStart else { return .incomplete }
        }
        return readFields(base, count, into: &head, limits, isRecording: isRecording)
    }

    /// Empty lines and the request line. Afterwards `state` is `fieldStart`, or more is needed.
    private mutating func readRequestLine(
        _ base: UnsafePointer<UInt8>, _ count: Int, into head: inout RequestHead,
        _ limits: HTTPLimits, isRecording: Bool
    ) -> RequestFault? {
        var position = Int(self.position)
        var targetStart = 0
        if state == .emptyLines {
            if let fault = skipEmptyLines(base, count, within: limits) { return fault }
            guard state == .method else { return nil }
            position = Int(self.position)
        }
        // Two bytes more than the limit, for the CRLF that ends the line.
        let bound = min(count, Int(lineStart) + limits.requestLine + 2)

        while true {
            switch state {
            case .method:
                position = Self.firstOutside(
                    CharacterClass.token, base: base, start: position, bound: bound)
                guard position < bound else {
                    return pauseInRequestLine(at: position, count, limits)
                }
                guard base[position] == Ascii.space else {
                    switch base[position] {
                    case Ascii.lineFeed: return .bareLineFeed
                    case Ascii.carriageReturn: return .malformedRequestLine
                    default: return .illegalMethod
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
                position = Self.firstOutside(
                    CharacterClass.target, base: base, start: position, bound: bound)
                guard position < bound else {
                    return pauseInRequestLine(at: position, count, limits)
                }
                if isRecording {
                    head.path = ByteRange(start: targetStart, count: position - targetStart)
                }
                if base[position] == UInt8(ascii: "?") {
                    position += 1
                    state = .query
                    continue
                }
                if let fault = endOfTarget(base, position) { return fault }
                if isRecording { head.target = head.path }
                position += 1
                state = .version

            case .query:
                position = Self.firstOutside(
                    CharacterClass.target, base: base, start: position, bound: bound)
                guard position < bound else {
                    return pauseInRequestLine(at: position, count, limits)
                }
                if base[position] == UInt8(ascii: "?") {
                    position += 1
                    continue
                }
                if let fault = endOfTarget(base, position) { return fault }
                if isRecording {
                    let queryStart = head.path.end + 1
                    head.query = ByteRange(start: queryStart, count: position - queryStart)
                    head.target = ByteRange(start: targetStart, count: position - targetStart)
                }
                position += 1
                state = .version

            case .version:
                switch readVersion(base + position, available: bound - position) {
                case .incomplete: return pauseInRequestLine(at: position, count, limits)
                case .failed(let fault): return fault
                case .complete(let minor):
                    if isRecording { head.minorVersion = minor == 0 ? 0 : 1 }
                }
                position += 10
                self.position = UInt32(truncatingIfNeeded: position)
                headersStart = self.position
                state = .fieldStart

            case .emptyLines, .fieldStart, .name, .value:
                return nil
            }
        }
    }

    /// Header lines up to the empty one.
    private mutating func readFields(
        _ base: UnsafePointer<UInt8>, _ count: Int, into head: inout RequestHead,
        _ limits: HTTPLimits, isRecording: Bool
    ) -> ParseResult {
        // Copies, which the loop can keep in registers; `pauseInFields` writes them back.
        var position = Int(self.position)
        var state = self.state
        var fieldCount = Int(self.fieldCount)
        var nameStart = 0
        var nameEnd = 0
        var valueStart = 0
        let fieldLimit = min(limits.headerFields, head.capacity, Int(UInt16.max))
        // Two bytes more than the limit, for the empty line.
        let bound = min(count, Int(headersStart) + limits.headerBytes + 2)

        while true {
            switch state {
            case .fieldStart:
                guard position < bound else {
                    return pauseInFields(
                        state, at: position, fieldCount: fieldCount, count: count, limits: limits)
                }
                let byte = base[position]
                guard CharacterClass.allows(byte, CharacterClass.token) else {
                    if byte == Ascii.carriageReturn {
                        guard position + 1 < bound else {
                            return pauseInFields(
                                state, at: position, fieldCount: fieldCount, count: count,
                                limits: limits)
                        }
                        return base[position + 1] == Ascii.lineFeed
                            ? .complete(consumed: position + 2) : .failed(.bareCarriageReturn)
                    }
                    return .failed(faultAtFieldStart(byte))
                }
                guard fieldCount < fieldLimit else { return .failed(.tooManyFields) }
                fieldCount += 1
                nameStart = position
                state = .name
                fallthrough

            case .name:
                position = Self.firstOutside(
                    CharacterClass.token, base: base, start: position, bound: bound)
                guard position < bound else {
                    return pauseInFields(
                        state, at: position, fieldCount: fieldCount, count: count, limits: limits)
                }
                guard base[position] == Ascii.colon else {
                    return .failed(faultInName(base[position]))
                }
                nameEnd = position
                position += 1
                valueStart = position
                state = .value
                fallthrough

            case .value:
                position = ControlBytes.first(base, position, bound)
                while position < bound, base[position] == Ascii.tab {
                    position = ControlBytes.first(base, position + 1, bound)
                }
                guard position + 1 < bound else {
                    if position < bound, base[position] != Ascii.carriageReturn {
                        return .failed(faultInValue(base[position]))
                    }
                    return pauseInFields(
                        state, at: position, fieldCount: fieldCount, count: count, limits: limits)
                }
                guard base[position] == Ascii.carriageReturn else {
                    return .failed(faultInValue(base[position]))
                }
                guard base[position + 1] == Ascii.lineFeed else {
                    return .failed(.bareCarriageReturn)
                }
                if isRecording {
                    var valueEnd = position
                    while valueStart < valueEnd, HeaderText.isBlank(base[valueStart]) {
                        valueStart += 1
                    }
                    while valueStart < valueEnd, HeaderText.isBlank(base[valueEnd - 1]) {
                        valueEnd -= 1
                    }
                    head.add(
                        base, nameStart: nameStart, nameCount: nameEnd - nameStart,
                        valueStart: valueStart, valueCount: valueEnd - valueStart)
                }
                position += 2
                state = .fieldStart

            case .emptyLines, .method, .target, .query, .version:
                return .incomplete
            }
        }
    }

    /// Moves to the first byte of the request line, whose place it notes.
    private mutating func skipEmptyLines(
        _ base: UnsafePointer<UInt8>, _ count: Int, within limits: HTTPLimits
    ) -> RequestFault? {
        while Int(position) < count {
            let place = Int(position)
            let byte = base[place]
            guard byte == Ascii.carriageReturn else {
                if byte == Ascii.lineFeed { return .bareLineFeed }
                guard CharacterClass.allows(byte, CharacterClass.token) else {
                    // A handshake record (RFC 8446, section 5.1).
                    return byte == 0x16 ? .secureHello : .illegalMethod
                }
                lineStart = position
                state = .method
                return nil
            }
            guard place + 1 < count else { return nil }
            guard base[place + 1] == Ascii.lineFeed else { return .bareCarriageReturn }
            guard Int(emptyLines) < min(limits.leadingEmptyLines, 255) else {
                return .tooManyEmptyLines
            }
            emptyLines += 1
            position += 2
        }
        return nil
    }

    /// The line does not end where the bytes do: it goes on, unless its limit is reached.
    private mutating func pauseInRequestLine(
        at position: Int, _ count: Int, _ limits: HTTPLimits
    ) -> RequestFault? {
        self.position = UInt32(truncatingIfNeeded: position)
        return count >= Int(lineStart) + limits.requestLine + 2 ? .requestLineTooLong : nil
    }

    /// The same for the header lines.
    private mutating func pauseInFields(
        _ state: State, at position: Int, fieldCount: Int, count: Int, limits: HTTPLimits
    ) -> ParseResult {
        self.state = state
        self.position = UInt32(truncatingIfNeeded: position)
        self.fieldCount = UInt16(truncatingIfNeeded: fieldCount)
        return count >= Int(headersStart) + limits.headerBytes + 2
            ? .failed(.headersTooLarge) : .incomplete
    }

    private func faultAtFieldStart(_ byte: UInt8) -> RequestFault {
        switch byte {
        case Ascii.space, Ascii.tab: .foldedHeader
        case Ascii.lineFeed: .bareLineFeed
        case Ascii.colon: .emptyFieldName
        default: .illegalFieldName
        }
    }

    private func faultInName(_ byte: UInt8) -> RequestFault {
        switch byte {
        case Ascii.space, Ascii.tab: .spaceBeforeColon
        case Ascii.lineFeed: .bareLineFeed
        case Ascii.carriageReturn: .missingColon
        default: .illegalFieldName
        }
    }

    private func faultInValue(_ byte: UInt8) -> RequestFault {
        byte == Ascii.lineFeed ? .bareLineFeed : .controlInValue
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

    /// The first byte from `start` on that is not of the class `kind`, or `bound`.
    @inline(__always)
    private static func firstOutside(
        _ kind: UInt8, base: UnsafePointer<UInt8>, start: Int, bound: Int
    ) -> Int {
        var position = start
        while position < bound, CharacterClass.allows(base[position], kind) { position += 1 }
        return position
    }
}
