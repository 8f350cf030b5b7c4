import FreshetCore
import FreshetHTTPServer
import FreshetStore

extension FreshetService {
    /// The caller of a request, as the author of its write.
    ///
    /// - Parameter destination: Of a write that stays here nobody is told the request's id.
    func author(_ reply: Reply, of destination: WriteDestination) -> WriteOrder.Author {
        let guardian: any WriteGuard
        if let caller = reply.caller {
            guardian = CommitGuard(access, caller)
        } else {
            guardian = access
        }
        return WriteOrder.Author(
            reply.rights, guardian, reply.caller?.name ?? "",
            requestID: destination.isLocal ? nil : reply.requestID.text)
    }

    /// Commits without an answer of its own, with the rights of whoever asks.
    func commit(
        _ transaction: Transaction, _ reply: Reply,
        completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        core.writer.commit(
            transaction, by: author(reply, of: WriteDestination(.local)), completion: completion)
    }
}

/// The rights of one write, as they are when the writer comes to it.
final class CommitGuard: WriteGuard {
    private let access: AccessControl
    private let caller: Caller

    init(_ access: AccessControl, _ caller: Caller) {
        self.access = access
        self.caller = caller
    }

    func currentRights() -> (any WriteRights)? {
        switch access.standing(of: caller) {
        case .same: caller.rights
        case .changed(let caller): caller.rights
        case .expired, .revoked: nil
        }
    }
}

/// The rights of a write that was let in while nothing was forbidden: those of a caller without a token, once
/// that is so no longer.
extension AccessControl: WriteGuard {
    var restricts: Bool { isOn }

    func currentRights() -> (any WriteRights)? { anonymous.rights }
}
