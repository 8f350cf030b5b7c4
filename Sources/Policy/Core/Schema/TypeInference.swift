import FreshetBase
import FreshetEngine
package import FreshetJSON
package import FreshetQuery

// What the entities of a type look like, told by some of them.
//
// Two passes over the sample. The first counts the names, down to three levels: `author.name` is a
// property of the object `author`; arrays are not entered, as paths are not. The second looks at the
// values of the properties that most entities have. So the memory is bounded by names first, and
// by values then: what an entity with a thousand keys of its own brings is counted and let go.
//
// Names and values are bytes of the sampled documents, which are kept until the end.

/// What the sampled entities of a type have in common.
package struct InferredType: Sendable {
    /// Entities that were looked at.
    package let sampled: Int
    /// The properties that most of them have, the most frequent first.
    package let properties: [InferredProperty]
    /// A declaration that takes every entity of the sample, as the configuration has it under the
    /// type's name.
    package let schema: JSONValue
}

/// One property in a sample of entities.
package struct InferredProperty: Sendable {
    package let path: PropertyPath
    /// Entities that have it, with null as well.
    package let seen: Int
    /// The kinds of its values, the most frequent first.
    package let kinds: [(kind: JSONKind, count: Int)]
    /// Different strings, numbers and Booleans; nil where there are more than are told apart, and
    /// where there are arrays or objects.
    package let distinct: Int?
    /// The most frequent ones of these, as canonical JSON.
    package let most: [(value: [UInt8], count: Int)]
    /// The least and the greatest number; of a property without numbers the first and the last
    /// string. Canonical JSON.
    package let least: [UInt8]?
    package let greatest: [UInt8]?
    /// Unicode scalars of the longest string.
    package let maxLength: Int?
    /// What every string of it is: a date, a duration, a URI.
    package let format: PropertySchema.Kind?
}

/// Looks at entities, some at a time.
// SAFETY: one block of work at a time touches it; the blocks follow one another.
final class TypeInference: @unchecked Sendable {
    /// Levels of names.
    static let mostLevels = 3
    static let mostProperties = 200
    /// Names that are counted; those that come later are passed over.
    static let mostNames = 20_000
    /// Bytes of a name, as JSON spells it; a longer one is passed over.
    static let longestName = 256

    private let documents: [Document]
    private let root = InferredNode()
    private var names = 0
    private var position = 0
    private var isCounted = false
    private var hasIntegerIDs = true

    init(_ documents: [Document]) {
        self.documents = documents
    }

    /// Looks at `rows` entities more.
    ///
    /// - Returns: Whether everything has been looked at.
    func run(rows: Int) -> Bool {
        for document in documents[position...].prefix(rows) {
            if isCounted {
                if document.member(named: "id")?.kind != .number { hasIntegerIDs = false }
                forEachMember(of: document) { root.child($0)?.take($1) }
            } else {
                forEachMember(of: document) { count($0, $1, under: root, level: 1) }
            }
        }
        position = min(position + rows, documents.count)
        guard position == documents.count else { return false }
        guard !isCounted else { return true }
        isCounted = true
        position = 0
        choose()
        return false
    }

    private func forEachMember(
        of document: Document, _ body: (InferredText, JSONView) -> Void
    ) {
        for index in 0..<document.memberCount {
            let name = InferredText(bytes: document.memberName(at: index))
            if !name.isID { body(name, document.memberValue(at: index)) }
        }
    }

    private func count(
        _ name: InferredText, _ value: JSONView, under node: InferredNode, level: Int
    ) {
        guard name.bytes.count <= Self.longestName else { return }
        guard let child = node.child(name) ?? enter(name, under: node) else { return }
        child.seen += 1
        guard level < Self.mostLevels else { return }
        for member in value.members {
            count(InferredText(bytes: member.name), member.value, under: child, level: level + 1)
        }
    }

    private func enter(_ name: InferredText, under node: InferredNode) -> InferredNode? {
        guard names < Self.mostNames else { return nil }
        names += 1
        return node.enter(name)
    }

