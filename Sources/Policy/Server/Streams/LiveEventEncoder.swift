package import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetJSON
package import FreshetLive
import FreshetQuery
import FreshetRefresh

/// Where a snapshot's rows come from.
package enum LiveSource: Sendable {
    case local
    /// What the server knows of itself.
    case system(isTruncated: Bool)

    init(of type: TypeName, _ watcher: EntityWatcher) {
        self =
            type.isInternal
            ? .system(isTruncated: watcher.truncated.value.contains(type)) : .local
    }

    /// Appends the last members of a snapshot.
    func append(to body: inout ByteBuffer) {
        switch self {
        case .local: body.append(",\"source\":\"local\",\"stale\":false}")
        case .system(let isTruncated):
            if isTruncated { body.append(",\"truncated\":true") }
            body.append(",\"source\":\"system\",\"stale\":false}")
        }
    }
}

/// The events of live.md section 4 as bytes. `query` is the alias of a query on a connection of
/// several, nil on one of a single query.
package enum LiveEventEncoder {
    /// Appends bytes that other events have, too, or keeps them for later: see `LargeText`.
    package typealias Share = (_ bytes: [UInt8], _ body: inout ByteBuffer) -> Void

    /// What `hello` tells of one query.
    struct Description {
        let alias: String?
        let mode: LiveRequest.Mode
        let index: String
        let query: Query
    }

    /// - Parameter isFirst: Of its connection; others tell of a changed set of queries.
    static func hello(
        _ queries: [Description], heartbeat: Duration, isFirst: Bool, into body: inout ByteBuffer
    ) {
        if isFirst {
            retry(into: &body)
        }
        event("hello", id: nil, into: &body) { body in
            body.append("{\"protocol\":1,\"heartbeat\":")
            body.append(decimal: Int(heartbeat / .seconds(1)))
            body.append(",\"queries\":{")
            for (index, entry) in queries.enumerated() {
                if index > 0 { body.append(UInt8(ascii: ",")) }
                body.append(jsonString: entry.alias ?? "")
                body.append(
                    entry.mode == .delta ? ":{\"mode\":\"delta\"" : ":{\"mode\":\"snapshot\"")
                body.append(",\"index\":")
                body.append(jsonString: entry.index)
                body.append(",\"window\":{\"offset\":")
                body.append(decimal: entry.query.offset)
                body.append(",\"limit\":")
                if let limit = entry.query.limit {
                    body.append(decimal: limit)
                } else {
                    body.append("null")
                }
                body.append("}}")
            }
            body.append("}}")
        }
    }

    static func snapshot(
        _ result: LiveResult, part: Int, why: LiveWhy, query: String?, counts: Bool,
        source: LiveSource = .local, id: LiveCursor?, into body: inout ByteBuffer,
        share: Share = { $1.append($0) }
    ) {
        event("snapshot", id: id, into: &body) { body in
            open(query, in: &body)
            append(
                result, part: part, why: why, counts: counts, source: source, to: &body,
                share: share)
        }
    }

    /// The members of one part's data behind `q`, with the closing brace.
    static func append(
        _ result: LiveResult, part: Int, why: LiveWhy, counts: Bool, source: LiveSource = .local,
        to body: inout ByteBuffer, share: Share = { $1.append($0) }
    ) {
        appendHead(result, why, to: &body)
        share(result.parts[part], &body)
        body.append(result.shape.frame.closing)
        if let included = result.included[part] {
            body.append(",\"included\":")
            share(included, &body)
        }
        if counts, let total = result.total {
            body.append(",\"total\":")
            body.append(decimal: total)
        }
        body.append(",\"part\":")
        body.append(decimal: part)
        body.append(",\"more\":")
        body.append(part + 1 < result.parts.count ? "true" : "false")
        source.append(to: &body)
    }

    /// Appends a snapshot with all of its parts at once, for a long poll.
    package static func append(
        whole result: LiveResult, why: LiveWhy, counts: Bool, source: LiveSource = .local,
        to body: inout ByteBuffer, share: Share = { $1.append($0) }
    ) {
        appendHead(result, why, to: &body)
        var isFirst = true
        for part in result.parts where !part.isEmpty {
            if !isFirst { body.append(UInt8(ascii: ",")) }
            isFirst = false
            share(part, &body)
        }
        body.append(result.shape.frame.closing)
        if result.included.contains(where: { $0 != nil }) {
            body.append(",\"included\":")
            merge(result.included.compactMap(\.self), into: &body)
        }
        if counts, let total = result.total {
            body.append(",\"total\":")
            body.append(decimal: total)
        }
        source.append(to: &body)
    }

    /// Makes one object of the included entities of several parts.
    private static func merge(_ parts: [[UInt8]], into body: inout ByteBuffer) {
        if let only = parts.first, parts.count == 1 { return body.append(only) }
        var types: [JSONValue.Member] = []
        for part in parts {
            // Parts are this server's own, so that they can be read.
            for type in (try? JSONValue.parse(part))?.objectValue ?? [] {
                let more = type.value.objectValue ?? []
                if let last = types.last, last.name == type.name {
                    types[types.count - 1].value = .object((last.value.objectValue ?? []) + more)
                } else {
                    types.append(type)
                }
            }
        }
        JSONValue.object(types).write(to: &body)
    }

    private static func appendHead(
        _ result: LiveResult, _ why: LiveWhy, to body: inout ByteBuffer
    ) {
        body.append("\"v\":")
        body.append(decimal: result.seq)
        body.append(",\"why\":\"")
        body.append(why.name)
        body.append("\",")
        body.append(result.shape.frame.opening)
    }

    static func delta(
        _ delta: LiveDelta, query: String?, id: LiveCursor?, into body: inout ByteBuffer,
        share: Share = { $1.append($0) }
    ) {
        event("delta", id: id, into: &body) { body in
            open(query, in: &body)
            share(delta.members, &body)
        }
    }

    /// The delta's event as connections of a single query send it, encoded by the first of them.
    static func shared(_ delta: LiveDelta, id: @autoclosure () -> LiveCursor) -> [UInt8] {
        delta.event {
            var event = ByteBuffer(capacity: delta.members.count + 128)
            self.delta(delta, query: nil, id: id(), into: &event)
            return [UInt8](event.bytes)
        }
    }

    static func sync(_ cursor: LiveCursor, into body: inout ByteBuffer) {
        event("sync", id: cursor, into: &body) { $0.append(text: "{\"at\":\"\(cursor.text)\"}") }
    }

    static func heartbeat(_ cursor: LiveCursor?, into body: inout ByteBuffer) {
        let id = Array((cursor?.text ?? "").utf8)
        id.withUnsafeBytes { EventStreamEncoder.heartbeat(id: $0, into: &body) }
    }

    static func fault(
        _ problem: Problem, query: String?, isFinal: Bool, into body: inout ByteBuffer
    ) {
        event("fault", id: nil, into: &body) { body in
            var text = ByteBuffer(capacity: 512)
            problem.encode(requestId: "", into: &text)
            // The problem is one object and a line feed; the rest becomes its last members.
            text.truncate(to: text.count - 2)
            body.append(text.bytes)
            if let query { body.member("q", query) }
            body.member("final", isFinal)
            body.append("}")
        }
    }

    /// - Parameter after: Milliseconds to wait before coming back.
    static func bye(
        _ reason: String, reconnects: Bool, after: Int, into body: inout ByteBuffer
    ) {
        event("bye", id: nil, into: &body) { body in
            body.append("{\"reason\":\"")
            body.append(text: reason)
            body.append(reconnects ? "\",\"reconnect\":true" : "\",\"reconnect\":false")
            body.append(",\"after\":")
            body.append(decimal: after)
            body.append("}")
        }
    }

    /// When a client comes back whose connection broke: between one and three seconds later.
    static func retry(into body: inout ByteBuffer) {
        EventStreamEncoder.retry(milliseconds: Int.random(in: 1000...3000), into: &body)
    }

    /// The end of a stream whose client is to come back: over five seconds, not all clients at once.
    static func interruption(_ reason: String, into body: inout ByteBuffer) {
        bye(reason, reconnects: true, after: Int.random(in: 500...5500), into: &body)
    }

    /// The end of a stream whose client is not to come back.
    static func end(_ reason: String, into body: inout ByteBuffer) {
        bye(reason, reconnects: false, after: 0, into: &body)
    }

    /// Opens an event's object for members that are encoded already, the first without a comma.
    private static func open(_ query: String?, in body: inout ByteBuffer) {
        body.append("{")
        guard let query else { return }
        body.member("q", query)
        body.append(",")
    }

    static func event(
        _ name: StaticString, id: LiveCursor?, into body: inout ByteBuffer,
        _ data: (inout ByteBuffer) -> Void
    ) {
        let id = Array((id?.text ?? "").utf8)
        let mark = id.withUnsafeBytes {
            EventStreamEncoder.open(event: name, id: $0, into: &body)
        }
        data(&body)
        EventStreamEncoder.close(mark, in: &body)
    }
}
