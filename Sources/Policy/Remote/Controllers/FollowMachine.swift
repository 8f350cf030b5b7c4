import FreshetJSON
package import FreshetRefresh

// The reader's half of a live query (live.md section 4), for a server that follows another's.
//
// A snapshot comes in parts and counts with its last one; a delta counts at once. Either is a *cut*: the
// answer at one commit of the origin, or what leads there from the one before. A cut is stored as one
// commit together with the position behind it, so that at every moment what is stored is the answer at
// that position, whatever is killed when. Then everything else follows from the protocol: after any
// break the origin is asked to go on behind the position, and answers with a delta, a snapshot, or
// that nothing has changed.

/// What the events of a followed live query come to. Pure.
package struct FollowMachine: Sendable {
    package enum Outcome: Sendable {
        case nothing
        case cut(ControlledValue)
        /// What has come cannot be read, so that what follows would leave it out.
        case unreadable(String)
        /// The origin tells of a fault of its own, or is none of ours.
        case fault(UpstreamText, isFinal: Bool)
        /// The origin closes; milliseconds, nil where it does not want the query again.
        case bye(after: Int?)
    }

    private var offset = 0
    private var limit: Int?
    /// The version of the cut that was reached last.
    private var version: UInt64?
    /// Parts of a snapshot that has begun.
    private var parts: [[UInt8]]?
    private var partsSize = 0
    private let mostBytes: Int

    /// - Parameter mostBytes: Of a snapshot.
    package init(mostBytes: Int = 64 << 20) {
        self.mostBytes = mostBytes
    }

    /// A new connection begins: what was half said is said again.
    package mutating func connected() {
        parts = nil
        partsSize = 0
    }

    /// - Parameter id: The stream's position with this event.
    package mutating func reduce(_ name: String, _ data: [UInt8], id: String) -> Outcome {
        switch name {
        case "hello", "snapshot", "delta", "fault", "bye": break
        default: return .nothing
        }
        guard let value = try? JSONValue.parse(data) else {
            return .unreadable("an event of the followed query is no JSON")
        }
        switch name {
        case "hello": return hello(value)
        case "snapshot": return snapshot(value, id)
        case "delta": return delta(value, id)
        case "fault":
            let detail = value["detail"]?.stringValue ?? "the followed server reports a fault"
            return .fault("\(detail)", isFinal: value["final"]?.boolValue ?? false)
        default:
            let comesBack = value["reconnect"]?.boolValue ?? true
            return .bye(after: comesBack ? max(0, Int(value["after"]?.int64Value ?? 0)) : nil)
        }
    }

    private mutating func hello(_ value: JSONValue) -> Outcome {
        let window = value["queries"]?.objectValue?.first?.value["window"]
        guard value["protocol"]?.int64Value == 1, let window else {
            return .fault("the followed server speaks another protocol", isFinal: true)
        }
        offset = Int(window["offset"]?.int64Value ?? 0)
        limit = window["limit"]?.int64Value.map { Int($0) }
        return .nothing
    }

    private mutating func snapshot(_ value: JSONValue, _ id: String) -> Outcome {
        guard let items = value["items"]?.arrayValue, let part = value["part"]?.int64Value,
            let version = value["v"]?.int64Value.flatMap({ UInt64(exactly: $0) })
        else {
            return .unreadable("the followed query's answer is no list of entities")
        }
        if part == 0 {
            parts = []
            partsSize = 0
        }
        // The rest of a snapshot whose beginning was not seen.
        guard var known = parts else { return .nothing }
        parts = nil
        for item in items {
            let bytes = item.bytes
            partsSize += bytes.count
            known.append(bytes)
        }
        guard partsSize <= mostBytes else {
            return .unreadable("the followed query's answer has more than \(mostBytes) bytes")
        }
        if value["more"]?.boolValue == true {
            parts = known
            return .nothing
        }
        self.version = version
        var cut = ControlledValue(isWhole: true, put: known)
        mark(&cut, version, id)
        return .cut(cut)
    }

    private mutating func delta(_ value: JSONValue, _ id: String) -> Outcome {
        guard let to = value["to"]?.int64Value.flatMap({ UInt64(exactly: $0) }),
            let put = value["put"]?.arrayValue, let removed = value["remove"]?.objectValue
        else { return .unreadable("a delta of the followed query is none") }
        if let version, to <= version { return .nothing }
        version = to
        var cut = ControlledValue(
            isWhole: false, put: put.map(\.bytes), remove: removed.map(\.name))
        mark(&cut, to, id)
        return .cut(cut)
    }

    private func mark(_ cut: inout ControlledValue, _ seq: UInt64, _ id: String) {
        cut.position = id.isEmpty ? nil : id
        let epoch = id.split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
        cut.cut = FollowedCut(epoch: epoch, seq: seq, offset: offset, limit: limit)
    }
}
