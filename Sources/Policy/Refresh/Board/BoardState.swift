import FreshetBase

/// The board without lock, timer and calls: facts, leaves, slots, operations, and what is due.
///
/// A change goes this way, and only as far as something turns:
///
///     fact ──▶ leaves that look at it ──▶ slots that contain them ──▶ the operation's machine
///     time ──▶ leaves that are due                                     └▶ effects
///
/// Leaves are judged as facts change; slots are evaluated once at the end of the commit, when all
/// facts are in place; then each operation with news reacts once. What depends on no changed leaf is
/// not touched.
struct BoardState {
    private(set) var facts: [BoardFact: FactRecord] = [:]
    private(set) var leaves: [LeafRecord] = []
    /// What each leaf says, beside it for the programs.
    private(set) var values: [Bool] = []
    private(set) var leafPlaces: [LeafRecord.Key: Int32] = [:]
    private var freeLeaves: [Int32] = []
    private var slots: [SlotRecord] = []
    private var freeSlots: [Int32] = []
    var operations: [OperationRecord] = []
    private(set) var operationPlaces: [String: Int32] = [:]
    /// Controllers that keep an operation's value up to date, whether it is known here or not.
    private var followers: [String: Int] = [:]
    private var freeOperations: [Int32] = []
    /// Places of attached operations that wait for each event.
    private var listeners: [BoardEvent: Set<Int32>] = [:]
    private var observers: [ObserverRecord] = []
    private var freeObservers: [Int32] = []
    var conditions: [ConditionRecord] = []
    private(set) var conditionPlaces: [String: Int32] = [:]
    /// Named expressions.
    var specs: [String: SpecExpression] = [:]
    /// Operations run by themselves; where not, they are known and nothing comes of it.
    private(set) var leads = true

    private var monotonic = DueHeap<BoardDue>()
    private var calendar = DueHeap<BoardDue>()
    private(set) var now: Int64 = .min
    private(set) var wall: Int64 = 0
    private var lastStamp: UInt32 = 0

    /// What this commit has to look at in the end.
    private var commit: UInt64 = 0
    private var dirtySlots: [Int32] = []
    private var dirtyOperations: [Int32] = []
    private var changedConditions: [String] = []
    private var actions: [TriggerMachine.Action] = []
    /// What is to be called, in order.
    var effects = ActionQueue<BoardEffect>()
    /// What was taken away and may be of the embedding program: specifications, observers.
    private var removed: [Any] = []

    /// Slots evaluated since the beginning.
    private(set) var evaluations = 0

    /// What was taken away since this was asked last, to be destroyed without the board's lock: a part of
    /// the embedding program that goes may call the board.
    mutating func dequeueRemoved() -> [Any] {
        guard !removed.isEmpty else { return [] }
        defer { removed = [] }
        return removed
    }

    // MARK: Time

    /// A wall clock that is this far from where it should be was set.
    private static let leap: Int64 = 1_000_000_000

    /// Takes the time, and makes what it brings one commit of its own.
    mutating func advance(now reading: Int64, wall wallReading: Int64) {
        let isFirst = now == .min
        let instant = max(now, reading)
        let expected = wall.addingSaturated(instant.subtractingSaturated(isFirst ? instant : now))
        let drift = wallReading.subtractingSaturated(expected)
        let jumped = !isFirst && (drift > Self.leap || drift < -Self.leap)
        now = instant
        wall = wallReading
        guard jumped || monotonic.earliest <= now || calendar.earliest <= wall else { return }
        beginCommit()
        if jumped { readCalendarsAnew() }
        while let entry = monotonic.pop(until: now) { take(entry, isWall: false) }
        while let entry = calendar.pop(until: wall) { take(entry, isWall: true) }
        endCommit()
    }

    /// When there is something to do next, on the board's clock; nil: never.
    func nextDue(wallGrain: Int64) -> Int64? {
        var next = monotonic.earliest
        if calendar.earliest != .max {
            // The wall clock may be set meanwhile, so that nobody waits for it for long.
            let span = min(max(0, calendar.earliest.subtractingSaturated(wall)), wallGrain)
            next = min(next, now.addingSaturated(span))
        }
        return next == .max ? nil : next
    }

