import FreshetHTTPClient
import FreshetJSON

/// What `/readyz` of a server says, in words.
struct Readiness {
    let head: ResponseHead
    /// Why it is not ready: `draining`, or `unavailable; main is failed: …`; nil where it is.
    let reason: String?

    /// Asks `client`'s server once.
    ///
    /// - Throws: `.unreachable` where nobody answers, `.failed` where what answers is no Freshet.
    static func ask(
        _ client: ServerClient, headers: [(String, String)] = []
    ) throws(CommandFailure) -> Readiness {
        try client.send("GET", "/readyz", headers: headers)
        let (head, body) = try client.receive(limit: 1 << 20)
        // What is no JSON has no state.
        let answer = try? JSONValue.parse(body)
        let status = answer?["status"]?.stringValue
        if head.status == 200 {
            guard status != nil else {
                throw ServerConnection.strange(client, "whether it is ready")
            }
            return Readiness(head: head, reason: nil)
        }
        guard let answer, let status else {
            return Readiness(
                head: head, reason: ServerConnection.sentence(status: head.status, body: body))
        }
        var parts = (answer["stores"]?.objectValue ?? []).map { ($0.name, $0.value) }
        parts += ["log", "cluster", "cache"].compactMap { name in answer[name].map { (name, $0) } }
        let reasons = parts.compactMap { name, part -> String? in
            guard let why = (part["reason"] ?? part["lastError"])?.stringValue else { return nil }
            let state = (part["state"] ?? part["role"])?.stringValue
            return "\(name) is \(state ?? "not well"): \(why)"
        }
        return Readiness(head: head, reason: ([status] + reasons).joined(separator: "; "))
    }
}
