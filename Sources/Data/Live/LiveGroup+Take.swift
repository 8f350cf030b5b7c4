import FreshetBase
import FreshetEngine
import FreshetQuery

// What one subscriber finds: the rules of live.md section 5, in its order.
//
// The same routine serves who has just come, who comes back with a cursor, and who could not be
// written to for a while: each has a seq at which it holds the exact answer, or nothing.

extension LiveGroup {
    private static let frameCapacity = 8

    /// What the set has to do for a group that was asked.
    struct Errand {
        /// The subscriber must be told once this seq is routed.
        var awaited: UInt64?
        /// The group holds encoded bytes that somebody must let go of.
        var mustTend = false
    }

    /// - Parameters:
    ///   - published: All commits through it are routed.
    ///   - configured: Cursors before it are of queries that meant something else.
    func news(
        for membership: LiveMembership, published: UInt64, configured: UInt64,
        _ history: ChangeHistory, _ errand: inout Errand
    ) -> LiveNews {
        withState { state in
            defer {
                if state.isUsed, !state.isTended {
                    state.isTended = true
                    errand.mustTend = true
                }
            }
            if let failure = state.failure { return .failed(failure) }
            guard let exactSeq = state.exactSeq, !state.needsEvaluation(form) else {
                state.isAwaited = true
                // Also where it comes to nothing new: who asks may wait for just that.
                membership.awaitsEvaluation = true
                // Where changes come faster than it is evaluated, each answer is out of date by the time at
                // which it is taken: it is exact at an earlier seq, and newer than what is held. A window
                // that is followed is not: it has run short at some later one.
                guard form != .followed, state.isSlow, state.isStale, state.exactSeq != nil,
                    case .at(let version) = membership.position, state.version > version
                else { return .pending }
                return step(
                    &state, membership, from: version, orLater: false, state.knownThrough)
            }
            let exact = max(exactSeq, published)
            switch membership.position {
            case .at(let version):
                guard state.version != version else { return .current(through: exact) }
                return step(&state, membership, from: version, orLater: false, exact)
            case .fresh(_, let seq) where seq > exact:
                errand.awaited = seq
                return .pending
            case .fresh where membership.holding != nil && configured == LiveSet.onItsWay:
                // The change of meaning has yet to get its place among the commits.
                errand.awaited = exact + 1
                return .pending
            case .fresh where membership.holding != nil:
                return carryOver(&state, membership: membership, exact: exact, history: history)
            case .fresh(.nothing, _):
                return snapshot(&state, membership: membership, why: .initial, exact: exact)
            case .fresh(.otherEpoch, _):
                return snapshot(&state, membership: membership, why: .epoch, exact: exact)
            case .fresh(.future, _):
                return snapshot(&state, membership: membership, why: .rewind, exact: exact)
            case .fresh(.shown(let digest, let why), _):
                // No event that it has had is of a later seq.
                membership.told = exact
                return isShown(digest, state) && digestTellsOrder
                    ? sync(&state, membership, exact)
                    : snapshot(&state, membership: membership, why: why, exact: exact)
            case .fresh(.cursor(let seq, let digest), _):
                guard seq <= exact else {
                    errand.awaited = seq
                    return .pending
                }
                return resume(
                    &state, membership: membership, from: seq, digest: digest, exact: exact,
                    configured: configured, history: history)
            case .fresh(.cut(let seq, let told), _):
                guard seq <= exact else {
                    errand.awaited = seq
                    return .pending
                }
                return resume(
                    &state, membership: membership, fromCut: seq, mayBeOthers: told != nil,
                    exact: exact, configured: configured, history: history)
            }
        }
    }

    /// How a subscriber stands to a cut.
    enum Settlement: Equatable {
        /// It holds what is exact at its seq, and nothing newer.
        case settled
        /// It has not taken the newest state, or that is not known.
        case late
        /// What it holds is exact at this seq, which lies behind.
        case ahead(UInt64)
    }

