/// A set of a program's states, and how it goes on over a byte: the nondeterministic automaton,
/// all readings of the text at once. A step takes at most one visit of each state.
///
/// Sets are lists of states with, for each state, its place in the list, so that to clear one and
/// to ask for a member takes no time (the sparse sets of Briggs and Torczon).
final class RegexStateSet {
    /// What the byte before a place was.
    enum Before: Int32 {
        case nothing, word, other
    }

    enum Outcome {
        /// Whatever follows, there is no match.
        case dead
        case match
        case open
    }

    private let states: UnsafeMutablePointer<RegexState>
    private let transitions: UnsafeMutablePointer<RegexTransition>
    private let usesAssertions: Bool

    /// The set: states that a byte or an assertion leaves, in order of arrival.
    private let current: UnsafeMutablePointer<Int32>
    private var currentCount = 0
    private(set) var before = Before.nothing

    /// The set in the making, with all that were passed on the way.
    private let members: UnsafeMutablePointer<Int32>
    private let places: UnsafeMutablePointer<Int32>
    private var memberCount = 0
    /// States still to be visited: each adds at most two, once.
    private let walk: UnsafeMutablePointer<Int32>

    /// States visited since the start.
    private(set) var visits = 0

    init(_ program: RegexProgram) {
        let count = program.states.count
        states = .allocate(capacity: count)
        states.initialize(from: program.states, count: count)
        transitions = .allocate(capacity: max(1, program.transitions.count))
        transitions.initialize(from: program.transitions, count: program.transitions.count)
        usesAssertions = program.usesAssertions
        current = .allocate(capacity: count)
        members = .allocate(capacity: count)
        places = .allocate(capacity: count)
        places.initialize(repeating: 0, count: count)
        walk = .allocate(capacity: 2 * count + 2)
    }

    deinit {
        states.deallocate()
        transitions.deallocate()
        current.deallocate()
        members.deallocate()
        places.deallocate()
        walk.deallocate()
    }

    /// Becomes the set at the start of a match attempt.
    func start(at state: Int32, before: Before) -> Outcome {
        memberCount = 0
        if visit(state, holding: nil) { return .match }
        self.before = before
        keep()
        return .open
    }

    /// The set as a key: its states in order, and what was before.
    var key: [Int32] {
        var key = Array(UnsafeBufferPointer(start: current, count: currentCount))
        key.sort()
        key.append(before.rawValue)
        return key
    }

    /// Becomes the set that `key` was made of.
    func load(_ key: [Int32]) {
        guard let last = key.last else { return }
        before = Before(rawValue: last) ?? .other
        currentCount = key.count - 1
        for index in 0..<currentCount { current[index] = key[index] }
    }

    /// Goes on over `byte`, or the end of the text where it is nil.
    func advance(over byte: UInt8?) -> Outcome {
        let isWord = byte.map(RegexProgram.isWord) ?? false
        if usesAssertions {
            let place = Place(
                isStart: before == .nothing, isEnd: byte == nil,
                isBoundary: (before == .word) != isWord)
            memberCount = 0
            for index in 0..<currentCount where visit(current[index], holding: place) {
                return .match
            }
            keep()
            before = isWord ? .word : .other
        }
        guard let byte else { return .dead }
        memberCount = 0
        visits += currentCount
        for index in 0..<currentCount {
            let target = target(of: states[Int(current[index])], byte)
            if target >= 0, visit(target, holding: nil) { return .match }
        }
        keep()
        return currentCount == 0 ? .dead : .open
    }

    /// Where `byte` leads from a state of bytes; -1 from all others.
    @inline(__always)
    private func target(of state: RegexState, _ byte: UInt8) -> Int32 {
        guard state.kind == .bytes else { return -1 }
        var low = Int(state.first)
        let end = low + Int(state.count)
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].high < byte { low = middle + 1 } else { high = middle }
        }
        guard low < end, transitions[low].low <= byte else { return -1 }
        return transitions[low].target
    }

    /// Makes the members that a byte or an assertion leaves the set.
    private func keep() {
        let count = memberCount
        var kept = 0
        for index in 0..<count where states[Int(members[index])].kind != .split {
            current[kept] = members[index]
            kept += 1
        }
        currentCount = kept
    }

    /// What is known of a place between two bytes.
    private struct Place {
        let isStart: Bool
        let isEnd: Bool
        let isBoundary: Bool

        func holds(_ assertion: RegexAssertion) -> Bool {
            switch assertion {
            case .textStart: isStart
            case .textEnd: isEnd
            case .wordBoundary: isBoundary
            case .noWordBoundary: !isBoundary
            }
        }
    }

    /// Adds `state` and all that follows it without a byte, assertions only where `place` says
    /// that they hold.
    ///
    /// - Returns: Whether a match is among them.
    @inline(__always)
    private func visit(_ state: Int32, holding place: Place?) -> Bool {
        var count = memberCount
        let countBefore = count
        defer {
            visits += count - countBefore
            memberCount = count
        }
        walk[0] = state
        var waiting = 1
        while waiting > 0 {
            waiting -= 1
            let state = walk[waiting]
            let known = Int(places[Int(state)])
            if known < count, members[known] == state { continue }
            places[Int(state)] = Int32(truncatingIfNeeded: count)
            members[count] = state
            count += 1
            let step = states[Int(state)]
            switch step.kind {
            case .bytes:
                break
            case .split:
                walk[waiting] = step.other
                walk[waiting + 1] = step.out
                waiting += 2
            case .assertion:
                if let place, place.holds(step.assertion) {
                    walk[waiting] = step.out
                    waiting += 1
                }
            case .match:
                return true
            }
        }
        return false
    }
}