    private mutating func take(_ entry: BoardDue, isWall: Bool) {
        let place = Int(entry.index)
        switch entry.kind {
        case .leaf:
            guard leaves[place].stamp == entry.stamp, leaves[place].isInUse else { return }
            leaves[place].scheduled = .max
            judge(place)
        case .operation:
            guard operations[place].stamp == entry.stamp, operations[place].isInUse else { return }
            if isWall {
                operations[place].scheduledCron = .max
            } else {
                operations[place].scheduled = .max
            }
            touch(operation: place)
        case .condition:
            guard place < conditions.count else { return }
            conditions[place].scheduled = .max
            guard conditions[place].expires <= now else { return scheduleExpiry(place) }
            write(
                ConditionWrite(
                    conditions[place].declaration.name, conditions[place].declaration.initial))
        }
    }

    private mutating func readCalendarsAnew() {
        calendar.removeAll()
        for place in leaves.indices where leaves[place].isInUse {
            switch leaves[place].key.atom {
            case .window, .between, .cron:
                leaves[place].scheduled = .max
                judge(place)
            default: break
            }
        }
        for place in operations.indices where operations[place].machine.cronDue != .max {
            operations[place].scheduledCron = .max
            operations[place].news.wallJumped = true
            touch(operation: place)
        }
    }

    private mutating func schedule(leaf place: Int, _ due: Int64, isWall: Bool) {
        guard due < leaves[place].scheduled else { return }
        leaves[place].scheduled = due
        let entry = BoardDue(
            due: due, index: Int32(place), stamp: leaves[place].stamp, kind: .leaf)
        if isWall { calendar.push(entry) } else { monotonic.push(entry) }
    }

    private mutating func schedule(operation place: Int) {
        let stamp = operations[place].stamp
        let due = operations[place].machine.due
        if due < operations[place].scheduled {
            operations[place].scheduled = due
            monotonic.push(
                .init(due: due, index: Int32(place), stamp: stamp, kind: .operation))
        }
        let cron = operations[place].machine.cronDue
        if cron < operations[place].scheduledCron {
            operations[place].scheduledCron = cron
            calendar.push(
                .init(due: cron, index: Int32(place), stamp: stamp, kind: .operation))
        }
    }

    // MARK: A commit

    mutating func beginCommit() {
        precondition(
            dirtySlots.isEmpty && dirtyOperations.isEmpty && changedConditions.isEmpty,
            "a commit is ended before another begins")
        commit += 1
    }

    mutating func apply(_ change: BoardChange) {
        switch change {
        case .link(let name, let level): set(.link(name), level.rawValue)
        case .health(let name, let isHealthy): set(.health(name), isHealthy ? 1 : 0)
        case .token(let name, let validity):
            let input: Int64 =
                switch validity {
                case .none: SpecAtom.absent
                case .until(let end): end.nanoseconds
                case .unlimited: .max
                }
            set(.token(name), input)
        case .serviceActive(let isActive): set(.service, isActive ? 1 : 0)
        case .pressure(let level): set(.pressure, level.rawValue)
        case .condition(let name, let value, let ttl):
            write(ConditionWrite(name, value, ttl: ttl))
        case .operationActive(let id, let isActive):
            replace(id, \.isActive, isActive)
        case .subscribers(let id, let count):
            guard let place = operationPlaces[id].map(Int.init) else { return }
            let count = Int64(max(0, count))
            let before = operations[place].subscribers
            guard before != count else { return }
            if before == 0 { operations[place].news.hasFirstSubscriber = true }
            if count == 0 { operations[place].news.hasFirstSubscriber = false }
            replace(place, \.subscribers, count)
        case .value(let id, let updatedAt):
            guard let place = operationPlaces[id].map(Int.init) else { return }
            operations[place].isInvalidated = false
            let value = updatedAt?.nanoseconds ?? SpecAtom.absent
            if value != operations[place].value { operations[place].news.hasNewValue = true }
            replace(place, \.value, value)
            touch(operation: place)
        case .invalidated(let id, let isInvalidated):
            replace(id, \.isInvalidated, isInvalidated)
        case .failures(let id, let count): replace(id, \.failures, Int64(count))
        case .status(let id, let status): replace(id, \.status, status.number)
        case .run(let id, let phase):
            guard let place = operationPlaces[id].map(Int.init) else { return }
            switch phase {
            case .began(let origin): operations[place].news.runBegan = origin
            case .ended:
                operations[place].news.runBegan = nil
                operations[place].news.runEnded = .max
            case .endedAt(let instant):
                operations[place].news.runBegan = nil
                operations[place].news.runEnded = instant.nanoseconds
            }
            touch(operation: place)
        case .renewed(let id):
            guard let place = operationPlaces[id].map(Int.init) else { return }
            operations[place].news.isNew = true
            touch(operation: place)
        case .event(let event):
            for place in listeners[event] ?? [] {
                operations[Int(place)].news.hasEvent = true
                touch(operation: Int(place))
            }
        }
    }

