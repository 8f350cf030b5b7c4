import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRemote

/// The member `remote` of a type (operations.md section 1).
extension RemoteMapping {
    /// Its type is set by the type that has it.
    static let form = Form<RemoteMapping>(table.schema(of: initial)) { value, place, reading in
        guard var mapping = initial else { return nil }
        let before = reading.faults.count
        _ = table.read(value, place, into: &mapping, &reading)
        return reading.faults.count == before ? mapping : nil
    }

    private static let initial = TypeName("a").map { RemoteMapping(type: $0, upstream: "") }

    private static let table = ObjectTable<RemoteMapping>([
        Member(
            "upstream", "one of `upstreams`", declaredUpstream,
            required: .known { reading in
                reading.upstreams.isEmpty ? "the name of an upstream" : oneUpstream(reading)
            }, to: \.upstream),
        Member("get", "how one entity is asked for", call(["GET"]), to: \.get),
        Member("search", "how entities are searched", search(isNamed: false), to: \.search),
        Member(
            "create", "how one is created",
            call(
                ["POST", "PUT"],
                and: Member("sendId", "whether the id is sent along", .flag, to: \.sendsID)),
            to: \.create),
        Member("update", "how one is changed", call(["PUT", "PATCH", "POST"]), to: \.update),
        Member("remove", "how one is removed", call(["DELETE", "POST"]), to: \.remove),
        Member(
            "rejected", "what becomes of a row whose write was rejected", .word, to: \.rejected),
        Member("id", "JSON pointer to the id in each element", memberPointer, to: \.id),
        Member("rename", renameText, renames, to: \.rename),
        Member(
            "extract", "nested entities that become entities of their own type", extractions,
            to: \.extract),
        Member(
            "endpoints", "further paths by name, for `endpoint=`", endpointForms
        ) { mapping, found in
            for endpoint in found {
                switch endpoint {
                case .read(let name, let search): mapping.endpoints[name] = search
                case .write(let name, let call): mapping.writeEndpoints[name] = call
                }
            }
        },
        Member(
            "fallback", UpstreamDeclaration.fallbackText + "; those of the upstream where absent",
            FallbackErrors.form, to: \.fallback),
    ]) { mapping, _, place, reading in
        check(mapping.rename, id: mapping.id, at: place.appending("rename"), &reading)
        for extraction in mapping.extract where extraction.pointer == mapping.id {
            reading.expected(
                atExpectation,
                at: place.appending("extract").appending(extraction.member).appending("at"))
        }
    }

    private static let declaredUpstream = Form<String>(nameSchema) { value, place, reading in
        guard let name = Form.text().read(value, place, &reading) else { return nil }
        if !reading.upstreams.contains(name) {
            reading.expected(
                reading.upstreams.isEmpty
                    ? "an upstream that is declared in \"upstreams\"" : oneUpstream(reading),
                at: place)
        }
        return name
    }

