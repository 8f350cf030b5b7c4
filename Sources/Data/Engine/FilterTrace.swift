import FreshetBase
package import FreshetJSON
package import FreshetQuery

/// What each part of a filter comes to for one document: why it is, or is not, among the matches.
package struct FilterTrace: Sendable {
    package struct Node: Sendable {
        /// Where the part stands in the filter's JSON form.
        package let pointer: JSONPointer
        /// `and`, `or`, `not`, or the test as text.
        package let text: String
        package fileprivate(set) var value = false
        /// Canonical JSON of what the document has where the test looks; nil where it has nothing, and
        /// for parts that look at no property. What is longer than `mostBytes` is a string with the
        /// beginning of it.
        package fileprivate(set) var actual: [UInt8]?
        package fileprivate(set) var isCut = false
        /// Whether the test looks at a property that the document does not have.
        package fileprivate(set) var isAbsent = false
        /// Why a value of this kind is not what the test asks for.
        package fileprivate(set) var note: String?

        init(_ pointer: JSONPointer, _ text: String) {
            self.pointer = pointer
            self.text = text
        }
    }

    static let mostBytes = 1024

    /// All parts, each before what it consists of.
    package private(set) var nodes: [Node] = []

    /// Whether the filter is true of the document.
    package var matches: Bool { nodes[0].value }

    /// Looks at `document` as `filter` does.
    ///
    /// - Throws: As `FilterEvaluator`; `.timeout` where the tests take too long together.
    /// - Complexity: Each test by itself, without a look at what others have found.
    package init(_ filter: Filter, of document: Document) throws(EngineError) {
        // Its limits are those of the whole filter, and so is what it may take.
        _ = try FilterEvaluator(filter)
        var patience = FilterEvaluator.patience
        _ = try add(filter, at: JSONPointer(), document, within: &patience)
    }

    /// - Returns: Whether `filter` is true of `document`.
    private mutating func add(
        _ filter: Filter, at pointer: JSONPointer, _ document: Document, within patience: inout Int
    ) throws(EngineError) -> Bool {
        let place = nodes.count
        switch filter {
        case .and(let parts):
            nodes.append(Node(pointer, "and"))
            nodes[place].value = try add(
                parts, at: pointer.appending("and"), document, within: &patience
            )
            .allSatisfy { $0 }
        case .or(let parts):
            nodes.append(Node(pointer, "or"))
            nodes[place].value = try add(
                parts, at: pointer.appending("or"), document, within: &patience
            )
            .contains(true)
        case .not(let part):
            nodes.append(Node(pointer, "not"))
            nodes[place].value = try !add(
                part, at: pointer.appending("not"), document, within: &patience)
        default:
            nodes.append(Node(pointer, filter.description))
            let evaluator = try FilterEvaluator(filter)
            guard patience > 0, let isTrue = evaluator.matches(document, patience: &patience) else {
                throw .timeout
            }
            nodes[place].value = isTrue
            nodes[place].look(at: document, as: filter)
        }
        return nodes[place].value
    }

    private mutating func add(
        _ parts: [Filter], at pointer: JSONPointer, _ document: Document, within patience: inout Int
    ) throws(EngineError) -> [Bool] {
        var values: [Bool] = []
        for (index, part) in parts.enumerated() {
            values.append(try add(part, at: pointer.appending(index), document, within: &patience))
        }
        return values
    }
}

extension FilterTrace.Node {
    fileprivate mutating func look(at document: Document, as test: Filter) {
        guard let (path, kinds) = test.subject else { return }
        guard let value = document.view(at: path) else {
            isAbsent = true
            return
        }
        isCut = value.bytes.count > FilterTrace.mostBytes
        actual = isCut ? Self.beginning(of: value) : Array(value.bytes)
        guard let kinds, !path.isID, !value.isNull, !kinds.contains(.null),
            !kinds.contains(value.kind)
        else { return }
        let wanted = kinds.sorted { $0.rawValue < $1.rawValue }.map(\.phrase)
            .joined(separator: " or ")
        switch test {
        case .compare, .isIn: note = "\(value.kind.phrase) is compared with \(wanted)"
        default: note = "\(value.kind.phrase) is not \(wanted)"
        }
    }

    private static func beginning(of value: JSONView) -> [UInt8] {
        let text = value.string ?? String(decoding: value.bytes, as: UTF8.self)
        return JSONValue.string(String(text.beginning(bytes: FilterTrace.mostBytes))).bytes
    }
}