    /// Evaluates what has turned, and lets operations and observers know.
    ///
    /// - Parameter isBaseline: Things are as new (rule 3): whoever watches is told, nothing is run or
    ///   aborted because of it.
    mutating func endCommit(isBaseline: Bool = false) {
        while let place = dirtySlots.popLast() {
            evaluations += 1
            let value = slots[Int(place)].program.run(values)
            guard value != slots[Int(place)].value else { continue }
            slots[Int(place)].value = value
            let owner = slots[Int(place)].owner
            if owner >= 0 {
                touch(operation: Int(owner))
            } else if let onChange = observers[Int(~owner)].onChange {
                effects.append(.observed(onChange, value))
            }
        }
        // In the order in which they were attached, so that runs begin in an order that can be told.
        if dirtyOperations.count > 1 { dirtyOperations.sort() }
        for place in dirtyOperations {
            if isBaseline { operations[Int(place)].news = .init() } else { react(Int(place)) }
        }
        dirtyOperations.removeAll(keepingCapacity: true)
        if !changedConditions.isEmpty {
            effects.append(
                .conditions(
                    Set(changedConditions).sorted().compactMap { condition(named: $0)?.state }))
            changedConditions.removeAll(keepingCapacity: true)
        }
    }

    private mutating func react(_ place: Int) {
        guard let attachment = operations[place].attachment,
            let levels = levels(of: place)
        else {
            operations[place].news = .init()
            return
        }
        let news = operations[place].news
        operations[place].news = .init()
        if leads {
            operations[place].machine.react(
                to: news, levels, subscribers: Int(operations[place].subscribers),
                attachment.settings, now: now, wall: wall, &actions)
            schedule(operation: place)
        }
        let isShown = operations[place].shown.map { levels.isShown(otherThan: $0) } ?? true
        // Held only where an effect holds it, too: the last to let go of it must not be this thread,
        // which has the lock.
        if isShown || !actions.isEmpty, let delegate = attachment.delegate {
            if isShown { effects.append(.levels(delegate, levels)) }
            for action in actions {
                switch action {
                case .start(let origin, let restarting):
                    effects.append(.start(delegate, origin, restarting: restarting))
                case .cancelTriggered: effects.append(.cancelTriggered(delegate))
                case .evict: effects.append(.evict(delegate))
                }
            }
        }
        operations[place].shown = levels
        actions.removeAll(keepingCapacity: true)
    }

    func levels(of place: Int) -> OperationLevels? {
        guard let places = operations[place].slots else { return nil }
        let operation = operations[place]
        return OperationLevels(
            gate: leads && slots[Int(places.gate)].value,
            stale: operation.isInvalidated || operation.value == SpecAtom.absent
                // What is followed has no age.
                || operation.followers == 0 && slots[Int(places.stale)].value,
            when: slots[Int(places.when)].value, admit: slots[Int(places.admit)].value)
    }

