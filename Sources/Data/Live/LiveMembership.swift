import FreshetBase

/// Told that `take` may have something new. Called on the router's thread; must not block.
package protocol LiveSubscriber: AnyObject, Sendable {
    func liveResultChanged()

    /// Whether it is one of several of one client, who says at which seq all of them are exact. The
    /// same for as long as it lives.
    var isPartOfCut: Bool { get }

    /// What it holds may not be exact any more, or not the newest: of parts of cuts, in front of
    /// `liveResultChanged`, see LiveSet+Telling. Called on the router's thread; must not block.
    func liveResultNoted()
}

extension LiveSubscriber {
    package var isPartOfCut: Bool { false }
    package func liveResultNoted() {}
}

/// One subscriber's place in a group: what it holds, as one number.
// SAFETY: its variables are read and written under the lock of the group only.
package final class LiveMembership: @unchecked Sendable {
    enum Position: Sendable {
        /// Nothing was taken yet, and nothing is before this seq is there.
        indirect case fresh(LiveResume, notBefore: UInt64)
        /// What was shown at this version.
        case at(UInt64)
    }

    package let group: LiveGroup
    /// Who has asked for it.
    package let owner: String?
    let subscriber: any LiveSubscriber
    var position: Position
    // Small ones fill the room behind the position.
    package let mode: LiveRequest.Mode
    package let wantsOldValues: Bool
    /// It is told of the next evaluation, even of one that finds nothing new.
    var awaitsEvaluation = false
    /// Where it stands among the group's members; -1 before it is there and once it has left.
    var place: Int32 = -1
    /// The newest seq that an event has told the client, its `v`: it passes over deltas to no later.
    var told: UInt64 = 0
    /// The newest seq whose announcement it was promised to be told of.
    var awaitedSeq: UInt64 = 0
    /// What the client brings from another query, until its first news.
    @Rare var holding: LiveHolding? = nil

    init(_ group: LiveGroup, _ request: LiveRequest, _ subscriber: any LiveSubscriber) {
        self.group = group
        self.subscriber = subscriber
        mode = group.form == .whole ? .snapshot : request.mode
        owner = request.owner
        wantsOldValues = request.wantsOldValues
        position = .fresh(
            request.followsRemote ? request.resume.asShown(else: .update) : request.resume,
            notBefore: request.notBefore)
        holding = request.holding
    }
}
