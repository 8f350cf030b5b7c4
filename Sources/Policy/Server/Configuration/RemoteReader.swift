import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRemote

/// Reads the member `remote` of a type (operations.md section 1).
enum RemoteReader {
    /// The remotes of all types that have one; those with faults are left out.
    ///
    /// - Parameters:
    ///   - types: The member `types`.
    ///   - upstreams: The names that are declared, faulty ones included.
    static func remotes(
        _ types: JSONValue, at pointer: JSONPointer, upstreams: [String],
        faults: inout [SchemaFault]
    ) -> [RemoteMapping] {
        // What else is wrong with the types is `SchemaReader`'s to say.
        (types.objectValue ?? []).compactMap { member in
            guard let type = TypeName(member.name), let value = member.value["remote"] else {
                return nil
            }
            return remote(
                of: type, value, at: pointer.appending(member.name).appending("remote"),
                upstreams: upstreams, faults: &faults)
        }
    }

    private static func remote(
        of type: TypeName, _ value: JSONValue, at pointer: JSONPointer, upstreams: [String],
        faults: inout [SchemaFault]
    ) -> RemoteMapping? {
        let before = faults.count
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        let place = pointer.appending("upstream")
        let known = upstreams.map { "\"\($0)\"" }.joined(separator: ", ")
        reader.require(
            "upstream", known.isEmpty ? "the name of an upstream" : "one of \(known)",
            faults: &faults)
        let upstream = reader.string("upstream", faults: &faults)
        if let upstream, !upstreams.contains(upstream) {
            faults.expected(
                known.isEmpty
                    ? "an upstream that is declared in \"upstreams\"" : "one of \(known)", at: place
            )
        }
        var mapping = RemoteMapping(type: type, upstream: upstream ?? "")
        mapping.get = call("get", &reader, methods: ["GET"], faults: &faults)
        mapping.create = call("create", &reader, methods: ["POST", "PUT"], faults: &faults)
        mapping.update = call(
            "update", &reader, methods: ["PUT", "PATCH", "POST"], faults: &faults)
        mapping.remove = call("remove", &reader, methods: ["DELETE", "POST"], faults: &faults)
        if let value = reader.value("search") {
            mapping.search = search(
                value, at: pointer.appending("search"), isNamed: false, faults: &faults)
        }
        for (name, value, place) in reader.entries("endpoints", faults: &faults) {
            guard TypeName(name) != nil else {
                faults.expected(
                    "a name: a letter, then at most 63 letters, digits, _ or -", at: place)
                continue
            }
            if value["method"] == nil {
                mapping.endpoints[name] = search(value, at: place, isNamed: true, faults: &faults)
            } else {
                mapping.writeEndpoints[name] = writeEndpoint(value, at: place, faults: &faults)
            }
        }
        if let word = reader.word("rejected", of: RemoteMapping.Rejection.self, faults: &faults) {
            mapping.rejected = word
        }
        mapping.id = id(&reader, faults: &faults) ?? mapping.id
        mapping.rename = renames(&reader, id: mapping.id, faults: &faults)
        mapping.extract = extractions(&reader, of: mapping, faults: &faults)
        if let value = reader.value("fallback") {
            var reading = Reading()
            mapping.fallback = FallbackErrors.form.read(
                value, pointer.appending("fallback"), &reading)
            faults += reading.faults
        }
        reader.finish(faults: &faults)
        return faults.count == before ? mapping : nil
    }

    // MARK: Requests

    /// A request about one entity.
    private static func call(
        _ name: String, _ reader: inout MemberReader, methods: [String],
        faults: inout [SchemaFault]
    ) -> RemoteMapping.Call? {
        guard let value = reader.value(name),
            var member = MemberReader(
                value, at: reader.pointer.appending(name), faults: &faults)
        else { return nil }
        let method = method(&member, of: methods, faults: &faults)
        let request = request(&member, faults: &faults) { $0 == "id" ? nil : "{id}" }
        let item = member.jsonPointer("item", faults: &faults)
        let sendsID = name == "create" ? member.bool("sendId", faults: &faults) : nil
        member.finish(faults: &faults)
        if name != "create", let request, !request.placeholders.contains("id") {
            faults.expected(
                "a request with {id} in it, which says which entity is meant",
                at: member.pointer.appending("path"))
        }
        guard let request else { return nil }
        var call = RemoteMapping.Call(method: method, request: request)
        if let item { call.item = item }
        if let sendsID { call.sendsID = sendsID }
        return call
    }