    /// Leaves the most frequent names. A member is entered behind its object and is no more frequent,
    /// so that no member is left without it.
    private func choose() {
        let order = root.descendants.sorted { $0.seen > $1.seen }
        for node in order.dropFirst(Self.mostProperties) { node.isChosen = false }
        root.keepChosen()
    }

    /// What has been found, once everything has been looked at.
    var result: InferredType {
        var schema: [JSONValue.Member] = []
        if hasIntegerIDs, !documents.isEmpty {
            schema.append(.init(name: "identifier", value: "integer"))
        }
        schema.append(.init(name: "properties", value: root.declarations))
        return InferredType(
            sampled: documents.count,
            properties: root.descendants.sorted { $0.seen > $1.seen }.map(\.property),
            schema: .object(schema))
    }
}

/// Bytes of a sampled document that stand for a name or a value.
private struct InferredText: Hashable {
    let bytes: UnsafeRawBufferPointer

    static func == (left: InferredText, right: InferredText) -> Bool {
        Bytes.equal(left.bytes, right.bytes)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }

    var isID: Bool { bytes.elementsEqual("id".utf8) }

    /// The name that canonical JSON spells so.
    var name: String {
        var plain = ByteBuffer(capacity: bytes.count)
        JSONText.unescape(bytes, into: &plain)
        return String(decoding: plain.bytes, as: UTF8.self)
    }
}

/// A property, or the whole entity, with what was seen of it.
private final class InferredNode {
    let path: [String]
    var seen = 0
    var isChosen = true
    private var values = InferredValues()
    /// Members, in the order in which they were first seen.
    private var members: [InferredNode] = []
    private var places: [InferredText: Int] = [:]

    init(path: [String] = []) {
        self.path = path
    }

    func child(_ name: InferredText) -> InferredNode? { places[name].map { members[$0] } }

    func enter(_ name: InferredText) -> InferredNode {
        let child = InferredNode(path: path + [name.name])
        places[name] = members.count
        members.append(child)
        return child
    }

    /// All nodes under this one, each behind the one that it is under.
    var descendants: [InferredNode] { members.flatMap { [$0] + $0.descendants } }

    /// Lets go of members that are not chosen.
    func keepChosen() {
        let kept = places.filter { members[$0.value].isChosen }
            .sorted { $0.value < $1.value }
        members = kept.map { members[$0.value] }
        places = Dictionary(
            uniqueKeysWithValues: kept.enumerated().map { ($0.element.key, $0.offset) })
        for member in members { member.keepChosen() }
    }

    func take(_ value: JSONView) {
        values.take(value)
        guard !members.isEmpty else { return }
        for member in value.members { child(InferredText(bytes: member.name))?.take(member.value) }
    }

    var property: InferredProperty {
        InferredProperty(
            path: PropertyPath(path), seen: seen, kinds: values.kindsByCount,
            distinct: values.distinct, most: values.most, least: values.least,
            greatest: values.greatest, maxLength: values.maxLength, format: values.format)
    }

    /// The members as `properties` of the configuration declare them.
    var declarations: JSONValue {
        // The name belongs to the service at the top alone.
        .object(
            members.filter { $0.path != ["_meta"] }.map {
                .init(name: $0.path.last ?? "", value: $0.declaration)
            })
    }

    private var declaration: JSONValue {
        let kind = values.declaredKind
        var declared: [JSONValue.Member] = [.init(name: "type", value: .string(kind.rawValue))]
        if values.hasNull, kind != .any { declared.append(.init(name: "nullable", value: true)) }
        if kind == .object, !members.isEmpty {
            declared.append(.init(name: "properties", value: declarations))
        }
        return .object(declared)
    }
}

/// The values of one property.
private struct InferredValues {
    /// Different values up to which their number is told.
    private static let mostDistinct = 100
    /// Different values whose entities are counted; those that come later are not among `most`.
    private static let mostCounted = 1_000
    private static let mostShown = 5
    /// Bytes of a value that is told apart, as JSON.
    private static let longestValue = 256
    /// The narrow ones first: no text is two of them.
    private static let formats = [PropertySchema.Kind.dateTime, .date, .duration, .uri].map {
        PropertySchema(kind: $0)
    }
    private static let integer = PropertySchema(kind: .integer)

