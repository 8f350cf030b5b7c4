import CCurl
import Glibc

/// Kinds of addresses that a caller may not want to connect to, judged by the resolved address, so
/// that no name can lead there.
package struct HTTPAddressClass: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// 169.254.0.0/16 and fe80::/10: the addresses of metadata services, among others.
    package static let linkLocal = HTTPAddressClass(rawValue: 1)
    /// Loopback, private, shared and unspecified addresses (RFC 1918, RFC 4193, RFC 6598).
    package static let privateUse = HTTPAddressClass(rawValue: 2)

    /// The classes of an IPv4 address in network order.
    static func of(_ octets: (UInt8, UInt8, UInt8, UInt8)) -> HTTPAddressClass {
        switch octets {
        case (169, 254, _, _): .linkLocal
        case (0, _, _, _), (10, _, _, _), (127, _, _, _), (172, 16...31, _, _),
            (192, 168, _, _), (100, 64...127, _, _):
            .privateUse
        default: []
        }
    }

    /// The classes of an IPv6 address, 16 bytes in network order; one that leads to an IPv4 address
    /// is of that one's classes, too.
    static func of(_ bytes: [UInt8]) -> HTTPAddressClass {
        guard bytes.count == 16 else { return [] }
        func embedded(_ indices: Int...) -> HTTPAddressClass {
            of((bytes[indices[0]], bytes[indices[1]], bytes[indices[2]], bytes[indices[3]]))
        }
        let last = embedded(12, 13, 14, 15)
        // IPv4-mapped, and translated (RFC 4291, RFC 2765).
        if bytes[0..<8].allSatisfy({ $0 == 0 }),
            [[0, 0, 0xFF, 0xFF], [0xFF, 0xFF, 0, 0]].contains(Array(bytes[8..<12]))
        {
            return last
        }
        // NAT64: the well-known prefix (RFC 6052), and those of a network's own (RFC 8215), which
        // have the address behind 96 or 48 bits.
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return last }
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 1]) {
            return [.privateUse, last, embedded(6, 7, 9, 10)]
        }
        // 6to4 (RFC 3056).
        if bytes.starts(with: [0x20, 0x02]) { return embedded(2, 3, 4, 5) }
        // Teredo (RFC 4380): the address is inverted.
        if bytes.starts(with: [0x20, 0x01, 0, 0]) {
            return of((~bytes[12], ~bytes[13], ~bytes[14], ~bytes[15]))
        }
        // ISATAP (RFC 5214), in whatever network.
        let tunnel: HTTPAddressClass =
            bytes[8] & 0xFC == 0 && bytes[9...11].elementsEqual([0, 0x5E, 0xFE]) ? last : []
        if bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 { return tunnel.union(.linkLocal) }
        // Unique local, and the site-local ones before them (RFC 3879).
        if bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0xC0 {
            return tunnel.union(.privateUse)
        }
        // ::, ::1 and the deprecated IPv4-compatible ones.
        if bytes[0..<12].allSatisfy({ $0 == 0 }) { return last.union(.privateUse) }
        return tunnel
    }

    /// The classes of an address as text, without a scope; none of what is no address.
    static func of(text: UnsafePointer<CChar>) -> HTTPAddressClass {
        var version4 = in_addr()
        if inet_pton(AF_INET, text, &version4) == 1 {
            return withUnsafeBytes(of: version4) { of(($0[0], $0[1], $0[2], $0[3])) }
        }
        var version6 = in6_addr()
        if inet_pton(AF_INET6, text, &version6) == 1 {
            return withUnsafeBytes(of: version6) { of(Array($0)) }
        }
        return []
    }

    /// The classes of a socket address as libcurl hands it over.
    static func of(_ address: UnsafePointer<freshet_curl_address>) -> HTTPAddressClass {
        withUnsafeBytes(of: address.pointee.address) { bytes in
            switch address.pointee.family {
            case AF_INET: of((bytes[4], bytes[5], bytes[6], bytes[7]))
            case AF_INET6: of(Array(bytes[8..<24]))
            default: []
            }
        }
    }
}
