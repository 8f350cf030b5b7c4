import FreshetBase
import FreshetHTTPServer
import FreshetNet
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// Requests that meet the moment in which a server opens.
@Suite struct EntranceTests {
    /// Opens between the question how a body is taken and the request.
    private final class OpeningBetween: Responder {
        private let entrance = Entrance()
        private let service: FreshetService
        private let opens = ActionOnce()

        init(_ service: FreshetService) { self.service = service }

        func bodyPlan(for request: borrowing Request) -> BodyPlan {
            let plan = entrance.bodyPlan(for: request)
            opens.run { entrance.open(to: service) }
            return plan
        }

        func respond(to request: consuming Request, response: inout ResponseWriter) {
            entrance.respond(to: request, response: &response)
        }

        func fault(_ fault: ConnectionFault, response: inout ResponseWriter) {
            entrance.fault(fault, response: &response)
        }
    }

    private final class ActionOnce: Sendable {
        private let isDone = Shared(false)

        func run(_ action: () -> Void) {
            if !isDone.set(true) { action() }
        }
    }

    @Test func aRequestWhoseBodyNobodyAskedForComesAgain() throws {
        let server = try TestServer()
        let http = HTTPServer(
            ServerConfiguration(
                at: .address(try SocketAddress(host: "127.0.0.1", port: 0)), loops: 1),
            responder: OpeningBetween(server.server.service),
            log: Log(level: .error, format: .text))
        let address = try http.start()
        defer { http.stop(grace: .zero) }
        let port = try #require(UInt16("\(address)".split(separator: ":").last ?? ""))
        let connection = try TestConnection(port: port)
        let early = try connection.send("PUT", "/v1/t/1", #"{"n":1}"#)
        #expect(early.status == 503)
        #expect(early.body.contains(#""code":"recovering""#))
        #expect(try server.send("GET", "/v1/t/1").status == 404)
        // Over the same connection: the body of the first is no part of it.
        #expect(try connection.send("PUT", "/v1/t/1", #"{"n":2}"#).status == 201)
        #expect(try server.send("GET", "/v1/t/1").body.contains(#""n":2"#))
    }
}
