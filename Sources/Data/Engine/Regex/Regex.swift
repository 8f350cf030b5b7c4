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
///
/// A text that takes longer than who asks has patience for is undecided. That says nothing of any
/// other text: the next one is matched as if nothing had been.
// SAFETY: all but the slots is constant after init. An automaton is in one slot or in the hands of
// the one thread that exchanged it out; acquire and release order its contents between them.
package final class Regex: @unchecked Sendable {
    private let program: RegexProgram
    private let literals: RegexLiterals
    private let isAnchored: Bool
    /// What a stored string must have, whatever is escaped in it.
    private let plain: [LiteralSearch]
    /// The position of the rarest of each.
    private let rarest: Int
    private let rarestPlain: Int
    private let room: RegexRoom

    private typealias Slot = Atomic<UnsafeMutableRawPointer?>
    private static let slotCount = 4
    /// Owned automatons, retained once each.
    private let slots: UnsafeMutablePointer<Slot>

    /// Compiles `pattern`, whose grammar is that of `~=` in the HTTP contract.
    ///
    /// - Parameter pattern: At most 16 KiB.
    /// - Complexity: O(bytes + states), at most 10,000 states.
    package convenience init(_ pattern: String) throws(RegexFault) {
        try self.init(pattern, room: .shared)
    }

    /// - Parameter room: Bounds what is kept between texts.
    init(_ pattern: String, room: RegexRoom) throws(RegexFault) {
        let node = try RegexParser.parse(pattern)
        program = try RegexCompiler.compile(node)
        literals = RegexLiterals(node)
        isAnchored = node.isAnchored
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

    /// Bytes of what was compiled; what automatons learn of texts is `RegexRoom`'s.
    var compiledSize: Int {
        MemoryLayout<RegexState>.stride * program.states.count
            + MemoryLayout<RegexTransition>.stride * program.transitions.count
    }

    /// Whether the expression is found anywhere in `text`.
    ///
    /// - Parameters:
    ///   - text: Valid UTF-8.
    ///   - patience: Visits of states that may be made, about 5 ns each; those made are taken off.
    ///     May end a few below zero. Bytes are not in it.
    /// - Returns: nil where the patience did not suffice.
    /// - Complexity: O(bytes) where the automaton knows the text's states, about 1–2 ns a byte,
    ///   0.5 ns where a literal is missing; at worst O(bytes × states), which the patience ends.
    func verdict(_ text: UnsafeRawBufferPointer, patience: inout Int) -> Bool? {
        guard let start = begin(of: text) else { return false }
        return verdict(text, foundAt: start, &patience)
    }

    /// Whether the expression is found anywhere in a stored string.
    ///
    /// - Parameters:
    ///   - contents: What stands between the quotes, canonical. Without a backslash it is the text
    ///     itself; otherwise it is unescaped into the automaton's own memory.
    ///   - patience: As above.
    package func verdict(
        contents: UnsafeRawBufferPointer, patience: inout Int
    ) -> Bool? {
        // Most texts end here: a literal that escapes leave alone is missing.
        guard let place = RegexLiterals.place(of: plain, rarest: rarestPlain, in: contents) else {
            return false
        }
        guard JSONText.hasEscapes(contents) else {
            guard plain.count == literals.runs.count else {
                return verdict(contents, patience: &patience)
            }
            return verdict(contents, foundAt: place, &patience)
        }
        let automaton = take()
        defer { put(automaton) }
        automaton.scratch.removeAll()
        JSONText.unescape(contents, into: &automaton.scratch)
        let text = automaton.scratch.bytes
        guard let start = begin(of: text) else { return false }
        if literals.isWhole { return true }
        return search(automaton, text, from: start, patience: &patience)
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
    private func verdict(
        _ text: UnsafeRawBufferPointer, foundAt place: Int, _ patience: inout Int
    ) -> Bool? {
        if literals.isWhole { return true }
        let automaton = take()
        defer { put(automaton) }
        let start = literals.hasPrefix && !isAnchored ? place : 0
        return search(automaton, text, from: start, patience: &patience)
    }

    private func search(
        _ automaton: RegexAutomaton, _ text: UnsafeRawBufferPointer, from start: Int,
        patience: inout Int
    ) -> Bool? {
        let visited = automaton.visits
        let isFound = automaton.search(text, from: start, patience: max(0, patience))
        patience -= automaton.visits - visited
        return isFound
    }

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