    private static func oneUpstream(_ reading: Reading) -> String {
        "one of " + reading.upstreams.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    private static let nameSchema = Form.text(pattern: TypeSchema.namePattern).schema

    // MARK: Requests

    /// A call or a search before its parts are put together.
    private struct Request: Sendable {
        var path: String?
        var query: [(name: String, value: String)] = []
        var method: String?
        var item = JSONPointer()
        var sendsID = true

        var template: RequestTemplate? { path.flatMap { RequestTemplate(path: $0, query: query) } }

        var call: Call? {
            guard let template, let method else { return nil }
            var call = Call(method: method, request: template)
            call.item = item
            call.sendsID = sendsID
            return call
        }
    }

    /// What was expected in place of a placeholder; nil for a good one.
    private typealias Expectation = @Sendable (String) -> String?

    /// A request about one entity.
    ///
    /// - Parameters:
    ///   - methods: The first one is the default.
    ///   - more: Of a create, which alone may lack the id.
    private static func call(
        _ methods: [String], and more: Member<Request>? = nil
    ) -> Form<Call> {
        let rows = members { $0 == "id" ? nil : "{id}" } + [item, method(of: methods)]
        return ObjectTable(rows + (more.map { [$0] } ?? [])) { request, _, place, reading in
            if more == nil, request.template?.placeholders.contains("id") == false {
                reading.expected(
                    "a request with {id} in it, which says which entity is meant",
                    at: place.appending("path"))
            }
        }.form(Request(method: methods[0])).map(\.call)
    }

    private static let item = Member<Request>(
        "item", "JSON pointer to the entity in the answer", .pointer(), to: \.item)

    private static func method(
        of methods: [String], required requirement: Member<Request>.Requirement? = nil
    ) -> Member<Request> {
        Member("method", "the method", .word(of: methods), required: requirement, to: \.method)
    }

    private static func search(isNamed: Bool) -> Form<Search> {
        let request = members { name in
            if ["offset", "limit", "page", "order", "ids"].contains(name) { return nil }
            if name.hasPrefix("filter."), name.utf8.count > 7 { return nil }
            if isNamed, !name.contains("."), !name.hasPrefix("-") { return nil }
            return "{filter.NAME}, {offset}, {limit}, {page}, {order} or {ids}"
                + (isNamed ? ", or a parameter without dots" : "")
        }
        let rows: [Member<SearchRequest>] = [
            Member("items", "JSON pointer to the list in the answer", .pointer(), to: \.items),
            Member("total", "JSON pointer to the number of all", .pointer(), to: \.total),
            Member("pageSize", "rows of a page of theirs", .integer(1...10_000), to: \.pageSize),
            Member(
                "maxPages", "most pages that one search asks for", .integer(1...10_000),
                to: \.maxPages),
        ]
        return ObjectTable(request.map { $0.within(\.request) } + rows).form(.init()).map(\.search)
    }

    private struct SearchRequest: Sendable {
        var request = Request()
        var items = JSONPointer()
        var total: JSONPointer?
        var pageSize: Int?
        var maxPages = 10

        var search: Search? {
            guard let template = request.template else { return nil }
            var search = Search(request: template)
            search.items = items
            search.total = total
            search.pageSize = pageSize
            search.maxPages = maxPages
            return search
        }
    }

    private enum Endpoint: Sendable {
        case read(name: String, Search?)
        case write(name: String, Call?)
    }

    /// Endpoints by name; those with a method are for writes.
    private static let endpointForms: Form<[Endpoint]> = {
        let search = Self.search(isNamed: true)
        let rows = members { name in
            name.contains(".") || name.hasPrefix("-") ? "{id}, or a parameter without dots" : nil
        }
        let methods = ["POST", "PUT", "PATCH", "DELETE"]
        let write = ObjectTable(rows + [item, method(of: methods, required: .member)])
            .form(Request()).map(\.call)
        return .entries(
            of: ["anyOf": [search.schema, write.schema]],
            names: ["pattern": .string(TypeSchema.namePattern)]
        ) { entry, _, reading in
            guard TypeName(entry.name) != nil else {
                reading.expected(UpstreamDeclaration.nameExpectation, at: entry.pointer)
                return nil
            }
            return entry.value["method"] == nil
                ? .read(name: entry.name, search.read(entry.value, entry.pointer, &reading))
                : .write(name: entry.name, write.read(entry.value, entry.pointer, &reading))
        }
    }()

    /// The members `path` and `query`.
    private static func members(_ expectation: @escaping Expectation) -> [Member<Request>] {
        @Sendable func template(
            _ template: RequestTemplate?, or expected: String, at place: JSONPointer,
            _ reading: inout Reading
        ) -> Bool {
            guard let template else {
                reading.expected(expected, at: place)
                return false
            }
            let bad = template.placeholders.compactMap { name in
                expectation(name).map { "\($0), not {\(name)}" }
            }
            for expected in bad { reading.expected(expected, at: place) }
            return bad.isEmpty
        }
        let path = Form<String>(Form.text(pattern: pathPattern).schema) { value, place, reading in
            guard let path = Form.text().read(value, place, &reading) else { return nil }
            let found = RequestTemplate(path: path)
            return template(found, or: RequestTemplate.expectation, at: place, &reading)
                ? path : nil
        }
        let query = Form<[(name: String, value: String)]>.entries(
            of: ["type": ["string", "number", "boolean"]]
        ) { entry, _, reading in
            let text: String? =
                switch entry.value {
                case .string(let text), .number(let text): text
                case .bool(let flag): flag ? "true" : "false"
                case .null, .array, .object: nil
                }
            let found = text.flatMap { RequestTemplate(path: "/", query: [(entry.name, $0)]) }
            let expected = "a text such as \"{page}\", a number, true or false"
            guard template(found, or: expected, at: entry.pointer, &reading), let text else {
                return nil
            }
            return (entry.name, text)
        }
        return [
            Member(
                "path", "below the base; `{id}` and the like are filled in", path,
                required: .value(RequestTemplate.expectation), to: \.path),
            Member("query", "query parameters, filled in likewise", query, to: \.query),
        ]
    }

    // MARK: Members of what they send

    private static let memberPointer = Form<JSONPointer>.pointer().narrowed(
        or: "a JSON pointer to a member, such as \"/id\"", schema: memberSchema
    ) { $0.tokens.isEmpty ? nil : $0 }

    private static let memberSchema = Form.text(pattern: "^/").schema

    private static let renameText = "their member name → ours"

    private static let renames = Form<[Rename]>.entries(
        of: ["type": "string", "minLength": 1, "not": ["enum": ["id", "_meta"]]]
    ) { entry, found, reading in
        guard let local = entry.value.stringValue, !local.isEmpty, local != "id", local != "_meta"
        else {
            reading.expected(
                "the member's name here, neither \"id\" (\"id\" says where that stands) nor"
                    + " \"_meta\"", at: entry.pointer)
            return nil
        }
        if found.contains(where: { $0.local == local }) {
            reading.expected("another name: one above is renamed to it", at: entry.pointer)
        }
        return Rename(remote: entry.name, local: local)
    }

    private static func check(
        _ renames: [Rename], id: JSONPointer, at place: JSONPointer, _ reading: inout Reading
    ) {
        for rename in renames where id.tokens == [rename.remote] {
            reading.expected(
                "another member than the one that has the id", at: place.appending(rename.remote))
        }
    }

    // MARK: Nested entities

    private static let atExpectation = "a JSON pointer to a member, which is not the id"

    private static let extractions: Form<[Extraction]> = {
        let form = extraction
        return .entries(of: form.schema, names: ["not": ["enum": ["id", "_meta", ""]]]) {
            entry, _, reading in
            if ["id", "_meta", ""].contains(entry.name) {
                reading.expected("a member that takes an id", at: entry.pointer)
            }
            var extraction = form.read(entry.value, entry.pointer, &reading)
            extraction?.member = entry.name
            return extraction
        }
    }()

    private static let extraction = ObjectTable<Extraction>([
        Member(
            "type", "the type of the nested entity",
            Form.text(pattern: TypeSchema.namePattern).narrowed(or: "a type name") { TypeName($0) },
            required: .value("the name of the nested entities' type"), to: \.type),
        Member(
            "at", "JSON pointer to it",
            Form.pointer().narrowed(or: atExpectation, schema: memberSchema) {
                $0.tokens.isEmpty ? nil : $0
            }, required: .value("a JSON pointer such as \"/author\""), to: \.pointer),
        Member("id", "JSON pointer to its id", memberPointer, to: \.id),
        Member("rename", renameText, renames, to: \.rename),
    ]) { extraction, _, place, reading in
        check(extraction.rename, id: extraction.id, at: place.appending("rename"), &reading)
    }.form(
        // What stands for the absent is never used: the fault stops the start.
        TypeName("a").map { Extraction(member: "", type: $0, pointer: JSONPointer()) })
}
