import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetLive
import FreshetQuery

/// Routing: what one write costs where very many filters stand, and how much memory these take.
///
/// Filters are of four kinds, in equal numbers: two equalities, one equality, an equality with a
/// range, a range alone. Values are chosen so that a write concerns about ten. Each write replaces
/// an entity by itself with another size, which lets many of them match before and after. Figures
/// are medians of seven rounds.
func benchmarkLive(_ samples: Samples) {
    let documents = samples.documents()
    let changes = LiveChanges(documents)
    measureStanding()
    for count in [10, 10_000, 100_000, 1_000_000, 5_000_000] {
        var filters = StandingFilters(documents)
        let before = residentBytes
        let start = MonotonicInstant.now
        filters.add(count)
        let spent = (MonotonicInstant.now - start) / .nanoseconds(1)
        report("live \(count): filter made and registered", spent / Double(count), "ns")
        let bytes = residentBytes - before
        if count > 10 {
            let index = Double(filters.index.byteCount) / Double(count)
            report("live \(count): index a filter", index, "bytes")
            report(
                "live \(count): evaluator and index a filter", Double(bytes) / Double(count),
                "bytes")
        }
        var rounds = (0..<7).map { _ in filters.route(changes) }
        rounds.sort { $0.time < $1.time }
        let median = rounds[rounds.count / 2]
        let each = Double(changes.count)
        report("live \(count): write looked up", median.lookUp / .nanoseconds(1) / each, "ns")
        report(
            "live \(count): write routed, filters asked", median.time / .nanoseconds(1) / each, "ns"
        )
        report("live \(count): candidates a write", Double(median.candidates) / each, "filters")
        report("live \(count): matched a write", Double(median.matched) / each, "filters")
    }
}

/// The memory of whole standing queries: group, membership, registrations, window. Two equalities
/// and a range each, of no rows so far.
private func measureStanding() {
    let count = 100_000
    let set = LiveSet()
    let subscriber = Deaf()
    var memberships: [LiveMembership] = []
    memberships.reserveCapacity(count)
    guard let type = TypeName("package") else { return }
    let before = residentBytes
    for number in 0..<count {
        var query = Query(type: type)
        query.filter = .and([
            .compare(
                PropertyPath(["section"]), .equal, Literal(string: "section \(number % 100)")),
            .compare(PropertyPath(["owner"]), .equal, Literal(string: "owner \(number)")),
            .compare(
                PropertyPath(["size"]), .greater, Literal(canonical: Array("\(number)".utf8))),
        ])
        guard let joined = try? set.join(LiveRequest(query, .delta), subscriber) else { return }
        memberships.append(joined.membership)
        // As a server does it: what the making of a group needs is freed for the next.
        guard number % 100 == 99 else { continue }
        set.admit()
        for group in set.takeStale() {
            guard let found = try? group.plan.run(on: .empty, deadline: .never) else { return }
            set.install(group) { $0.install(found, at: 1) { _ in nil } }
        }
        set.publish(through: 1)
        for membership in memberships.suffix(100) { keep(set.take(membership)) }
    }
    // What the first news has encoded is let go of when nobody has asked for it since.
    for _ in 0..<2 { set.tend(.now) }
    report("live: standing query", Double(residentBytes - before) / Double(count), "bytes")
    keep(memberships.count)
}

private final class Deaf: LiveSubscriber {
    func liveResultChanged() {}
}

/// Writes to route: an old image and a new one each.
private struct LiveChanges {
    var pairs: [(old: Document, new: Document)] = []
    var count: Int { pairs.count }

    init(_ documents: [Document]) {
        var builder = DocumentBuilder()
        var state = Sequence64(state: 7)
        for _ in 0..<min(20_000, documents.count) {
            let old = documents[state.next(below: documents.count)]
            var text = String(decoding: old.json, as: UTF8.self)
            guard let start = text.range(of: "\"installedSize\":") else { continue }
            let end = text[start.upperBound...].firstIndex { !$0.isNumber } ?? text.endIndex
            let size = Int(text[start.upperBound..<end]) ?? 0
            text.replaceSubrange(start.upperBound..<end, with: "\(size + state.next(below: 9))")
            let new = Array(text.utf8).withUnsafeBytes {
                try? builder.build(json: $0, id: .fromBody)
            }
            if let new { pairs.append((old, new)) }
        }
    }
}

