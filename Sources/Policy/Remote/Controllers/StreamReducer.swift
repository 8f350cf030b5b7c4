import FreshetBase
package import FreshetJSON
package import FreshetQuery

// From events of an upstream's stream to changes of a value.
//
// The first rule whose `on` is the event's name, or `*`, says what is done. All of it is pure: an event
// and what was accumulated before go in, what is accumulated now and one outcome come out. An event
// counts wholly or not at all: where one of its entities is none, nothing has changed and the outcome
// is a fault. So a fault never costs what was there.
//
// An event is a list of elements, or one. Where a rule's `data` leads somewhere in each element, that is
// taken, else what it leads to in the event. Entities are identified by the id that stands at `key` in
// them, or else in the element or event that they came in. They have an order, that of their
// coming: `append` puts at the end, `prepend` at the front, `upsert` and `merge` leave what is there in
// its place. `limit` keeps the newest n, newest being what was put last, wherever it stands.

/// One line of `reduce`.
package struct StreamRule: Sendable, Equatable {
    package enum Action: String, Sendable, CaseIterable {
        /// The entities are the whole value.
        case set
        /// They come in place of those of their ids, or to the end.
        case upsert
        /// They are merged (RFC 7396) into those of their ids.
        case merge
        case append
        case prepend
        case remove
        /// It is an error's text.
        case error
        case rerun
        case reset
        /// There is nothing to follow any more.
        case halt
        case ignore
    }

    /// The event's name; `*` is any.
    package var on: String
    package var action: Action
    /// Where an entity's id stands in it, or else in what it came in; nil: where the type's remote
    /// has it, or `/id`.
    package var key: JSONPointer?
    /// Where the entity, or the list of them, stands in each element of the event's data, or else in
    /// the data itself.
    package var data = JSONPointer()
    /// The most entities, the newest; nil: no bound but the reducer's own.
    package var limit: Int?

    package init(on: String, _ action: Action) {
        self.on = on
        self.action = action
    }
}

/// What comes of one event.
package enum StreamOutcome: Sendable, Equatable {
    case nothing
    /// The whole value.
    case whole([[UInt8]])
    /// What has come or changed, in order, and what has gone.
    case change(put: [[UInt8]], remove: [EntityID])
    case error(UpstreamText)
    /// The event is not what its rule expects; nothing has changed.
    case fault(UpstreamText)
    case rerun
    case reset
    case halt
}

