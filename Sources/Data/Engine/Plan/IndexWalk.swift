import FreshetJSON
import FreshetQuery

/// Entries of one index that a walk goes through, and which way.
struct IndexPart: Sendable {
    let view: IndexView
    /// Ascending, apart.
    var ranks: [Range<Int>]
    /// From the last value to the first. Entries of equal values go by id either way: an answer's
    /// ties do.
    let isBackward: Bool

    var count: Int { ranks.reduce(0) { $0 + $1.count } }

    /// The part without its first `count` rows, in the direction of the walk.
    ///
    /// - Complexity: O(ranges), and backwards O(log entries) for the run in which it begins.
    func dropFirst(_ count: Int) -> [IndexPart] {
        var left = count
        var rest = ranks
        while left > 0, let range = isBackward ? rest.last : rest.first {
            if left >= range.count {
                left -= range.count
                if isBackward { rest.removeLast() } else { rest.removeFirst() }
                continue
            }
            guard isBackward else {
                rest[0] = range.lowerBound + left..<range.upperBound
                break
            }
            let run = run(around: range.upperBound - 1 - left).clamped(to: range)
            rest[rest.count - 1] = range.lowerBound..<run.lowerBound
            // What of the run is skipped stands at its front.
            let skipped = left - (range.upperBound - run.upperBound)
            return [
                IndexPart(
                    view: view, ranks: [run.lowerBound + skipped..<run.upperBound],
                    isBackward: false),
                IndexPart(view: view, ranks: rest, isBackward: true),
            ]
        }
        return [IndexPart(view: view, ranks: rest, isBackward: isBackward)]
    }

    /// What comes behind a place in the direction of the walk.
    ///
    /// - Parameters:
    ///   - values: One for each key of the index.
    ///   - id: The id of the row at the place.
    func behind(_ values: [[UInt8]], _ id: EntityID) -> [IndexPart] {
        let place = view.rank(of: IndexPlace(values, id: id))
        guard isBackward else { return [clamped(to: place..<Int.max, isBackward: false)] }
        let start = view.rank(of: IndexPlace(values))
        let end = view.rank(of: IndexPlace(values, isAfter: true))
        return [
            clamped(to: place..<max(place, end), isBackward: false),
            clamped(to: 0..<start, isBackward: true),
        ]
    }

    private func clamped(to bounds: Range<Int>, isBackward: Bool) -> IndexPart {
        IndexPart(
            view: view, ranks: ranks.map { $0.clamped(to: bounds) }.filter { !$0.isEmpty },
            isBackward: isBackward)
    }

    /// The ranks of the entries whose keys equal those of the one at `rank`.
    func run(around rank: Int) -> Range<Int> {
        guard let document = view.document(at: rank) else { return rank..<rank + 1 }
        let values = view.definition.keys.map { key in
            document.view(at: key.path).map { Array($0.bytes) } ?? Array("null".utf8)
        }
        let start = view.rank(of: IndexPlace(values))
        let end = view.rank(of: IndexPlace(values, isAfter: true))
        return min(start, rank)..<max(end, rank + 1)
    }
}

/// A walk through parts of indexes, run by run.
///
/// Backwards it reads chunks of the index forwards and turns them round by runs of equal keys, whose
/// entries stay in the order of their ids. A run that is longer than a chunk is found by its values
/// and read forwards.
struct IndexWalk {
    /// Entries read at once on the way back.
    private static let chunk = 64

    private let parts: [IndexPart]
    private var part = 0
    /// The range of `part` that comes next: from the front, or from the back on the way back.
    private var range = 0
    /// Forwards: entries on the way.
    private var cursor: IndexCursor?
    /// Backwards: what of the range is left.
    private var rest: Range<Int>?
    private var order: RowOrder

    init(_ parts: [IndexPart]) {
        self.parts = parts
        order = parts.first.map { .keys($0.view.definition.keys) } ?? .natural
    }

    /// Gives up what is left of the part in which the last run was.
    mutating func skipPart() {
        part += 1
        range = 0
        cursor = nil
        rest = nil
        if part < parts.count { order = .keys(parts[part].view.definition.keys) }
    }

    /// Calls `body` with the next documents, at most `limit`, all of one part.
    ///
    /// - Returns: false behind the last.
    mutating func nextRun<Failure: Error>(
        limit: Int, _ body: (UnsafeBufferPointer<Document>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        while part < parts.count {
            if cursor != nil {
                // Nothing retains the nodes of the cursor but itself, so it stays in its place.
                if let run = cursor?.nextRun(limit: limit), !run.isEmpty {
                    try body(run)
                    return true
                }
                cursor = nil
            }
            if let left = rest {
                let documents = previous(in: left)
                let result: Result<Void, Failure> = documents.withUnsafeBufferPointer { run in
                    do throws(Failure) {
                        return .success(try body(run))
                    } catch {
                        return .failure(error)
                    }
                }
                try result.get()
                return true
            }
            startRange()
        }
        return false
    }

    /// Goes to the next range, or the next part.
    private mutating func startRange() {
        let current = parts[part]
        guard range < current.ranks.count else { return skipPart() }
        defer { range += 1 }
        if current.isBackward {
            rest = current.ranks[current.ranks.count - 1 - range]
        } else {
            cursor = current.view.cursor(in: current.ranks[range])
        }
    }

    /// The last entries of `left`, the later key first; what is before them is left.
    ///
    /// A long run of equal keys comes in one piece, of its beginning at most a chunk at a time.
    private mutating func previous(in left: Range<Int>) -> [Document] {
        let view = parts[part].view
        let start = max(left.lowerBound, left.upperBound - Self.chunk)
        let read = documents(view, start..<left.upperBound)
        // Where the runs of the chunk begin, the last one's first.
        var starts: [Int] = []
        for index in stride(from: read.count - 1, to: 0, by: -1)
        where order.compareKeys(read[index - 1], read[index]) != 0 {
            starts.append(index)
        }
        if start == left.lowerBound {
            starts.append(0)
        } else if starts.isEmpty {
            // All of the chunk is one run, which begins before it.
            let run = parts[part].run(around: left.upperBound - 1).clamped(to: left)
            rest = run.lowerBound > left.lowerBound ? left.lowerBound..<run.lowerBound : nil
            cursor = view.cursor(in: run)
            return []
        }
        var turned: [Document] = []
        turned.reserveCapacity(read.count)
        var end = read.count
        for begin in starts {
            turned += read[begin..<end]
            end = begin
        }
        let rank = start + end
        rest = rank > left.lowerBound ? left.lowerBound..<rank : nil
        return turned
    }

    private func documents(_ view: IndexView, _ ranks: Range<Int>) -> [Document] {
        var documents: [Document] = []
        documents.reserveCapacity(ranks.count)
        var cursor = view.cursor(in: ranks)
        while true {
            let run = cursor.nextRun(limit: .max)
            guard !run.isEmpty else { return documents }
            documents += run
        }
    }
}