    private mutating func touch(operation place: Int) {
        guard operations[place].mark != commit else { return }
        operations[place].mark = commit
        dirtyOperations.append(Int32(place))
    }

    // MARK: Facts and leaves

    private mutating func set(_ fact: BoardFact, _ input: Int64) {
        guard let record = facts[fact] else {
            facts[fact] = FactRecord(input: input)
            return
        }
        guard record.input != input else { return }
        facts[fact]?.input = input
        for leaf in record.leaves { give(input, to: Int(leaf)) }
    }

    private mutating func give(_ input: Int64, to leaf: Int) {
        guard leaves[leaf].input != input else { return }
        leaves[leaf].input = input
        judge(leaf)
    }

    private mutating func judge(_ place: Int) {
        let reading = leaves[place].key.atom.reading(leaves[place].input, now: now, wall: wall)
        if reading.due != .max {
            schedule(leaf: place, reading.due, isWall: reading.isWall)
        }
        guard reading.value != values[place] else { return }
        values[place] = reading.value
        leaves[place].turned = wall
        for slot in leaves[place].dependents where slots[Int(slot)].mark != commit {
            slots[Int(slot)].mark = commit
            dirtySlots.append(slot)
        }
    }

    private mutating func replace<Field: Equatable>(
        _ id: String, _ field: WritableKeyPath<OperationRecord, Field>, _ value: Field
    ) {
        guard let place = operationPlaces[id] else { return }
        replace(Int(place), field, value)
    }

    private mutating func replace<Field: Equatable>(
        _ place: Int, _ field: WritableKeyPath<OperationRecord, Field>, _ value: Field
    ) {
        guard operations[place][keyPath: field] != value else { return }
        operations[place][keyPath: field] = value
        touch(operation: place)
        for leaf in operations[place].leaves {
            give(operations[place].input(of: leaves[Int(leaf)].key.atom), to: Int(leaf))
        }
    }

    /// The number that `atom` looks at now.
    func input(of atom: SpecAtom, operation: Int32) -> Int64 {
        guard let fact = Self.fact(of: atom) else {
            return operation < 0
                ? atom.valueAtBoot : operations[Int(operation)].input(of: atom)
        }
        return facts[fact]?.input ?? atom.valueAtBoot
    }

    private static func fact(of atom: SpecAtom) -> BoardFact? {
        switch atom {
        case .connected(let name, _): .link(name)
        case .healthy(let name): .health(name)
        case .token(let name, _): .token(name)
        case .active(.service): .service
        case .condition(let name): .condition(name)
        case .pressure: .pressure
        default: nil
        }
    }

    /// The leaf for `atom` with one reference more; made where there is none.
    ///
    /// - Parameter answers: What custom specifications said, before the board was locked.
    private mutating func leaf(
        _ atom: SpecAtom, operation: Int32, _ answers: [CustomSpecification: Bool]
    ) -> Int32 {
        let key = LeafRecord.Key(atom: atom, operation: operation)
        if let place = leafPlaces[key] {
            leaves[Int(place)].references += 1
            return place
        }
        lastStamp &+= 1
        var input = input(of: atom, operation: operation)
        if case .custom(let custom) = atom { input = answers[custom] == true ? 1 : 0 }
        let record = LeafRecord(key: key, input: input, stamp: lastStamp)
        let place: Int32
        if let free = freeLeaves.popLast() {
            place = free
            leaves[Int(place)] = record
        } else {
            place = Int32(leaves.count)
            leaves.append(record)
            values.append(false)
        }
        values[Int(place)] = false
        leafPlaces[key] = place
        if let fact = Self.fact(of: atom) {
            facts[fact, default: FactRecord(input: input)].leaves.append(place)
            noteReaders(of: fact, count: 1)
        } else if case .custom(let custom) = atom {
            effects.append(
                .subscribe(
                    leaf: place, stamp: lastStamp, custom,
                    operation: operation < 0 ? nil : operations[Int(operation)].id))
            if operation >= 0 { operations[Int(operation)].askingLeaves += 1 }
        } else if operation >= 0 {
            operations[Int(operation)].leaves.append(place)
        }
        judge(Int(place))
        leaves[Int(place)].turned = nil
        return place
    }