    /// How `membership` stands to a cut at `seq`, all commits through which are routed.
    ///
    /// - Parameter isAwaited: It is told of the next evaluation, where that must come first. It is
    ///   `ahead` once for each seq.
    func settle(_ membership: LiveMembership, at seq: UInt64, isAwaited: Bool) -> Settlement {
        withState { state in
            guard case .at(let version) = membership.position, state.failure == nil else {
                return .late
            }
            guard let exactSeq = state.exactSeq, !state.needsEvaluation(form) else {
                if isAwaited {
                    state.isAwaited = true
                    membership.awaitsEvaluation = true
                }
                return .late
            }
            guard version == state.version else { return .late }
            let exact = max(version, exactSeq, membership.told)
            guard exact > seq else { return .settled }
            guard exact > membership.awaitedSeq else { return .late }
            if isAwaited { membership.awaitedSeq = exact }
            return .ahead(exact)
        }
    }

    // MARK: Who comes back

    private func resume(
        _ state: inout State, membership: LiveMembership, from seq: UInt64, digest: UInt64?,
        exact: UInt64, configured: UInt64, history: ChangeHistory
    ) -> LiveNews {
        membership.told = seq
        let isShown = isShown(digest, state)
        if isShown, digestTellsOrder { return sync(&state, membership, exact) }
        // What the query meant then is not what it means now.
        guard isShown || seq >= configured else {
            return snapshot(&state, membership: membership, why: .schema, exact: exact)
        }
        if form != .whole {
            if state.window?.trail.covers(seq) == false {
                extendTrail(&state, to: seq, exact, history)
            }
            let delta = state.changes(since: seq, orLater: false, withOld: false)
            // A digest that differs where nothing has changed: the client held something else, as
            // the answer under another row rule.
            if let delta, delta.isEmpty, isShown || digest == nil {
                return sync(&state, membership, exact)
            }
            if membership.mode == .delta, let delta, !delta.isEmpty {
                return step(&state, membership, from: seq, orLater: false, exact)
            }
        }
        if form == .whole || include != nil, digest == nil,
            isUntouched(state, since: seq, exact, history)
        {
            return sync(&state, membership, exact)
        }
        return snapshot(&state, membership: membership, why: .retention, exact: exact, from: seq)
    }

    /// The same for a client that holds the state of `seq` or one behind it. That what has come
    /// since has gone again is nothing new to the first, and news to the others; so it is told
    /// unless nothing has happened at all.
    ///
    /// - Parameter mayBeOthers: Another server may have told it, of states that were passed over here.
    private func resume(
        _ state: inout State, membership: LiveMembership, fromCut seq: UInt64, mayBeOthers: Bool,
        exact: UInt64, configured: UInt64, history: ChangeHistory
    ) -> LiveNews {
        // No event that it has had is of a later seq.
        membership.told = exact
        guard seq >= configured else {
            return snapshot(&state, membership: membership, why: .schema, exact: exact)
        }
        var isCovered = form != .whole && state.window?.trail.covers(seq) == true
        if !isCovered, form != .whole { extendTrail(&state, to: seq, exact, history) }
        // What this window has passed over, another one has followed: that of another server, or the one
        // that was here before.
        if mayBeOthers || !isCovered {
            isCovered = include == nil && state.window?.trail.coversAll(from: seq) == true
        }
        if isCovered ? state.version <= seq : isUntouched(state, since: seq, exact, history) {
            return sync(&state, membership, exact)
        }
        guard membership.mode == .delta, isCovered else {
            return snapshot(
                &state, membership: membership, why: .retention, exact: exact, from: seq)
        }
        return step(&state, membership, from: seq, orLater: true, exact)
    }

    /// Whether a client that has shown what has this digest shows the same rows.
    private func isShown(_ digest: UInt64?, _ state: borrowing State) -> Bool {
        digest == state.digest
    }

    /// The digest of a whole answer is that of its bytes.
    private var digestTellsOrder: Bool { form == .whole || content.digestTellsOrder }

    private func sync(
        _ state: inout State, _ membership: LiveMembership, _ exact: UInt64
    ) -> LiveNews {
        membership.position = .at(state.version)
        return .sync(through: exact, digest: state.digest)
    }

