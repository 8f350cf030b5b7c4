/// How the end of a request's body is found (RFC 9112 6.3).
package enum BodyFraming: Equatable, Sendable {
    /// No body; also where Content-Length is 0.
    case none
    /// That many bytes, at least 1.
    case length(Int)
    case chunked
}

/// One header line: where its name and value stand, and which known header it is.
struct HeaderField {
    var name: ByteRange
    var value: ByteRange
    /// `KnownHeader.rawValue`, or 255.
    var known: UInt8
}

/// What a request head says, as places in the bytes that were parsed.
///
/// Storage is allocated once, about 2.5 KiB; an event loop owns one and uses it for all of its
/// connections. It describes the last head that `RequestParser.parse` completed into it, until the
/// next call; all ranges count from the first byte of the buffer given to that call.
package struct RequestHead: ~Copyable {
    package internal(set) var method = Method.other
    /// The method's token as it was sent.
    package internal(set) var methodRange = ByteRange()
    /// The whole request target.
    package internal(set) var target = ByteRange()
    /// The path, still percent-encoded; "*" for the asterisk form, empty (read it as "/") for an
    /// absolute URL that ends behind its authority.
    package internal(set) var path = ByteRange()
    /// What stands behind the first "?", still encoded; empty also without one.
    package internal(set) var query = ByteRange()
    /// Host and port: of an absolute target, else the Host header's value (RFC 9112 3.2.2).
    /// Empty only in HTTP/1.0 without Host. Its syntax was checked.
    package internal(set) var authority = ByteRange()
    /// 1 or 0; a higher minor version of HTTP/1 reads as 1 (RFC 9110 2.5).
    package internal(set) var minorVersion: UInt8 = 1
    /// `OPTIONS *`.
    package internal(set) var isAsteriskForm = false
    /// Whether the connection may serve another request after this one (RFC 9112 9.3).
    package internal(set) var keepAlive = true
    /// Whether the client waits for `100 Continue` before it sends its body.
    package internal(set) var expectsContinue = false
    /// Whether it expects something else, which is 417.
    package internal(set) var hasUnknownExpectation = false
    package internal(set) var framing = BodyFraming.none
    /// Header lines.
    package internal(set) var fieldCount = 0

    let capacity: Int
    let fields: UnsafeMutablePointer<HeaderField>
    @usableFromInline let slots: UnsafeMutablePointer<ByteRange>
    @usableFromInline var present: UInt32 = 0
    @usableFromInline var repeated: UInt32 = 0

    /// Makes room for `limits.headerFields` header lines.
    package init(limits: HTTPLimits = HTTPLimits()) {
        capacity = max(limits.headerFields, 1)
        fields = .allocate(capacity: capacity)
        slots = .allocate(capacity: KnownHeader.allCases.count)
        slots.initialize(repeating: ByteRange(), count: KnownHeader.allCases.count)
    }

    deinit {
        fields.deallocate()
        slots.deallocate()
    }

    /// The name of header line `index`, which is below `fieldCount`.
    package func fieldName(_ index: Int) -> ByteRange {
        precondition(index >= 0 && index < fieldCount, "no such header line")
        return fields[index].name
    }

    /// The value of header line `index`, without white space around it.
    package func fieldValue(_ index: Int) -> ByteRange {
        precondition(index >= 0 && index < fieldCount, "no such header line")
        return fields[index].value
    }

    @inlinable
    package func has(_ header: KnownHeader) -> Bool { present & header.bit != 0 }

    /// Whether it stands on more than one line. Never so for the headers that may stand once:
    /// the parser refuses those.
    @inlinable
    package func isRepeated(_ header: KnownHeader) -> Bool { repeated & header.bit != 0 }

    /// The value on the header's first line, without white space around it; nil where absent.
    ///
    /// - Parameter bytes: The buffer that was parsed.
    @inlinable
    package func value(
        _ header: KnownHeader, in bytes: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        guard has(header) else { return nil }
        return slots[Int(header.rawValue)].bytes(in: bytes)
    }

    /// Hands over the value of every line of `header`, in order: what a list header means is all
    /// of them together (RFC 9110 5.3).
    package func forEachValue(
        of header: KnownHeader, in bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        guard has(header) else { return }
        guard isRepeated(header) else {
            return body(slots[Int(header.rawValue)].bytes(in: bytes))
        }
        for index in 0..<fieldCount where fields[index].known == header.rawValue {
            body(fields[index].value.bytes(in: bytes))
        }
    }

    /// Forgets the last request.
    @inline(__always)
    mutating func clear() {
        fieldCount = 0
        present = 0
        repeated = 0
        query = ByteRange()
        isAsteriskForm = false
        expectsContinue = false
        hasUnknownExpectation = false
        framing = .none
    }

    /// Takes one header line; the parser has seen to it that there is room.
    @inline(__always)
    mutating func add(
        _ base: UnsafePointer<UInt8>, nameStart: Int, nameCount: Int, valueStart: Int,
        valueCount: Int
    ) {
        let value = ByteRange(start: valueStart, count: valueCount)
        var known = UInt8.max
        if let header = KnownHeader(token: base + nameStart, count: nameCount) {
            known = header.rawValue
            if present & header.bit == 0 {
                present |= header.bit
                slots[Int(known)] = value
            } else {
                repeated |= header.bit
            }
        }
        // A plain type without owned parts, so assigning to fresh memory initialises it.
        fields[fieldCount] = HeaderField(
            name: ByteRange(start: nameStart, count: nameCount), value: value, known: known)
        fieldCount += 1
    }
}