    private mutating func release(leaf place: Int32) {
        precondition(
            leaves[Int(place)].isInUse && leaves[Int(place)].references > 0,
            "a leaf is let go of as often as it was taken")
        leaves[Int(place)].references -= 1
        guard leaves[Int(place)].references == 0 else { return }
        let key = leaves[Int(place)].key
        leafPlaces[key] = nil
        leaves[Int(place)].isInUse = false
        if case .custom(let custom) = key.atom {
            if let subscription = leaves[Int(place)].subscription {
                effects.append(.end(subscription, custom))
                leaves[Int(place)].subscription = nil
            }
            // The free leaf does not hold it.
            leaves[Int(place)].key.atom = .active(.service)
            removed.append(custom)
        }
        if let fact = Self.fact(of: key.atom) {
            facts[fact]?.leaves.removeAll { $0 == place }
            noteReaders(of: fact, count: 0)
        } else if key.operation >= 0 {
            if case .custom = key.atom {
                operations[Int(key.operation)].askingLeaves -= 1
            } else {
                operations[Int(key.operation)].leaves.removeAll { $0 == place }
            }
            forgetIfUnused(operation: key.operation)
        }
        freeLeaves.append(place)
    }

    /// Tells of the first reader of what is measured for readers only, and of the last one's end.
    private mutating func noteReaders(of fact: BoardFact, count: Int) {
        switch fact {
        case .link, .pressure:
            if facts[fact]?.leaves.count == count { effects.append(.readers) }
        default: break
        }
    }

    // MARK: Custom specifications

    /// Takes over what a custom specification says.
    mutating func answer(_ leaf: Int32, stamp: UInt32, _ value: Bool) {
        guard isCurrent(leaf, stamp) else { return }
        give(value ? 1 : 0, to: Int(leaf))
    }

    /// Whether the specification has to be asked, which it is about to be otherwise.
    mutating func beginAsking(_ leaf: Int32, stamp: UInt32) -> Bool {
        guard isCurrent(leaf, stamp), !leaves[Int(leaf)].isAsking else { return false }
        leaves[Int(leaf)].isAsking = true
        return true
    }

    /// From here on a call of `onChange` has it asked once more.
    mutating func isBeingAsked(_ leaf: Int32, stamp: UInt32) {
        if isCurrent(leaf, stamp) { leaves[Int(leaf)].isAsking = false }
    }

    /// - Returns: Whether the leaf is there to keep it.
    mutating func keep(_ subscription: RunSubscription, leaf: Int32, stamp: UInt32) -> Bool {
        guard isCurrent(leaf, stamp) else { return false }
        leaves[Int(leaf)].subscription = subscription
        return true
    }

    private func isCurrent(_ leaf: Int32, _ stamp: UInt32) -> Bool {
        leaves[Int(leaf)].isInUse && leaves[Int(leaf)].stamp == stamp
    }

    // MARK: Slots

    /// Compiles `expression` and takes its value as the one to begin with.
    private mutating func slot(
        _ expression: SpecExpression, operation: Int32, owner: Int32,
        _ answers: [CustomSpecification: Bool]
    ) -> Int32 {
        var program = SpecProgram()
        var nodes = 0
        compile(
            expression, operation: operation, answers: answers, names: [], level: 0, nodes: &nodes,
            program: &program)
        program.seal()
        if let fault = program.fault {
            effects.append(.fault(operation < 0 ? nil : operations[Int(operation)].id, fault))
        }
        precondition(program.isBalanced, "a program leaves one value, and fits into its word")
        var record = SlotRecord(program: program, owner: owner)
        record.value = program.run(values)
        let place: Int32
        if let free = freeSlots.popLast() {
            place = free
            slots[Int(place)] = record
        } else {
            place = Int32(slots.count)
            slots.append(record)
        }
        for leaf in Set(program.leaves) { leaves[Int(leaf)].dependents.append(place) }
        return place
    }

