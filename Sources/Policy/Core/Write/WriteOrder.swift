package import FreshetQuery
package import FreshetStore

/// Changes as they were asked for, by whoever asks, and where they go. An object, since it goes through
/// all that a write goes through: each copy of what is in it cost a twentieth of a write.
package final class WriteOrder: Sendable {
    package enum Content: Sendable {
        case transaction(Transaction)
        /// What the query matches now is removed, as far as it still matches at the commit.
        case removal(of: Query)
        /// A list of changes that is empty.
        case nothing
    }

    /// On whose behalf it is done.
    package struct Author: Sendable {
        /// nil: everything is allowed.
        let rights: AccessRights?
        /// Its rights as they are when the writer comes to it.
        let guardian: (any WriteGuard)?
        /// For the log; "" for nobody in particular.
        let name: String
        /// For the logs of remotes that are asked.
        let requestID: String?

        /// The program itself.
        package init() { self.init(nil, nil, "", requestID: nil) }

        package init(
            _ rights: AccessRights?, _ guardian: (any WriteGuard)?, _ name: String,
            requestID: String?
        ) {
            self.rights = rights
            self.guardian = guardian
            self.name = name
            self.requestID = requestID
        }

        /// The rights as they are now, by which remotes of `type` may be asked; nil: everything is
        /// allowed.
        func presentRights(on type: TypeName) throws(RightsLapse) -> AccessRights? {
            var present = rights
            if let guardian, guardian.restricts {
                guard let now = guardian.currentRights() as? AccessRights else {
                    throw RightsLapse(outcome: .here(.rejected(operation: 0, .unauthenticated)))
                }
                present = now
            }
            guard let present, present.of(type).level != .remote else { return present }
            throw RightsLapse(outcome: .here(.rejected(operation: 0, .forbidden)))
        }
    }

    let content: Content
    let destination: WriteDestination
    let author: Author
    /// Where its answer is kept for a repeat.
    let ticket: AnswerTicket?
    private let key: [UInt8]
    /// Its answer is about one entity, and not about each of several.
    let isOfEntity: Bool
    let isPatient: Bool

    /// - Parameters:
    ///   - isOfEntity: It is one change of one entity.
    ///   - key: The caller's, with the ticket; empty for none.
    ///   - isPatient: Whoever waits for remotes does so without a bound.
    package init(
        _ content: consuming Content, to destination: WriteDestination,
        isOfEntity: Bool = false, by author: Author, _ ticket: AnswerTicket? = nil,
        key: [UInt8] = [], isPatient: Bool = false
    ) {
        switch consume content {
        case .transaction(var transaction):
            transaction.complete(by: author, ticket, key)
            self.content = .transaction(transaction)
        case let other: self.content = other
        }
        self.destination = destination
        self.isOfEntity = isOfEntity
        self.author = author
        self.ticket = ticket
        self.key = key
        self.isPatient = isPatient
    }

    /// The answer where there is nothing to do.
    var nothingDone: WriteAnswer {
        if case .remote = destination.target { .each([]) } else { .nothing }
    }

    /// Another content, all else as in `order`.
    convenience init(_ content: Content, like order: WriteOrder) {
        self.init(
            content, to: order.destination, isOfEntity: order.isOfEntity, by: order.author,
            order.ticket, key: order.key, isPatient: order.isPatient)
    }
}

extension Transaction {
    /// Takes up on whose behalf it is done, and what keeps its answer.
    mutating func complete(
        by author: WriteOrder.Author, _ ticket: AnswerTicket? = nil, _ key: [UInt8] = []
    ) {
        if let guardian = author.guardian {
            self.guardian = guardian
            tokenName = author.name
        }
        if let ticket {
            recorder = ticket
            idempotencyKey = key
        }
    }
}

extension WriteOrder.Content {
    package init(_ operations: [WriteOperation]) {
        self = Transaction(operations: operations).map { .transaction($0) } ?? .nothing
    }
}
