import FreshetBase

/// The deterministic automaton of a program, built as texts need it.
///
/// A state of it is a set of the program's states: all those that some reading of the text so far
/// ends in. From a set and a byte the next set follows, at a cost of at most the program's size;
/// it is kept in a table, so most bytes cost one load. What is kept is bounded
/// (`RegexLimits.cacheBytes`): a full table is emptied, and where it fills again within a few
/// bytes for each state, the rest of the text is matched without it, set by set. Either way a byte
/// costs at most one pass over the program: no pattern and text take more than
/// O(text × program).
///
/// **Assertions** look at the bytes on both sides of a place, and the one behind it is not yet
/// known when a set is made. So a set keeps its assertions open, together with what the last byte
/// was (nothing, part of a word, another), and the step over the next byte, or over the end of
/// the text, first walks through those that hold. A program without assertions skips this, and
/// its match is known one byte earlier.
///
/// The rows of the table have a column for each class of bytes and one for the end of the text.
/// Its cells are rows, multiplied by their width, or -1 where not yet known.
///
/// One thread at a time uses an automaton; `Regex` sees to that.
final class RegexAutomaton {
    /// What the byte before a place was.
    private enum Before: Int32 {
        case nothing, word, other
    }

    /// A text that the program matches; a text it cannot match whatever follows.
    private static let deadRow: Int32 = 0
    private static let matchRow: Int32 = 1

    private let program: RegexProgram
    private let width: Int
    private let endColumn: Int
    /// The class of each of the 256 bytes.
    private let classes: UnsafeMutablePointer<UInt8>
    /// Cells; as many rows as `keys` has.
    private var table: UnsafeMutablePointer<Int32>
    private var tableRows: Int
    /// A row's set, in order, and behind it what the byte before was.
    private var keys: [[Int32]] = []
    private var rows: [[Int32]: Int32] = [:]
    private var keptBytes = 0
    /// Rows of the start, by what was before; -1 where not yet made.
    private var starts: (Int32, Int32, Int32) = (-1, -1, -1)
    private let cacheBytes: Int

    /// The set in the making: members in order of arrival, and where each stands.
    private var members: [Int32] = []
    private var places: [Int32]
    private var walk: [Int32] = []

    /// States visited and bytes read since the start: what tests of linearity count.
    private(set) var work = 0
    /// Times that the table was emptied, and texts that were finished without it.
    private(set) var flushes = 0
    private(set) var fallbacks = 0

    /// Room for a text without its escapes.
    var scratch = ByteBuffer(capacity: 256)

    init(_ program: RegexProgram, cacheBytes: Int = RegexLimits.cacheBytes) {
        self.program = program
        self.cacheBytes = cacheBytes
        width = program.representatives.count + 1
        endColumn = width - 1
        tableRows = 8
        table = .allocate(capacity: tableRows * width)
        classes = .allocate(capacity: 256)
        classes.initialize(from: program.classes, count: 256)
        places = [Int32](repeating: 0, count: program.states.count)
        empty()
    }

    deinit {
        table.deallocate()
        classes.deallocate()
    }

    // MARK: Matching

    /// Whether the program matches in `text` at or behind `start`, a scalar's place.
    func matches(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
        guard let bytes = text.baseAddress else { return atEnd(of: startRow(.nothing)) }
        let before: Before =
            start == 0 || !program.usesAssertions
            ? .nothing : RegexProgram.isWord(text[start - 1]) ? .word : .other
        let match = Int32(width)
        let row = startRow(before)
        if row == match { return true }
        var index = start
        var lastFlush = start
        var current = row
        work += text.count - start
        while true {
            let (place, last) = run(bytes, from: index, to: text.count, row: current)
            current = last
            if current <= match { return current == match }
            index = place
            guard index < text.count else { return atEnd(of: current) }
            // The cell is not known yet.
            let flushesBefore = flushes
            let rowsBefore = keys.count
            current = step(current, Int(classes[Int(text[index])]))
            if current <= match { return current == match }
            if flushes != flushesBefore {
                if index - lastFlush < 8 * rowsBefore {
                    fallbacks += 1
                    return simulate(key: keys[Int(current) / width], text, from: index + 1)
                }
                lastFlush = index
            }
            index += 1
        }
    }

    /// Follows known cells from `row`, up to `end`, an unknown one, or one that decides.
    ///
    /// - Returns: Where the text was left, and the row there; the row that decides, if one did.
    @inline(__always)
    private func run(
        _ bytes: UnsafeRawPointer, from start: Int, to end: Int, row: Int32
    ) -> (index: Int, row: Int32) {
        // Copies, or each byte would load them anew.
        let table = UnsafePointer(table)
        let classes = UnsafePointer(classes)
        let match = Int32(truncatingIfNeeded: width)
        var index = start
        var row = row
        while index < end {
            let byte = bytes.load(fromByteOffset: index, as: UInt8.self)
            let next = table[Int(row) &+ Int(classes[Int(byte)])]
            if next <= match {
                return next < 0 ? (index, row) : (index, next)
            }
            row = next
            index &+= 1
        }
        return (index, row)
    }

    private func atEnd(of row: Int32) -> Bool {
        guard row > Int32(width) else { return row == Int32(width) }
        guard program.usesAssertions else { return false }
        var next = table[Int(row) + endColumn]
        if next < 0 { next = step(row, endColumn) }
        return next == Int32(width)
    }