    private mutating func release(slot place: Int32) {
        assert(!freeSlots.contains(place), "a slot is let go of once")
        let program = slots[Int(place)].program
        slots[Int(place)].program = SpecProgram()
        for leaf in Set(program.leaves) {
            leaves[Int(leaf)].dependents.removeAll { $0 == place }
        }
        for leaf in program.leaves { release(leaf: leaf) }
        freeSlots.append(place)
    }

    /// What goes in a circle stands for false, and what is too large is a fault of the program; what
    /// comes from a configuration was checked before.
    private mutating func compile(
        _ expression: SpecExpression, operation: Int32, answers: [CustomSpecification: Bool],
        names: [String], level: Int, nodes: inout Int, program: inout SpecProgram
    ) {
        nodes += 1
        guard level < SpecProgram.mostLevels, nodes <= SpecProgram.mostNodes else {
            return program.cut()
        }
        switch expression {
        case .constant(let value): program.append(value ? .yes : .no)
        case .all(let parts), .any(let parts):
            let isAll = if case .all = expression { true } else { false }
            if parts.isEmpty { return program.append(isAll ? .yes : .no) }
            for (index, part) in parts.enumerated() {
                compile(
                    part, operation: operation, answers: answers, names: names, level: level + 1,
                    nodes: &nodes, program: &program)
                if index > 0 { program.append(isAll ? .and : .or) }
            }
        case .not(let part):
            compile(
                part, operation: operation, answers: answers, names: names, level: level + 1,
                nodes: &nodes, program: &program)
            program.append(.not)
        case .named(let name):
            guard let named = specs[name], !names.contains(name) else { return program.append(.no) }
            compile(
                named, operation: operation, answers: answers, names: names + [name],
                level: level + 1, nodes: &nodes, program: &program)
        case .atom(let atom):
            var owner: Int32 = atom.isOwned ? operation : -1
            if case .other(let id)? = atom.operation { owner = self.operation(id) }
            program.append(leaf(atom.ofThis, operation: owner, answers))
        }
    }

    // MARK: Operations

    /// The place of the operation; made where it is not known yet.
    private mutating func operation(_ id: String) -> Int32 {
        if let place = operationPlaces[id] { return place }
        lastStamp &+= 1
        let place: Int32
        let record = newRecord(id)
        if let free = freeOperations.popLast() {
            place = free
            operations[Int(place)] = record
        } else {
            place = Int32(operations.count)
            operations.append(record)
        }
        operationPlaces[id] = place
        return place
    }

    private func newRecord(_ id: String) -> OperationRecord {
        var record = OperationRecord(id, stamp: lastStamp)
        record.followers = followers[id] ?? 0
        return record
    }

    /// One more controller keeps the operation's value up to date, or one fewer.
    mutating func changeFollowers(of id: String, by change: Int) {
        let count = (followers[id] ?? 0) + change
        precondition(count >= 0, "a controller follows an operation before it ceases to")
        followers[id] = count > 0 ? count : nil
        replace(id, \.followers, count)
    }

    private mutating func forgetIfUnused(operation place: Int32) {
        let record = operations[Int(place)]
        guard record.isInUse, record.attachment == nil, record.leaves.isEmpty,
            record.askingLeaves == 0
        else { return }
        operations[Int(place)].isInUse = false
        operationPlaces[record.id] = nil
        freeOperations.append(place)
    }

