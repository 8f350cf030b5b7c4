import FreshetCore
import FreshetHTTP
import FreshetJSON
import FreshetOperations
import FreshetQuery
import FreshetRemote

/// Reads the member `controllers` of an operation (operations.md section 4).
struct ControllerReader {
    /// What the rest of the configuration declares.
    struct Names {
        var upstreams: Set<String>
        var conditions: Set<String>
        /// Whether the operation's type comes from a remote, which is asked when somebody watches.
        var hasRemote: Bool
    }

    /// Reads a specification that stands at a pointer, and notes its faults.
    typealias ReadSpecification = (JSONValue, JSONPointer, inout [SchemaFault]) -> SpecExpression?

    static let mostControllers = 16
    static let mostRules = 100

    private let names: Names
    private let readSpecification: ReadSpecification

    static func controllers(
        _ value: JSONValue, at pointer: JSONPointer, _ names: Names,
        faults: inout [SchemaFault], specification: @escaping ReadSpecification
    ) -> [ControllerSettings] {
        guard let elements = value.arrayValue, elements.count <= mostControllers else {
            faults.expected("a list of at most \(mostControllers) controllers", at: pointer)
            return []
        }
        let reader = ControllerReader(names: names, readSpecification: specification)
        var streams = 0
        var found: [ControllerSettings] = []
        for (index, element) in elements.enumerated() {
            let place = pointer.appending(index)
            guard let settings = reader.controller(element, at: place, faults: &faults) else {
                continue
            }
            switch settings.source {
            case .sse, .freshet: streams += 1
            case .edge, .poll: break
            }
            if streams > 1 {
                faults.expected(
                    "no second stream: an operation has one value, and a stream is all of it",
                    at: place)
            }
            found.append(settings)
        }
        return found
    }