    /// Goes on without the table.
    private func simulate(
        key: [Int32], _ text: UnsafeRawBufferPointer, from start: Int
    ) -> Bool {
        var current = key
        var index = start
        while index < text.count {
            switch successor(of: current, column: Int(classes[Int(text[index])])) {
            case .dead: return false
            case .match: return true
            case .set(let next): current = next
            }
            index += 1
        }
        guard program.usesAssertions else { return false }
        if case .match = successor(of: current, column: endColumn) { return true }
        return false
    }

    // MARK: Rows

    private func empty() {
        keys.removeAll(keepingCapacity: true)
        rows.removeAll(keepingCapacity: true)
        keptBytes = 0
        starts = (-1, -1, -1)
        // No program state is negative: these keys are nobody's.
        _ = addRow([-1])
        _ = addRow([-2])
    }

    private func addRow(_ key: [Int32]) -> Int32 {
        let row = keys.count
        if row == tableRows {
            let larger = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * tableRows * width)
            larger.update(from: table, count: tableRows * width)
            table.deallocate()
            table = larger
            tableRows *= 2
        }
        for column in 0..<width { table[row * width + column] = -1 }
        keys.append(key)
        let cell = Int32(row * width)
        rows[key] = cell
        // The cells, the set, and about as much again for what holds them.
        keptBytes += 4 * width + 8 * key.count + 96
        return cell
    }

    private func startRow(_ before: Before) -> Int32 {
        switch before {
        case .nothing where starts.0 >= 0: return starts.0
        case .word where starts.1 >= 0: return starts.1
        case .other where starts.2 >= 0: return starts.2
        default: break
        }
        clear()
        let cell: Int32
        if visit(program.start, holding: nil) {
            cell = Self.matchRow * Int32(width)
        } else {
            cell = row(for: name(before))
        }
        switch before {
        case .nothing: starts.0 = cell
        case .word: starts.1 = cell
        case .other: starts.2 = cell
        }
        return cell
    }

    private func row(for key: [Int32]) -> Int32 {
        if let known = rows[key] { return known }
        if keptBytes > cacheBytes {
            flushes += 1
            empty()
        }
        return addRow(key)
    }

    /// Makes the cell of a row and a column.
    private func step(_ row: Int32, _ column: Int) -> Int32 {
        let flushesBefore = flushes
        let next: Int32
        switch successor(of: keys[Int(row) / width], column: column) {
        case .dead: next = Self.deadRow * Int32(width)
        case .match: next = Self.matchRow * Int32(width)
        case .set(let key): next = self.row(for: key)
        }
        if flushes == flushesBefore { table[Int(row) + column] = next }
        return next
    }

    // MARK: Sets

    private enum Successor {
        case dead, match
        case set([Int32])
    }

    /// The set behind `key` and a byte of the column's class, or the end of the text.
    private func successor(of key: [Int32], column: Int) -> Successor {
        var sources = key
        let lastByte = sources.removeLast()
        let isEnd = column == endColumn
        let byte = isEnd ? 0 : program.representatives[column]
        let isWord = !isEnd && RegexProgram.isWord(byte)
        if program.usesAssertions {
            let before = Before(rawValue: lastByte) ?? .other
            let place = Place(
                isStart: before == .nothing, isEnd: isEnd, isBoundary: (before == .word) != isWord)
            clear()
            for source in sources where visit(source, holding: place) { return .match }
            sources = members
        }
        if isEnd { return .dead }
        clear()
        for source in sources {
            work += 1
            guard let target = target(of: Int(source), byte) else { continue }
            if visit(target, holding: nil) { return .match }
        }
        guard !members.isEmpty else { return .dead }
        return .set(name(program.usesAssertions ? (isWord ? .word : .other) : .nothing))
    }

    /// Where `byte` leads from a state of bytes; nil from all others.
    private func target(of state: Int, _ byte: UInt8) -> Int32? {
        guard program.states[state].kind == .bytes else { return nil }
        var low = Int(program.states[state].first)
        let end = low + Int(program.states[state].count)
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if program.transitions[middle].high < byte { low = middle + 1 } else { high = middle }
        }
        guard low < end, program.transitions[low].low <= byte else { return nil }
        return program.transitions[low].target
    }

    private func clear() {
        members.removeAll(keepingCapacity: true)
    }

    private func isMember(_ state: Int32) -> Bool {
        let place = Int(places[Int(state)])
        return place < members.count && members[place] == state
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
    private func visit(_ state: Int32, holding place: Place?) -> Bool {
        walk.append(state)
        while let state = walk.popLast() {
            guard !isMember(state) else { continue }
            work += 1
            places[Int(state)] = Int32(members.count)
            members.append(state)
            let step = program.states[Int(state)]
            switch step.kind {
            case .bytes:
                break
            case .split:
                walk.append(step.other)
                walk.append(step.out)
            case .assertion:
                if let place, place.holds(step.assertion) { walk.append(step.out) }
            case .match:
                walk.removeAll(keepingCapacity: true)
                return true
            }
        }
        return false
    }

    /// The name of the set in the making: those members that a byte or an assertion leaves.
    private func name(_ before: Before) -> [Int32] {
        var key = members.filter { program.states[Int($0)].kind != .split }
        key.sort()
        key.append(before.rawValue)
        return key
    }
}
