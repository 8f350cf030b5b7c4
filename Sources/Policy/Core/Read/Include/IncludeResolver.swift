import FreshetEngine
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetStore

// Follows relationships level by level.
//
// A level is a list of steps: a relationship, and the entities that it starts from. All steps of a
// level run together, so that a level costs one batched look-up per type for the ids that entities
// hold, and one search per type and property for those that point back (a scan where the property
// has no index), however many entities it starts from. An entity is known by its place in `entities`, the items of the answer first; what
// is known is not looked up again, which is how cycles end.
//
// A tree of paths is finite. With `*`, an entity is followed by the first path that reaches it, and
// by no other: at that level it reaches all that a later path could reach.

/// Finds what an include adds to the items of one answer. Used once, by one thread.
struct IncludeResolver {
    private struct Step {
        let node: IncludePlan.Node
        /// Places of the entities that it starts from.
        let parents: [Int]
        /// Places of those that it leads to, each once.
        var children: [Int] = []
        var seen: Set<Int> = []
        var found = 0
        var lost = 0

        mutating func take(_ place: Int?) {
            guard let place else { return lost += 1 }
            found += 1
            if seen.insert(place).inserted { children.append(place) }
        }
    }

    /// What is known of the ids of one type: each is hashed where it is met, and is a number from
    /// there on.
    private struct Known {
        static let missing = -1
        static let unknown = -2

        var numbers: [EntityID: Int] = [:]
        var ids: [EntityID] = []
        /// By number: where the entity stands in `entities`, or one of the above.
        var places: [Int] = []

        mutating func number(of id: EntityID) -> Int {
            if let number = numbers[id] { return number }
            numbers[id] = ids.count
            ids.append(id)
            places.append(Self.unknown)
            return ids.count - 1
        }
    }

    /// The scan that several steps of one level share.
    private struct Backward: Hashable {
        let type: TypeName
        let property: PropertyPath
    }

    /// Rows between two looks at the clock.
    private static let checkedRows = 512
    /// Ids that are looked up together.
    private static let idsAtOnce = 64

    private let plan: IncludePlan
    private let views: StoreViews
    private let fetched: FetchedEntities
    private let deadline: Deadline
    private let isCancelled: () -> Bool
    private var entities: [IncludedEntities.Row] = []
    private let rootCount: Int
    private var known: [TypeName: Known] = [:]
    private var missingCount = 0
    private var outcomes: [(path: String, outcome: IncludedEntities.Outcome)] = []
    private var backward: [Backward: Set<EntityID>] = [:]
    private var work = 0

    init(
        _ plan: IncludePlan, roots: [Document], in views: StoreViews,
        beside fetched: FetchedEntities = .init(), deadline: Deadline,
        isCancelled: @escaping () -> Bool
    ) {
        self.plan = plan
        self.views = views
        self.fetched = fetched
        self.deadline = deadline
        self.isCancelled = isCancelled
        rootCount = roots.count
        for root in roots {
            note(at: entities.count, as: root.id, plan.type)
            entities.append(.init(type: plan.type, document: root))
        }
    }

    /// - Throws: `.includeTooLarge`; `.timeout` past the deadline or when cancelled.
    mutating func resolve() throws(EngineError) -> IncludedEntities {
        var level = 1
        var steps: [Step]
        switch plan.shape {
        case .tree(let nodes): steps = nodes.map { Step(node: $0, parents: Array(0..<rootCount)) }
        case .all:
            steps = plan.nodes(of: plan.type, under: []).map {
                Step(node: $0, parents: Array(0..<rootCount))
            }
        }
        while !steps.isEmpty {
            let known = entities.count
            try followIDs(&steps)
            try followBack(&steps)
            for step in steps {
                let outcome: IncludedEntities.Outcome =
                    step.lost == 0 ? .ok : step.found == 0 ? .failed : .partial
                outcomes.append((PropertyPath(step.node.path).description, outcome))
            }
            steps = next(after: steps, level: level, known: known)
            level += 1
        }
        return result()
    }