    func windowChange(_ change: Change, wasIn: Bool, isIn: Bool) -> WindowChange {
        WindowChange(
            seq: change.seq, old: change.old, new: change.new, wasIn: wasIn, isIn: isIn,
            reason: wasIn && !isIn ? reason(of: change.new) : .unmatched)
    }

    /// Why a row does not match any more that is `document` now.
    func reason(of document: Document?) -> RemovalReason {
        guard let document else { return .deleted }
        guard let rule = template.rule,
            rule.matches(document, patience: FilterEvaluator.shortPatience) != true
        else { return .unmatched }
        return .forbidden
    }

    // MARK: Who comes over from another query

    /// What the client of `membership` holds, for the query that takes its place: a cursor is of the
    /// rows of this one.
    func resume(of membership: LiveMembership, else why: LiveWhy) -> LiveResume {
        withState { _ in
            switch membership.position {
            case .at: .shown(digest: nil, else: why)
            case .fresh(let resume, _): resume.asShown(else: why)
            }
        }
    }

    /// What the subscriber of another query holds, if that can be told: it has taken the newest
    /// state, so that it holds what is shown.
    func holding(of membership: LiveMembership, published: UInt64) -> LiveHolding? {
        withState { state in
            guard state.failure == nil, case .at(let version) = membership.position,
                version == state.version, let exact = state.exactSeq
            else { return nil }
            let known = state.isStale ? state.knownThrough : max(exact, published)
            return LiveHolding(
                rows: state.window?.shown.map(\.document) ?? [], total: state.window?.total,
                digest: state.unrowedDigest, version: membership.told,
                exact: max(known, version))
        }
    }

    /// The step from what another query showed to what this one shows. Why a row has gone follows
    /// from what it is now, which is what was held unless the history tells of a change since.
    private func carryOver(
        _ state: inout State, membership: LiveMembership, exact: UInt64,
        history: ChangeHistory
    ) -> LiveNews {
        guard let holding = membership.holding else {
            return snapshot(&state, membership: membership, why: .update, exact: exact)
        }
        if isHeld(holding, state) {
            membership.holding = nil
            membership.position = .at(state.version)
            membership.told = holding.version
            return .current(through: exact)
        }
        // A client passes over a delta that brings it to no later version.
        guard membership.mode == .delta, include == nil, let window = state.window,
            exact > holding.version
        else {
            let news = snapshot(&state, membership: membership, why: .update, exact: exact)
            if case .pending = news { return news }
            membership.holding = nil
            return news
        }
        membership.holding = nil
        guard
            let past = history.changes(
                of: [type], after: holding.exact, through: exact, within: historyBounds)
        else { return snapshot(&state, membership: membership, why: .retention, exact: exact) }
        var present: [EntityID: Document?] = [:]
        // Newest first.
        for change in past {
            guard let id = (change.new ?? change.old)?.id, present[id] == nil else { continue }
            present.updateValue(change.new, forKey: id)
        }
        membership.position = .at(state.version)
        let changes = window.changes(since: holding, withOld: membership.wantsOldValues) { gone in
            guard let now = present[gone.id] ?? gone else { return .deleted }
            return matcher.matches(now) == true ? .displaced : reason(of: now)
        }
        membership.told = exact
        return .delta(
            LiveDelta(changes, from: holding.version, to: exact, digest: window.digest, content))
    }

    /// Whether what is shown is what the client holds, row for row.
    private func isHeld(_ holding: LiveHolding, _ state: borrowing State) -> Bool {
        guard holding.digest == state.unrowedDigest else { return false }
        guard let window = state.window else { return holding.rows.isEmpty }
        return window.changes(since: holding) { _ in .unmatched }.isEmpty
    }

    // MARK: One step on

