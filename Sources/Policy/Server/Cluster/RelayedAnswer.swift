import FreshetHTTPServer
import FreshetJSON
import FreshetStore

/// The answer of another server of the cluster, on its way to the client.
struct RelayedAnswer: Sendable {
    var status = 0
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var cursor: Cursor? {
        fields.last { $0.name.lowercased() == "freshet-cursor" }
            .flatMap { Cursor($0.value[...]) }
    }

    /// Says whoever answered that it does not lead?
    var isRefusal: Bool {
        guard status == 503, let problem = try? JSONValue.parse(body) else { return false }
        return problem["code"] == .string(ProblemCode.notLeader.rawValue)
    }

    func write(to response: inout ResponseWriter) {
        writeHead(to: &response)
        if body.isEmpty, status == 204 || status == 304 { return response.end() }
        body.withUnsafeBytes { response.end(bytes: $0) }
    }

    /// Writes all but the body.
    func writeHead(to response: inout ResponseWriter) {
        response.begin(status)
        for (name, value) in fields {
            switch name.lowercased() {
            case "x-request-id":
                var value = value
                value.withUTF8 { response.header(requestID: UnsafeRawBufferPointer($0)) }
            case let name where Cluster.ofConnection.contains(name): break
            default: response.header(name: name, text: value)
            }
        }
    }
}
