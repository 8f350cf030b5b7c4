import FreshetBase
import FreshetJSON

/// The head of a shared log: where it ends, and who writes it. In the log it is one line of JSON,
/// `{"v":1,"cluster":…,"epoch":…,"seq":…,…}`, which replication.md, section 15, names.
struct LogHead: Equatable, Sendable {
    /// Of the form; another one is not read.
    static let version = 1

    /// What the log is, made with it and never changed.
    var cluster: StoreID
    var epoch: Epoch
    /// Of the last commit; 0 before the first.
    var seq: UInt64 = 0
    /// That of the last frame.
    var chain: UInt32
    /// The last frame's; zeros before the first.
    var frame = StoreID(high: 0, low: 0)
    /// Counts the leaders; each increments it.
    var term: UInt64 = 0
    /// The name of the replica that leads, "" before the first leader.
    var leader = ""
    /// Of the leader's process: two that have one name are told apart by it.
    var instance: UInt64 = 0
    /// Where the leader takes requests.
    var url = ""
    /// Counts the heads that the leader has put, so that no two of one process are equal.
    var beat: UInt64 = 0
    /// The first seq that the log still has.
    var floor: UInt64 = 1
    /// Of the frames, the highest used so far.
    var format: UInt16
    /// Who is to lead next, without a wait.
    var successor: String?
    /// Another replica than its first one has taken part, for all that anybody knows.
    var isShared = false

    /// The first commit that the log still has.
    var first: Cursor { Cursor(epoch: epoch, seq: floor) }

    /// - Returns: The line, without an end of line.
    func encoded() -> [UInt8] {
        func number(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue) {
            members.append(.init(name: name, value: value))
        }
        add("v", number(Self.version))
        add("cluster", .string(cluster.description))
        add("epoch", .string(epoch.description))
        add("seq", number(seq))
        add("chain", number(chain))
        add("frame", .string(frame.description))
        add("term", number(term))
        add("leader", .string(leader))
        add("instance", .string(String(instance, radix: 16)))
        add("url", .string(url))
        add("beat", number(beat))
        add("floor", number(floor))
        add("format", number(format))
        if let successor { add("successor", .string(successor)) }
        if isShared { add("shared", .bool(true)) }
        var buffer = ByteBuffer()
        JSONValue.object(members).write(to: &buffer)
        return Array(buffer.bytes)
    }

    /// The head that `line` is, nil for anything else.
    init?(_ line: [UInt8]) {
        guard let value = try? JSONValue.parse(line) else { return nil }
        func integer<Value: FixedWidthInteger>(_ name: String, _: Value.Type) -> Value? {
            value[name]?.numberText.flatMap { Value($0) }
        }
        guard integer("v", Int.self) == Self.version,
            let cluster = value["cluster"]?.stringValue.flatMap({ StoreID($0) }),
            let epoch = value["epoch"]?.stringValue.flatMap({ Epoch($0) }),
            let seq = integer("seq", UInt64.self), let chain = integer("chain", UInt32.self),
            let frame = value["frame"]?.stringValue.flatMap({ StoreID($0) }),
            let term = integer("term", UInt64.self), let leader = value["leader"]?.stringValue,
            let instance = value["instance"]?.stringValue.flatMap({ UInt64($0, radix: 16) }),
            let url = value["url"]?.stringValue, let beat = integer("beat", UInt64.self),
            let floor = integer("floor", UInt64.self),
            let format = integer("format", UInt16.self),
            // What is counted on from here never overflows.
            [seq, term, beat, floor].allSatisfy({ $0 < LogFormat.largestSeq })
        else { return nil }
        self.init(cluster: cluster, epoch: epoch, chain: chain, format: format)
        self.seq = seq
        self.frame = frame
        self.term = term
        self.leader = leader
        self.instance = instance
        self.url = url
        self.beat = beat
        self.floor = floor
        successor = value["successor"]?.stringValue
        isShared = value["shared"]?.boolValue ?? false
    }

    /// A log without a commit.
    init(
        cluster: StoreID, epoch: Epoch, chain: UInt32? = nil, format: UInt16 = SharedFrame.format
    ) {
        self.cluster = cluster
        self.epoch = epoch
        self.chain = chain ?? SharedFrame.seed(of: cluster)
        self.format = format
    }
}

extension StoreID {
    /// The id that 32 hexadecimal digits spell, nil for other text.
    init?(_ text: String) {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
        guard description == text else { return nil }
    }
}
