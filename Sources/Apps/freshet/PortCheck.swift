import Glibc

/// Whether a server could listen at an address.
enum PortCheck: Equatable {
    case free
    /// Somebody listens there.
    case taken
    /// The host's name has no address.
    case unknown
    /// What the system says against it.
    case refused(CInt)

    static func look(host: String, port: UInt16) -> PortCheck {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let first = list else {
            return .unknown
        }
        defer { freeaddrinfo(list) }
        let descriptor = socket(first.pointee.ai_family, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return .refused(errno) }
        defer { close(descriptor) }
        var one: CInt = 1
        // The server does so, too: connections that linger keep no port.
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
            listen(descriptor, 1) == 0
        else { return errno == EADDRINUSE ? .taken : .refused(errno) }
        return .free
    }
}
