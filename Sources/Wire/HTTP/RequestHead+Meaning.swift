import FreshetBase

extension RequestHead {
    /// Decides what the parsed lines mean: the target's form, the host, the framing of the body and
    /// whether the connection goes on. Called once, when all lines are in place, so that it does not
    /// matter in which order they came.
    mutating func interpret(_ bytes: UnsafeRawBufferPointer) -> RequestFault? {
        if let fault = interpretTarget(bytes) { return fault }
        if let fault = interpretHost(bytes) { return fault }
        if let fault = interpretFraming(bytes) { return fault }
        if repeated & KnownHeader.single != 0 { return .repeatedField }
        keepAlive = minorVersion == 1
        if has(.connection) { interpretConnection(bytes) }
        if has(.expect) { interpretExpectation(bytes) }
        return nil
    }

    /// Tells the four forms of RFC 9112 3.2 apart. `path` holds everything before the query so far.
    private mutating func interpretTarget(_ bytes: UnsafeRawBufferPointer) -> RequestFault? {
        authority = ByteRange()
        let text = path.bytes(in: bytes)
        guard let first = text.first else { return .malformedTarget }
        if first == UInt8(ascii: "/") { return nil }
        if target.count == 1, first == UInt8(ascii: "*") {
            isAsteriskForm = true
            return method == .options ? nil : .malformedTarget
        }
        return interpretAbsoluteTarget(text)
    }

    /// `http://host[:port][/path]`. User information and other schemes are refused, and so is the
    /// authority form, which belongs to CONNECT alone.
    private mutating func interpretAbsoluteTarget(
        _ text: UnsafeRawBufferPointer
    ) -> RequestFault? {
        let scheme: Int
        if text.count > 7, HeaderText.equalsIgnoringCase(text.part(0..<7), "http://") {
            scheme = 7
        } else if text.count > 8, HeaderText.equalsIgnoringCase(text.part(0..<8), "https://") {
            scheme = 8
        } else {
            return .malformedTarget
        }
        var end = scheme
        while end < text.count, text[end] != UInt8(ascii: "/") { end += 1 }
        guard Authority.isWellFormed(text.part(scheme..<end)) else { return .malformedTarget }
        let start = Int(path.start)
        authority = ByteRange(start: start + scheme, count: end - scheme)
        path = ByteRange(start: start + end, count: text.count - end)
        return nil
    }

    private mutating func interpretHost(_ bytes: UnsafeRawBufferPointer) -> RequestFault? {
        guard let host = value(.host, in: bytes) else {
            return minorVersion == 0 ? nil : .missingHost
        }
        if isRepeated(.host) { return .repeatedField }
        guard Authority.isWellFormed(host) else { return .malformedHost }
        if authority.isEmpty { authority = slots[Int(KnownHeader.host.rawValue)] }
        return nil
    }

    private mutating func interpretFraming(_ bytes: UnsafeRawBufferPointer) -> RequestFault? {
        let both = KnownHeader.contentLength.bit | KnownHeader.transferEncoding.bit
        switch present & both {
        case 0:
            return nil
        case both:
            return .lengthAndTransferEncoding
        case KnownHeader.contentLength.bit:
            if isRepeated(.contentLength) { return .repeatedLength }
            guard let digits = value(.contentLength, in: bytes),
                let length = Decimal.parse(digits), length <= UInt64(Int.max)
            else { return .malformedLength }
            framing = length == 0 ? .none : .length(Int(length))
            return nil
        default:
            if minorVersion == 0 { return .transferEncodingInHTTP10 }
            guard !isRepeated(.transferEncoding), let coding = value(.transferEncoding, in: bytes),
                HeaderText.equalsIgnoringCase(coding, "chunked")
            else { return .unsupportedTransferEncoding }
            framing = .chunked
            return nil
        }
    }

    private mutating func interpretConnection(_ bytes: UnsafeRawBufferPointer) {
        var asksClose = false
        var asksKeepAlive = false
        forEachValue(of: .connection, in: bytes) { value in
            var options = CommaList(value)
            while let option = options.next() {
                if HeaderText.equalsIgnoringCase(option, "close") { asksClose = true }
                if HeaderText.equalsIgnoringCase(option, "keep-alive") { asksKeepAlive = true }
            }
        }
        keepAlive = !asksClose && (minorVersion == 1 || asksKeepAlive)
    }

    /// HTTP/1.0 has no expectations: they are ignored there (RFC 9110 10.1.1).
    private mutating func interpretExpectation(_ bytes: UnsafeRawBufferPointer) {
        guard minorVersion == 1 else { return }
        var asksContinue = false
        var asksOther = false
        forEachValue(of: .expect, in: bytes) { value in
            if HeaderText.equalsIgnoringCase(value, "100-continue") {
                asksContinue = true
            } else {
                asksOther = true
            }
        }
        hasUnknownExpectation = asksOther
        expectsContinue = asksContinue && !asksOther && framing != .none
    }
}

/// `uri-host [":" port]` of RFC 9112 3.2 and RFC 3986 3.2.
package enum Authority {
    /// Whether `bytes` are a host name, an IPv4 address or a bracketed IPv6 address, with or without
    /// a port of 0...65535. Empty is not.
    package static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first else { return false }
        var index = 0
        if first == UInt8(ascii: "[") {
            index = 1
            while index < bytes.count, isAddressCharacter(bytes[index]) { index += 1 }
            guard index > 2, index < bytes.count, bytes[index] == UInt8(ascii: "]") else {
                return false
            }
            index += 1
        } else {
            while index < bytes.count, bytes[index] != Ascii.colon {
                guard isHostCharacter(bytes, &index) else { return false }
            }
            guard index > 0 else { return false }
        }
        guard index < bytes.count else { return true }
        guard bytes[index] == Ascii.colon else { return false }
        let port = bytes.part(index + 1..<bytes.count)
        guard !port.isEmpty else { return true }
        guard port.count <= 5, let number = Decimal.parse(port) else { return false }
        return number <= 65_535
    }

    private static func isAddressCharacter(_ byte: UInt8) -> Bool {
        Ascii.hexadecimal(byte) != nil || byte == Ascii.colon || byte == UInt8(ascii: ".")
    }

    /// One character of a registered name, an escape counted as one; moves `index` behind it.
    @inline(__always)
    private static func isHostCharacter(
        _ bytes: UnsafeRawBufferPointer, _ index: inout Int
    ) -> Bool {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            return true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: ";"), UInt8(ascii: "="):
            // The comma of sub-delims is left out: joined Host lines would look like one name.
            return true
        case UInt8(ascii: "%"):
            guard index + 1 < bytes.count, Ascii.hexadecimal(bytes[index]) != nil,
                Ascii.hexadecimal(bytes[index + 1]) != nil
            else { return false }
            index += 2
            return true
        default:
            return false
        }
    }
}