    private func controller(
        _ value: JSONValue, at pointer: JSONPointer, faults: inout [SchemaFault]
    ) -> ControllerSettings? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        let kinds = ["sse", "freshet", "edge", "poll"].filter { reader.value($0) != nil }
        guard kinds.count == 1, let kind = kinds.first, let body = reader.value(kind) else {
            faults.expected(
                "exactly one of \"sse\", \"freshet\", \"edge\" and \"poll\"", at: pointer)
            return nil
        }
        let place = pointer.appending(kind)
        let source: ControllerSettings.Source?
        switch kind {
        case "sse": source = stream(body, at: place, &reader, faults: &faults)
        case "freshet": source = followed(body, at: place, &reader, faults: &faults)
        case "edge": source = edge(body, at: place, faults: &faults)
        default: source = poll(body, at: place, faults: &faults)
        }
        var settings = source.map { ControllerSettings($0) }
        let attachment = reader.word(
            "attach", of: ControllerSettings.Attachment.self, faults: &faults)
        settings?.attachment = attachment ?? (names.hasRemote ? .subscribed : .always)
        if let gate = reader.value("while") {
            settings?.gate = readSpecification(gate, pointer.appending("while"), &faults)
        }
        reader.finish(faults: &faults)
        return settings
    }

    // MARK: Edges and polls

    private func edge(
        _ value: JSONValue, at pointer: JSONPointer, faults: inout [SchemaFault]
    ) -> ControllerSettings.Source? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        reader.require("when", "a specification", faults: &faults)
        let when = reader.value("when").flatMap {
            readSpecification($0, pointer.appending("when"), &faults)
        }
        reader.finish(faults: &faults)
        return when.map { .edge($0) }
    }

    private func poll(
        _ value: JSONValue, at pointer: JSONPointer, faults: inout [SchemaFault]
    ) -> ControllerSettings.Source? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        reader.require("every", "a time such as \"30s\"", faults: &faults)
        let interval = reader.time(
            "every", in: 100...longestTime, faults: &faults)
        reader.finish(faults: &faults)
        return interval.map { .poll(every: $0) }
    }

    // MARK: Streams

    private func upstream(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> String? {
        reader.require("upstream", "the name of an upstream", faults: &faults)
        guard let name = reader.string("upstream", faults: &faults) else { return nil }
        guard names.upstreams.contains(name) else {
            faults.expected(
                "the name of one of the configuration's \"upstreams\"",
                at: reader.pointer.appending("upstream"))
            return nil
        }
        return name
    }

    /// A relative URL, ready to be sent.
    private func target(
        _ name: String, _ what: String, _ reader: inout MemberReader,
        faults: inout [SchemaFault]
    ) -> String? {
        reader.require(name, what, faults: &faults)
        guard let text = reader.string(name, faults: &faults) else { return nil }
        let path = text.prefix { $0 != "?" }
        let isPath =
            path.hasPrefix("/") && !path.hasPrefix("//")
            && !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
        guard isPath, !text.contains("#") else {
            faults.expected(what, at: reader.pointer.appending(name))
            return nil
        }
        return Self.encoded(text)
    }

    /// Bytes that cannot stand in a URL become escapes; escapes that are there stay.
    static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let isPlain =
                (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
                || "-._~!$&'()*+,;=:@/?%".utf8.contains(byte)
            if isPlain {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }

    private func followed(
        _ value: JSONValue, at pointer: JSONPointer, _ outer: inout MemberReader,
        faults: inout [SchemaFault]
    ) -> ControllerSettings.Source? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        let upstream = upstream(&reader, faults: &faults)
        let query = target(
            "query", "the relative URL of a search, such as \"/v1/todo?filter=done == false\"",
            &reader, faults: &faults)
        let mode = reader.word("mode", of: FollowedQuery.Mode.self, faults: &faults)
        if let query, let fault = Self.fault(ofFollowed: query) {
            faults.expected(fault, at: pointer.appending("query"))
        }
        reader.finish(faults: &faults)
        let reconnect = reconnect(&outer, faults: &faults)
        guard let upstream, let query else { return nil }
        var source = FollowedQuery(upstream: upstream, query: query)
        if let mode { source.mode = mode }
        source.reconnect = reconnect
        return .freshet(source)
    }

    /// Parameters that make an answer something else than the entities themselves, or that are the
    /// protocol's own.
    private static let foreign: Set<String> = [
        "live", "since", "wait", "throttle", "heartbeat", "max", "old", "fields", "include",
        "depth",
        "group", "aggregate", "distinct", "meta", "explain", "after", "count",
    ]

    private static func fault(ofFollowed query: String) -> String? {
        let parts = query.split(separator: "?", maxSplits: 1)
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let name = String(pair.prefix { $0 != "=" })
            if foreign.contains(name) {
                return "a query without \"\(name)\": what is followed are whole entities"
            }
        }
        return nil
    }

    private func stream(
        _ value: JSONValue, at pointer: JSONPointer, _ outer: inout MemberReader,
        faults: inout [SchemaFault]
    ) -> ControllerSettings.Source? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        let upstream = upstream(&reader, faults: &faults)
        let path = target(
            "path", "a path such as \"/todos/events\"", &reader, faults: &faults)
        reader.finish(faults: &faults)
        var source = ReducedStream(upstream: upstream ?? "", path: path ?? "/")
        if let flag = outer.bool("resume", faults: &faults) { source.resumes = flag }
        source.initial = initial(&outer, faults: &faults)
        let limit = outer.integer(
            "limit", in: 1...StreamReducer.mostEntities, faults: &faults)
        source.rules = rules(&outer, limit, faults: &faults)
        let policy = outer.word(
            "onFault", of: ReducedStream.FaultPolicy.self, faults: &faults)
        if let policy { source.onFault = policy }
        source.reconnect = reconnect(&outer, faults: &faults)
        source.effects = effects(&outer, faults: &faults)
        return upstream != nil && path != nil ? .sse(source) : nil
    }

    private func initial(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> JSONValue? {
        guard let value = reader.value("initial"), !value.isNull else { return nil }
        guard value.arrayValue?.allSatisfy({ $0.objectValue != nil }) == true else {
            faults.expected(
                "null or a list of entities", at: reader.pointer.appending("initial"))
            return nil
        }
        return value
    }

    private func rules(
        _ outer: inout MemberReader, _ limit: Int?, faults: inout [SchemaFault]
    ) -> [StreamRule] {
        let place = outer.pointer.appending("reduce")
        guard let elements = outer.value("reduce")?.arrayValue,
            (1...Self.mostRules).contains(elements.count)
        else {
            faults.expected("a list of 1 to \(Self.mostRules) rules", at: place)
            return []
        }
        var rules: [StreamRule] = []
        for (index, element) in elements.enumerated() {
            let place = place.appending(index)
            guard var reader = MemberReader(element, at: place, faults: &faults) else { continue }
            reader.require("on", "the name of an event, or \"*\"", faults: &faults)
            reader.require("do", "what is done, such as \"upsert\"", faults: &faults)
            let event = reader.string("on", faults: &faults)
            if event?.isEmpty == true {
                faults.expected("the name of an event, or \"*\"", at: place.appending("on"))
            }
            let action = reader.word("do", of: StreamRule.Action.self, faults: &faults)
            var rule = StreamRule(on: event ?? "*", action ?? .ignore)
            rule.key = reader.jsonPointer("key", faults: &faults)
            if let data = reader.jsonPointer("data", faults: &faults) { rule.data = data }
            rule.limit =
                reader.integer("limit", in: 1...StreamReducer.mostEntities, faults: &faults)
                ?? limit
            reader.finish(faults: &faults)
            if rules.contains(where: { $0.on == "*" }) {
                faults.expected(
                    "no rule behind \"*\", which takes every event", at: place)
            }
            rules.append(rule)
        }
        return rules
    }

    private func reconnect(
        _ outer: inout MemberReader, faults: inout [SchemaFault]
    ) -> RetryPolicy {
        var policy = RetryPolicy(limit: .max)
        guard let value = outer.value("reconnect"),
            var reader = MemberReader(
                value, at: outer.pointer.appending("reconnect"), faults: &faults)
        else { return policy }
        if let time = reader.time("exponential", in: 10...longestTime, faults: &faults) {
            policy.base = time
        }
        if let time = reader.time("max", in: 10...longestTime, faults: &faults) {
            policy.longest = time
        }
        if let flag = reader.bool("jitter", faults: &faults) { policy.hasJitter = flag }
        reader.finish(faults: &faults)
        return policy
    }

    private func effects(
        _ outer: inout MemberReader, faults: inout [SchemaFault]
    ) -> [ReducedStream.Effect] {
        guard let value = outer.value("then") else { return [] }
        let place = outer.pointer.appending("then")
        guard let elements = value.arrayValue else {
            faults.expected(
                "a list such as [{\"condition\": \"NAME\", \"value\": true}]", at: place)
            return []
        }
        var effects: [ReducedStream.Effect] = []
        for (index, element) in elements.enumerated() {
            let place = place.appending(index)
            guard var reader = MemberReader(element, at: place, faults: &faults) else { continue }
            reader.require("condition", "the name of a condition", faults: &faults)
            let name = reader.string("condition", faults: &faults)
            if let name, !names.conditions.contains(name) {
                faults.expected(
                    "the name of one of the configuration's \"conditions\"",
                    at: place.appending("condition"))
            }
            let isTrue = reader.bool("value", faults: &faults) ?? true
            reader.finish(faults: &faults)
            if let name { effects.append(.init(condition: name, value: isTrue)) }
        }
        return effects
    }
}
