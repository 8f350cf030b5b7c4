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

    /// The classes of an IPv6 address, 16 bytes in network order; one that carries an IPv4 address
    /// is judged as that.
    static func of(_ bytes: [UInt8]) -> HTTPAddressClass {
        guard bytes.count == 16 else { return [] }
        let embedded = of((bytes[12], bytes[13], bytes[14], bytes[15]))
        if bytes[0..<10].allSatisfy({ $0 == 0 }) && bytes[10] == 0xFF && bytes[11] == 0xFF {
            return embedded
        }
        // NAT64 (RFC 6052).
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return embedded }
        if bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 { return .linkLocal }
        if bytes[0] & 0xFE == 0xFC { return .privateUse }
        // ::, ::1 and the deprecated IPv4-compatible ones.
        if bytes[0..<12].allSatisfy({ $0 == 0 }) { return embedded.union(.privateUse) }
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
