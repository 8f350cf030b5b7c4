import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import FreshetRemote

// The members `conditions`, `specs` and `operations` (operations.md section 3).

extension Form {
    /// An object whose members are named as specifications may name them.
    fileprivate static func named<Element>(
        _ what: String, of schema: JSONValue,
        _ member: @escaping @Sendable (Entry, inout Reading) -> Element?
    ) -> Form where Value == [Element] {
        .entries(
            of: schema, names: ["pattern": .string(SpecNames.pattern)],
            or: "an object whose members are \(what)"
        ) { entry, _, reading in
            guard SpecNames.isName(entry.name) else {
                reading.expected(SpecNames.expectation, at: entry.pointer)
                return nil
            }
            return member(entry, &reading)
        }
    }
}

extension ConditionDeclaration {
    private struct Members: Sendable {
        var initial = false
        var persists = false
    }

    private static let table = ObjectTable<Members>([
        Member("initial", "its value before anybody sets it", .flag, to: \.initial),
        Member("persist", "whether it outlives a restart", .flag, to: \.persists),
    ])

    static let all = Form<[ConditionDeclaration]>.named(
        "conditions", of: table.schema(of: Members())
    ) {
        entry, reading in
        var members = Members()
        guard table.read(entry.value, entry.pointer, into: &members, &reading) else { return nil }
        return ConditionDeclaration(
            entry.name, initial: members.initial, persists: members.persists)
    }
}

extension NamedSpecs {
    /// `specs`: each by its name.
    static let form = Form<[String: SpecExpression]>(named.schema) { value, place, reading in
        guard let found = named.read(value, place, &reading) else { return nil }
        let specs = Dictionary(found.map { ($0.name, $0.expression) }) { _, last in last }
        reading.namedSpecs = NamedSpecs(specs)
        var circles = 0
        for (name, _) in found {
            guard let expression = specs[name] else { continue }
            let pointer = place.appending(name)
            if circles < mostCircles, let circle = reading.namedSpecs.circle(from: name) {
                circles += 1
                reading.note(
                    "cycle", "goes in a circle: \(text(circle.path))",
                    at: JSONPointer(pointer.description + circle.pointer + "/spec") ?? pointer)
            } else if let excess = reading.namedSpecs.size(of: expression).excess {
                reading.note("limit", excess, at: pointer)
            }
        }
        return specs
    }

    private static let named = Form<[(name: String, expression: SpecExpression)]>.named(
        "specifications", of: SpecExpression.form.schema
    ) { entry, reading in
        (entry.name, reading.expression(entry.value, at: entry.pointer))
    }

    /// Circles that one reading tells; a long one shows up at each of its names.
    private static let mostCircles = 16

    /// The way, the middle of a long one left out.
    private static func text(_ path: [String]) -> String {
        let most = 8
        let shown = path.count > most ? path.prefix(most - 2) + ["…"] + path.suffix(1) : path[...]
        return shown.joined(separator: " → ")
    }
}

/// An operation of the file before its parts are put together.
struct OperationDeclaration: Sendable {
    private var operation: OperationConfiguration
    private var type: TypeName?
    private var write: OperationConfiguration.Mutation.Write?
    private var controllers: [ControllerDeclaration] = []

    init(named name: String) {
        operation = .init(id: name, settings: OperationSettings())
    }

    static let all = Form<[OperationConfiguration]>.named(
        "operations", of: table.schema(of: OperationDeclaration(named: ""))
    ) { entry, reading in
        let before = reading.faults.count
        var found = OperationDeclaration(named: entry.name)
        _ = table.read(entry.value, entry.pointer, into: &found, &reading)
        return reading.faults.count == before ? found.operation : nil
    }

    private static func isMutation(_ given: JSONValue) -> Bool {
        given["kind"]?.stringValue == OperationKind.mutation.rawValue
    }

