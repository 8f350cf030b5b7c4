import FreshetBase
import FreshetCore
package import FreshetJSON
package import FreshetRefresh

extension SpecExpression {
    private static let definitionName = "spec"

    /// What `form` refers to.
    static let definition: JSONValue.Member = .init(
        name: definitionName, value: SpecOperator.schema)

    /// A specification wherever one may stand.
    static let form = Form<SpecExpression>(
        ["$ref": .string("#/$defs/\(definitionName)")],
        write: { if case .constant(let flag) = $0 { .bool(flag) } else { nil } }
    ) { value, place, reading in
        reading.specification(value, at: place)
    }
}

extension Reading {
    /// Reads a run specification (operations.md section 3), named ones in place within the limits;
    /// what is faulty in it stands for false.
    package mutating func specification(
        _ value: JSONValue, at pointer: JSONPointer
    ) -> SpecExpression {
        let before = faults.count
        let found = expression(value, at: pointer)
        if faults.count == before, let excess = namedSpecs.size(of: found).excess {
            note("limit", excess, at: pointer)
        }
        return found
    }

    /// Reads a specification without regard to the size of those that it names.
    mutating func expression(_ value: JSONValue, at pointer: JSONPointer) -> SpecExpression {
        specNodes = 0
        return part(value, at: pointer)
    }

    /// A specification inside of others, `specLevels` of them.
    fileprivate mutating func part(_ value: JSONValue, at pointer: JSONPointer) -> SpecExpression {
        specLevels += 1
        defer { specLevels -= 1 }
        specNodes += 1
        if specNodes > SpecExpression.mostNodes {
            if specNodes == SpecExpression.mostNodes + 1 {
                expectedAtMost("\(SpecExpression.mostNodes) nodes", at: pointer)
            }
            return .never
        }
        guard specLevels <= SpecExpression.mostLevels else {
            expectedAtMost("\(SpecExpression.mostLevels) levels", at: pointer)
            return .never
        }
        if let constant = value.boolValue { return .constant(constant) }
        guard let members = value.objectValue else {
            expected("true, false or an object with one member", at: pointer)
            return .never
        }
        let names = SpecOperator.all.map(\.name)
        let known = members.compactMap { member in
            SpecOperator.all.first { $0.name == member.name }.map { ($0, member.value) }
        }
        let mayHaveOf = known.count == 1 && known[0].0.isOfOperation
        for member in members where !names.contains(member.name) {
            if member.name == "of", mayHaveOf { continue }
            let near = NearestWord.of(member.name, among: names)
            note(
                "unknown-operator",
                "unknown operator"
                    + (near.map { "; did you mean \"\($0)\"?" }
                        ?? "; expected one of \(names.joined(separator: ", "))"),
                at: pointer.appending(member.name))
        }
        let count = members.count - (mayHaveOf ? members.filter { $0.name == "of" }.count : 0)
        guard count == 1 else {
            note("members", "expected exactly one member in place of \(count)", at: pointer)
            return .never
        }
        guard let (found, operand) = known.first else { return .never }
        return found.read(operand, value["of"], pointer, &self) ?? .never
    }

    private mutating func expectedAtMost(_ most: String, at pointer: JSONPointer) {
        note("limit", "expected at most \(most)", at: pointer)
    }
}

/// One operator of run specifications: the only place that knows its name, operand and meaning.
struct SpecOperator: Sendable {
    let name: String
    /// The operand's JSON Schema, with the description.
    private let schema: JSONValue
    /// Whether it says something of an operation, which `of` may name.
    let isOfOperation: Bool
    /// Reads an operand, and what stands under `of` beside it, of the object at the pointer.
    let read: @Sendable (JSONValue, _ of: JSONValue?, JSONPointer, inout Reading) -> SpecExpression?

    private init<Operand>(
        _ name: String, _ text: String, _ operand: Form<Operand>,
        _ expression: @escaping @Sendable (Operand) -> SpecExpression
    ) {
        self.name = name
        schema = operand.schema.described(text)
        isOfOperation = false
        read = { value, _, place, reading in
            operand.read(value, place.appending(name), &reading).map(expression)
        }
    }

    private static func atom<Operand>(
        _ name: String, _ text: String, _ operand: Form<Operand>,
        _ atom: @escaping @Sendable (Operand) -> SpecAtom
    ) -> SpecOperator {
        SpecOperator(name, text, operand) { .atom(atom($0)) }
    }

    /// An atom that says something of an operation, its own where none is named.
    private init<Operand>(
        _ name: String, _ text: String, of operand: Form<Operand>,
        _ atom: @escaping @Sendable (Operand, OperationReference) -> SpecAtom
    ) {
        self.name = name
        schema = operand.schema.described(text)
        isOfOperation = true
        read = { value, of, pointer, reading in
            let place = pointer.appending(name)
            var value = value
            var whose: OperationReference? = .this
            // Whose may stand inside of the operand, too, and wins there.
            if var inner = value.objectValue,
                let index = inner.firstIndex(where: { $0.name == "of" })
            {
                whose = Self.operation.read(
                    inner.remove(at: index).value, place.appending("of"), &reading)
                value = .object(inner)
            } else if let of {
                whose = Self.operation.read(of, pointer.appending("of"), &reading)
            }
            let operand = operand.read(value, place, &reading)
            return operand.flatMap { operand in whose.map { .atom(atom(operand, $0)) } }
        }
    }

