import FreshetBase
import Synchronization

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

    private let states: RegexStateSet
    /// States visited to make sets, since the start.
    var visits: Int { states.visits }
    private(set) var bytesRead = 0
    /// Times that the table was emptied, and texts that were finished without it.
    private(set) var flushes = 0
    private(set) var fallbacks = 0

    /// Room for a text without its escapes.
    var scratch = ByteBuffer(capacity: 256)

    /// About what it keeps, beside `scratch`.
    var memory: Int {
        1_024 + 8 * program.states.count + 4 * width * tableRows + keptBytes
    }

    /// What `RegexRoom` has counted of it, which it gives back at its end.
    fileprivate(set) var counted = 0
    fileprivate var room: RegexRoom?

    init(_ program: RegexProgram, cacheBytes: Int = RegexLimits.cacheBytes) {
        self.program = program
        self.cacheBytes = cacheBytes
        width = program.representatives.count + 1
        endColumn = width - 1
        tableRows = 8
        table = .allocate(capacity: tableRows * width)
        classes = .allocate(capacity: 256)
        classes.initialize(from: program.classes, count: 256)
        states = RegexStateSet(program)
        empty()
    }

    deinit {
        room?.give(counted)
        table.deallocate()
        classes.deallocate()
    }

    // MARK: Matching

    /// Whether the program matches in `text` at or behind `start`, a scalar's place; nil where
    /// that took more than `patience` visits of states.
    func search(
        _ text: UnsafeRawBufferPointer, from start: Int, patience: Int = .max
    ) -> Bool? {
        guard let bytes = text.baseAddress else { return atEnd(of: startRow(.nothing)) }
        let before: RegexStateSet.Before =
            start == 0 || !program.usesAssertions
            ? .nothing : RegexProgram.isWord(text[start - 1]) ? .word : .other
        let match = Int32(width)
        let row = startRow(before)
        if row == match { return true }
        var index = start
        var lastFlush = start
        var current = row
        bytesRead += text.count - start
        let (limit, isEndless) = visits.addingReportingOverflow(patience)
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
            if visits > limit, !isEndless { return nil }
            if flushes != flushesBefore {
                if index - lastFlush < 8 * rowsBefore {
                    fallbacks += 1
                    return simulate(
                        from: current, text, at: index + 1, limit: isEndless ? .max : limit)
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
        from row: Int32, _ text: UnsafeRawBufferPointer, at start: Int, limit: Int
    ) -> Bool? {
        states.load(keys[Int(row) / width])
        var index = start
        while index < text.count {
            switch states.advance(over: text[index]) {
            case .dead: return false
            case .match: return true
            case .open: break
            }
            if states.visits > limit { return nil }
            index += 1
        }
        return program.usesAssertions && states.advance(over: nil) == .match
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

    private func startRow(_ before: RegexStateSet.Before) -> Int32 {
        switch before {
        case .nothing where starts.0 >= 0: return starts.0
        case .word where starts.1 >= 0: return starts.1
        case .other where starts.2 >= 0: return starts.2
        default: break
        }
        let isMatch = states.start(at: program.start, before: before) == .match
        let cell = isMatch ? Self.matchRow * Int32(width) : row(for: states.key)
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
        states.load(keys[Int(row) / width])
        switch states.advance(over: column == endColumn ? nil : program.representatives[column]) {
        case .dead: next = Self.deadRow * Int32(width)
        case .match: next = Self.matchRow * Int32(width)
        case .open: next = self.row(for: states.key)
        }
        if flushes == flushesBefore { table[Int(row) + column] = next }
        return next
    }
}

/// Bounds what automatons keep between texts: the expressions of all standing queries together. One for
/// which there is no room is made anew for its next text.
final class RegexRoom: Sendable {
    static let shared = RegexRoom(bytes: 64 << 20)

    private let bytes: Int
    private let counts = Atomic<Int>(0)

    init(bytes: Int) {
        self.bytes = bytes
    }

    /// What is kept now.
    var taken: Int { counts.load(ordering: .relaxed) }

    /// Counts what an automaton has become.
    ///
    /// - Returns: false where there is no room for it; then it is not to be kept.
    func count(_ automaton: RegexAutomaton) -> Bool {
        let memory = automaton.memory
        let more = memory - automaton.counted
        if more == 0 { return true }
        guard counts.add(more, ordering: .relaxed).newValue <= bytes || more < 0 else {
            give(more)
            return false
        }
        automaton.counted = memory
        automaton.room = self
        return true
    }

    fileprivate func give(_ bytes: Int) {
        counts.subtract(bytes, ordering: .relaxed)
    }
}
