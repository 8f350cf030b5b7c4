import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON

// How what is behind a live query stands, as `source` events and the servers of a cluster tell it:
// `"state","gate"?,"since","next"?,"problem"?`.

extension SourceNews {
    func encodeMembers(into body: inout ByteBuffer) {
        body.member("state", state.rawValue)
        if let gate { body.member("gate", gate) }
        body.member("since", since)
        if let next { body.member("next", next) }
        switch problem {
        case .here(let failure):
            body.member("problem")
            Problem(failure).encodeAsMember(into: &body)
        case .gaps(let gaps):
            body.member("problem")
            Problem(gaps).encodeAsMember(into: &body)
        case .told(let told):
            body.member("problem")
            told.write(to: &body)
        case nil: break
        }
    }

    /// Reads what another server has told; nil where this version does not know it.
    init?(told value: JSONValue) {
        guard let state = value["state"]?.stringValue.flatMap(SourceNews.State.init(rawValue:)),
            let since = value["since"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
        else { return nil }
        self.init(
            state: state, gate: value["gate"]?.stringValue, since: since,
            next: value["next"]?.stringValue.flatMap { WallTime(rfc3339: $0) },
            problem: value["problem"].map { .told($0) })
    }
}
