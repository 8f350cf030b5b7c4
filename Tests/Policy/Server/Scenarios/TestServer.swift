import FreshetBase
import FreshetConfig
import FreshetServer
import Foundation
import Glibc
import Testing

/// A server in this process on a free port of the loopback address, stopped when it is released.
///
/// The optimiser releases an object behind its last use, not at the end of its scope. So the server
/// keeps the connections that a test has opened, until they are closed; and a stream its server.
final class TestServer {
    let server: FreshetServer
    let port: UInt16
    fileprivate var connections: [ObjectIdentifier: TestConnection] = [:]

    init(_ change: (inout ServeSettings) -> Void = { _ in }) throws {
        var settings = ServeSettings.standard
        settings.limits.stopTimeout = .seconds(2)
        change(&settings)
        let log = Log(level: .error, format: .text)
        server = try FreshetServer(settings, log: log)
        port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
    }

    deinit {
        server.stop()
    }

    /// A connection that is open as long as the server lives.
    func connect() throws -> TestConnection {
        let connection = try TestConnection(port: port)
        connections[ObjectIdentifier(connection)] = connection
        return connection
    }

    /// One request on a connection of its own.
    func send(
        _ method: String, _ target: String, _ body: String? = nil, headers: [String] = [],
        readsBody: Bool = true
    ) throws -> TestResponse {
        try TestConnection(port: port).send(
            method, target, body, headers: headers, readsBody: readsBody)
    }
}

/// What came back.
struct TestResponse {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: String

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// A blocking connection; every wait ends after two minutes as a failure.
final class TestConnection {
    enum Failure: Error {
        case system(String, CInt)
        case ended(received: String)
        /// What was to be read whole has no end: a stream, which only its heartbeats go on with.
        case endless(status: Int)
        /// A stream that lives, and says nothing but that.
        case uneventful
    }

    private let descriptor: CInt
    private var received: [UInt8] = []

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure.system("socket", errno) }
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure.system("connect", errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Sends no more.
    func endOutput() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Goes away without a word.
    func hangUp() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// - Parameter readsBody: Not where the answer may be a stream, which has no end.
    func send(
        _ method: String, _ target: String, _ body: String? = nil, headers: [String] = [],
        readsBody: Bool = true
    ) throws -> TestResponse {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) {
            text += "Host: localhost\r\n"
        }
        for header in headers { text += header + "\r\n" }
        if let body {
            if !headers.contains(where: { $0.lowercased().hasPrefix("content-type:") }) {
                text += "Content-Type: application/json\r\n"
            }
            text += "Content-Length: \(body.utf8.count)\r\n\r\n" + body
        } else {
            text += "\r\n"
        }
        try write(text)
        let response = try readResponse(hasBody: readsBody && method != "HEAD")
        #expect(DescribedAnswer.fault(method, target, response) == nil)
        return response
    }

    func write(_ text: String) throws {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure.system("send", errno) }
            bytes = bytes.dropFirst(count)
        }
    }

    /// The next response, its body by length or by chunks.
    func readResponse(hasBody: Bool = true) throws -> TestResponse {
        let head = try read(until: "\r\n\r\n")
        var lines = head.split(separator: "\r\n").map(String.init)[...]
        let status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
        let headers = lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            return (name: parts[0], value: parts.count > 1 ? parts[1].trimmed : "")
        }
        let bare = TestResponse(status: status, headers: headers, body: "")
        guard hasBody, status != 204, status != 304 else { return bare }
        var body = ""
        if bare.header("Transfer-Encoding") == "chunked" {
            let limit = ContinuousClock.now + .seconds(120)
            while true {
                guard ContinuousClock.now < limit else { throw Failure.endless(status: status) }
                let size = Int(try read(until: "\r\n").trimmed, radix: 16) ?? 0
                let chunk = try read(count: size + 2)
                if size == 0 { break }
                body += chunk.dropLast(1)
            }
        } else {
            body = try read(count: Int(bare.header("Content-Length") ?? "0") ?? 0)
        }
        return TestResponse(status: status, headers: headers, body: body)
    }

    /// Everything through the next `mark`.
    func read(until mark: String) throws -> String {
        let mark = Array(mark.utf8)
        while true {
            if let range = received.firstRange(of: mark) {
                defer { received.removeSubrange(..<range.upperBound) }
                return String(decoding: received[..<range.upperBound], as: UTF8.self)
            }
            try receive()
        }
    }

    private func read(count: Int) throws -> String {
        while received.count < count { try receive() }
        defer { received.removeSubrange(..<count) }
        return String(decoding: received[..<count], as: UTF8.self)
    }

    private func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else {
            throw Failure.ended(received: String(decoding: received, as: UTF8.self))
        }
        received.append(contentsOf: buffer[..<count])
    }
}

/// One event of a stream.
struct TestEvent {
    let name: String
    let id: String?
    let data: String
}

/// A live query, read event by event.
final class TestStream {
    private let server: TestServer
    private let connection: TestConnection

    /// - Parameter post: A body for a POST in place of a GET.
    init(
        _ server: TestServer, _ target: String, lastEventID: String? = nil, headers: [String] = [],
        post: String? = nil
    ) throws {
        self.server = server
        connection = try server.connect()
        var lines = ["Host: localhost", "Accept: text/event-stream"] + headers
        if let lastEventID { lines.append("Last-Event-ID: \(lastEventID)") }
        if let post {
            lines += ["Content-Type: application/json", "Content-Length: \(post.utf8.count)"]
        }
        // HTTP/1.0: no chunks between the events.
        try connection.write(
            "\(post == nil ? "GET" : "POST") \(target) HTTP/1.0\r\n"
                + lines.joined(separator: "\r\n") + "\r\n\r\n" + (post ?? ""))
        _ = try connection.read(until: "\r\n\r\n")
    }

    /// Goes away. Without it the stream is open as long as the server lives.
    func close() {
        connection.hangUp()
        server.connections[ObjectIdentifier(connection)] = nil
    }

    /// Sends no more; the server answers with a comment, before anything else.
    func endOutput() throws {
        connection.endOutput()
        #expect(try connection.read(until: "\n\n") == ":\n\n")
    }

    /// All events up to the first with which `isEnough` holds for them together.
    func next(until isEnough: ([TestEvent]) -> Bool) throws -> [TestEvent] {
        var events: [TestEvent] = []
        while !isEnough(events) { events.append(try next()) }
        return events
    }

    /// The next event that has a name; a failure where five minutes of heartbeats are all that comes.
    func next() throws -> TestEvent {
        let limit = ContinuousClock.now + .seconds(300)
        while true {
            guard ContinuousClock.now < limit else { throw TestConnection.Failure.uneventful }
            var name = ""
            var id: String?
            var data = ""
            for line in try connection.read(until: "\n\n").split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                switch parts[0] {
                case "event": name = String(parts[1]).trimmed
                case "id": id = String(parts[1]).trimmed
                case "data": data = String(parts[1]).trimmed
                default: break
                }
            }
            guard !name.isEmpty else { continue }
            // Data that browsers cannot parse looks right to a test that looks for a part of it.
            _ = try JSONSerialization.jsonObject(with: Data(data.utf8))
            return TestEvent(name: name, id: id, data: data)
        }
    }
}

extension String {
    var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
