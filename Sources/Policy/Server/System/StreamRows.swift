import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetRefresh

/// The rows of `_streams`: who watches what, and how far behind. They are looked at once a second.
final class StreamRows: SystemProvider {
    let type = SystemType.streams
    private let sessions: LiveSessions

    init(_ sessions: LiveSessions) { self.sessions = sessions }

    func ids() -> [EntityID] { sessions.streams.map { EntityID(Int64($0.number)) } }

    func append(_ id: EntityID, _ texts: TextBound, to body: inout ByteBuffer) -> Bool {
        guard let number = id.integer, let stream = sessions.stream(Int(number)) else {
            return false
        }
        let report = stream.report
        // What tells of itself with each event has no end to it.
        let watchesStreams = report.queries.contains { $0.group.type == type.name }
        body.append("{")
        body.member("id", id.text)
        body.append(report.isSession ? ",\"kind\":\"session\"" : ",\"kind\":\"query\"")
        body.member("caller", texts.cut(report.caller))
        body.member("address", stream.address)
        body.member("since", stream.begunAt)
        body.member("seq", report.seq)
        body.member("lag", report.lag)
        body.member("bytes", watchesStreams ? nil : report.bytes)
        body.member("queries", each: report.queries) { query, body in
            body.append("{")
            body.member("q", query.alias)
            body.member("text", texts.cut(query.group.query.address))
            body.member("mode", query.modeName)
            body.member("index", query.index)
            body.member("watchers", query.group.memberCount)
            body.append("}")
        }
        body.append("}")
        return true
    }
}
