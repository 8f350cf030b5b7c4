package import FreshetQuery
package import FreshetStore

/// What a write is answered with.
package enum WriteAnswer: Sendable {
    /// One commit, and what the remotes learn of it.
    case done(WriteReceipt, Delivery)
    /// Each change was asked of the remote by itself.
    case each([EachWrite])
    /// There was nothing to do.
    case nothing
    /// A repeat, whose first answer was kept as it was.
    case kept(WriteReceipt, [UInt8])
}

/// How far the remotes have learnt of a commit.
package enum Delivery: Sendable {
    /// They are told of nothing: it stays here, or they have it as it is here.
    case none
    /// Entries of the outbox, in the order of the changes, each once.
    case underWay([EntityID])
    /// They have taken all of it; what one entity is by now, where it may be read.
    case delivered([EntityID], Document?)

    /// Entries of the outbox.
    package var entries: [EntityID] {
        switch self {
        case .none: []
        case .underWay(let entries), .delivered(let entries, _): entries
        }
    }
}

/// One of several changes that a remote was asked for.
package struct EachWrite: Sendable {
    /// The entity's, as JSON.
    package let id: [UInt8]
    package let isRemoval: Bool
    package let outcome: DirectOutcome
}

/// Why a write was not done.
package enum WriteFailure: Error {
    case refused(CoreError)
    case notCommitted(WriteOutcome)
    /// The remote was asked first.
    case notAsked(DirectOutcome)
    /// It is done here, and the remote has not taken it: the entry as it has ended, nil where it was
    /// taken out of the outbox, and its id.
    case undelivered(OutboxEntry?, EntityID)
}

extension WriteOutcome {
    /// A commit of which no remote is told.
    var answer: Result<WriteAnswer, WriteFailure> {
        consuming get {
            if case .done(let receipt) = self { return .success(.done(receipt, .none)) }
            return .failure(.notCommitted(self))
        }
    }
}
