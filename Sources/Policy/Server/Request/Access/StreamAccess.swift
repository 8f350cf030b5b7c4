import FreshetBase
import FreshetCore
import FreshetQuery

/// What a live stream keeps of its caller, and asks before it says more.
struct StreamAccess {
    enum Verdict: Equatable {
        case holds
        /// The rights have changed, and there are some on every type in question: the row rules are
        /// to be asked for again.
        case changed
        /// The stream ends with this `bye` and is not to be opened again.
        case ended(reason: String)
    }

    let control: AccessControl
    private(set) var caller: Caller

    /// - Parameter caller: nil where nothing was forbidden when the stream began.
    init(_ control: AccessControl, _ caller: Caller?) {
        self.control = control
        self.caller = caller ?? control.anonymous
    }

    /// Whether the caller has a token that ends by itself.
    var mayExpire: Bool { caller.expires != nil }

    /// Whether nothing has happened that could change the verdict. One atomic load.
    var holds: Bool { !mayExpire && isCurrent }

    /// Whether the configuration is the one that the caller's rights are of.
    var isCurrent: Bool { caller.generation == control.generation }

    /// When the token expires; the beginning of time where it has.
    func nextDeadline(_ now: MonotonicInstant, wall: WallTime = .now) -> MonotonicInstant? {
        guard let expires = caller.expires else { return nil }
        let left = expires.milliseconds - wall.milliseconds
        // Not `now`: whoever asks compares with an instant that it read a little earlier.
        guard left > 0 else { return MonotonicInstant(nanoseconds: 0) }
        // A minute at a time, because the wall clock may be set.
        return now + .milliseconds(min(left, 60_000))
    }

    /// Whether a stream that shows entities of `types`, its own type first, may go on. One atomic
    /// load where nothing has happened.
    mutating func verdict(types: some Sequence<TypeName>) -> Verdict {
        switch control.standing(of: caller) {
        case .same: return .holds
        case .expired: return .ended(reason: "token-expired")
        case .revoked: return .ended(reason: "access")
        case .changed(let changed):
            caller = changed
            for type in types where changed.rights.of(type).read == .none {
                return .ended(reason: "access")
            }
            return .changed
        }
    }

    /// Why what administrators alone may see ends; nil while it may go on. One atomic load where nothing
    /// has happened.
    mutating func administrationEnd() -> String? {
        if holds { return nil }
        switch verdict(types: []) {
        case .holds: return nil
        case .ended(let reason): return reason
        case .changed: return caller.rights.isAdmin ? nil : "access"
        }
    }

    /// What queries of `type` are restricted to now.
    func rule(of type: TypeName) -> Filter? { caller.rights.of(type).read.filter }
}