    private func next(after steps: [Step], level: Int, known: Int) -> [Step] {
        switch plan.shape {
        case .tree:
            return steps.flatMap { step in
                step.node.children.map { Step(node: $0, parents: step.children) }
            }
        case .all(let depth):
            guard level < depth else { return [] }
            var taken: Set<Int> = []
            return steps.flatMap { step -> [Step] in
                let fresh = step.children.filter { $0 >= known && taken.insert($0).inserted }
                guard !fresh.isEmpty else { return [] }
                return plan.nodes(of: step.node.relationship.type, under: step.node.path).map {
                    Step(node: $0, parents: fresh)
                }
            }
        }
    }

    // MARK: Ids that entities hold

    private mutating func followIDs(_ steps: inout [Step]) throws(EngineError) {
        // Numbers of ids, step by step, and those that nothing is known of yet.
        var named: [(step: Int, numbers: [Int])] = []
        var wanted: [TypeName: [Int]] = [:]
        for index in steps.indices where steps[index].node.relationship.by == nil {
            let relationship = steps[index].node.relationship
            let name = relationship.name.canonicalContents
            let view = views[relationship.type]
            // Taken out, so that they are changed in place.
            var table = known.removeValue(forKey: relationship.type) ?? Known()
            defer { known[relationship.type] = table }
            var numbers: [Int] = []
            var fresh: [Int] = []
            for parent in steps[index].parents {
                let value = name.withUnsafeBytes { entities[parent].document.member(named: $0) }
                guard let value else { continue }
                let (found, malformed) = EntityID.named(by: value)
                for id in found {
                    let count = table.ids.count
                    let number = table.number(
                        of: plan.current(id, of: relationship.type, in: view))
                    if number == count { fresh.append(number) }
                    numbers.append(number)
                }
                steps[index].lost += malformed
                try check(found.count + 1)
            }
            wanted[relationship.type, default: []] += fresh
            named.append((index, numbers))
        }
        for type in wanted.keys.sorted(by: { $0 < $1 }) {
            try lookUp(wanted[type] ?? [], type)
        }
        for (index, numbers) in named {
            guard let table = known[steps[index].node.relationship.type] else { continue }
            for number in numbers {
                let place = table.places[number]
                steps[index].take(place >= 0 ? place : nil)
            }
        }
    }

    private mutating func lookUp(_ numbers: [Int], _ type: TypeName) throws(EngineError) {
        guard var table = known.removeValue(forKey: type) else { return }
        defer { known[type] = table }
        let view = views[type]
        var start = 0
        while start < numbers.count {
            let part = numbers[start..<min(numbers.count, start + Self.idsAtOnce)]
            start = part.endIndex
            try check(part.count)
            let ids = part.map { table.ids[$0] }
            let documents = view?.documents(ids[...]) ?? ids.map { _ in nil }
            for (number, stored) in zip(part, documents) {
                guard let document = stored ?? fetched.document(type, table.ids[number]),
                    plan.mayShow(document, of: type)
                else {
                    table.places[number] = Known.missing
                    missingCount += 1
                    try checkCount(missingCount, "ids that lead nowhere")
                    continue
                }
                table.places[number] = entities.count
                entities.append(.init(type: type, document: document))
                try checkCount(entities.count - rootCount, "entities")
            }
        }
    }

    // MARK: Entities that point back

