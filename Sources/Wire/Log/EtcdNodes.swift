// Asking etcd
//
// Every call is a POST of JSON to one of several nodes, any of which serves all of them. One node is
// preferred, since a kept connection is fast; a failure makes the next one preferred. Whether another
// node is asked for the same at once depends on what it is:
//
//  * A read is asked of each node in turn until one answers.
//  * A step (what changes anything) goes on to the next node only where the first has surely done
//    nothing: nothing was sent, or it said that it has no leader. In all other cases the caller has to
//    find out what came of it.
//
// Each request says `hasleader`: a node that knows of no leader answers so at once, in place of taking
// the request and letting it time out, and ends a watch whose events would never come.
//
// A node is asked for its version before anything else, and again once it has failed: one that was
// away at the start, or came back as another version, is not trusted unseen.
//
// The time of a request is bounded here: libcurl is told to give it up. What it was told after a
// request began to be sent is not known (`HTTPTransfer.wasSent`).

import FreshetBase
import FreshetHTTPClient
import FreshetJSON
import Glibc

/// The nodes of one etcd cluster, and the token for them. Used by any thread.
// SAFETY: all mutable state is read and written under `lock`.
final class EtcdNodes: @unchecked Sendable {
    private let settings: EtcdLog.Settings
    private let client: HTTPClient
    private let lock = Lock()
    private var preferred = 0
    /// Nodes whose version a log can be on, until they fail.
    private var admitted: Set<Int> = []
    private var token: String?

    init(_ settings: EtcdLog.Settings) throws(CurlMissing) {
        self.settings = settings
        client = try HTTPClient(label: "freshet.log")
    }

    deinit {
        client.stop()
    }

    var count: Int { settings.address.nodes.count }

    /// How a node is called in messages: `h1:2379`.
    func name(_ node: Int) -> String {
        String(settings.address.nodes[node].drop { $0 != "/" }.dropFirst(2))
    }

    /// The node that is asked first.
    var first: Int { lock.withLock { preferred } }

    /// Asks others than `node` from now on, and that one for its version when its turn comes.
    func avoid(_ node: Int) {
        lock.withLock {
            admitted.remove(node)
            if preferred == node { preferred = (node + 1) % count }
        }
    }

    /// Asks for what changes nothing: each node, until one answers.
    func read(_ path: String, _ body: [UInt8]) throws(EtcdFailure) -> [UInt8] {
        try ask(path, body) { $0 == .unsent || $0 == .open }
    }

    /// Asks for a change: each node, as long as surely nothing was done.
    func change(_ path: String, _ body: [UInt8]) throws(EtcdFailure) -> [UInt8] {
        try ask(path, body) { $0 == .unsent }
    }

    private func ask(
        _ path: String, _ body: [UInt8], goesOn: (EtcdFailure.Kind) -> Bool
    ) throws(EtcdFailure) -> [UInt8] {
        var last: EtcdFailure?
        var areUnfit = true
        for _ in 0..<count {
            let node = first
            do throws(EtcdFailure) {
                return try ask(node, path, body)
            } catch {
                // A node of a version that no log can be on was not asked: another may be of one.
                let isUnfit = error.kind == .refused && !isAdmitted(node)
                if error.kind == .unsent || error.kind == .open || isUnfit { avoid(node) }
                // Of the request an unfit node says nothing, where another one may be fit.
                let kind = isUnfit && !areUnfit ? last?.kind ?? error.kind : error.kind
                areUnfit = areUnfit && isUnfit
                let texts = [last?.text, "\(name(node)): \(error.text)"]
                last = EtcdFailure(kind, texts.compactMap(\.self).joined(separator: "; "))
                guard goesOn(error.kind) || isUnfit else { break }
            }
        }
        throw last ?? EtcdFailure(.unsent, "no node is named")
    }

    // MARK: One node

    /// Asks one node, whose version a log can be on.
    ///
    /// - Parameter limit: For what takes its time; nil: the setting's.
    func ask(
        _ node: Int, _ path: String, _ body: [UInt8], within limit: Duration? = nil
    ) throws(EtcdFailure) -> [UInt8] {
        do throws(EtcdFailure) {
            try admit(node)
        } catch {
            // The request itself was not sent.
            throw error.kind == .open ? EtcdFailure(.unsent, error.text) : error
        }
        return try request(node, path, body, limit)
    }

    private func isAdmitted(_ node: Int) -> Bool { lock.withLock { admitted.contains(node) } }

    private func admit(_ node: Int) throws(EtcdFailure) {
        if isAdmitted(node) { return }
        let complaint = EtcdStatus.complaint(about: try status(node).version)
        if let complaint { throw EtcdFailure(.refused, complaint) }
    }

