import FreshetBase
import Glibc

/// Where a server is: `http://HOST:PORT`, with a path in front of everything if wanted. Without a
/// port it is 80, but 8080 on this machine, where `freshet serve` listens.
struct ServerAddress: Equatable {
    let host: String
    let port: String
    /// Empty, or begins with a slash and ends without one.
    let prefix: String

    static let standard = "http://127.0.0.1:8080"

    init(_ text: String) throws(CommandFailure) {
        guard !text.hasPrefix("https://") else {
            throw .usage("\(text): the program speaks plain http only; use an http:// address")
        }
        let rest = text.hasPrefix("http://") ? String(text.dropFirst(7)) : text
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        var authority = String(rest[..<slash])
        var prefix = String(rest[slash...])
        while prefix.hasSuffix("/") { prefix.removeLast() }
        // The address of the API is one of the server, too.
        if prefix.hasSuffix("/v1") { prefix.removeLast(3) }
        while prefix.hasSuffix("/") { prefix.removeLast() }
        var port: String?
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            port = String(authority[authority.index(after: colon)...])
            authority = String(authority[..<colon])
        }
        if authority.hasPrefix("["), authority.hasSuffix("]") {
            authority = String(authority.dropFirst().dropLast())
        }
        let plain = (authority + prefix).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard !authority.isEmpty, plain, !prefix.contains("?"),
            port.map({ UInt16($0) != nil }) ?? true
        else {
            throw .usage("\"\(text)\" is no server; write it like \(Self.standard)")
        }
        host = authority
        let isHere =
            authority.lowercased() == "localhost" || authority == "127.0.0.1"
            || authority == "::1"
        self.port = port ?? (isHere ? "8080" : "80")
        self.prefix = prefix
    }

    /// As a `Host` header has it.
    var authority: String {
        (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }

    var text: String { "http://\(authority)\(prefix)" }
}

/// The head of an answer.
struct ResponseHead: Equatable {
    let status: Int
    /// Names in lower case.
    let headers: [(name: String, value: String)]

    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    static func == (left: ResponseHead, right: ResponseHead) -> Bool {
        left.status == right.status && left.headers.elementsEqual(right.headers, by: ==)
    }
}

/// A small blocking HTTP/1.1 client over one connection, which it keeps and renews.
///
/// Requests may be sent ahead of the answers to earlier ones (pipelining), as long as answers are
/// taken in order. Owned by one thread.
final class HTTPClient {
    private let server: ServerAddress
    /// Longest wait for the connection, for the next byte, and for room to send.
    private let timeout: Duration
    private var descriptor: CInt = -1
    private var unread: [UInt8] = []
    private var place = 0

    init(server: ServerAddress, timeout: Duration = .seconds(60)) {
        self.server = server
        self.timeout = timeout
    }

    deinit {
        disconnect()
    }

    // MARK: Requests and answers

    /// What the server lets in, where it has access rules; a token has no control characters.
    private static var token: String? {
        Environment.value("FRESHET_TOKEN").flatMap { text in
            text.isEmpty || text.utf8.contains { $0 < 0x21 || $0 > 0x7E } ? nil : text
        }
    }

