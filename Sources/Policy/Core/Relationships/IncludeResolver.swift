import FreshetEngine
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetStore

// Follows relationships level by level.
//
// A level is a list of steps: a relationship, and the entities that it starts from. All steps of a
// level run together, so that a level costs one batched look-up per type for the ids that entities
// hold, and one scan per type and property for those that point back, however many entities it
// starts from. An entity is known by its place in `entities`, the items of the answer first; what
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

    /// The scan that several steps of one level share.
    private struct Backward: Hashable {
        let type: TypeName
        let property: String
    }

    /// Rows between two looks at the clock.
    private static let checkedRows = 512

    private let plan: IncludePlan
    private let views: StoreViews
    private let deadline: Deadline
    private let isCancelled: () -> Bool
    private var entities: [IncludedEntities.Row] = []
    private let rootCount: Int
    /// Where an entity stands in `entities`; nil where it does not exist.
    private var places: [TypeName: [EntityID: Int?]] = [:]
    private var missingCount = 0
    private var outcomes: [(path: String, outcome: IncludedEntities.Outcome)] = []
    private var backward: [Backward: Set<EntityID>] = [:]
    private var work = 0

    init(
        _ plan: IncludePlan, roots: [Document], in views: StoreViews, deadline: Deadline,
        isCancelled: @escaping () -> Bool
    ) {
        self.plan = plan
        self.views = views
        self.deadline = deadline
        self.isCancelled = isCancelled
        rootCount = roots.count
        for root in roots {
            places[plan.type, default: [:]][root.id] = .some(entities.count)
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
        var named: [Int: [EntityID]] = [:]
        var wanted: [TypeName: Set<EntityID>] = [:]
        for index in steps.indices where steps[index].node.relationship.by == nil {
            let relationship = steps[index].node.relationship
            let name = relationship.name.canonicalContents
            var ids: [EntityID] = []
            for parent in steps[index].parents {
                let value = name.withUnsafeBytes { entities[parent].document.member(named: $0) }
                guard let value else { continue }
                let (found, malformed) = EntityID.named(by: value)
                ids += found
                steps[index].lost += malformed
                try check(found.count + 1)
            }
            for id in ids where places[relationship.type]?[id] == nil {
                wanted[relationship.type, default: []].insert(id)
            }
            named[index] = ids
        }
        for type in wanted.keys.sorted(by: { $0 < $1 }) {
            let view = views[type]
            for id in (wanted[type] ?? []).sorted(by: { $0 < $1 }) {
                try check(1)
                guard let document = view?.document(id), plan.mayShow(document, of: type) else {
                    places[type, default: [:]][id] = .some(nil)
                    missingCount += 1
                    try checkCount(missingCount, "ids that lead nowhere")
                    continue
                }
                _ = try place(of: document, id, type)
            }
        }
        for (index, ids) in named {
            let type = steps[index].node.relationship.type
            for id in ids { steps[index].take(places[type]?[id] ?? nil) }
        }
    }

    // MARK: Entities that point back

    private mutating func followBack(_ steps: inout [Step]) throws(EngineError) {
        var scans: [Backward: [Int]] = [:]
        var order: [Backward] = []
        for index in steps.indices where !steps[index].parents.isEmpty {
            let relationship = steps[index].node.relationship
            guard let property = relationship.by else { continue }
            let scan = Backward(type: relationship.type, property: property)
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
            let name = scan.property.canonicalContents
            var cursor = view.makeCursor()
            while let document = cursor.next() {
                try check(1)
                let value = name.withUnsafeBytes { document.member(named: $0) }
                guard let value else { continue }
                var reached: Set<Int> = []
                for id in EntityID.named(by: value).ids { reached.formUnion(waiting[id] ?? []) }
                guard !reached.isEmpty, plan.mayShow(document, of: scan.type) else { continue }
                let place = try place(of: document, document.id, scan.type)
                for index in reached { steps[index].take(place) }
            }
        }
    }

    // MARK: Entities

    private mutating func place(
        of document: Document, _ id: EntityID, _ type: TypeName
    ) throws(EngineError) -> Int {
        if let known = places[type]?[id] ?? nil { return known }
        let place = entities.count
        entities.append(.init(type: type, document: document))
        places[type, default: [:]][id] = .some(place)
        try checkCount(entities.count - rootCount, "entities")
        return place
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

    private func watch(_ missing: [(type: TypeName, id: EntityID)]) -> LiveWatch {
        var watch = LiveWatch(shown: [:], backward: [:])
        for row in entities.dropFirst(rootCount) {
            watch.shown[row.type, default: []].insert(row.document.id)
        }
        for (type, id) in missing { watch.shown[type, default: []].insert(id) }
        for (scan, parents) in backward {
            watch.backward[scan.type, default: []].append(
                .init(property: scan.property.canonicalContents, parents: parents))
        }
        return watch
    }

    private func result() -> IncludedEntities {
        var missing: [(type: TypeName, id: EntityID)] = []
        for (type, known) in places {
            for (id, place) in known where place == nil { missing.append((type, id)) }
        }
        return IncludedEntities(
            rows: entities.dropFirst(rootCount).sorted {
                $0.type != $1.type ? $0.type < $1.type : $0.document.id < $1.document.id
            },
            missing: missing.sorted { $0.type != $1.type ? $0.type < $1.type : $0.id < $1.id },
            outcomes: outcomes, watch: watch(missing))
    }
}