    /// How a node is, whatever its version.
    func status(_ node: Int) throws(EtcdFailure) -> EtcdStatus {
        let answer = try request(node, "/v3/maintenance/status", Array("{}".utf8), nil)
        guard let status = JSONView.read(answer, EtcdStatus.init) else {
            throw EtcdFailure(.open, "its status cannot be read")
        }
        if EtcdStatus.complaint(about: status.version) == nil {
            lock.withLock { _ = admitted.insert(node) }
        }
        return status
    }

    /// Asks one node, with a new token where the one at hand is not taken.
    private func request(
        _ node: Int, _ path: String, _ body: [UInt8], _ limit: Duration?
    ) throws(EtcdFailure) -> [UInt8] {
        do throws(EtcdFailure) {
            return try send(node, path: path, body: body, token: token(node), limit: limit)
        } catch {
            guard error.kind == .token, settings.user != nil else { throw error }
        }
        dropToken()
        return try send(node, path: path, body: body, token: token(node), limit: limit)
    }

    /// The page that every node has for Prometheus.
    func metrics(_ node: Int) throws(EtcdFailure) -> [UInt8] {
        var call = call(node, path: "/metrics", body: [], token: nil)
        call.method = "GET"
        call.body = nil
        return try send(call)
    }

    /// Starts what has no end of its own.
    ///
    /// - Returns: The transfer, to be cancelled.
    func open(
        _ node: Int, path: String, body: [UInt8], answer: AwaitedAnswer
    ) throws(EtcdFailure) -> HTTPTransfer {
        client.submit(call(node, path: path, body: body, token: try token(node)), answer)
    }

    /// The token at hand is asked for anew.
    func dropToken() { lock.withLock { token = nil } }

    /// The token, nil where no user is named.
    private func token(_ node: Int) throws(EtcdFailure) -> String? {
        guard let user = settings.user else { return nil }
        if let token = lock.withLock({ token }) { return token }
        let body: JSONValue = [
            "name": .string(user), "password": .string(settings.password ?? ""),
        ]
        let answer = try send(
            node, path: "/v3/auth/authenticate", body: body.bytes, token: nil)
        guard let token = (try? JSONValue.parse(answer))?["token"]?.stringValue else {
            throw EtcdFailure(.refused, "it gives no token for the user \(user)")
        }
        lock.withLock { self.token = token }
        return token
    }

    private func call(_ node: Int, path: String, body: [UInt8], token: String?) -> HTTPCall {
        var call = HTTPCall(
            method: "POST", url: settings.address.nodes[node] + path,
            fields: [
                ("Content-Type", "application/json"), ("Grpc-Metadata-hasleader", "true"),
            ], body: body)
        if let token { call.fields.append(("Authorization", token)) }
        call.takesCoding = false
        call.route.roots = settings.roots
        call.route.certificate = settings.certificate
        call.route.key = settings.key
        call.route.connectMilliseconds = 1_000
        return call
    }

    private func send(
        _ node: Int, path: String, body: [UInt8], token: String?, limit: Duration? = nil
    ) throws(EtcdFailure) -> [UInt8] {
        try send(call(node, path: path, body: body, token: token), limit)
    }

    private func send(
        _ call: HTTPCall, _ limit: Duration? = nil
    ) throws(EtcdFailure) -> [UInt8] {
        let limit = limit ?? settings.timeout
        let answer = AwaitedAnswer(isStream: false)
        let transfer = client.submit(call, answer)
        var arrival = answer.wait(until: .now + limit, of: nil)
        if arrival == nil {
            transfer.cancel(.timeout)
            // It ends at once.
            arrival = answer.wait(until: .now + .seconds(3_600), of: nil)
        }
        guard let arrival else { throw EtcdFailure(.open, "the request does not end") }
        if case .failed(let fault) = arrival.end {
            let text = fault.words(limit)
            throw EtcdFailure(transfer.wasSent ? .open : .unsent, text)
        }
        guard arrival.status == 200 else {
            throw EtcdFailure(status: arrival.status, body: arrival.bytes)
        }
        return arrival.bytes
    }
}

extension HTTPFault {
    /// What happened, in words.
    func words(_ timeout: Duration) -> String {
        switch self {
        case .unreachable(_, let detail): detail
        case .timeout: "no answer within \(timeout)"
        case .headTooLarge(let limit, _), .bodyTooLarge(let limit):
            "an answer of more than \(limit) bytes"
        case .cancelled: "it was cancelled"
        }
    }
}
