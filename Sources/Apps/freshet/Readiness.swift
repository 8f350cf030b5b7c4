import FreshetHTTPClient
import FreshetJSON

/// What `/readyz` of a server says.
struct Readiness {
    /// What a server that is not ready lacks.
    struct Fault {
        /// A store's name, `log`, `cluster` or `cache`.
        let part: String
        /// Its state and why, such as `failed: no space is left on the device`.
        let sentence: String
    }

    let head: ResponseHead
    let body: [UInt8]
    /// What it says; nil where that has no `status`, so that it is none of a Freshet server.
    let answer: JSONValue?

    var isReady: Bool { head.status == 200 }

    /// Asks `client`'s server once.
    ///
    /// - Throws: `.unreachable` where nobody answers, `.failed` where what is ready is no Freshet.
    static func ask(
        _ client: ServerClient, headers: [(String, String)] = []
    ) throws(CommandFailure) -> Readiness {
        try client.send("GET", "/readyz", headers: headers)
        let (head, body) = try client.receive(limit: 1 << 20, isBounded: true)
        let answer = try? JSONValue.parse(body)
        let hasStatus = answer?["status"]?.stringValue != nil
        guard hasStatus || head.status != 200 else {
            throw ServerConnection.strange(client, "whether it is ready")
        }
        return Readiness(head: head, body: body, answer: hasStatus ? answer : nil)
    }

    var faults: [Fault] {
        guard !isReady, let answer else { return [] }
        var parts = (answer["stores"]?.objectValue ?? []).map { ($0.name, $0.value) }
        parts += ["log", "cluster", "cache"].compactMap { name in answer[name].map { (name, $0) } }
        return parts.compactMap { name, part in
            guard let why = (part["reason"] ?? part["lastError"])?.stringValue else { return nil }
            let state = (part["state"] ?? part["role"])?.stringValue
            return Fault(part: name, sentence: "\(state ?? "not well"): \(why)")
        }
    }

    /// Why it is not ready: `draining`, or `unavailable; main is failed: …`; nil where it is.
    var reason: String? {
        guard !isReady else { return nil }
        guard let status = answer?["status"]?.stringValue else {
            return ServerConnection.sentence(status: head.status, body: body)
        }
        return ([status] + faults.map { "\($0.part) is \($0.sentence)" }).joined(separator: "; ")
    }
}
