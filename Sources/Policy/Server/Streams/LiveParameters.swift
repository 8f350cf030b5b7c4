import FreshetBase
import FreshetHTTP
import FreshetLive
import FreshetQuery

/// The parameters of live.md section 2, taken out of a search's parameters.
struct LiveParameters: Sendable {
    static let names = Set(QueryParser.liveNames)

    private enum Mode { case once, snapshot, delta }

    private var mode = Mode.once
    private(set) var since: String?
    /// Least time between two events.
    private(set) var throttle = Duration.zero
    private(set) var heartbeat: Duration?
    /// Longest life of the stream, where the client names one.
    private(set) var longest: Duration?
    /// How long a long poll waits for news; nil where it is none.
    private(set) var wait: Duration?
    private(set) var wantsOldValues = false
    private var taken: Set<String> = []

    /// Whether the request had no parameter of live queries.
    var isEmpty: Bool { taken.isEmpty }

    init() {}

    /// Takes the parameter if it is one of live queries.
    ///
    /// - Returns: false where it is not, so that it belongs to the search.
    mutating func take(_ name: String, _ value: String) throws(Problem) -> Bool {
        switch name {
        case "live":
            switch value {
            case "1", "snapshot": mode = .snapshot
            case "delta": mode = .delta
            default: throw .badParameter(name, "'live' is snapshot, delta or 1")
            }
        case "since": since = value
        case "wait": wait = .seconds(try Self.number(name, value, of: "seconds", heldTo: 0...300))
        case "throttle":
            throttle = .milliseconds(
                try Self.number(name, value, of: "milliseconds", heldTo: 0...3_600_000))
        case "heartbeat":
            heartbeat = .seconds(try Self.number(name, value, of: "seconds", heldTo: 5...60))
        case "max":
            let seconds = try Self.number(name, value, of: "seconds", heldTo: 0...86_400)
            guard seconds > 0 else { throw .badParameter(name, "a stream lives from 1 second on") }
            longest = .seconds(seconds)
        case "old":
            guard value == "true" || value == "false" else {
                throw .badParameter(name, "'old' is true or false")
            }
            wantsOldValues = value == "true"
        default:
            return false
        }
        guard taken.insert(name).inserted else {
            throw .repeatedParameter(name)
        }
        return true
    }

    /// Refuses those of `names` that stand here: a query of several and their connection have
    /// different ones.
    func refuse(_ names: String..., because detail: String) throws(Problem) {
        for name in names where taken.contains(name) {
            throw .badParameter(name, "'\(name)' \(detail)")
        }
    }

    /// What a query of several sends; deltas unless it asks for snapshots.
    var modeOfSeveral: LiveRequest.Mode { mode == .snapshot ? .snapshot : .delta }

    /// What a request asks for beside an answer.
    enum Asked: Equatable {
        case once
        case stream(LiveRequest.Mode)
        case poll(LiveRequest.Mode, wait: Duration)
    }

    /// Whether the request asks for a stream or a long poll, and for which events.
    ///
    /// - Throws: `bad-parameter` where it asks for neither, and has parameters of them.
    func asked(_ media: AcceptedMedia) throws(Problem) -> Asked {
        if let wait { return .poll(mode == .snapshot ? .snapshot : .delta, wait: wait) }
        switch mode {
        case .delta: return .stream(.delta)
        case .snapshot: return .stream(.snapshot)
        case .once:
            if media.prefersEventStream { return .stream(.snapshot) }
            guard !taken.isEmpty else { return .once }
            let name = QueryParser.liveNames.first { taken.contains($0) } ?? "live"
            throw .badParameter(
                name, "'\(name)' is about a live query, and this asks for one answer",
                hint: "add live=delta for a stream, or wait=SECONDS for the next change")
        }
    }

    /// A whole number, held to `range` however large it is.
    private static func number(
        _ name: String, _ value: String, of unit: String, heldTo range: ClosedRange<Int>
    ) throws(Problem) -> Int {
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badParameter(
                name,
                "'\(name)' is a whole number of \(unit), and is held to"
                    + " \(range.lowerBound)...\(range.upperBound)")
        }
        // What is past 64 bits is past the range.
        return min(max(Int(value) ?? .max, range.lowerBound), range.upperBound)
    }
}