    /// Sends a request and returns once the kernel has taken all of it.
    ///
    /// - Parameter path: Begins with a slash, percent-encoded.
    func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) throws(CommandFailure) {
        if descriptor < 0 { try connect() }
        var head = "\(method) \(server.prefix)\(path) HTTP/1.1\r\nHost: \(server.authority)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let token = Self.token { head += "Authorization: Bearer \(token)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        head += "\r\n"
        var isSent = sendAll(Array(head.utf8))
        if isSent, let body { isSent = sendAll(body) }
        // A server that refuses a body may answer and close before it has read everything; its
        // answer says more than the broken pipe.
        if !isSent && errno == ETIMEDOUT { throw silent() }
        if !isSent && errno != EPIPE && errno != ECONNRESET { throw lost() }
    }

    /// Sends all of `bytes`, and takes in what arrives meanwhile: a server that answers an earlier
    /// request may not read on before it is rid of that answer.
    ///
    /// - Returns: false where the connection took less; `errno` says why.
    private func sendAll(_ bytes: [UInt8]) -> Bool {
        let (seconds, attoseconds) = timeout.components
        let patience = CInt(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
        let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                Glibc.send(
                    descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, flags)
            }
            if count >= 0 {
                sent += count
                continue
            }
            guard errno == EAGAIN || errno == EINTR else { return false }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
            let ready = poll(&wait, 1, patience)
            if ready < 0 && errno == EINTR { continue }
            guard ready > 0 else {
                errno = ETIMEDOUT
                return false
            }
            if wait.revents & Int16(POLLOUT) == 0, !takeArrived() { return false }
        }
        return true
    }

    /// Adds what has arrived to the unread bytes.
    ///
    /// - Returns: false where nothing more will come.
    private func takeArrived() -> Bool {
        let capacity = 256 << 10
        var result = 0
        let part = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            result = recv(descriptor, buffer.baseAddress, capacity, CInt(MSG_DONTWAIT))
            count = max(0, result)
        }
        unread.removeFirst(place)
        place = 0
        unread += part
        if result == 0 { errno = EPIPE }
        return result > 0 || result < 0 && (errno == EAGAIN || errno == EINTR)
    }

    /// Takes the next answer with its whole body, at most `limit` bytes.
    func receive(
        to method: String = "GET", limit: Int = 256 << 20
    ) throws(CommandFailure) -> (head: ResponseHead, body: [UInt8]) {
        var body: [UInt8] = []
        let head = try receive(to: method) { _, bytes throws(CommandFailure) in
            guard body.count + bytes.count <= limit else {
                throw .failed("\(self.server.text) answered more than \(limit >> 20) MiB")
            }
            body.append(contentsOf: bytes)
        }
        return (head, body)
    }

    /// Takes the next answer and hands its body on piece by piece.
    func receive(
        to method: String = "GET",
        _ consume: (ResponseHead, UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> ResponseHead {
        var head = try receiveHead()
        while (100..<200).contains(head.status) { head = try receiveHead() }
        let closes = head.header("connection")?.lowercased() == "close"
        if method != "HEAD" && head.status != 204 && head.status != 304 {
            if head.header("transfer-encoding")?.lowercased() == "chunked" {
                try receiveChunks { bytes throws(CommandFailure) in try consume(head, bytes) }
            } else if let text = head.header("content-length") {
                guard let length = Int(text), length >= 0 else { throw malformed() }
                try receiveExactly(length) { bytes throws(CommandFailure) in
                    try consume(head, bytes)
                }
            } else {
                repeat {
                    try take(unread.count - place) { bytes throws(CommandFailure) in
                        try consume(head, bytes)
                    }
                } while try fill(mayEnd: true)
                disconnect()
            }
        }
        if closes { disconnect() }
        return head
    }

    private func receiveHead() throws(CommandFailure) -> ResponseHead {
        let statusLine = try line()
        let parts = statusLine.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]) else {
            throw malformed()
        }
        var headers: [(name: String, value: String)] = []
        while true {
            let line = try line()
            if line.isEmpty { return ResponseHead(status: status, headers: headers) }
            guard let colon = line.firstIndex(of: ":"), headers.count < 200 else {
                throw malformed()
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append((line[..<colon].lowercased(), String(value)))
        }
    }

    private func receiveChunks(
        _ consume: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        while true {
            let sizeText = try line().prefix { $0 != ";" && $0 != " " }
            guard let size = Int(sizeText, radix: 16), size >= 0 else { throw malformed() }
            if size == 0 { break }
            try receiveExactly(size, consume)
            guard try line().isEmpty else { throw malformed() }
        }
        while try !line().isEmpty {}
    }

    private func receiveExactly(
        _ length: Int, _ consume: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        var left = length
        while left > 0 {
            if place == unread.count { _ = try fill(mayEnd: false) }
            let count = min(left, unread.count - place)
            try take(count, consume)
            left -= count
        }
    }

    private func take(
        _ count: Int, _ consume: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let start = place
        place += count
        try unread.withUnsafeBufferPointer { bytes throws(CommandFailure) in
            let part = UnsafeBufferPointer(rebasing: bytes[start..<start + count])
            try consume(UnsafeRawBufferPointer(part))
        }
    }

    /// The next line without its end, at most 64 KiB.
    private func line() throws(CommandFailure) -> String {
        var bytes: [UInt8] = []
        while true {
            if place == unread.count { _ = try fill(mayEnd: false) }
            let byte = unread[place]
            place += 1
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
            guard bytes.count <= 64 << 10 else { throw malformed() }
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads more bytes.
    ///
    /// - Returns: false at the end of the stream, which is a fault unless `mayEnd`.
    private func fill(mayEnd: Bool) throws(CommandFailure) -> Bool {
        guard descriptor >= 0 else { throw lost() }
        let capacity = 256 << 10
        var result = 0
        unread = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            repeat {
                result = read(descriptor, buffer.baseAddress, capacity)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
        place = 0
        if result > 0 { return true }
        if result == 0 && mayEnd { return false }
        if result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) {
            throw silent()
        }
        throw lost()
    }

    // MARK: The connection

    private func connect() throws(CommandFailure) {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(server.host, server.port, &hints, &list)
        guard status == 0 else {
            throw .unreachable(
                "the host of \(server.text) is not known (\(String(cString: gai_strerror(status))));"
                    + " check --server")
        }
        defer { freeaddrinfo(list) }
        var failure: CInt = 0
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            let socket = socket(
                entry.ai_family, entry.ai_socktype | CInt(SOCK_CLOEXEC.rawValue),
                entry.ai_protocol)
            guard socket >= 0 else {
                failure = errno
                continue
            }
            let (seconds, attoseconds) = timeout.components
            var time = timeval(
                tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
            // On Linux the send time-out bounds connect as well.
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
            setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
            var on: CInt = 1
            setsockopt(
                socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on,
                socklen_t(MemoryLayout<CInt>.size))
            if Glibc.connect(socket, entry.ai_addr, entry.ai_addrlen) == 0 {
                descriptor = socket
                unread = []
                place = 0
                return
            }
            failure = errno
            close(socket)
        }
        let reason = failure == EINPROGRESS ? "no answer" : String(cString: strerror(failure))
        throw .unreachable(
            "no server at \(server.text) (\(reason)); start one with \"freshet serve\", or name"
                + " another with --server")
    }

    func disconnect() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func lost() -> CommandFailure {
        disconnect()
        return .unreachable("the connection to \(server.text) was lost; look at the server's log")
    }

    private func silent() -> CommandFailure {
        disconnect()
        return .unreachable(
            "\(server.text) has not answered for \(timeout.components.seconds) s;"
                + " look at its log, or wait longer with --timeout")
    }

    private func malformed() -> CommandFailure {
        disconnect()
        return .failed("\(server.text) does not answer in HTTP/1.1; check --server")
    }
}

/// Percent-encoding of one path segment or query value.
enum URLText {
    /// A query value: commas divide lists, and stand as they are.
    static func encodedList(_ text: String) -> String {
        text.split(separator: ",", omittingEmptySubsequences: false)
            .map { encoded(String($0)) }.joined(separator: ",")
    }

    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        // A dot alone would be taken for a step in the path.
        return text == "." || text == ".." ? result.replacingDots : result
    }
}

extension String {
    fileprivate var replacingDots: String { String(repeating: "%2E", count: utf8.count) }
}