extension String {
    /// Where `part` is for the first time.
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) {
                return start..<index(start, offsetBy: part.count)
            }
            start = index(after: start)
        }
        return nil
    }
}

/// The filters that stand, with what routing needs of each.
private struct StandingFilters {
    let index = PredicateIndex()
    private var evaluators: [FilterEvaluator] = []
    private let documents: [Document]
    private var random = Sequence64(state: 1)
    private var slots: [Int32] = []

    init(_ documents: [Document]) {
        self.documents = documents
    }

    mutating func add(_ count: Int) {
        evaluators.reserveCapacity(count)
        for number in 0..<count {
            guard let filter = filter(number, of: count),
                let evaluator = try? FilterEvaluator(filter, isStanding: true)
            else { continue }
            _ = index.insert(filter, slot: Int32(evaluators.count))
            evaluators.append(evaluator)
        }
    }

    /// Filters get narrower as there are more of them, so that about ten match.
    private mutating func filter(_ number: Int, of count: Int) -> Filter? {
        let document = documents[random.next(below: documents.count)]
        // About as many cover a value, however many stand.
        let width = count > 100_000 ? 8 : 20
        let size = random.next(below: max(1_000, count))
        let isTaken =
            random.next(below: max(count / 4, documents.count * 5 / 2))
            < documents.count * 5 / 2
        func literal(_ name: StaticString) -> Literal {
            guard isTaken else { return Literal(string: "nobody has \(number)") }
            return Literal(canonical: document.member(named: name).map { Array($0.bytes) } ?? [])
        }
        func integer(_ value: Int) -> Literal { Literal(canonical: Array("\(value)".utf8)) }
        let section = document.member(named: "section").map { Array($0.bytes) } ?? []
        let range: [Filter] = [
            .compare(Self.size, .greaterOrEqual, integer(size)),
            .compare(Self.size, .less, integer(size + width)),
        ]
        switch number % 4 {
        case 0:
            return .and([
                .compare(Self.source, .equal, literal("source")),
                .compare(Self.size, .equal, literal("installedSize")),
            ])
        case 1: return .compare(Self.id, .equal, literal("id"))
        case 2:
            let wide: [Filter] = [
                .compare(Self.size, .greaterOrEqual, integer(size)),
                .compare(Self.size, .less, integer(size + width * 12)),
            ]
            return .and([.compare(Self.section, .equal, Literal(canonical: section))] + wide)
        default: return .and(range)
        }
    }

    private static let id = PropertyPath.id
    private static let size = PropertyPath(["installedSize"])
    private static let section = PropertyPath(["section"])
    private static let source = PropertyPath(["source"])

    /// What routing all changes took and found.
    struct Outcome {
        /// The time of the look-up alone, and with all candidates asked.
        var lookUp = Duration.zero
        var time = Duration.zero
        var candidates = 0
        var matched = 0
    }

    mutating func route(_ changes: LiveChanges) -> Outcome {
        var outcome = Outcome()
        for change in changes.pairs {
            // A server routes what it has just parsed and compared.
            keep(Self.sum(change.old) &+ Self.sum(change.new))
            let start = MonotonicInstant.now
            slots.removeAll(keepingCapacity: true)
            index.candidates(old: change.old, new: change.new, into: &slots)
            let found = MonotonicInstant.now
            for slot in slots {
                var patience = FilterEvaluator.patience
                guard
                    let (was, isNow) = evaluators[Int(slot)].matches(
                        change.old, change.new, patience: &patience)
                else { continue }
                if was || isNow { outcome.matched += 1 }
            }
            let end = MonotonicInstant.now
            outcome.candidates += slots.count
            outcome.lookUp += found - start
            outcome.time += end - start
        }
        return outcome
    }

    private static func sum(_ document: Document) -> UInt64 {
        var sum: UInt64 = 0
        for index in 0..<document.memberCount { sum &+= UInt64(document.memberName(at: index)[0]) }
        for byte in document.json { sum &+= UInt64(byte) }
        return sum
    }
}

/// Numbers that are the same in every run.
private struct Sequence64 {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