    static let all: [SpecOperator] = [
        SpecOperator("and", "all of these", parts) { .all($0) },
        SpecOperator("or", "one of these", parts) { .any($0) },
        SpecOperator("not", "not this", part) { .not($0) },
        SpecOperator("spec", "the specification of this name", specification) { .named($0) },
        atom("healthy", "the upstream's `probe` says that it is well", upstream) { .healthy($0) },
        atom("connected", "the link to the upstream is up", connected) {
            .connected($0.upstream, atLeast: $0.level)
        },
        atom("token", "the upstream's credential is ready", token) {
            .token($0.upstream, validFor: $0.span)
        },
        atom("active", "the switch of the service, or of an operation, is on", active) {
            .active($0)
        },
        atom("condition", "the flag of this name is set", condition) { .condition($0) },
        atom("window", "these hours of these days", CalendarWindow.form) { .window($0) },
        atom("between", "between two times", CalendarSpan.form) { .between($0) },
        atom("cron", "from each of these times on for a while", CronSchedule.spans) {
            .cron($0.schedule, lasting: $0.span)
        },
        atom("pressure", "memory is as short as this", pressure) { .pressure(atLeast: $0) },
        SpecOperator("subscribers", "at least so many watch", of: count) {
            .subscribers($0, of: $1)
        },
        SpecOperator("failures", "at least so many failures in a row", of: count) {
            .failures($0, of: $1)
        },
        SpecOperator("age", "the value is older, or there is none", of: age) { .age($0, of: $1) },
        SpecOperator("value", "whether there is a value", of: presence) {
            .value(isPresent: $0, of: $1)
        },
        SpecOperator("status", "the operation's status", of: statuses) { .status($0, of: $1) },
    ]

    static var schema: JSONValue {
        let of = JSONValue.Member(name: "of", value: of)
        let forms = all.map { found in
            JSONValue.object(
                properties: [.init(name: found.name, value: found.schema)]
                    + (found.isOfOperation ? [of] : []),
                required: [found.name])
        }
        return [
            "description": "true, false, or an object with exactly one of these members",
            "anyOf": .array([["type": "boolean"]] + forms),
        ]
    }

    private static let text: JSONValue = ["type": "string"]
    private static let of = text.described("the operation; the own one where absent")

    // MARK: Operands

    private static let part = Form<SpecExpression>(SpecExpression.form.schema) {
        value, place, reading in reading.part(value, at: place)
    }

    private static let parts = Form<[SpecExpression]>.list(
        of: part.schema, or: "a list of specifications"
    ) { entry, _, reading in
        // The first beyond the limit was told; the rest is not looked at.
        reading.specNodes > SpecExpression.mostNodes
            ? nil : reading.part(entry.value, at: entry.pointer)
    }

    /// The name of something that the configuration declares under `member`.
    private static func name(
        of what: String, in member: String, _ known: @escaping @Sendable (SpecNames) -> Set<String>?
    ) -> Form<String> {
        Form(text) { value, place, reading in
            let known = known(reading.names)
            guard let name = value.stringValue else {
                reading.expected(
                    known == nil ? "the name of an operation" : "the name of one of \"\(member)\"",
                    at: place)
                return nil
            }
            guard known?.contains(name) ?? true else {
                let near = NearestWord.of(name, among: (known ?? []).sorted())
                reading.note(
                    "unknown-name",
                    "no \(what) is called \"\(name)\""
                        + (near.map { "; did you mean \"\($0)\"?" }
                            ?? "; \"\(member)\" declares them"),
                    at: place)
                return nil
            }
            return name
        }
    }

    private static let specification = name(of: "specification", in: "specs") { $0.specs }
    private static let upstream = name(of: "upstream", in: "upstreams") { $0.upstreams }
    private static let condition = name(of: "condition", in: "conditions") { $0.conditions }
    private static let operation = name(of: "operation", in: "operations") { $0.operations }
        .map { OperationReference.other($0) }

    /// An upstream, and how well it must do.
    private struct Link: Sendable {
        var upstream = ""
        var level = LinkLevel.connected
        var span = Duration.zero
    }

    private static let connected = link(
        Member(
            "atLeast", "`limited`: content with an upstream that asks for patience",
            .words(["limited": .limited, "connected": .connected]), to: \.level))

    private static let token = link(
        Member("validFor", "ready for so long", .duration, to: \.span))