    private var kinds = [Int](repeating: 0, count: 6)
    private var integers = 0
    private var counts: [InferredText: Int] = [:]
    private var areAllCounted = true
    private var numbers: (least: JSONView, greatest: JSONView)?
    private var strings: (least: JSONView, greatest: JSONView)?
    private(set) var maxLength: Int?
    private var fitting = InferredValues.formats

    mutating func take(_ value: JSONView) {
        let kind = value.kind
        kinds[Int(kind.rawValue)] += 1
        switch kind {
        case .null: return
        case .array, .object:
            areAllCounted = false
            return
        case .bool: break
        case .number:
            if Self.integer.accepts(value, kind) { integers += 1 }
            Self.widen(&numbers, by: value)
        case .string: takeString(value)
        }
        count(value)
    }

    private mutating func takeString(_ value: JSONView) {
        guard let contents = value.stringContents else { return }
        Self.widen(&strings, by: value)
        maxLength = max(maxLength ?? 0, SchemaFormat.scalarCount(contents))
        // Any word with a colon behind it is a URI by its grammar.
        fitting.removeAll {
            !$0.fitsFormat(contents)
                || $0.kind == .uri && contents.firstRange(of: "://".utf8) == nil
        }
    }

    private static func widen(
        _ range: inout (least: JSONView, greatest: JSONView)?, by value: JSONView
    ) {
        guard let known = range else { return range = (value, value) }
        if ValueOrder.compare(value, known.least) < 0 { range?.least = value }
        if ValueOrder.compare(value, known.greatest) > 0 { range?.greatest = value }
    }

    private mutating func count(_ value: JSONView) {
        let text = InferredText(bytes: value.bytes)
        guard value.bytes.count <= Self.longestValue,
            counts.count < Self.mostCounted || counts[text] != nil
        else { return areAllCounted = false }
        counts[text, default: 0] += 1
    }

    // MARK: What comes of it

    var hasNull: Bool { kinds[Int(JSONKind.null.rawValue)] > 0 }

    var kindsByCount: [(kind: JSONKind, count: Int)] {
        JSONKind.allCases.map { (kind: $0, count: kinds[Int($0.rawValue)]) }
            .filter { $0.count > 0 }.sorted { $0.count > $1.count }
    }

    var distinct: Int? {
        areAllCounted && counts.count <= Self.mostDistinct ? counts.count : nil
    }

    var most: [(value: [UInt8], count: Int)] {
        let order = counts.sorted { left, right in
            if left.value != right.value { return left.value > right.value }
            return ValueOrder.compare(
                JSONView(canonical: left.key.bytes), JSONView(canonical: right.key.bytes)) < 0
        }
        return order.prefix(Self.mostShown).map { (Array($0.key.bytes), $0.value) }
    }

    var least: [UInt8]? { (numbers ?? strings).map { Self.shown($0.least) } }
    var greatest: [UInt8]? { (numbers ?? strings).map { Self.shown($0.greatest) } }

    /// The value; of a long string its beginning, with a mark behind it.
    private static func shown(_ value: JSONView) -> [UInt8] {
        guard value.kind == .string, value.bytes.count > longestValue else {
            return Array(value.bytes)
        }
        return JSONValue.string((value.string ?? "").beginning(bytes: longestValue) + "…").bytes
    }

    var format: PropertySchema.Kind? { strings == nil ? nil : fitting.first?.kind }

    /// The narrowest type that takes all values; null is told beside it.
    var declaredKind: PropertySchema.Kind {
        let others = kindsByCount.filter { $0.kind != .null }
        guard others.count == 1, let (kind, count) = others.first else { return .any }
        switch kind {
        case .string: return format ?? .string
        case .number: return integers == count ? .integer : .number
        case .bool: return .boolean
        case .array: return .array
        case .object: return .object
        case .null: return .any
        }
    }
}