    static let table = ObjectTable<OperationDeclaration>([
        Member("kind", "a query, its pages, or a write", .word, to: \.operation.settings.kind),
        Member(
            "type", "the type of its entities", typeName, required: .value("the name of a type"),
            to: \.type),
        Member(
            "query",
            schema: Form<JSONValue>.object.schema.described("the search, as in `_search`"),
            in: { !isMutation($0) }
        ) { value, place, found, reading in
            guard value.objectValue != nil else {
                return reading.expected(
                    "an object such as {\"filter\": \"open == true\"}", at: place)
            }
            found.operation.query = found.type.flatMap { query(value, of: $0, at: place, &reading) }
        },
        Member(
            "write", "what a mutation does", .word,
            required: .value("\"create\", \"update\" or \"remove\", what the mutation does"),
            in: isMutation, to: \.write),
        Member(
            "automatic",
            "may it run by itself: a gate; its switches where absent, never a mutation",
            SpecExpression.form,
            to: \.operation.settings.automatic),
        Member(
            "stale", "when its value is old; any of them, always where absent", stale,
            to: \.operation.settings.stale),
        Member("refetch", "when it runs again", into: \.operation.settings.refetch, refetch),
        Member(
            "admit", "a gate over all runs, manual ones too", into: \.operation.settings.admit,
            admit),
        Member(
            "retry", "tries after the first; those of the upstream where absent",
            RetryPolicy.table.form(.standard), to: \.operation.settings.retry),
        Member(
            "deadline", "longest time of a run, its retries included", .time(1...longestTime),
            to: \.operation.settings.deadline),
        Member(
            "linger", "how long a run goes on that nobody watches any more",
            .time(0...longestTime), to: \.operation.settings.linger),
        Member(
            "evict", "when its state is forgotten", into: \.operation.settings,
            ObjectTable([
                Member(
                    "idle", "after so long without use", .time(1...longestTime), to: \.evictAfter)
            ])),
        Member(
            "controllers", "what drives it from outside", ControllerDeclaration.all,
            to: \.controllers),
    ]) { found, given, place, reading in
        guard let type = found.type else { return }
        let mapping = reading.remotes.first { $0.type == type }
        found.operation.settings.upstream = mapping?.upstream
        found.operation.controllers = given["controllers"]
        found.operation.controlled = found.controllers.compactMap {
            // A remote is asked when somebody watches.
            $0.settings(attached: mapping == nil ? .always : .subscribed)
        }
        if isMutation(given) {
            found.operation.mutation = found.write.map { .init(type: type, write: $0) }
        } else if given["query"] == nil {
            found.operation.query = query(nil, of: type, at: place, &reading)
        }
    }

    // MARK: Type and query

    private static let typeName = Form<TypeName>(
        Form.text(pattern: TypeSchema.namePattern).schema
    ) { value, place, reading in
        guard let text = Form.text().read(value, place, &reading) else { return nil }
        let declared = reading.declaredTypes
        if TypeName(text) == nil {
            reading.expected("a type name", at: place)
        } else if !declared.isEmpty, !declared.contains(text) {
            let near = NearestWord.of(text, among: declared)
            reading.note(
                "unknown-name",
                "no type is called \"\(text)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? ""),
                at: place)
            return nil
        }
        return TypeName(text)
    }

    /// The members of a search's JSON body, where from included.
    private static func query(
        _ value: JSONValue?, of type: TypeName, at place: JSONPointer, _ reading: inout Reading
    ) -> Query? {
        let schema = reading.types.first { $0.name == type.text }
        // The contracts of a faulty type are not known.
        if schema == nil, reading.declaredTypes.contains(type.text) { return nil }
        do throws(QueryFault) {
            var parser = QueryParser(type: type, contracts: schema?.contractFilters ?? [:])
            if let value {
                var text = ByteBuffer(capacity: 256)
                value.write(to: &text)
                try parser.take(body: text.bytes)
            }
            return try parser.finish()
        } catch {
            let name = error.parameter
            reading.note("value", error.detail, at: name.isEmpty ? place : place.appending(name))
            return nil
        }
    }

