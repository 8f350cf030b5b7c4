import FreshetBase
import FreshetJSON
import Synchronization

/// A regular expression that is found in a text in linear time, whatever both are.
///
/// The way of a text: a literal that every match has is looked for first; most texts lack it and
/// are done. Where every match begins with a literal, the automaton starts at its first place. The
/// automaton (`RegexAutomaton`) then reads every byte once.
///
/// An expression is immutable and shared by threads. The automaton is not: it learns. One is kept
/// in each of a few slots; a thread takes it out by one atomic exchange and puts it back by
/// another, and makes its own where others have them all. Two exchanges cost about 10 ns a text,
/// a lock would cost twice that and hold others up.
// SAFETY: all but the slots and the atomic counts is constant after init. An automaton is in one
// slot or in the hands of the one thread that exchanged it out; acquire and release order its
// contents between them.
package final class Regex: @unchecked Sendable {
    private let program: RegexProgram
    private let literals: RegexLiterals
    private let isAnchored: Bool
    /// What a stored string must have, whatever is escaped in it.
    private let plain: [LiteralSearch]
    /// The position of the rarest of each.
    private let rarest: Int
    private let rarestPlain: Int
    private let patience: Int
    private let room: RegexRoom
    private let visits = Atomic(0)
    private let exhausted = Atomic(false)

    private typealias Slot = Atomic<UnsafeMutableRawPointer?>
    private static let slotCount = 4
    /// Owned automatons, retained once each.
    private let slots: UnsafeMutablePointer<Slot>

    /// Compiles `pattern`, whose grammar is that of `~=` in the HTTP contract.
    ///
    /// - Parameter pattern: At most 16 KiB.
    /// - Complexity: O(bytes + states), at most 10,000 states.
    package convenience init(_ pattern: String) throws(RegexFault) {
        try self.init(pattern, patience: RegexLimits.patience)
    }

    /// - Parameters:
    ///   - patience: Visits of states that a text may take.
    ///   - room: Bounds what is kept between texts.
    init(
        _ pattern: String, patience: Int, room: RegexRoom = .shared
    ) throws(RegexFault) {
        let node = try RegexParser.parse(pattern)
        program = try RegexCompiler.compile(node)
        literals = RegexLiterals(node)
        isAnchored = node.isAnchored
        self.patience = patience
        self.room = room
        // An anchored automaton stops at the first byte that differs.
        plain = node.isAnchored ? [] : literals.plainRuns
        rarest = RegexLiterals.rarest(of: literals.runs)
        rarestPlain = RegexLiterals.rarest(of: plain)
        slots = .allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount { (slots + index).initialize(to: Slot(nil)) }
    }

    deinit {
        for index in 0..<Self.slotCount {
            if let kept = slots[index].exchange(nil, ordering: .acquiring) {
                Unmanaged<RegexAutomaton>.fromOpaque(kept).release()
            }
        }
        slots.deinitialize(count: Self.slotCount)
        slots.deallocate()
    }

    /// States of the compiled expression, at most 10,000.
    package var stateCount: Int { program.states.count }

    /// Whether the expression is found anywhere in `text`.
    ///
    /// - Parameter text: Valid UTF-8.
    /// - Complexity: O(bytes) where the automaton knows the text's states, about 1–2 ns a byte,
    ///   0.5 ns where a literal is missing; at worst O(bytes × states), which `patience` ends.
    package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let start = begin(of: text) else { return false }
        return matches(text, foundAt: start)
    }

    /// Whether the expression is found anywhere in a stored string.
    ///
    /// - Parameter contents: What stands between the quotes, canonical. Without a backslash it is
    ///   the text itself; otherwise it is unescaped into the automaton's own memory.
    package func matches(contents: UnsafeRawBufferPointer) -> Bool {
        // Most texts end here: a literal that escapes leave alone is missing.
        guard let place = RegexLiterals.place(of: plain, rarest: rarestPlain, in: contents) else {
            return false
        }
        guard JSONText.hasEscapes(contents) else {
            guard plain.count == literals.runs.count else { return matches(contents) }
            return matches(contents, foundAt: place)
        }
        let automaton = take()
        defer { put(automaton) }
        automaton.scratch.removeAll()
        JSONText.unescape(contents, into: &automaton.scratch)
        let text = automaton.scratch.bytes
        guard let start = begin(of: text) else { return false }
        return literals.isWhole || search(automaton, text, from: start)
    }

    /// Whether the expression is found in a stored string, for who judges each text by itself.
    ///
    /// Neither asks nor sets `isExhausted`: a text that takes too long is undecided, and the next
    /// one is matched as if nothing had been. So no text can spoil the expression for others.
    ///
    /// - Parameters:
    ///   - contents: What stands between the quotes, canonical.
    ///   - patience: Visits of states that may be made, about 5 ns each; those made are taken off.
    ///     May end a few below zero.
    /// - Returns: nil where the patience did not suffice.
    package func verdict(
        contents: UnsafeRawBufferPointer, patience: inout Int
    ) -> Bool? {
        guard RegexLiterals.place(of: plain, rarest: rarestPlain, in: contents) != nil else {
            return false
        }
        let automaton = take()
        defer { put(automaton) }
        var text = contents
        if JSONText.hasEscapes(contents) {
            automaton.scratch.removeAll()
            JSONText.unescape(contents, into: &automaton.scratch)
            text = automaton.scratch.bytes
        }
        guard let start = begin(of: text) else { return false }
        if literals.isWhole { return true }
        let visited = automaton.visits
        let isFound = automaton.search(text, from: start, patience: max(0, patience))
        patience -= automaton.visits - visited
        return isFound
    }

    /// Where the automaton may start; nil where the text lacks what every match has.
    private func begin(of text: UnsafeRawBufferPointer) -> Int? {
        if isAnchored { return 0 }
        guard let place = RegexLiterals.place(of: literals.runs, rarest: rarest, in: text) else {
            return nil
        }
        return literals.hasPrefix ? place : 0
    }

    /// - Parameter place: Where the first literal stands, if there is one; all are there.
    private func matches(_ text: UnsafeRawBufferPointer, foundAt place: Int) -> Bool {
        if literals.isWhole { return true }
        let automaton = take()
        defer { put(automaton) }
        return search(automaton, text, from: literals.hasPrefix && !isAnchored ? place : 0)
    }

    private func search(
        _ automaton: RegexAutomaton, _ text: UnsafeRawBufferPointer, from start: Int
    ) -> Bool {
        let visited = automaton.visits
        guard !isExhausted else { return false }
        let isFound = automaton.search(text, from: start, patience: patience)
        let effort = automaton.visits - visited
        if effort > 0 { visits.add(effort, ordering: .relaxed) }
        if isFound == nil { exhausted.store(true, ordering: .relaxed) }
        return isFound ?? false
    }

    // MARK: Effort

    /// Whether some text took more than `RegexLimits.patience`. From then on the expression matches
    /// nothing, and who relies on its answers says so: a search ends as one out of time.
    package var isExhausted: Bool { exhausted.load(ordering: .relaxed) }

    /// Visits of states so far, about 5 ns each, of all threads; bytes are not in it.
    package var effort: Int { visits.load(ordering: .relaxed) }

    // MARK: Automatons

    private func take() -> RegexAutomaton {
        for index in 0..<Self.slotCount {
            if let kept = slots[index].exchange(nil, ordering: .acquiring) {
                return Unmanaged<RegexAutomaton>.fromOpaque(kept).takeRetainedValue()
            }
        }
        return RegexAutomaton(program)
    }

    /// Text without its escapes for which an automaton keeps the room.
    private static let mostScratch = 64 << 10

    private func put(_ automaton: RegexAutomaton) {
        if automaton.scratch.count > Self.mostScratch { automaton.scratch.reset(capacity: 256) }
        guard room.count(automaton) else { return }
        let given = Unmanaged.passRetained(automaton).toOpaque()
        for index in 0..<Self.slotCount {
            let (done, _) = slots[index].compareExchange(
                expected: nil, desired: given, ordering: .releasing)
            if done { return }
        }
        Unmanaged<RegexAutomaton>.fromOpaque(given).release()
    }
}