    private mutating func followBack(_ steps: inout [Step]) throws(EngineError) {
        var scans: [Backward: [Int]] = [:]
        var order: [Backward] = []
        for index in steps.indices where !steps[index].parents.isEmpty {
            let relationship = steps[index].node.relationship
            guard let property = relationship.by else { continue }
            let scan = Backward(type: relationship.type, property: PropertyPath([property]))
            if scans[scan] == nil { order.append(scan) }
            scans[scan, default: []].append(index)
        }
        for scan in order {
            // Which steps start from an entity of this id: parents of two types may share one.
            var waiting: [EntityID: [Int]] = [:]
            for index in scans[scan] ?? [] {
                for parent in steps[index].parents {
                    waiting[entities[parent].document.id, default: []].append(index)
                }
            }
            backward[scan, default: []].formUnion(waiting.keys)
            guard let view = views[scan.type] else { continue }
            if let rows = try rows(of: scan, namingOneOf: waiting.keys, in: view) {
                for document in rows {
                    try followBack(document, scan: scan, waiting: waiting, steps: &steps)
                }
            } else {
                var cursor = view.makeCursor()
                while let document = cursor.next() {
                    try followBack(document, scan: scan, waiting: waiting, steps: &steps)
                }
            }
        }
    }

    /// Takes `document` where it names one of the ids that steps wait for.
    private mutating func followBack(
        _ document: Document, scan: Backward, waiting: [EntityID: [Int]],
        steps: inout [Step]
    ) throws(EngineError) {
        try check(1)
        guard let value = document.view(at: scan.property) else { return }
        var reached: Set<Int> = []
        for id in EntityID.named(by: value).ids { reached.formUnion(waiting[id] ?? []) }
        guard !reached.isEmpty, plan.mayShow(document, of: scan.type) else { return }
        let place = try place(of: document, document.id, scan.type)
        for index in reached { steps[index].take(place) }
    }

    /// The entities that an index finds for one of `ids`, and maybe others; nil without one.
    private mutating func rows(
        of scan: Backward, namingOneOf ids: Dictionary<EntityID, [Int]>.Keys, in view: TableView
    ) throws(EngineError) -> [Document]? {
        let search = try SearchTask.backReferences(
            to: ids, by: scan.property, of: scan.type, in: view, deadline: deadline)
        guard let search else { return nil }
        while try search.run(rows: Self.checkedRows) == .more { try check(Self.checkedRows) }
        return search.result.documents
    }

    // MARK: Entities

    private mutating func place(
        of document: Document, _ id: EntityID, _ type: TypeName
    ) throws(EngineError) -> Int {
        if let table = known[type], let number = table.numbers[id], table.places[number] >= 0 {
            return table.places[number]
        }
        let place = entities.count
        entities.append(.init(type: type, document: document))
        note(at: place, as: id, type)
        try checkCount(entities.count - rootCount, "entities")
        return place
    }

    private mutating func note(at place: Int, as id: EntityID, _ type: TypeName) {
        let number = known[type, default: Known()].number(of: id)
        known[type]?.places[number] = place
    }

    private func checkCount(_ count: Int, _ what: String) throws(EngineError) {
        guard count <= IncludePlan.maximumEntities else {
            throw .includeTooLarge(
                "the include leads to more than \(IncludePlan.maximumEntities) \(what)")
        }
    }

    /// Notes `rows` of work, and ends the work where its time is up or nobody waits for it.
    private mutating func check(_ rows: Int) throws(EngineError) {
        work += rows
        guard work >= Self.checkedRows else { return }
        work = 0
        guard !deadline.hasPassed, !isCancelled() else { throw .timeout }
    }

    private func result() -> IncludedEntities {
        var missing: [EntityKey] = []
        for (type, table) in known {
            for (number, place) in table.places.enumerated() where place == Known.missing {
                missing.append(EntityKey(type, table.ids[number]))
            }
        }
        return IncludedEntities(
            rows: entities.dropFirst(rootCount).sorted {
                $0.type != $1.type
                    ? $0.type < $1.type
                    : EntityID.compare($0.document.idBytes, $1.document.idBytes) < 0
            },
            missing: missing.sorted(),
            outcomes: outcomes,
            backward: backward.map {
                (type: $0.type, property: $0.property.names[0].bytes, parents: $1)
            })
    }
}
