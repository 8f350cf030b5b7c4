import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetOperations
import FreshetQuery
import FreshetRemote

/// Reads `conditions`, `specs` and `operations` of the configuration (operations.md section 3).
struct OperationsReader {
    let types: [TypeSchema]
    let remotes: [RemoteMapping]
    private var specs: SpecReader
    private var found = OperationsConfiguration()
    private var mutations: Set<String> = []
    /// Names of types, faulty ones included: what refers to one of these is no fault of its own.
    private var declared: [String] = []
    private var named = NamedSpecs()

    private var faults: [SchemaFault] {
        get { specs.faults }
        set { specs.faults = newValue }
    }

    /// - Parameters:
    ///   - root: The whole configuration, whose other members have been read.
    ///   - registered: Names of specifications that the embedding program brings.
    static func read(
        _ root: JSONValue, types: [TypeSchema], remotes: [RemoteMapping],
        registered: Set<String>, faults: inout [SchemaFault]
    ) -> OperationsConfiguration {
        var names = SpecNames()
        names.conditions = Set((root["conditions"]?.objectValue ?? []).map(\.name))
        names.specs = Set((root["specs"]?.objectValue ?? []).map(\.name)).union(registered)
        names.upstreams = Set((root["upstreams"]?.objectValue ?? []).map(\.name))
        let operations = root["operations"]?.objectValue ?? []
        names.operations = Set(operations.map(\.name))
        var reader = OperationsReader(types: types, remotes: remotes, specs: SpecReader(names))
        reader.mutations = Set(
            operations.filter { $0.value["kind"]?.stringValue == "mutation" }.map(\.name))
        reader.declared = (root["types"]?.objectValue ?? []).map(\.name)
        let top = JSONPointer()
        if let value = root["conditions"] {
            reader.readConditions(value, at: top.appending("conditions"))
        }
        if let value = root["specs"] { reader.readSpecs(value, at: top.appending("specs")) }
        if let value = root["operations"] {
            reader.readOperations(value, at: top.appending("operations"))
        }
        faults += reader.faults
        reader.found.names = names
        return reader.found
    }

    private init(types: [TypeSchema], remotes: [RemoteMapping], specs: SpecReader) {
        self.types = types
        self.remotes = remotes
        self.specs = specs
    }

    // MARK: Conditions and specifications

    private mutating func named(
        _ value: JSONValue, at pointer: JSONPointer, _ what: String
    ) -> [(name: String, value: JSONValue, pointer: JSONPointer)] {
        guard let members = value.objectValue else {
            faults.expected("an object whose members are \(what)", at: pointer)
            return []
        }
        return members.compactMap { member in
            let place = pointer.appending(member.name)
            guard SpecNames.isName(member.name) else {
                faults.expected(SpecNames.expectation, at: place)
                return nil
            }
            return (member.name, member.value, place)
        }
    }

    private mutating func readConditions(_ value: JSONValue, at pointer: JSONPointer) {
        for (name, value, place) in named(value, at: pointer, "conditions") {
            guard var reader = MemberReader(value, at: place, faults: &faults) else { continue }
            let initial = reader.bool("initial", faults: &faults) ?? false
            let persists = reader.bool("persist", faults: &faults) ?? false
            reader.finish(faults: &faults)
            found.conditions.append(
                ConditionDeclaration(name, initial: initial, persists: persists))
        }
    }

    private mutating func readSpecs(_ value: JSONValue, at pointer: JSONPointer) {
        var places: [(name: String, pointer: JSONPointer)] = []
        for (name, value, place) in named(value, at: pointer, "specifications") {
            found.specs[name] = specs.spec(value, at: place)
            places.append((name, place))
        }
        named = NamedSpecs(found.specs)
        var circles = 0
        for (name, place) in places {
            guard let expression = found.specs[name] else { continue }
            if circles < Self.mostCircles, let circle = named.circle(from: name) {
                circles += 1
                specs.note(
                    "cycle", "goes in a circle: \(Self.text(circle.path))",
                    JSONPointer(place.description + circle.pointer + "/spec") ?? place)
            } else {
                checkSize(expression, at: place)
            }
        }
    }

    /// Circles that one reading tells; a long one shows up at each of its names.
    private static let mostCircles = 16

    /// The way, the middle of a long one left out.
    private static func text(_ path: [String]) -> String {
        let most = 8
        let shown = path.count > most ? path.prefix(most - 2) + ["…"] + path.suffix(1) : path[...]
        return shown.joined(separator: " → ")
    }

    /// Limits with named specifications in place.
    private mutating func checkSize(_ expression: SpecExpression, at pointer: JSONPointer) {
        guard let excess = named.size(of: expression).excess else { return }
        specs.note("limit", excess, pointer)
    }