    // MARK: When it runs

    /// A list, or-ed; a single specification stands for a list of it.
    private static let stale: Form<[SpecExpression]> = {
        let form = SpecExpression.form
        let list = Form<[SpecExpression]>.list(of: form, or: "a list of specifications")
        return Form(["anyOf": [form.schema, list.schema]]) { value, place, reading in
            value.arrayValue == nil
                ? form.read(value, place, &reading).map { [$0] }
                : list.read(value, place, &reading)
        }
    }()

    private static let refetch = ObjectTable<RefetchSettings>([
        Member(
            "when",
            "runs when this becomes true; the gate and the link to the upstream where absent",
            SpecExpression.form.orNull(), to: \.when),
        Member(
            "every", "runs so long after the last run",
            .time(10...longestTime).orNull(), to: \.every),
        Member(
            "cron", "runs at these times",
            CronSchedule.form(
                zone: "the time zone, as `Europe/Berlin`",
                lasting: "how long the time lasts"
            ).map(\.schedule).orNull(), to: \.cron),
        Member("on", "runs after these mutations or events", events.orNull(), to: \.on),
        Member("settle", "how long `when` must hold", .time(0...longestTime), to: \.settle),
        Member(
            "minInterval", "least time between automatic starts", .time(0...longestTime),
            to: \.minInterval),
        Member(
            "onFall", "what becomes of the run when `when` is false again", .word, to: \.onFall),
        Member("during", "what a trigger does while it runs", .word, to: \.during),
        Member(
            "requireSubscribers", "only while somebody watches", .flag, to: \.requiresSubscribers),
        Member("requireStale", "only where the value is stale", .flag, to: \.requiresStale),
    ])

    private struct Event: Sendable {
        var mutation: String?
        var event: String?
    }

    private static let events: Form<Set<BoardEvent>> = {
        let mutation = Member<Event>(
            "mutation", "an operation of the kind `mutation` has succeeded", mutationName,
            to: \.mutation)
        let event = Member<Event>(
            "event", "the embedding program has told of an event of this name", .text(),
            to: \.event)
        let table = ObjectTable([mutation, event])
        let schemas = [mutation, event].compactMap { row in
            row.schema(nil).map { schema in
                JSONValue.object(
                    properties: [.init(name: row.name, value: schema)], required: [row.name])
            }
        }
        return Form<[BoardEvent]>.list(
            of: ["anyOf": .array(schemas)],
            or: "a list of events such as {\"mutation\": \"create-todo\"}"
        ) { entry, _, reading in
            var found = Event()
            guard table.read(entry.value, entry.pointer, into: &found, &reading) else { return nil }
            if (entry.value["mutation"] == nil) == (entry.value["event"] == nil) {
                reading.expected("exactly one of \"mutation\" and \"event\"", at: entry.pointer)
            }
            return found.mutation.map { .mutation($0) } ?? found.event.map { .named($0) }
        }.map { Set($0) }
    }()

    private static let mutationName = Form<String>(Form.text().schema) { value, place, reading in
        guard let name = Form.text().read(value, place, &reading) else { return nil }
        guard !reading.mutations.contains(name) else { return name }
        let near = NearestWord.of(name, among: reading.mutations.sorted())
        reading.note(
            "unknown-name",
            "no mutation is called \"\(name)\""
                + (near.map { "; did you mean \"\($0)\"?" }
                    ?? "; \"operations\" declares them with \"kind\": \"mutation\""),
            at: place)
        return nil
    }

    private static let admit = ObjectTable<AdmitSettings>([
        Member("when", "the gate", SpecExpression.form, to: \.when),
        Member("otherwise", "what becomes of a run that it refuses", .word, to: \.otherwise),
        Member("maxWait", "longest wait", .time(0...3_600_000), to: \.maxWait),
    ])
}
