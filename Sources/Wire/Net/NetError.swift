/// What can go wrong with sockets in a way that a caller can act on.
package enum NetError: Error, Equatable, CustomStringConvertible {
    /// The host is neither a numeric address nor a name that resolves.
    case resolution(host: String)
    /// Another process listens there.
    case addressInUse(SocketAddress)
    /// What was handed over to listen on is no listening TCP socket.
    case noListener(descriptor: CInt)
    /// A system call failed with `errno`.
    case system(call: String, errno: CInt)

    package var description: String {
        switch self {
        case .resolution(let host): "the host \(host) cannot be resolved"
        case .addressInUse(let address): "\(address) is already in use"
        case .noListener(let descriptor): "descriptor \(descriptor) is no listening TCP socket"
        case .system(let call, let errno): "\(call) failed: \(errorText(errno))"
        }
    }
}