/// The value that a stream's events add up to.
package struct StreamReducer: Sendable {
    private struct Entry {
        var json: [UInt8]
        /// Where it stands among the others.
        var place: Int
        /// When it was put last.
        var stamp: Int
    }

    /// What is accumulated at most: past it an event is a fault.
    package static let mostEntities = 100_000
    package static let mostBytes = 64 << 20

    private let rules: [StreamRule]
    private let mapping: RemoteMapping
    private let maximumEntity: Int
    private var entries: [EntityID: Entry] = [:]
    private var bytes = 0
    private var lastStamp = 0
    private var firstPlace = 0
    private var lastPlace = 0
    /// Ids by stamp, oldest first; an entry that was put again since has a later place as well.
    private var queue: [(stamp: Int, id: EntityID)] = []
    private var front = 0
    /// Entities that have changed since `stored()`: what is kept elsewhere of them is older.
    private var unstored: Set<EntityID> = []
    /// All of them have.
    private var isUnstored = false
    /// Entities of other types that the newest event had inside of its own.
    package private(set) var nested: [RemoteEntity] = []

    /// - Parameters:
    ///   - mapping: How entities of the type look at the upstream.
    ///   - maximumEntity: The most bytes of one.
    package init(_ rules: [StreamRule], _ mapping: RemoteMapping, maximumEntity: Int) {
        self.rules = rules
        self.mapping = mapping
        self.maximumEntity = maximumEntity
    }

    /// The accumulated entities, in order.
    package var value: [[UInt8]] {
        entries.values.sorted { $0.place < $1.place }.map(\.json)
    }

    package var count: Int { entries.count }

    /// Begins anew with `entities`.
    ///
    /// - Returns: What is wrong with them, if anything; then nothing is left.
    @discardableResult
    package mutating func restart(with entities: JSONValue?) -> UpstreamText? {
        clear()
        guard let entities else { return nil }
        var rule = StreamRule(on: "*", .set)
        rule.data = JSONPointer()
        let elements = Self.elements(of: entities, at: rule.data) ?? []
        if case .fault(let reason) = apply(rule, elements, stored: { _ in nil }) { return reason }
        return nil
    }

    /// Whether an event may cost the oldest entities their place, so that all must be known.
    var isBounded: Bool { rules.contains { $0.limit != nil } }

    /// Whether events have changed what is not kept elsewhere yet.
    var isAhead: Bool { isUnstored || !unstored.isEmpty }

    /// Goes on with what is kept elsewhere of earlier events, oldest first, in place of what it has.
    /// Where it is not bounded that is asked for entity by entity, and none need be given.
    mutating func resume(with entities: [Document]) {
        clear()
        for entity in entities { put(Row(id: entity.id, json: Array(entity.json)), .append) }
        stored()
    }

    /// What was taken so far is kept elsewhere as well.
    mutating func stored() {
        // What an entity is stands there by now; only a bound needs to know which there are.
        if !isBounded { clear() }
        unstored = []
        isUnstored = false
    }

    /// Takes one event.
    ///
    /// - Parameters:
    ///   - data: JSON, where the rule needs any.
    ///   - stored: The entity of that id where it is kept in another way as well, as canonical JSON:
    ///     what a merge begins with.
    package mutating func reduce(
        _ name: String, _ data: [UInt8], stored: (EntityID) -> [UInt8]? = { _ in nil }
    ) -> StreamOutcome {
        nested = []
        guard let rule = rules.first(where: { $0.on == name || $0.on == "*" }) else {
            return .nothing
        }
        switch rule.action {
        case .ignore: return .nothing
        case .rerun: return .rerun
        case .halt: return .halt
        case .reset:
            clear()
            return .reset
        case .error: return .error(Self.message(data, at: rule.data))
        case .set, .upsert, .merge, .append, .prepend, .remove:
            let value: JSONValue
            do {
                value = try JSONValue.parse(data)
            } catch {
                return .fault("the data of '\(name)' is no JSON: \(error.expectation)")
            }
            guard let elements = Self.elements(of: value, at: rule.data) else {
                return .fault("the data of '\(name)' has nothing at \(rule.data.description)")
            }
            return apply(rule, elements, stored: stored)
        }
    }

    /// What an error event says: its text, or what there is.
    private static func message(_ data: [UInt8], at pointer: JSONPointer) -> UpstreamText {
        let found = (try? JSONValue.parse(data))?[pointer]
        let text =
            found?.stringValue.map { Array($0.utf8) } ?? found?["detail"]?.stringValue.map {
                Array($0.utf8)
            } ?? found?.bytes ?? data
        return text.isEmpty ? "the stream reports an error" : UpstreamText(text)
    }

    // MARK: Rules

    private struct Row {
        let id: EntityID
        let json: [UInt8]
    }

    /// An entity, or its id alone.
    private struct Element {
        let value: JSONValue
        /// What it came in, where it is all that came in it.
        let around: JSONValue?

        /// What stands at `key`.
        func id(at key: JSONPointer) -> JSONValue? {
            for place in [value, around] {
                if let found = place?[key], !found.isNull { return found }
            }
            return nil
        }
    }

    /// - Returns: nil where `data` leads nowhere.
    private static func elements(of event: JSONValue, at data: JSONPointer) -> [Element]? {
        if let list = event.arrayValue {
            let selected = list.compactMap { element in element[data].map { (element, $0) } }
            if selected.count == list.count {
                return selected.flatMap { element, part in
                    data.tokens.isEmpty
                        ? [Element(value: element, around: nil)] : parts(part, of: element)
                }
            }
        }
        return event[data].map { parts($0, of: event) }
    }

    private static func parts(_ selected: JSONValue, of around: JSONValue) -> [Element] {
        let parts = selected.arrayValue ?? [selected]
        return parts.map { Element(value: $0, around: parts.count == 1 ? around : nil) }
    }

    private mutating func apply(
        _ rule: StreamRule, _ elements: [Element], stored: (EntityID) -> [UInt8]?
    ) -> StreamOutcome {
        let key = key(of: rule)
        if rule.action == .remove {
            var ids: [EntityID] = []
            for element in elements {
                guard let id = Self.id(of: element, at: key) else {
                    return .fault("an event to remove has no id at \(key.description)")
                }
                ids.append(id)
            }
            for id in ids { drop(id) }
            return .change(put: [], remove: ids)
        }
        var rows: [Row] = []
        var decoder = decoder(at: key)
        var inside: [RemoteEntity] = []
        for (index, element) in elements.enumerated() {
            let decoded: EntityDecoder.Decoded
            do throws(EntityDecoder.Fault) {
                decoded = try decode(element, at: key, &decoder)
            } catch {
                return .fault("an event's entity \(index + 1) is none: \(error.sentence)")
            }
            guard decoded.dropped == 0 else {
                return .fault("an event's entity \(index + 1) has others inside that are none")
            }
            inside += decoded.extracted
            let entity = decoded.entity
            rows.append(Row(id: entity.id, json: Array(entity.document.json)))
        }
        if rule.action == .merge {
            for (index, row) in rows.enumerated() {
                guard let merged = merged(row, rows[..<index], stored) else {
                    return .fault("the entity '\(row.id.text)' cannot be merged")
                }
                rows[index] = merged
            }
        }
        let size = rows.reduce(0) { $0 + $1.json.count }
        let isSet = rule.action == .set
        // Entities that stay: what comes in the place of one does not count twice.
        let replaced = isSet ? [] : Set(rows.map(\.id)).compactMap { entries[$0] }
        let kept = isSet ? (0, 0) : (entries.count - replaced.count, bytes)
        guard rows.count + kept.0 <= Self.mostEntities,
            size + kept.1 - replaced.reduce(0, { $0 + $1.json.count }) <= Self.mostBytes
        else { return .fault("there are more entities than are accumulated") }
        nested = inside
        if isSet { clear() }
        // In front of all, the first of a list is the first.
        if rule.action == .prepend { rows.reverse() }
        for row in rows { put(row, rule.action) }
        let dropped = rule.limit.map { keepNewest($0) } ?? []
        if isSet { return .whole(self.value) }
        return .change(put: rows.compactMap { entries[$0.id]?.json }, remove: dropped)
    }

    private func key(of rule: StreamRule) -> JSONPointer { rule.key ?? mapping.id }

    private func decoder(at key: JSONPointer) -> EntityDecoder {
        var mapping = mapping
        mapping.id = key
        return EntityDecoder(mapping, maximumBytes: maximumEntity)
    }

    private func decode(
        _ element: Element, at key: JSONPointer, _ decoder: inout EntityDecoder
    ) throws(EntityDecoder.Fault) -> EntityDecoder.Decoded {
        guard element.value[key]?.isNull ?? true, let id = element.id(at: key) else {
            return try Self.decode(element.value, &decoder)
        }
        // The entity has no part of the event but the id, which is its own `id` then.
        var decoder = self.decoder(at: Self.ownID)
        return try Self.decode(element.value.withID(id), &decoder)
    }

    private static let ownID = JSONPointer(tokens: ["id"])

    private static func decode(
        _ value: JSONValue, _ decoder: inout EntityDecoder
    ) throws(EntityDecoder.Fault) -> EntityDecoder.Decoded {
        let bytes = value.bytes
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(EntityDecoder.Fault) in
                try decoder.decode(JSONView(canonical: bytes))
            }
        }
        return try result.get()
    }

    /// An entity itself, or its id alone.
    private static func id(of element: Element, at key: JSONPointer) -> EntityID? {
        let isID = element.value.objectValue == nil && !element.value.isNull
        switch isID ? element.value : element.id(at: key) {
        case .string(let text)?: return try? EntityID(text)
        case .number(let text)?: return try? EntityID("\(text)")
        default: return nil
        }
    }

    private func merged(
        _ patch: Row, _ earlier: ArraySlice<Row>, _ stored: (EntityID) -> [UInt8]?
    ) -> Row? {
        let isNewest = isUnstored || unstored.contains(patch.id)
        let base =
            earlier.last { $0.id == patch.id }?.json ?? (isNewest ? nil : stored(patch.id))
            ?? entries[patch.id]?.json
        var merged = ByteBuffer(capacity: 256)
        let isDone = patch.json.withUnsafeBytes { patch in
            (base ?? Array("{}".utf8)).withUnsafeBytes { base in
                do throws(JSONFault) {
                    try JSONMergePatch.apply(
                        patch: JSONView(canonical: patch), to: JSONView(canonical: base),
                        into: &merged)
                    return true
                } catch {
                    return false
                }
            }
        }
        guard isDone, merged.count <= maximumEntity else { return nil }
        return Row(id: patch.id, json: Array(merged.bytes))
    }

    // MARK: Entries

    private mutating func put(_ row: Row, _ action: StreamRule.Action) {
        lastStamp += 1
        unstored.insert(row.id)
        var entry =
            entries[row.id] ?? Entry(json: [], place: .min, stamp: 0)
        bytes += row.json.count - entry.json.count
        entry.json = row.json
        entry.stamp = lastStamp
        if action == .prepend {
            firstPlace -= 1
            entry.place = firstPlace
        } else if action == .append || entry.place == .min {
            lastPlace += 1
            entry.place = lastPlace
        }
        entries[row.id] = entry
        queue.append((lastStamp, row.id))
        compactQueue()
    }

    private mutating func drop(_ id: EntityID) {
        unstored.insert(id)
        if let entry = entries.removeValue(forKey: id) { bytes -= entry.json.count }
    }

    private mutating func keepNewest(_ limit: Int) -> [EntityID] {
        var dropped: [EntityID] = []
        while entries.count > limit, front < queue.count {
            let (stamp, id) = queue[front]
            front += 1
            guard entries[id]?.stamp == stamp else { continue }
            drop(id)
            dropped.append(id)
        }
        return dropped
    }

    /// Puts behind entries are left out of the queue when they are its greater part.
    private mutating func compactQueue() {
        guard queue.count > 64, queue.count > 4 * entries.count else { return }
        queue = queue[front...].filter { entries[$0.id]?.stamp == $0.stamp }
        front = 0
    }

    private mutating func clear() {
        isUnstored = true
        entries = [:]
        queue = []
        front = 0
        bytes = 0
    }
}

extension JSONValue {
    /// The object with `id` as its identifier; what is no object is unchanged.
    fileprivate func withID(_ id: JSONValue) -> JSONValue {
        guard let members = objectValue else { return self }
        return .object([Member(name: "id", value: id)] + members.filter { $0.name != "id" })
    }
}
