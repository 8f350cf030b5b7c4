import Dispatch
import Glibc
import Testing

@testable import freshet

/// A listener on a free loopback port that takes one connection, waits for the first bytes
/// of a request, writes `answer` and closes.
final class ScriptedServer: Sendable {
    let address: String
    private let listener: CInt

    init(answer: String) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        try #require(listener >= 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(listener, pointer, size) == 0, listen(listener, 4) == 0 else {
                    return CInt(-1)
                }
                return getsockname(listener, pointer, &size)
            }
        }
        try #require(status == 0)
        self.listener = listener
        address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
        let bytes = Array(answer.utf8)
        // The block keeps the listener open until it has served its one connection.
        DispatchQueue(label: "scripted server").async { [self] in
            let connection = accept(self.listener, nil, nil)
            var buffer = [UInt8](repeating: 0, count: 4096)
            _ = read(connection, &buffer, buffer.count)
            // One byte at a time for short answers, so that every split is met.
            let step = bytes.count < 400 ? 1 : bytes.count
            for start in stride(from: 0, to: bytes.count, by: step) {
                // Who has understood that it is nonsense hangs up.
                let part = bytes[start..<start + step]
                _ = part.withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
            }
            shutdown(connection, CInt(SHUT_WR))
            while read(connection, &buffer, buffer.count) > 0 {}
            close(connection)
        }
    }

    deinit {
        close(listener)
    }
}

@Suite("Requests to a server")
struct ServerClientTests {
    /// What a server names each request by.
    private static let name = "X-Request-Id: 1\r\n"

    private func client(_ answer: String) throws -> ServerClient {
        try ServerClient(
            server: try ServerAddress(try ScriptedServer(answer: answer).address),
            timeout: .seconds(20))
    }

    @Test(
        "Bodies come by length, by chunks and by the end of the stream, and interim answers are passed over"
    )
    func bodies() throws {
        var answers: [String] = []
        for text in [
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\(Self.name)Content-Length: 3\r\n\r\nabc",
            "HTTP/1.1 201 Created\r\n\(Self.name)transfer-encoding: chunked\r\n\r\n"
                + "2;x=y\r\nde\r\n1\r\nf\r\n0\r\nTrailer: t\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n\(Self.name)\r\n",
            "HTTP/1.0 200 OK\r\n\(Self.name)\r\nrest",
        ] {
            let client = try client(text)
            try client.send("GET", "/")
            let (head, body) = try client.receive()
            answers.append("\(head.status) \(String(decoding: body, as: UTF8.self))")
        }
        #expect(answers == ["200 abc", "201 def", "204 ", "200 rest"])
    }

    @Test(
        "An answer that is no HTTP, or is cut off, is one sentence and no crash",
        arguments: [
            ("SSH-2.0-x\r\n", Exit.failed), ("HTTP/1.1 abc\r\n\r\n", .failed),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .unreachable),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", .failed),
            (
                "HTTP/1.1 200 OK\r\n\(Self.name)Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                .unreachable
            ),
            (
                "HTTP/1.1 200 OK\r\n\(Self.name)Transfer-Encoding: chunked\r\n\r\n-1\r\n",
                .unreachable
            ),
            ("HTTP/1.1 200 OK\r\n\(Self.name)Content-Length: 5\r\n\r\nabc", .unreachable),
            ("HTTP/1.1 200 OK\r\nContent-Le", .unreachable), ("", .unreachable),
        ])
    func faults(_ answer: String, _ exit: Exit) throws {
        let client = try client(answer)
        try client.send("GET", "/")
        do throws(CommandFailure) {
            _ = try client.receive()
            Issue.record("expected a failure")
        } catch {
            #expect(error.exit == exit, "\(error.sentence)")
        }
    }

    @Test("Import sends the file in order and adds up the answers")
    func importing() throws {
        let body = #"{"meta":{"count":2,"changed":1}}"#
        let server = try ScriptedServer(
            answer:
                "HTTP/1.1 200 OK\r\n\(Self.name)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let file = try Self.file(
            #"{"type":"a","entity":{"id":1}}"# + "\n\n" + #"{"type":"a","entity":{"id":2}}"#)
        defer { unlink(file) }
        #expect(Program.run(arguments: ["import", file, "--server", server.address]) == .done)
    }

    @Test("A refused import ends with status 1")
    func refusal() throws {
        let body = #"{"detail":"d","errors":[{"line":1,"detail":"e"}]}"#
        let server = try ScriptedServer(
            answer:
                "HTTP/1.1 422 X\r\n\(Self.name)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let file = try Self.file(#"{"type":"a","entity":{"id":{}}}"#)
        defer { unlink(file) }
        #expect(Program.run(arguments: ["import", file, "--server", server.address]) == .failed)
    }

    private static func file(_ text: String) throws -> String {
        var template = Array("/tmp/freshet-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        #expect(Terminal.writeAll(Array(text.utf8), to: descriptor))
        close(descriptor)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
