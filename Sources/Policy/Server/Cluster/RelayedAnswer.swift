import FreshetBase
import FreshetHTTPServer
import FreshetJSON
import FreshetStore

/// The answer of another server of the cluster, on its way to the client.
struct RelayedAnswer: Sendable {
    /// Names of fields that are about one connection, or that the next sender writes itself.
    static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade", "expect", "host", "content-length", "accept-encoding", "x-request-id",
        "freshet-forwarded", "date", "x-content-type-options", "cross-origin-resource-policy",
    ]

    var status = 0
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    var cursor: Cursor? {
        fields.last { $0.name.lowercased() == "freshet-cursor" }
            .flatMap { Cursor($0.value[...]) }
    }

    /// How long it says that its body is, which does not come with an answer to HEAD.
    private var length: Int? {
        fields.last { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
    }

    /// Says whoever answered that it has done nothing, since it does not lead or has only just started?
    var isRefusal: Bool {
        guard status == 503, let problem = try? JSONValue.parse(body),
            case .string(let code) = problem["code"]
        else { return false }
        switch ProblemCode(rawValue: code) {
        case .recovering: return true
        case .notLeader: return problem["outcome"] == .string("not-applied")
        default: return false
        }
    }

    /// This answer to a request that another server was sent before, without an answer: that nothing
    /// was done, it says of itself alone.
    var asUnsure: RelayedAnswer {
        guard status >= 500, case .object(var members) = try? JSONValue.parse(body) else {
            return self
        }
        members.removeAll { $0.name == "outcome" }
        members.append(.init(name: "outcome", value: .string("unknown")))
        var buffer = ByteBuffer()
        JSONValue.object(members).write(to: &buffer)
        var answer = self
        answer.body = Array(buffer.bytes) + [UInt8(ascii: "\n")]
        return answer
    }

    /// - Parameter lag: How old is what is read here, where that is before what this tells of.
    func write(to response: inout ResponseWriter, lag: ReplicaStore.Lag? = nil) {
        writeHead(to: &response)
        if let lag { response.header("Freshet-Lag", text: lag.text) }
        if body.isEmpty, status == 204 || status == 304 { return response.end() }
        if response.isHead, let length { return response.end(withoutBodyOf: length) }
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
            case let name where RelayedAnswer.ofConnection.contains(name): break
            default: response.header(name: name, text: value)
            }
        }
    }
}