    /// A delta where that is wanted, known and smaller; else a snapshot.
    ///
    /// - Parameter orLater: The client holds the state of `seq` or one behind it.
    private func step(
        _ state: inout State, _ membership: LiveMembership, from seq: UInt64, orLater: Bool,
        _ exact: UInt64
    ) -> LiveNews {
        guard membership.mode == .delta, form != .whole else {
            return snapshot(&state, membership: membership, why: .update, exact: exact)
        }
        let to = state.version
        let withOld = membership.wantsOldValues
        state.isUsed = true
        state.frames.removeAll { $0.to != to }
        if let known = state.frames.first(where: {
            $0.from == seq && $0.orLater == orLater && $0.withOld == withOld
        }) {
            guard let delta = known.delta else {
                return snapshot(&state, membership: membership, why: .update, exact: exact)
            }
            membership.position = .at(to)
            // A client that was ahead of its cursor may have had an event of a later seq.
            membership.told = max(membership.told, to)
            return .delta(delta)
        }
        guard let window = state.window,
            let changes = state.changes(since: seq, orLater: orLater, withOld: withOld)
        else { return snapshot(&state, membership: membership, why: .retention, exact: exact) }
        if changes.isEmpty {
            // What came has gone again.
            membership.position = .at(to)
            return .current(through: exact)
        }
        let delta = LiveDelta(changes, from: seq, to: to, digest: state.digest, content)
        let isSmaller = isSmaller(delta, than: window, with: state.included?.current)
        if state.frames.count == Self.frameCapacity { state.frames.removeFirst() }
        state.frames.append(
            Frame(
                orLater: orLater, withOld: withOld, from: seq, to: to,
                delta: isSmaller ? delta : nil))
        guard isSmaller else {
            return snapshot(&state, membership: membership, why: .update, exact: exact)
        }
        membership.position = .at(to)
        membership.told = max(membership.told, to)
        return .delta(delta)
    }

    /// Whether a delta has no more bytes than the snapshot: what it has besides the rows that it
    /// puts, against the rows that it does not. It mostly takes one or two of those to know.
    private func isSmaller(
        _ delta: LiveDelta, than window: borrowing Window, with included: LiveIncluded?
    ) -> Bool {
        // What stands around the rows of a snapshot.
        var rest = delta.ownBytes - 90 - (included?.bytes ?? 0)
        for row in window.shown where rest > 0 && row.bodyAt <= delta.from {
            rest -= content.size(of: row.document) + 1
        }
        return rest <= 0
    }

    private func snapshot(
        _ state: inout State, membership: LiveMembership, why: LiveWhy, exact: UInt64,
        from seq: UInt64 = 0
    ) -> LiveNews {
        state.isUsed = true
        var result: LiveResult
        if form == .whole {
            guard let kept = state.whole.result else {
                state.whole.isWanted = true
                return .pending
            }
            result = kept
        } else if let kept = state.snapshot, kept.seq >= seq {
            result = kept
        } else if let window = state.window {
            guard let made = self.snapshot(of: window, state.included, at: exact) else {
                return .failed(.snapshotTooLarge(limit: template.snapshotBytes))
            }
            result = made
            state.snapshot = result
        } else {
            return .pending
        }
        // Encoded for an earlier one who came, it is told as what it is now: what a client was
        // answered before it asked has a seq that the snapshot must reach.
        if result.seq < exact {
            result = result.moved(to: exact)
            if form == .whole { state.whole.result = result } else { state.snapshot = result }
        }
        membership.position = .at(state.version)
        membership.told = result.seq
        return .snapshot(result, why: why)
    }
}

extension LiveGroup.State {
    /// The seq at which what is shown has changed last.
    var version: UInt64 { window?.trail.newest ?? whole.version }

    var digest: UInt64 {
        guard let window else { return whole.digest }
        return window.digest ^ (included?.digest ?? 0)
    }

    /// Of what is shown beside the rows of a window: of the whole answer, or of what is included.
    var unrowedDigest: UInt64 { window == nil ? whole.digest : included?.digest ?? 0 }

    /// What has changed since `seq`, nil where that is not known any more.
    func changes(since seq: UInt64, orLater: Bool, withOld: Bool) -> NetDelta? {
        guard var delta = window?.changes(since: seq, orLater: orLater, withOld: withOld) else {
            return nil
        }
        if let included, !included.add(to: &delta, since: seq, orLater: orLater) { return nil }
        return delta
    }
}
