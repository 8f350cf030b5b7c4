import FreshetJSON
import FreshetRemote

/// Live queries of a server elsewhere, for agents.
///
/// A lost connection is made again after a pause that grows, and resumes where it was left; a server
/// that says nothing for a minute is taken for lost. What a slow receiver leaves unread is bounded,
/// and the server is told to wait. It needs libcurl (Debian and Ubuntu: `apt install libcurl4`).
public final class FreshetClient: Sendable {
    private let streams: HTTPStreams
    private let headers: [(String, String)]
    private let mask: SecretMask

    /// - Parameters:
    ///   - url: Scheme, host, port and, if wanted, a path before all others, such as
    ///     `http://127.0.0.1:8080`.
    ///   - token: Sent as `Authorization: Bearer`.
    /// - Throws: `bad-parameter` for what is no such address, or no token.
    public init(url: String, token: String? = nil) throws(EntityProblem) {
        guard let base = UpstreamBase(url) else {
            throw EntityProblem(
                code: "bad-parameter", status: 400,
                detail: "expected \(UpstreamBase.expectation), not '\(url)'")
        }
        if let token, !HeaderName.isValid(value: token) || token.isEmpty {
            throw EntityProblem(
                code: "bad-parameter", status: 400, detail: "the token cannot stand in a header")
        }
        streams = HTTPStreams(base: base)
        mask = SecretMask(token.map { [Secret($0)] } ?? [])
        headers = token.map { [("Authorization", "Bearer \($0)")] } ?? []
    }

    /// Whole answers of a query, for a `SnapshotAgent`. Set `hasMeta` of the query where the revisions
    /// of its entities are wanted: the server does not send them otherwise.
    public var snapshots: LiveSnapshots { LiveSnapshots(self) }

    /// The events of a query as they come, for a `StreamAgent`; see `EntityRows`.
    public var changes: LiveChanges { LiveChanges(self) }

    /// The events of any event stream behind the base, by its path and query.
    public var events: LiveEvents { LiveEvents(self) }

    func follow(
        _ path: String, after position: String,
        _ receive: @escaping @Sendable (AgentSignal<StreamEvent>) async -> AgentVerdict
    ) async -> AgentEnd {
        var settings = EventStreamSettings(UpstreamRequest(path: path, headers: headers))
        settings.lastID = position
        let client = EventStreamClient(settings, transport: streams, mask: mask)
        var refusal: StreamFault?
        let end = await client.run { signal in
            let verdict: AgentVerdict
            switch signal {
            case .opened: verdict = await receive(.opened)
            case .caughtUp: return .proceed
            case .interrupted(let error, let pause):
                verdict = await receive(
                    .interrupted(error.map { StreamFault($0) }, retryIn: pause))
            case .event(let event):
                switch LiveFarewell(event) {
                case .reconnect(let pause): return .reconnect(after: pause)
                case .ended(let fault):
                    refusal = fault
                    return .stop
                case nil: verdict = await receive(.element(event, position: event.id))
                }
            }
            return verdict == .proceed ? .proceed : .stop
        }
        if let refusal { return .refused(refusal) }
        switch end {
        case .stopped: return .stopped
        case .cancelled: return .cancelled
        case .exhausted: return .exhausted
        case .refused(let error): return .refused(StreamFault(error))
        }
    }
}

/// An event with which a Freshet server ends a stream.
enum LiveFarewell {
    case reconnect(after: Duration?)
    case ended(StreamFault)

    init?(_ event: StreamEvent) {
        guard event.name == "bye" || event.name == "fault",
            // What is no JSON is no event of the protocol.
            let data = try? JSONValue.parse(event.data)
        else { return nil }
        if event.name == "fault" {
            guard data["final"]?.boolValue == true else { return nil }
            self = .ended(
                StreamFault(
                    code: data["code"]?.stringValue ?? "fault",
                    detail: data["detail"]?.stringValue ?? "the query failed",
                    status: data["status"]?.int64Value.map { Int(clamping: $0) }))
        } else if data["reconnect"]?.boolValue == false {
            let reason = data["reason"]?.stringValue ?? "bye"
            self = .ended(
                StreamFault(code: "bye", detail: "the server ended the live query: \(reason)"))
        } else {
            let pause = data["after"]?.int64Value.map { max($0, 0) }
            self = .reconnect(after: pause.map { .milliseconds($0) })
        }
    }
}

extension StreamFault {
    init(_ error: UpstreamError) {
        switch error {
        case .unreachable(_, let detail): self.init(code: "unreachable", detail: detail.text)
        case .timeout: self.init(code: "timeout", detail: "nothing came in time")
        case .tooLarge(let limit):
            self.init(code: "too-large", detail: "more than \(limit) bytes at once")
        case .status(let status, _, let excerpt):
            self.init(code: "status", detail: "status \(status): \(excerpt)", status: status)
        case .shape(_, _, let detail): self.init(code: "shape", detail: detail.text)
        case .unaddressable(_, _, let detail): self.init(code: "shape", detail: detail)
        case .auth(let code, _, let detail): self.init(code: code.rawValue, detail: detail)
        case .saturated(let limit):
            self.init(code: "saturated", detail: "\(limit) streams are open already")
        case .cancelled: self.init(code: "cancelled", detail: "the connection was given up")
        }
    }
}

/// Whole answers of queries of a server elsewhere.
public struct LiveSnapshots: AgentSource {
    private let client: FreshetClient

    init(_ client: FreshetClient) { self.client = client }

    public func follow(
        _ query: EntityQuery, after position: String,
        _ receive: @escaping @Sendable (AgentSignal<EntitySnapshot>) async -> AgentVerdict
    ) async -> AgentEnd {
        let assembler = SnapshotAssembler(query.type)
        return await client.follow(query.path(live: .snapshot), after: position) {
            await assembler.pass(on: $0, to: receive)
        }
    }
}

/// Snapshots and deltas of queries of a server elsewhere.
public struct LiveChanges: AgentSource {
    private let client: FreshetClient

    init(_ client: FreshetClient) { self.client = client }

    public func follow(
        _ query: EntityQuery, after position: String,
        _ receive: @escaping @Sendable (AgentSignal<StreamEvent>) async -> AgentVerdict
    ) async -> AgentEnd {
        await client.follow(query.path(live: .delta), after: position, receive)
    }
}

/// Event streams by their path and query.
public struct LiveEvents: AgentSource {
    private let client: FreshetClient

    init(_ client: FreshetClient) { self.client = client }

    /// Follows the stream at `path` until the receiver stops it, the task is cancelled, or there is no
    /// more to come.
    ///
    /// - Parameters:
    ///   - path: From the root of the server, with its query.
    ///   - position: The id of the event that was handled last; empty for the beginning.
    ///   - receive: Is told of everything in order, one call after the other; while it works nothing
    ///     more is read.
    public func follow(
        _ path: String, after position: String,
        _ receive: @escaping @Sendable (AgentSignal<StreamEvent>) async -> AgentVerdict
    ) async -> AgentEnd {
        await client.follow(path, after: position, receive)
    }
}
