import Glibc

/// An IPv4 or IPv6 address with a port, as a value of 24 bytes without a system structure in it.
///
/// An IPv4 address is held as its IPv4-mapped IPv6 form, so that equality and hashing are those
/// of the 128 bits; a client that arrives IPv4-mapped on an IPv6 socket is the same address.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address in network order, read as two big-endian numbers.
    private let high: UInt64
    private let low: UInt64
    package let port: UInt16
    /// Whether a socket for it is of the IPv6 family.
    private let isSixFamily: Bool

    private static let mappedPrefix: UInt64 = 0xFFFF

    private init(high: UInt64, low: UInt64, port: UInt16, isSixFamily: Bool) {
        self.high = high
        self.low = low
        self.port = port
        self.isSixFamily = isSixFamily
    }

    /// Makes the address of `host`.
    ///
    /// - Parameter host: `127.0.0.1`, `::1`, `[::1]`, or a name; of several addresses of a name
    ///   the first IPv4 one is taken, else the first.
    /// - Throws: `.resolution`. A name may ask the resolver and so block.
    package init(host: String, port: UInt16) throws(NetError) {
        var name = host
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard !name.isEmpty, getaddrinfo(name, nil, &hints, &list) == 0 else {
            throw .resolution(host: host)
        }
        defer { freeaddrinfo(list) }
        var found: SocketAddress?
        var entry = list
        while let info = entry {
            if let address = info.pointee.ai_addr.flatMap({ SocketAddress(raw: $0, port: port) }),
                found == nil || (found?.isSixFamily == true && !address.isSixFamily)
            {
                found = address
            }
            entry = info.pointee.ai_next
        }
        guard let found else { throw .resolution(host: host) }
        self = found
    }

    /// Reads a system address.
    ///
    /// - Parameter port: Overrides the port of the address.
    /// - Returns: nil for families other than IPv4 and IPv6.
    init?(raw: UnsafeRawPointer, port: UInt16? = nil) {
        switch CInt(raw.load(as: sa_family_t.self)) {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self)
            high = 0
            low = Self.mappedPrefix << 32 | UInt64(UInt32(bigEndian: address.sin_addr.s_addr))
            self.port = port ?? UInt16(bigEndian: address.sin_port)
            isSixFamily = false
        case AF_INET6:
            var address = raw.loadUnaligned(as: sockaddr_in6.self)
            (high, low) = withUnsafeBytes(of: &address.sin6_addr) {
                (
                    UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
            self.port = port ?? UInt16(bigEndian: address.sin6_port)
            isSixFamily = true
        default:
            return nil
        }
    }

    /// The same address with another port.
    package func with(port: UInt16) -> SocketAddress {
        SocketAddress(high: high, low: low, port: port, isSixFamily: isSixFamily)
    }

    /// AF_INET or AF_INET6.
    var family: CInt { isSixFamily ? AF_INET6 : AF_INET }

    private var isFour: Bool { high == 0 && low >> 32 == Self.mappedPrefix }

    /// 127.0.0.0/8 (also IPv4-mapped) or ::1.
    package var isLoopback: Bool {
        isFour ? low >> 24 & 0xFF == 127 : high == 0 && low == 1
    }

    /// Whether a socket that listens there does so on every address of the machine.
    package var isUnspecified: Bool { isFour ? low & 0xFFFF_FFFF == 0 : high == 0 && low == 0 }

    /// Where a client on this machine finds what listens here.
    package var reachable: SocketAddress {
        guard isUnspecified else { return self }
        return SocketAddress(
            high: 0, low: isFour ? Self.mappedPrefix << 32 | 0x7F00_0001 : 1, port: port,
            isSixFamily: isSixFamily)
    }

    /// What counts as one client: the IPv4 address, or the /64 network of an IPv6 address, since
    /// one host commonly owns a whole /64.
    package var clientKey: UInt64 { isFour ? low : high }

    /// Calls `body` with the system's form of the address.
    func withSystemAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        if isSixFamily {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) {
                $0.storeBytes(of: high.bigEndian, as: UInt64.self)
                $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            }
            let size = socklen_t(MemoryLayout<sockaddr_in6>.size)
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(truncatingIfNeeded: low).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    /// The numeric address without brackets: `127.0.0.1`, `::1`.
    package var host: String {
        if isFour {
            let bytes = [low >> 24, low >> 16, low >> 8, low].map { String($0 & 0xFF) }
            return bytes.joined(separator: ".")
        }
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) {
            $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// `127.0.0.1:8080` or `[::1]:8080`.
    package var description: String { isFour ? "\(host):\(port)" : "[\(host)]:\(port)" }
}