    /// A named endpoint that writes go to.
    private static func writeEndpoint(
        _ value: JSONValue, at pointer: JSONPointer, faults: inout [SchemaFault]
    ) -> RemoteMapping.Call? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        let method = method(
            &reader, of: ["POST", "PUT", "PATCH", "DELETE"], faults: &faults)
        let request = request(&reader, faults: &faults) { name in
            name.contains(".") || name.hasPrefix("-") ? "{id}, or a parameter without dots" : nil
        }
        let item = reader.jsonPointer("item", faults: &faults)
        reader.finish(faults: &faults)
        guard let request else { return nil }
        var call = RemoteMapping.Call(method: method, request: request)
        if let item { call.item = item }
        return call
    }

    /// The member `method`; the first of `methods` where there is none.
    private static func method(
        _ reader: inout MemberReader, of methods: [String], faults: inout [SchemaFault]
    ) -> String {
        let method = reader.string("method", faults: &faults) ?? methods[0]
        if !methods.contains(method) {
            faults.expected(
                methods.count == 1
                    ? "\"\(methods[0])\""
                    : "one of " + methods.map { "\"\($0)\"" }.joined(separator: ", "),
                at: reader.pointer.appending("method"))
        }
        return method
    }

    private static func search(
        _ value: JSONValue, at pointer: JSONPointer, isNamed: Bool, faults: inout [SchemaFault]
    ) -> RemoteMapping.Search? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        let request = request(&reader, faults: &faults) { name in
            if ["offset", "limit", "page", "order", "ids"].contains(name) { return nil }
            if name.hasPrefix("filter."), name.utf8.count > 7 { return nil }
            if isNamed, !name.contains("."), !name.hasPrefix("-") { return nil }
            return "{filter.NAME}, {offset}, {limit}, {page}, {order} or {ids}"
                + (isNamed ? ", or a parameter without dots" : "")
        }
        let items = reader.jsonPointer("items", faults: &faults)
        let total = reader.jsonPointer("total", faults: &faults)
        let pageSize = reader.integer("pageSize", in: 1...10_000, faults: &faults)
        let maxPages = reader.integer("maxPages", in: 1...10_000, faults: &faults)
        reader.finish(faults: &faults)
        guard let request else { return nil }
        var search = RemoteMapping.Search(request: request)
        if let items { search.items = items }
        search.total = total
        if let pageSize { search.pageSize = pageSize }
        if let maxPages { search.maxPages = maxPages }
        return search
    }

    /// Path and query.
    ///
    /// - Parameter expectation: What was expected in place of a placeholder; nil for a good one.
    private static func request(
        _ reader: inout MemberReader, faults: inout [SchemaFault],
        _ expectation: (String) -> String?
    ) -> RequestTemplate? {
        reader.require("path", RequestTemplate.expectation, faults: &faults)
        let path = reader.string("path", faults: &faults)
        let place = reader.pointer.appending("path")
        var isSound = true
        func check(_ template: RequestTemplate?, at place: JSONPointer, or expected: String) {
            guard let template else {
                faults.expected(expected, at: place)
                isSound = false
                return
            }
            for name in template.placeholders {
                guard let expected = expectation(name) else { continue }
                faults.expected("\(expected), not {\(name)}", at: place)
                isSound = false
            }
        }
        if let path {
            check(RequestTemplate(path: path), at: place, or: RequestTemplate.expectation)
        }
        var query: [(name: String, value: String)] = []
        for (name, value, place) in reader.entries("query", faults: &faults) {
            let text: String? =
                switch value {
                case .string(let text), .number(let text): text
                case .bool(let flag): flag ? "true" : "false"
                case .null, .array, .object: nil
                }
            let expected = "a text such as \"{page}\", a number, true or false"
            guard let text else {
                faults.expected(expected, at: place)
                isSound = false
                continue
            }
            check(
                RequestTemplate(path: "/", query: [(name, text)]), at: place, or: expected)
            query.append((name, text))
        }
        return isSound ? path.flatMap { RequestTemplate(path: $0, query: query) } : nil
    }

    // MARK: Members

    private static func id(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> JSONPointer? {
        let pointer = reader.jsonPointer("id", faults: &faults)
        if pointer?.tokens.isEmpty == true {
            faults.expected(
                "a JSON pointer to a member, such as \"/id\"", at: reader.pointer.appending("id"))
        }
        return pointer
    }

    private static func renames(
        _ reader: inout MemberReader, id: JSONPointer, faults: inout [SchemaFault]
    ) -> [RemoteMapping.Rename] {
        var renames: [RemoteMapping.Rename] = []
        for (name, value, place) in reader.entries("rename", faults: &faults) {
            guard let local = value.stringValue, !local.isEmpty, local != "id", local != "_meta"
            else {
                faults.expected(
                    "the member's name here, neither \"id\" (\"id\" says where that stands) nor"
                        + " \"_meta\"", at: place)
                continue
            }
            if id.tokens == [name] {
                faults.expected("another member than the one that has the id", at: place)
            }
            if renames.contains(where: { $0.local == local }) {
                faults.expected("another name: one above is renamed to it", at: place)
            }
            renames.append(.init(remote: name, local: local))
        }
        return renames
    }

    private static func extractions(
        _ reader: inout MemberReader, of mapping: RemoteMapping, faults: inout [SchemaFault]
    ) -> [RemoteMapping.Extraction] {
        var extractions: [RemoteMapping.Extraction] = []
        for (name, value, place) in reader.entries("extract", faults: &faults) {
            guard var member = MemberReader(value, at: place, faults: &faults) else { continue }
            member.require("type", "the name of the nested entities' type", faults: &faults)
            member.require("at", "a JSON pointer such as \"/author\"", faults: &faults)
            let typeText = member.string("type", faults: &faults)
            let type = typeText.flatMap { TypeName($0) }
            if typeText != nil, type == nil {
                faults.expected("a type name", at: place.appending("type"))
            }
            let at = member.jsonPointer("at", faults: &faults)
            if let at, at.tokens.isEmpty || at == mapping.id {
                faults.expected(
                    "a JSON pointer to a member, which is not the id", at: place.appending("at"))
            }
            if name == "id" || name == "_meta" || name.isEmpty {
                faults.expected("a member that takes an id", at: place)
            }
            let id = id(&member, faults: &faults)
            let rename = renames(
                &member, id: id ?? JSONPointer(tokens: ["id"]), faults: &faults)
            member.finish(faults: &faults)
            guard let type, let at else { continue }
            var extraction = RemoteMapping.Extraction(member: name, type: type, pointer: at)
            if let id { extraction.id = id }
            extraction.rename = rename
            extractions.append(extraction)
        }
        return extractions
    }
}
