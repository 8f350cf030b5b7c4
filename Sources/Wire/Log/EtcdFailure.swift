import FreshetBase
import FreshetJSON

/// Why etcd has not done what it was asked for, sorted by what is known of it.
///
/// etcd's JSON gateway answers `{"error","message","code"}` with a code of gRPC. Few of them say that
/// nothing was done; all others leave it open, "request timed out" among them: what was proposed may
/// be decided later, by another leader.
struct EtcdFailure: Error, Equatable {
    enum Kind {
        /// The request was not sent, or the node has no leader and so did not propose anything.
        case unsent
        /// It was sent, and whether it was carried out is not known.
        case open
        /// It was judged, and refused as a whole.
        case refused
        /// The space for data is used up. etcd says so of what it did not take, and of the one
        /// transaction that it took as the last.
        case full
        /// The token is another server's, too old, or of before a change of users.
        case token
        /// The answer is larger than what the gateway carries, 4 MiB.
        case tooLarge
    }

    let kind: Kind
    /// etcd's words, or libcurl's.
    var text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// - Parameter body: Of an answer whose status is not 200.
    init(status: Int, body: [UInt8]) {
        let value = try? JSONValue.parse(body)
        guard let code = value?["code"]?.int64Value, let text = value?["message"]?.stringValue
        else {
            self.init(.open, "it answers \(status), and not as etcd does")
            return
        }
        self.init(code: Int(code), text)
    }

    /// - Parameters:
    ///   - code: A gRPC status.
    ///   - text: etcd's message.
    init(code: Int, _ text: String) {
        func says(_ words: String) -> Bool { text.contains(words) }
        let kind: Kind =
            switch code {
            // By the check before each request that asks for a leader.
            case 14 where says("etcdserver: no leader"): .unsent
            case 16: .token
            case 3 where says("revision of auth store is old"): .token
            // Unusable request, unknown thing, no permission, wrong state, compacted, unknown call.
            case 3, 5, 7, 9, 11, 12: .refused
            case 8 where says("space exceeded"): .full
            case 8 where says("message larger than max"): .tooLarge
            case 8 where says("too many requests"): .refused
            default: .open
            }
        self.init(kind, text)
    }

    /// What a caller of the log is told.
    var trouble: LogTrouble {
        switch kind {
        case .unsent: .away(text)
        case .open: .unknown(text)
        case .full: .full(text)
        case .refused, .token, .tooLarge: .refused(text)
        }
    }
}