    /// Rule 3: the operation begins, or begins anew, with things as they stand.
    mutating func attach(
        _ id: String, settings: OperationSettings, delegate: (any TriggeredOperation)?,
        answers: [CustomSpecification: Bool]
    ) {
        let place = operation(id)
        let before = operations[Int(place)].slots
        let others = operations[Int(place)].attachment?.settings.refetch.on ?? []
        for event in others { listeners[event]?.remove(place) }
        for event in settings.refetch.on { listeners[event, default: []].insert(place) }
        if let attachment = operations[Int(place)].attachment { removed.append(attachment) }
        operations[Int(place)].attachment = .init(settings, delegate)
        let slots = OperationRecord.Slots(
            gate: slot(settings.gate, operation: place, owner: place, answers),
            stale: slot(settings.staleness, operation: place, owner: place, answers),
            when: slot(settings.edge, operation: place, owner: place, answers),
            admit: slot(settings.admit.when, operation: place, owner: place, answers))
        operations[Int(place)].slots = slots
        // After the new ones, so that leaves of both stay.
        if let before { release(before) }
        guard let levels = levels(of: Int(place)) else { return }
        operations[Int(place)].machine.takeBaseline(
            levels, subscribers: Int(operations[Int(place)].subscribers), settings, now: now,
            wall: wall)
        schedule(operation: Int(place))
        if let shown = operations[Int(place)].shown, shown != levels, let delegate {
            effects.append(.levels(delegate, levels))
        }
        operations[Int(place)].shown = levels
    }

    mutating func detach(_ id: String) {
        guard let place = operationPlaces[id],
            let attachment = operations[Int(place)].attachment
        else { return }
        for event in attachment.settings.refetch.on { listeners[event]?.remove(place) }
        removed.append(attachment)
        operations[Int(place)].attachment = nil
        if let slots = operations[Int(place)].slots {
            operations[Int(place)].slots = nil
            release(slots)
        }
        // Others may look at it still: it is as new.
        guard operationPlaces[id] != nil else { return }
        lastStamp &+= 1
        var fresh = newRecord(id)
        fresh.leaves = operations[Int(place)].leaves
        fresh.askingLeaves = operations[Int(place)].askingLeaves
        fresh.mark = operations[Int(place)].mark
        operations[Int(place)] = fresh
        for leaf in fresh.leaves {
            give(fresh.input(of: leaves[Int(leaf)].key.atom), to: Int(leaf))
        }
        forgetIfUnused(operation: place)
    }

    private mutating func release(_ slots: OperationRecord.Slots) {
        for slot in [slots.gate, slots.stale, slots.when, slots.admit] { release(slot: slot) }
    }

    /// Attached operations with their settings, for what has to compile them anew.
    var attached: [(id: String, OperationSettings, (any TriggeredOperation)?)] {
        operations.compactMap { record in
            record.attachment.map { (record.id, $0.settings, $0.delegate) }
        }
    }

    // MARK: Observers

    /// Has an observer told how its expression stands.
    mutating func notify(observer place: Int32) {
        let observer = observers[Int(place)]
        guard let onChange = observer.onChange else { return }
        effects.append(.observed(onChange, slots[Int(observer.slot)].value))
    }

    mutating func observe(
        _ expression: SpecExpression, operation id: String?,
        _ answers: [CustomSpecification: Bool], _ onChange: @escaping @Sendable (Bool) -> Void
    ) -> (place: Int32, stamp: UInt32) {
        lastStamp &+= 1
        let place = freeObservers.popLast() ?? Int32(observers.count)
        let owner = id.map { operation($0) } ?? -1
        let slot = slot(expression, operation: owner, owner: ~place, answers)
        let record = ObserverRecord(slot: slot, stamp: lastStamp, onChange: onChange)
        if Int(place) == observers.count {
            observers.append(record)
        } else {
            observers[Int(place)] = record
        }
        if owner >= 0 { forgetIfUnused(operation: owner) }
        return (place, record.stamp)
    }

    mutating func endObserving(_ place: Int32, stamp: UInt32) {
        guard observers[Int(place)].stamp == stamp,
            let onChange = observers[Int(place)].onChange
        else { return }
        removed.append(onChange)
        observers[Int(place)].onChange = nil
        release(slot: observers[Int(place)].slot)
        freeObservers.append(place)
    }

    // MARK: Conditions

    func condition(named name: String) -> ConditionRecord? {
        conditionPlaces[name].map { conditions[Int($0)] }
    }