    /// The name of an upstream, or an object with one and `more`.
    private static func link(_ more: Member<Link>) -> Form<Link> {
        let object = ObjectTable<Link>(
            [
                Member(
                    "upstream", "its name", upstream, required: .value("an upstream"),
                    to: \.upstream), more,
            ], or: "an upstream, or an object with \"upstream\" and \"\(more.name)\""
        ).form(Link())
        return upstream.map { Link(upstream: $0) }.orObject(object)
    }

    private static let active: Form<SpecAtom.Switch> = {
        let expectation = "\"service\", \"operation\" or an object with \"operation\""
        let word = Form<SpecAtom.Switch>(["enum": ["service", "operation"]], or: expectation) {
            switch $0.stringValue {
            case "service": .service
            case "operation": .operation(.this)
            default: nil
            }
        }
        let object = ObjectTable<SpecAtom.Switch>(
            [
                Member(
                    "operation", "its id", operation, required: .value("an operation"),
                    set: { $0 = .operation($1) })
            ], or: expectation
        ).form(.service)
        return word.orObject(object)
    }()

    private static let pressure = Form<PressureLevel>.words([
        "warning": .warning, "critical": .critical,
    ])

    private static let presence = Form<Bool>.words(["present": true, "absent": false])

    private static let statuses: Form<Set<OperationStatus>> = {
        let words = OperationStatus.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let word = Form<OperationStatus>.word
        let one = Form<Set<OperationStatus>>(word.schema, or: "one of \(words), or a list of them")
        {
            $0.stringValue.flatMap(OperationStatus.init(rawValue:)).map { [$0] }
        }
        let list = Form<[OperationStatus]>.list(of: word, or: "a list of them")
        let value = Form<Set<OperationStatus>>(["anyOf": [word.schema, list.schema]]) {
            value, place, reading in
            guard let elements = value.arrayValue else { return one.read(value, place, &reading) }
            if elements.isEmpty {
                reading.expected("one of \(words), or several of them", at: place)
            }
            return list.read(value, place, &reading).map { Set($0) }
        }
        return ObjectTable<Set<OperationStatus>>(
            [
                Member(
                    "is", "this one, or one of these", value,
                    required: .value("one of \(words), or a list of them"), to: \.self),
                // Taken out by the atom before the rest is read.
                Member("of", schema: of) { _, _, _, _ in },
            ], or: "an object with \"is\""
        ).form([])
    }()

    // MARK: Comparisons

    private static let count = test(
        .init(["type": "integer", "minimum": 0], or: countExpectation) { value in
            value.int64Value.flatMap { $0 >= 0 ? $0 : nil }
        }, of: countExpectation, alone: .greaterOrEqual)
    private static let countExpectation = "an integer of 0 or more"

    private static let age = test(
        Form.duration.map { $0.nanoseconds }, of: SpecDuration.expectation, alone: .greater)

    /// A bound alone, or an object of comparisons, all of which must hold.
    private static func test(
        _ bound: Form<Int64>, of what: String, alone: SpecTest.Relation
    ) -> Form<SpecTest> {
        let relations = SpecTest.Relation.allCases
        let names = relations.map(\.rawValue).joined(separator: ", ")
        let properties = relations.map { relation in
            JSONValue.Member(
                name: relation.rawValue, value: bound.schema.described(relation.meaning))
        }
        let object = JSONValue.object(properties: properties + [.init(name: "of", value: of)])
        return Form(["anyOf": [bound.schema, object]]) { value, place, reading in
            guard let members = value.objectValue else {
                var noted = Reading()
                if let bound = bound.read(value, place, &noted) { return SpecTest(alone, bound) }
                reading.expected("\(what), or an object of comparisons", at: place)
                return nil
            }
            if members.isEmpty { reading.expected("\(names) or several of them", at: place) }
            let comparisons: [SpecTest.Comparison] = members.compactMap { member in
                let place = place.appending(member.name)
                guard let relation = SpecTest.Relation(rawValue: member.name) else {
                    reading.note(
                        "unknown-member", "unknown comparison; expected \(names)", at: place)
                    return nil
                }
                return bound.read(member.value, place, &reading).map { .init(relation, $0) }
            }
            return SpecTest(comparisons)
        }
    }
}

extension SpecTest.Relation {
    fileprivate var meaning: String {
        switch self {
        case .equal: "equal"
        case .notEqual: "not equal"
        case .greater: "more"
        case .greaterOrEqual: "at least"
        case .less: "less"
        case .lessOrEqual: "at most"
        }
    }
}

/// `[0-9]+(ms|s|m|h|d)`, at most a hundred years.
package enum SpecDuration {
    package static let expectation = "a duration such as \"30s\""
    private static let longest = 36_500 * 86_400_000

    package static func parse(_ text: String) -> Duration? {
        guard let milliseconds = SettingText.milliseconds(text), milliseconds <= longest else {
            return nil
        }
        return .milliseconds(milliseconds)
    }
}

extension Form where Value == Duration {
    static var duration: Form {
        Form(
            ["type": "string", "pattern": .string(SettingText.timePattern)],
            or: SpecDuration.expectation, write: text
        ) { $0.stringValue.flatMap(SpecDuration.parse) }
    }
}
