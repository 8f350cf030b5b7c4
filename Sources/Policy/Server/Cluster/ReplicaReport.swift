import FreshetBase
import FreshetJSON
import FreshetRemote
import FreshetStore

/// What a server of a cluster says of itself: the body of `POST /v1/_cluster/replicas/{id}`.
struct ReplicaReport: Equatable, Sendable {
    /// The number of its process: two that have one name are told apart by it.
    var instance: UInt64
    /// Where it takes requests.
    var url: String
    /// `follower`, `candidate`, `leader` or `stopped`.
    var role: String
    /// It answers reads and sends writes on, and nothing announces its end.
    var isReady: Bool
    /// The last seq that it has applied.
    var seq: UInt64
    /// How old what it shows may be; nil: it has heard nothing of the log yet.
    var lag: Duration?
    /// The seq of its newest verified snapshot, 0 for none.
    var snapshotSeq: UInt64
    /// The highest format of frames that it reads.
    var format: Int
    /// The digest of its configuration's types and access; "" where it has none.
    var digest: String
    /// Who watches an operation's rows there, by the operation's id.
    var subscribers: [String: Int] = [:]

    /// The largest body that is read of one.
    static let mostBytes = 256 << 10
    /// Bytes that tell who watches, but for the last operation of them; others count for their own
    /// server alone.
    private static let mostSubscriberBytes = 240 << 10
    private static let roles = ["follower", "candidate", "leader", "stopped"]
    private static let longestText = 2_048
    private static let mostSubscribers: Int64 = 1 << 40
}

// MARK: As it is now

extension ReplicaReport {
    init(
        of replica: ReplicaStore, digest: String, isEnding: Bool, subscribers: [String: Int]
    ) {
        let state = replica.state
        let phase = replica.status.phase
        instance = replica.instance
        url = replica.settings.url
        role = state.role.name
        isReady =
            state.hasJoined && !isEnding && (phase == .ready || phase == .following)
            && !replica.isOutlived && replica.cacheStatus.phase != .failed
        // In the midst of a frame it has none of it.
        seq = replica.replicaFigures.applied
        lag =
            switch replica.lag {
            case nil: .zero
            case .known(let lag): lag
            case .unknown: nil
            }
        // What files have that failed is of no use any more.
        snapshotSeq =
            replica.cacheStatus.phase == .failed ? 0 : UInt64(clamping: replica.metrics.snapshotSeq)
        format = Int(ReplicaStore.format)
        self.digest = digest
        self.subscribers = subscribers
    }
}

// MARK: As JSON

extension ReplicaReport {
    func encode(into body: inout ByteBuffer) {
        body.append("{")
        body.member("instance", String(instance, radix: 16))
        body.member("url", url)
        body.member("role", role)
        body.member("ready", isReady)
        body.member("seq", seq)
        body.member("lagMs", lag.map { $0.wholeMilliseconds })
        body.member("snapshotSeq", snapshotSeq)
        body.member("format", format)
        body.member("digest", digest)
        body.member("subscribers")
        body.append("{")
        let start = body.count
        for (id, count) in subscribers.sorted(by: { $0.key < $1.key }) {
            guard body.count - start < Self.mostSubscriberBytes else { break }
            if body.count > start { body.append(",") }
            body.append(jsonString: id)
            body.append(":")
            body.append(decimal: count)
        }
        body.append("}}")
    }

    /// Reads a report. Members that are not known are those of a later version.
    init(_ body: UnsafeRawBufferPointer) throws(Problem) {
        let value = try JSONValue(body: body, depthLimit: 4)
        guard value.objectValue != nil else {
            throw Problem(.badRequest, "the body is an object, what a server says of itself")
        }
        let reader = Reader(value)
        instance = try reader.read("instance", "a number of 1 to 16 hexadecimal digits") {
            $0.stringValue.flatMap { UInt64($0, radix: 16) }
        }
        url = try reader.read("url", "where the server takes requests, http://HOST:PORT") {
            $0.stringValue.flatMap { Self.isShort($0) && UpstreamBase($0) != nil ? $0 : nil }
        }
        role = try reader.read("role", "one of \(Self.roles.joined(separator: ", "))") {
            $0.stringValue.flatMap { Self.roles.contains($0) ? $0 : nil }
        }
        isReady = try reader.read("ready", "true or false") { $0.boolValue }
        seq = try reader.number("seq")
        lag =
            value["lagMs"]?.isNull ?? true
            ? nil : .milliseconds(Int64(clamping: try reader.number("lagMs")))
        snapshotSeq = try reader.number("snapshotSeq")
        format = Int(clamping: try reader.number("format"))
        digest = try reader.read("digest", "a text of \(Self.longestText) bytes at most") {
            $0.stringValue.flatMap { Self.isShort($0) ? $0 : nil }
        }
        let expectation = "an object of operations with the number of subscribers of each"
        subscribers = try reader.read("subscribers", expectation) { value in
            guard let members = value.objectValue else { return nil }
            var counts: [String: Int] = [:]
            for member in members {
                guard let count = member.value.int64Value, count >= 0 else { return nil }
                counts[member.name] = Int(min(count, Self.mostSubscribers))
            }
            return counts
        }
    }

    private static func isShort(_ text: String) -> Bool { text.utf8.count <= longestText }

    /// Reads members of an object.
    private struct Reader {
        let value: JSONValue

        init(_ value: JSONValue) { self.value = value }

        func read<Result>(
            _ name: String, _ expectation: String, _ result: (JSONValue) -> Result?
        ) throws(Problem) -> Result {
            guard let found = value[name].flatMap(result) else {
                throw Problem(
                    .badRequest, "\"\(name)\": expected \(expectation)",
                    at: JSONPointer().appending(name).description)
            }
            return found
        }

        func number(_ name: String) throws(Problem) -> UInt64 {
            try read(name, "an integer of 0 or more") {
                $0.int64Value.flatMap { UInt64(exactly: $0) }
            }
        }
    }
}