    /// Declares exactly these; those that were there keep their value.
    mutating func declare(
        _ declarations: [ConditionDeclaration], stored: [ConditionState]
    ) {
        var next: [ConditionRecord] = []
        var places: [String: Int32] = [:]
        for declaration in declarations where places[declaration.name] == nil {
            var record =
                condition(named: declaration.name)
                ?? ConditionRecord(declaration: declaration, value: declaration.initial)
            if condition(named: declaration.name) == nil, declaration.persists,
                let kept = stored.first(where: { $0.name == declaration.name })
            {
                restore(kept, &record)
            }
            record.declaration = declaration
            // Entries of the heap go by places, which may be others now.
            record.scheduled = .max
            places[declaration.name] = Int32(next.count)
            next.append(record)
        }
        let gone = conditions.map(\.declaration.name).filter { places[$0] == nil }
        precondition(next.count == places.count, "each condition has one place")
        conditions = next
        conditionPlaces = places
        for name in gone { set(.condition(name), 0) }
        for place in conditions.indices {
            set(.condition(conditions[place].declaration.name), conditions[place].value ? 1 : 0)
            scheduleExpiry(place)
        }
    }

    /// Has operations run by themselves from now on, or no more. Conditions are as they were kept,
    /// and who has a run is as new: as after a restart.
    mutating func lead(_ leads: Bool, stored: [ConditionState]) {
        self.leads = leads
        for place in operations.indices { operations[place].machine = TriggerMachine() }
        let before = conditions.map(\.state)
        let declarations = conditions.map(\.declaration)
        conditions = []
        conditionPlaces = [:]
        declare(declarations, stored: stored)
        changedConditions += before.filter { condition(named: $0.name)?.state != $0 }.map(\.name)
    }

    private func restore(_ kept: ConditionState, _ record: inout ConditionRecord) {
        record.revision = kept.revision
        if let end = kept.expiresAt {
            let left = end.nanoseconds.subtractingSaturated(wall)
            guard left > 0 else {
                record.revision += kept.value == record.value ? 0 : 1
                return
            }
            record.expires = now.addingSaturated(left)
            record.expiresAt = end
        }
        record.value = kept.value
    }

    private mutating func scheduleExpiry(_ place: Int) {
        let due = conditions[place].expires
        guard due < conditions[place].scheduled else { return }
        conditions[place].scheduled = due
        monotonic.push(.init(due: due, index: Int32(place), stamp: 0, kind: .condition))
    }

    /// - Returns: Whether the value is another.
    @discardableResult
    mutating func write(_ order: ConditionWrite) -> Bool {
        guard let place = conditionPlaces[order.name].map(Int.init) else { return false }
        let changed = conditions[place].value != order.value
        let before = conditions[place].expiresAt
        conditions[place].expires = .max
        conditions[place].expiresAt = nil
        if let ttl = order.ttl {
            conditions[place].expires = now.addingSaturated(ttl.nanoseconds)
            conditions[place].expiresAt =
                .nanoseconds(wall.addingSaturated(ttl.nanoseconds))
            scheduleExpiry(place)
        }
        if changed {
            conditions[place].value = order.value
            conditions[place].revision += 1
            set(.condition(order.name), order.value ? 1 : 0)
        }
        if changed || before != conditions[place].expiresAt { changedConditions.append(order.name) }
        return changed
    }
}

/// What of the board is due.
struct BoardDue: DueEntry {
    enum Kind: UInt8 {
        case leaf, operation, condition
    }

    var due: Int64
    var index: Int32
    var stamp: UInt32
    var kind: Kind
}

extension OperationRecord {
    /// What `atom`, which is about this operation, looks at.
    func input(of atom: SpecAtom) -> Int64 {
        switch atom {
        case .active: isActive ? 1 : 0
        case .subscribers: subscribers
        case .age, .value: value
        case .failures: failures
        case .status: status
        default: atom.valueAtBoot
        }
    }
}

extension OperationStatus {
    /// The status as the board keeps it.
    var number: Int64 {
        switch self {
        case .idle: 0
        case .loading: 1
        case .success: 2
        case .failure: 3
        }
    }
}
