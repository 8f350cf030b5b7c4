import Foundation
import FreshetBase
import Glibc

/// A raw HTTP server on the loopback address that does to a client whatever a script says.
///
/// Each connection has a thread of its own, so that a script may block and no thread of the
/// cooperative pool is ever held; none of Dispatch's, of which a process may have 255.
// SAFETY: mutable state is read and written under `lock`.
package final class ScriptedServer: @unchecked Sendable {
    package struct Request: Sendable {
        package var method = ""
        package var target = ""
        package var headers: [(name: String, value: String)] = []
        package var body: [UInt8] = []
        /// The connection it came over, counted from 1.
        package var connection = 0

        package func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// What a script can do with one request.
    package struct Exchange: Sendable {
        package let request: Request
        package let descriptor: CInt

        /// Sends bytes as they are.
        package func send(_ text: String) { send(Array(text.utf8)) }

        package func send(_ bytes: [UInt8]) { _ = trySend(bytes) }

        /// - Returns: Whether the client still takes bytes.
        package func trySend(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(
                        descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent,
                        CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        /// Sends a whole answer.
        package func answer(
            _ status: Int = 200, _ body: String = "{}", type: String = "application/json",
            headers: [String] = []
        ) {
            let lines = headers.map { $0 + "\r\n" }.joined()
            send(
                "HTTP/1.1 \(status) Scripted\r\nContent-Type: \(type)\r\n\(lines)"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        /// Waits until the client closes the connection.
        package func waitForHangUp() {
            var byte: UInt8 = 0
            while Glibc.read(descriptor, &byte, 1) > 0 {}
        }

        /// Closes with a reset in place of an orderly end.
        package func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &option,
                socklen_t(MemoryLayout<linger>.size))
        }
    }

    /// What becomes of the connection after a request.
    package enum Next: Sendable {
        case keep, close
    }

    package let port: UInt16
    private let listener: OpenDescriptor
    private let readsRequests: Bool
    private let lock = Lock()
    private var received: [Request] = []
    private var connections: [OpenDescriptor] = []
    private var connectionCount = 0
    private var arrivals: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private let script: @Sendable (Exchange) -> Next

    /// - Parameter readsRequests: Whether a request is read before the script runs; else it runs once
    ///   for each connection.
    package init(readsRequests: Bool = true, _ script: @escaping @Sendable (Exchange) -> Next) {
        self.script = script
        self.readsRequests = readsRequests
        let (descriptor, port) = Self.listen()
        let listener = OpenDescriptor(descriptor)
        self.listener = listener
        self.port = port
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                guard let self else {
                    Glibc.close(connection)
                    break
                }
                self.serve(OpenDescriptor(connection))
            }
            // Nobody else closes it, so that its number is never another's while this loop runs.
            listener.close()
        }
    }

    private static func listen() -> (CInt, UInt16) {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        precondition(listener >= 0, "no socket")
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                precondition(Glibc.bind(listener, pointer, length) == 0, "no free port")
                precondition(Glibc.listen(listener, 128) == 0, "no listener")
                getsockname(listener, pointer, &length)
            }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    package var base: String { "http://127.0.0.1:\(port)" }

    /// In the order of their arrival.
    package var requests: [Request] { lock.withLock { received } }

    /// Waits until `count` requests have arrived.
    package func arrived(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = lock.withLock {
                if received.count < count { arrivals.append((count, continuation)) }
                return received.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    package func stop() {
        listener.shutDown()
        for connection in lock.withLock({ connections }) { connection.shutDown() }
    }

    deinit {
        stop()
    }

    private func serve(_ connection: OpenDescriptor) {
        let number = lock.withLock {
            connections.append(connection)
            connectionCount += 1
            return connectionCount
        }
        let descriptor = connection.number
        Thread.detachNewThread { [self] in
            var buffer: [UInt8] = []
            if !readsRequests {
                _ = script(Exchange(request: Request(), descriptor: descriptor))
            }
            while readsRequests, var request = Self.read(from: descriptor, &buffer) {
                request.connection = number
                note(request)
                guard script(Exchange(request: request, descriptor: descriptor)) == .keep else {
                    break
                }
            }
            connection.close()
        }
    }

    private func note(_ request: Request) {
        let due = lock.withLock {
            received.append(request)
            let due = arrivals.filter { $0.count <= received.count }
            arrivals.removeAll { $0.count <= received.count }
            return due
        }
        for arrival in due { arrival.continuation.resume() }
    }

    /// The next request of the connection; what is behind it stays in `buffer`.
    private static func read(from descriptor: CInt, _ buffer: inout [UInt8]) -> Request? {
        var end: Int?
        while end == nil {
            end = buffer.indices.first { buffer[$0...].starts(with: [13, 10, 13, 10]) }
            if end == nil, !fill(&buffer, from: descriptor) { return nil }
        }
        guard let end else { return nil }
        var lines = String(decoding: buffer[..<end], as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        var request = Request(method: String(words[0]), target: String(words[1]))
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            request.headers.append((String(line[..<colon]), String(value)))
        }
        buffer.removeFirst(end + 4)
        let length = Int(request.header("Content-Length") ?? "") ?? 0
        while buffer.count < length {
            if !fill(&buffer, from: descriptor) { return nil }
        }
        request.body = Array(buffer[..<length])
        buffer.removeFirst(length)
        return request
    }

    private static func fill(_ buffer: inout [UInt8], from descriptor: CInt) -> Bool {
        let part = [UInt8](unsafeUninitializedCapacity: 16 << 10) { bytes, count in
            count = max(0, Glibc.read(descriptor, bytes.baseAddress, bytes.count))
        }
        buffer += part
        return !part.isEmpty
    }
}

/// A descriptor that is closed once, and shut down only as long as its number is its own.
// SAFETY: `isOpen` is read and written under `lock`.
private final class OpenDescriptor: @unchecked Sendable {
    let number: CInt
    private let lock = Lock()
    private var isOpen = true

    init(_ number: CInt) {
        self.number = number
    }

    func shutDown() {
        lock.withLock {
            if isOpen { shutdown(number, CInt(SHUT_RDWR)) }
        }
    }

    func close() {
        lock.withLock {
            if isOpen { Glibc.close(number) }
            isOpen = false
        }
    }
}