    /// The specification of a slot.
    private mutating func slot(
        _ value: JSONValue, at pointer: JSONPointer
    ) -> SpecExpression {
        let before = faults.count
        let expression = specs.spec(value, at: pointer)
        if faults.count == before { checkSize(expression, at: pointer) }
        return expression
    }

    // MARK: Operations

    private mutating func readOperations(_ value: JSONValue, at pointer: JSONPointer) {
        for (name, value, place) in named(value, at: pointer, "operations") {
            guard let reader = MemberReader(value, at: place, faults: &faults) else { continue }
            if let operation = operation(name, reader) { found.operations.append(operation) }
        }
    }

    private mutating func operation(
        _ id: String, _ given: MemberReader
    ) -> OperationConfiguration? {
        let before = faults.count
        var reader = given
        let pointer = reader.pointer
        let kind = reader.word("kind", of: OperationKind.self, faults: &faults) ?? .query
        let type = type(&reader)
        let mapping = type.flatMap { type in remotes.first { $0.type == type } }
        var operation = OperationConfiguration(
            id: id, settings: OperationSettings(upstream: mapping?.upstream))
        operation.settings.kind = kind
        if kind == .mutation {
            let write = reader.word(
                "write", of: OperationConfiguration.Mutation.Write.self, faults: &faults)
            reader.require(
                "write", "\"create\", \"update\" or \"remove\", what the mutation does",
                faults: &faults)
            if let type, let write {
                operation.mutation = OperationConfiguration.Mutation(type: type, write: write)
            }
        } else {
            operation.query = type.flatMap { query(&reader, of: $0) }
        }
        if let value = reader.value("automatic") {
            operation.settings.automatic = slot(value, at: pointer.appending("automatic"))
        }
        operation.settings.stale = stale(&reader)
        refetch(&reader, into: &operation.settings)
        admit(&reader, into: &operation.settings)
        if let value = reader.value("retry") {
            var policy = RetryPolicy.standard
            var reading = Reading()
            _ = RetryPolicy.table.read(value, pointer.appending("retry"), into: &policy, &reading)
            faults += reading.faults
            operation.settings.retry = OperationRetry(
                limit: policy.limit, base: policy.base, longest: policy.longest,
                hasJitter: policy.hasJitter)
        }
        operation.settings.deadline = reader.time("deadline", in: 1...longestTime, faults: &faults)
        operation.settings.linger =
            reader.time("linger", in: 0...longestTime, faults: &faults) ?? .zero
        evict(&reader, into: &operation.settings)
        if let controllers = reader.value("controllers") {
            operation.controllers = controllers
            operation.controlled = self.controllers(
                controllers, at: pointer.appending("controllers"), hasRemote: mapping != nil)
        }
        reader.finish(faults: &faults)
        return faults.count == before ? operation : nil
    }

    private mutating func controllers(
        _ value: JSONValue, at pointer: JSONPointer, hasRemote: Bool
    ) -> [ControllerSettings] {
        let known = specs.names
        let names = ControllerReader.Names(
            upstreams: known.upstreams, conditions: known.conditions, hasRemote: hasRemote)
        var noted: [SchemaFault] = []
        let found = ControllerReader.controllers(value, at: pointer, names, faults: &noted) {
            value, place, faults in
            var reader = SpecReader(known)
            let specification = reader.spec(value, at: place)
            faults += reader.faults
            return specification
        }
        faults += noted
        return found
    }

    private mutating func type(_ reader: inout MemberReader) -> TypeName? {
        let place = reader.pointer.appending("type")
        guard let text = reader.string("type", faults: &faults) else {
            reader.require("type", "the name of a type", faults: &faults)
            return nil
        }
        guard let type = TypeName(text) else {
            faults.expected("a type name", at: place)
            return nil
        }
        guard declared.isEmpty || declared.contains(text) else {
            let near = NearestWord.of(text, among: declared)
            faults.append(
                SchemaFault(
                    pointer: place.description, code: "unknown-name",
                    detail: "no type is called \"\(text)\""
                        + (near.map { "; did you mean \"\($0)\"?" } ?? "")))
            return nil
        }
        return type
    }

    /// The members of a search's JSON body, where from included.
    private mutating func query(_ reader: inout MemberReader, of type: TypeName) -> Query? {
        let place = reader.pointer.appending("query")
        let value = reader.value("query")
        if let value, value.objectValue == nil {
            faults.expected("an object such as {\"filter\": \"open == true\"}", at: place)
            return nil
        }
        // The contracts of a faulty type are not known.
        if declared.contains(type.text), !types.contains(where: { $0.name == type.text }) {
            return nil
        }
        do throws(QueryFault) {
            return try query(value, of: type)
        } catch {
            let name = error.parameter
            faults.append(
                SchemaFault(
                    pointer: (name.isEmpty ? place : place.appending(name)).description,
                    code: "value", detail: error.detail))
            return nil
        }
    }

