package import FreshetQuery

/// What the router does next, given what was committed: which changes make a batch, when groups are
/// evaluated, when the subscribers are told. Without a clock, a thread or a store; its driver has
/// those and calls `turn` again and again, one call at a time.
///
/// A turn routes a batch, has the stale groups evaluated on views of one seq, routes on through
/// exactly that seq, and publishes it: a cut at which every group is exact. Commits that the views
/// have seen and the router has not been told of yet are waited for.
///
/// Groups that were never evaluated are handed to `begin` instead, which has them searched
/// elsewhere: the router neither waits for them nor for the seq of their view. They hold what is
/// routed to them meanwhile (HeldChanges). So do those whose last search took long: the set keeps them for
/// who has one of them searched after the other (`LiveSet.takeSlow`).
package struct LiveRouter {
    package enum Progress: Equatable, Sendable {
        /// Nothing is left to do.
        case idle
        case more
        /// Goes on when it was told of the commits through this seq.
        case awaits(UInt64)
    }

    private let set: LiveSet
    /// Changes in commit order; those before `start` are routed.
    private var backlog: [Change] = []
    private var start = 0
    /// All commits through it were told.
    private var newest: UInt64 = 0
    /// Groups were evaluated at this seq, ahead of what is routed.
    private var target: UInt64?

    package init(_ set: LiveSet) {
        self.set = set
    }

    /// Whether every change that was taken is routed.
    package var hasRoutedAll: Bool { start == backlog.count }

    /// Takes whole commits, in their order.
    ///
    /// - Parameter newest: The last commit told of, whether it is among them or concerns nobody.
    package mutating func take(_ changes: [Change], newest: UInt64) {
        if start == backlog.count {
            backlog = changes
            start = 0
        } else {
            backlog.append(contentsOf: changes)
        }
        self.newest = max(self.newest, newest)
    }

    /// Takes note that changes through `newest` were lost: all groups look again.
    package mutating func skip(through newest: UInt64) {
        backlog = []
        start = 0
        self.newest = max(self.newest, newest)
        target = nil
        set.admit()
        set.invalidate(nil)
    }

    /// One turn.
    ///
    /// - Parameters:
    ///   - most: Changes of a batch, more where one commit has more.
    ///   - evaluatesAll: false puts off the evaluation of groups that were evaluated before.
    ///   - mostEvaluated: How many of them are evaluated in this turn; the others wait.
    ///   - begin: Has the first evaluations of groups begun, on views that are taken from now on;
    ///     nil has `evaluate` do those, too.
    ///   - evaluate: Evaluates groups on views of one seq, installs the outcomes, returns the seq.
    package mutating func turn(
        most: Int = 10_000, evaluatesAll: Bool = true, mostEvaluated: Int = .max,
        begin: (([LiveGroup]) -> Void)? = nil,
        evaluate: ([LiveGroup]) -> UInt64
    ) -> Progress {
        set.admit()
        if let begin {
            let first = set.takeStale(.new)
            if !first.isEmpty { begin(first) }
        }
        let catchesUp = target != nil
        var routed = route(most: catchesUp ? .max : most, through: target ?? .max)
        if !catchesUp {
            // With `begin`, groups that have come since wait for the next turn: nobody waits for the
            // first evaluation of another.
            let groups =
                begin == nil
                ? set.takeStale(evaluatesAll ? .all : .new)
                : evaluatesAll ? set.takeStale(.known, most: mostEvaluated) : []
            if !groups.isEmpty {
                let seq = evaluate(groups)
                target = seq
                routed = route(most: .max, through: seq)
            }
        }
        if let target, routed < target { return .awaits(target) }
        target = nil
        set.publish(through: routed)
        // What has become stale meanwhile was left for the next turn.
        let isBehind = catchesUp && (routed < newest || set.hasStale)
        return start < backlog.count || isBehind ? .more : .idle
    }

    /// Routes changes up to a seq, whole commits.
    ///
    /// - Returns: The seq through which all is routed.
    private mutating func route(most: Int, through seq: UInt64) -> UInt64 {
        var end = start
        while end < backlog.count, backlog[end].seq <= seq {
            if end - start >= most, backlog[end].seq != backlog[end - 1].seq { break }
            end += 1
        }
        let routed: UInt64
        if end == backlog.count {
            routed = min(newest, seq)
        } else {
            // What lies between two commits of the backlog concerns nobody.
            routed = min(backlog[end].seq - 1, seq)
        }
        if end > start { set.route(backlog[start..<end], through: routed) }
        start = end
        if start == backlog.count {
            backlog = []
            start = 0
        }
        return routed
    }
}
