import FreshetNet
import Glibc

/// A blocking client for tests: what it waits for comes, or its receive time-out fails the test.
final class Client {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    struct Response: Equatable {
        var status = 0
        var head = ""
        var body: [UInt8] = []

        func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                    return String(parts[1].drop { $0 == " " })
                }
            }
            return nil
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private var descriptor: CInt
    private var buffer: [UInt8] = []

    init(_ address: SocketAddress, receiveBuffer: CInt? = nil) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = address.port.bigEndian
        target.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Closes so that the other side sees a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    func endOutput() { shutdown(descriptor, CInt(SHUT_WR)) }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent,
                    CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: \(errno)") }
            sent += count
        }
    }

    /// Reads what has come; false at the end of the data.
    private func fill() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count >= 0 else { throw Failure(description: "receive: \(errno)") }
        buffer.append(contentsOf: chunk[..<count])
        return count > 0
    }

    /// Everything up to the end of the data.
    func readToEnd() throws -> [UInt8] {
        while try fill() {}
        defer { buffer = [] }
        return buffer
    }

    /// Whether the server has closed; unread bytes are a failure.
    func isAtEnd() throws -> Bool { try buffer.isEmpty && !fill() }

    func read(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try fill() else { throw Failure(description: "the data ends early") }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// Reads once what there is, at most `count` bytes.
    func readSome(_ count: Int) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &chunk, count, CInt(MSG_DONTWAIT))
        return received > 0 ? Array(chunk[..<received]) : []
    }

    /// Reads up to and with the next line feed; returns the line without CR LF.
    func readLine() throws -> String {
        var searched = 0
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                var line = Array(buffer[..<end])
                buffer.removeFirst(end + 1)
                if line.last == 13 { line.removeLast() }
                return String(decoding: line, as: UTF8.self)
            }
            searched = buffer.count
            guard try fill() else { throw Failure(description: "the data ends in a line") }
        }
    }

    func readHead() throws -> Response {
        var response = Response()
        var lines: [String] = []
        while true {
            let line = try readLine()
            if line.isEmpty { break }
            lines.append(line)
        }
        response.head = lines.joined(separator: "\r\n")
        let parts = (lines.first ?? "").split(separator: " ")
        guard parts.count >= 2, let status = Int(parts[1]) else {
            throw Failure(description: "no status line: \(lines)")
        }
        response.status = status
        return response
    }

    /// One chunk of a chunked body; empty for the last.
    func readChunk() throws -> [UInt8] {
        let line = try readLine()
        guard let size = Int(line, radix: 16) else {
            throw Failure(description: "no chunk size: \(line)")
        }
        let bytes = try read(size)
        guard try readLine().isEmpty else { throw Failure(description: "a chunk without end") }
        return bytes
    }

    func readResponse(isHead: Bool = false) throws -> Response {
        var response = try readHead()
        if isHead || response.status == 204 || response.status == 304 || response.status < 200 {
            return response
        }
        if response.header("Transfer-Encoding") == "chunked" {
            while true {
                let chunk = try readChunk()
                if chunk.isEmpty { return response }
                response.body.append(contentsOf: chunk)
            }
        }
        if let length = response.header("Content-Length").flatMap({ Int($0) }) {
            response.body = try read(length)
        } else {
            response.body = try readToEnd()
        }
        return response
    }

    func get(_ path: String) throws -> Response {
        try send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try readResponse()
    }
}