    private func query(_ value: JSONValue?, of type: TypeName) throws(QueryFault) -> Query {
        let schema = types.first { $0.name == type.text }
        var parser = QueryParser(type: type, contracts: schema?.contractFilters ?? [:])
        if let value {
            var text = ByteBuffer(capacity: 256)
            value.write(to: &text)
            try parser.take(body: text.bytes)
        }
        return try parser.finish()
    }

    /// A list, or-ed; a single specification stands for a list of it.
    private mutating func stale(_ reader: inout MemberReader) -> [SpecExpression]? {
        guard let value = reader.value("stale") else { return nil }
        let place = reader.pointer.appending("stale")
        guard let list = value.arrayValue else { return [slot(value, at: place)] }
        return list.enumerated().map { slot($1, at: place.appending($0)) }
    }

    private mutating func refetch(
        _ reader: inout MemberReader, into settings: inout OperationSettings
    ) {
        let place = reader.pointer.appending("refetch")
        guard let value = reader.value("refetch"),
            var reader = MemberReader(value, at: place, faults: &faults)
        else { return }
        // What is null is as if it were absent.
        func present(_ name: String) -> JSONValue? {
            guard let value = reader.value(name) else { return nil }
            if case .null = value { return nil }
            return value
        }
        if let value = present("when") {
            settings.refetch.when = slot(value, at: place.appending("when"))
        }
        if present("every") != nil {
            settings.refetch.every = reader.time("every", in: 10...longestTime, faults: &faults)
        }
        if let value = present("cron") {
            var calendars = CalendarReader()
            settings.refetch.cron = calendars.cron(value, at: place.appending("cron"))?.schedule
            faults += calendars.faults
        }
        if let value = present("on") { settings.refetch.on = on(value, at: place.appending("on")) }
        settings.refetch.settle =
            reader.time("settle", in: 0...longestTime, faults: &faults) ?? .zero
        settings.refetch.minInterval =
            reader.time("minInterval", in: 0...longestTime, faults: &faults) ?? .zero
        settings.refetch.onFall =
            reader.word("onFall", of: RefetchSettings.OnFall.self, faults: &faults) ?? .cancel
        settings.refetch.during =
            reader.word("during", of: RefetchSettings.During.self, faults: &faults) ?? .join
        settings.refetch.requiresSubscribers =
            reader.bool("requireSubscribers", faults: &faults) ?? true
        settings.refetch.requiresStale = reader.bool("requireStale", faults: &faults) ?? true
        reader.finish(faults: &faults)
    }

    private mutating func on(_ value: JSONValue, at pointer: JSONPointer) -> Set<BoardEvent> {
        guard let list = value.arrayValue else {
            faults.expected("a list of events such as {\"mutation\": \"create-todo\"}", at: pointer)
            return []
        }
        var events: Set<BoardEvent> = []
        for (index, element) in list.enumerated() {
            let place = pointer.appending(index)
            guard var reader = MemberReader(element, at: place, faults: &faults) else { continue }
            let mutation = reader.string("mutation", faults: &faults)
            let event = reader.string("event", faults: &faults)
            reader.finish(faults: &faults)
            if let mutation, event == nil {
                if mutations.contains(mutation) {
                    events.insert(.mutation(mutation))
                } else {
                    let near = NearestWord.of(mutation, among: mutations.sorted())
                    specs.note(
                        "unknown-name",
                        "no mutation is called \"\(mutation)\""
                            + (near.map { "; did you mean \"\($0)\"?" }
                                ?? "; \"operations\" declares them with \"kind\": \"mutation\""),
                        place.appending("mutation"))
                }
            } else if let event, mutation == nil {
                events.insert(.named(event))
            } else if (mutation == nil) == (event == nil) {
                faults.expected("exactly one of \"mutation\" and \"event\"", at: place)
            }
        }
        return events
    }

    private mutating func admit(
        _ reader: inout MemberReader, into settings: inout OperationSettings
    ) {
        let place = reader.pointer.appending("admit")
        guard let value = reader.value("admit"),
            var reader = MemberReader(value, at: place, faults: &faults)
        else { return }
        if let value = reader.value("when") {
            settings.admit.when = slot(value, at: place.appending("when"))
        }
        settings.admit.otherwise =
            reader.word("otherwise", of: AdmitSettings.Otherwise.self, faults: &faults) ?? .reject
        if let time = reader.time("maxWait", in: 0...3_600_000, faults: &faults) {
            settings.admit.maxWait = time
        }
        reader.finish(faults: &faults)
    }

    private mutating func evict(
        _ reader: inout MemberReader, into settings: inout OperationSettings
    ) {
        let place = reader.pointer.appending("evict")
        guard let value = reader.value("evict"),
            var reader = MemberReader(value, at: place, faults: &faults)
        else { return }
        settings.evictAfter = reader.time(
            "idle", in: 1...longestTime, faults: &faults)
        reader.finish(faults: &faults)
    }
}
