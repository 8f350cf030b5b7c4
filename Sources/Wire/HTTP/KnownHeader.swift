/// The request headers that the service acts on. A head keeps their places, so none is searched for.
package enum KnownHeader: UInt8, Sendable, CaseIterable {
    case host, contentLength, transferEncoding, connection, expect, contentType, accept, ifMatch
    case ifNoneMatch, origin, secFetchSite, authorization, lastEventID, prefer, idempotencyKey
    case requestID, traceparent, acceptEncoding, contentEncoding, userAgent
    case accessControlRequestMethod, accessControlRequestHeaders, contentRange
    case freshetMinSeq, freshetRead, freshetForwarded

    /// The name in lower case.
    package var name: StaticString {
        switch self {
        case .host: "host"
        case .contentLength: "content-length"
        case .transferEncoding: "transfer-encoding"
        case .connection: "connection"
        case .expect: "expect"
        case .contentType: "content-type"
        case .accept: "accept"
        case .ifMatch: "if-match"
        case .ifNoneMatch: "if-none-match"
        case .origin: "origin"
        case .secFetchSite: "sec-fetch-site"
        case .authorization: "authorization"
        case .lastEventID: "last-event-id"
        case .prefer: "prefer"
        case .idempotencyKey: "idempotency-key"
        case .requestID: "x-request-id"
        case .traceparent: "traceparent"
        case .acceptEncoding: "accept-encoding"
        case .contentEncoding: "content-encoding"
        case .userAgent: "user-agent"
        case .accessControlRequestMethod: "access-control-request-method"
        case .accessControlRequestHeaders: "access-control-request-headers"
        case .contentRange: "content-range"
        case .freshetMinSeq: "freshet-min-seq"
        case .freshetRead: "freshet-read"
        case .freshetForwarded: "freshet-forwarded"
        }
    }

    @inlinable var bit: UInt32 { 1 << UInt32(rawValue) }

    /// Those that decide who asks, for what content, or where the body ends: two of one kind would
    /// let two readers of the same bytes disagree.
    static let single: UInt32 =
        KnownHeader.host.bit | KnownHeader.contentLength.bit | KnownHeader.transferEncoding.bit
        | KnownHeader.contentType.bit | KnownHeader.origin.bit | KnownHeader.secFetchSite.bit
        | KnownHeader.authorization.bit | KnownHeader.lastEventID.bit
        | KnownHeader.idempotencyKey.bit | KnownHeader.freshetMinSeq.bit
        | KnownHeader.freshetRead.bit | KnownHeader.freshetForwarded.bit

    /// The header of that name, or nil. `name` is made of token characters already.
    ///
    /// Length first, then a few candidates of that length, compared eight bytes at a time.
    @inline(__always)
    init?(token name: UnsafePointer<UInt8>, count: Int) {
        let first = name[0] | 0x20
        let found: KnownHeader
        switch count {
        case 4: found = .host
        case 6:
            switch first {
            case UInt8(ascii: "a"): found = .accept
            case UInt8(ascii: "e"): found = .expect
            case UInt8(ascii: "o"): found = .origin
            default: found = .prefer
            }
        case 8: found = .ifMatch
        case 10: found = first == UInt8(ascii: "c") ? .connection : .userAgent
        case 11: found = .traceparent
        case 12:
            switch first {
            case UInt8(ascii: "c"): found = .contentType
            case UInt8(ascii: "f"): found = .freshetRead
            default: found = .requestID
            }
        case 13:
            switch first {
            case UInt8(ascii: "i"): found = .ifNoneMatch
            case UInt8(ascii: "a"): found = .authorization
            case UInt8(ascii: "c"): found = .contentRange
            default: found = .lastEventID
            }
        case 14: found = first == UInt8(ascii: "c") ? .contentLength : .secFetchSite
        case 15:
            switch first {
            case UInt8(ascii: "i"): found = .idempotencyKey
            case UInt8(ascii: "f"): found = .freshetMinSeq
            default: found = .acceptEncoding
            }
        case 16: found = .contentEncoding
        case 17: found = first == UInt8(ascii: "f") ? .freshetForwarded : .transferEncoding
        case 29: found = .accessControlRequestMethod
        case 30: found = .accessControlRequestHeaders
        default: return nil
        }
        guard found.matches(name, count: count) else { return nil }
        self = found
    }

    /// Setting the bit 0x20 makes letters small. A token character that it turns into another
    /// one of a name in this list does not exist: they hold letters and "-" only, and the bytes that
    /// become "-" or a small letter that way are those themselves, capitals, and a CR.
    @inline(__always)
    private func matches(_ token: UnsafePointer<UInt8>, count: Int) -> Bool {
        let expected = UnsafeRawPointer(self.name.utf8Start)
        let actual = UnsafeRawPointer(token)
        if count < 8 {
            let last = count - 4
            let small: UInt32 = 0x2020_2020
            return (actual.loadUnaligned(as: UInt32.self) | small)
                == expected.loadUnaligned(as: UInt32.self)
                && (actual.loadUnaligned(fromByteOffset: last, as: UInt32.self) | small)
                    == expected.loadUnaligned(fromByteOffset: last, as: UInt32.self)
        }
        let small: UInt64 = 0x2020_2020_2020_2020
        var offset = 0
        while offset < count - 8 {
            guard
                (actual.loadUnaligned(fromByteOffset: offset, as: UInt64.self) | small)
                    == expected.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        offset = count - 8
        return (actual.loadUnaligned(fromByteOffset: offset, as: UInt64.self) | small)
            == expected.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}
