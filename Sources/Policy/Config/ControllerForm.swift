import FreshetCore
import FreshetJSON
import FreshetRefresh
import FreshetRemote

/// A controller: an element of an operation's `controllers` (operations.md section 4).
struct ControllerDeclaration: Sendable {
    private var stream = ReducedStream(upstream: "", path: "/")
    private var followed = FollowedQuery(upstream: "", query: "")
    private var edge: SpecExpression?
    private var interval: Duration?
    private var reconnect = RetryPolicy(limit: .max)
    private var limit: Int?
    private var kind = ""
    private var attachment: ControllerSettings.Attachment?
    private var gate: SpecExpression?

    /// - Parameter standard: When it is attached where it does not say so.
    func settings(attached standard: ControllerSettings.Attachment) -> ControllerSettings? {
        var stream = stream
        stream.reconnect = reconnect
        for index in stream.rules.indices where stream.rules[index].limit == nil {
            stream.rules[index].limit = limit
        }
        var followed = followed
        followed.reconnect = reconnect
        let source: ControllerSettings.Source? =
            switch kind {
            case "sse": .sse(stream)
            case "freshet": .freshet(followed)
            case "edge": edge.map { .edge($0) }
            default: interval.map { .poll(every: $0) }
            }
        guard let source else { return nil }
        var settings = ControllerSettings(source)
        settings.attachment = attachment ?? standard
        settings.gate = gate
        return settings
    }

    private static let mostControllers = 16
    private static let mostRules = 100

    static let all = Form<[ControllerDeclaration]>.list(
        of: table.schema(of: ControllerDeclaration()), count: 0...mostControllers,
        or: "a list of at most \(mostControllers) controllers"
    ) { entry, found, reading in
        if entry.value.objectValue != nil {
            let kinds = kinds.filter { entry.value[$0] != nil }
            guard kinds.count == 1 else {
                reading.expected(
                    "exactly one of \"sse\", \"freshet\", \"edge\" and \"poll\"",
                    at: entry.pointer)
                return nil
            }
        }
        var controller = ControllerDeclaration()
        guard table.read(entry.value, entry.pointer, into: &controller, &reading) else {
            return nil
        }
        controller.kind = kinds.first { entry.value[$0] != nil } ?? ""
        if controller.isStream, found.contains(where: \.isStream) {
            reading.expected(
                "no second stream: an operation has one value, and a stream is all of it",
                at: entry.pointer)
        }
        return controller
    }

    private static let kinds = ["sse", "freshet", "edge", "poll"]

    private var isStream: Bool { kind == "sse" || kind == "freshet" }

    private static func isReduced(_ given: JSONValue) -> Bool { given["sse"] != nil }

    private static let table = ObjectTable<ControllerDeclaration>([
        Member(
            "sse", "a stream of events whose outcome is the operation's value",
            into: \.stream,
            ObjectTable([
                Member(
                    "upstream", "one of `upstreams`", upstream,
                    required: .value(upstreamExpectation), to: \.upstream),
                Member(
                    "path", "below the base, with a query if wanted",
                    target("a path such as \"/todos/events\""),
                    required: .value("a path such as \"/todos/events\""), to: \.path),
            ])),
        Member(
            "freshet", "a live query of another Freshet", into: \.followed,
            ObjectTable([
                Member(
                    "upstream", "one of `upstreams`", upstream,
                    required: .value(upstreamExpectation), to: \.upstream),
                Member(
                    "query", "its relative URL", followedQuery, required: .value(queryExpectation),
                    to: \.query),
                Member("mode", "whole answers, or changes of them", .word, to: \.mode),
            ])),
        Member(
            "edge", "a rerun each time a specification becomes true", into: \.self,
            ObjectTable([
                Member(
                    "when", "the specification", SpecExpression.form,
                    required: .value("a specification"), to: \.edge)
            ])),
        Member(
            "poll", "a rerun at regular times", into: \.self,
            ObjectTable([
                Member(
                    "every", "how often", .time(100...longestTime),
                    required: .value("a time such as \"30s\""), to: \.interval)
            ])),
        Member(
            "attach",
            "while somebody watches, or always; where absent the first for types with a remote",
            .word, to: \.attachment),
        Member("while", "only while this holds", SpecExpression.form, to: \.gate),
        Member(
            "resume", "whether it goes on behind the last event after a break", .flag,
            in: isReduced, to: \.stream.resumes),
        Member(
            "initial", "the value before the first event",
            Form<JSONValue>(["type": ["array", "null"], "items": ["type": "object"]]) {
                value, place, reading in
                if value.isNull { return nil }
                if value.arrayValue?.allSatisfy({ $0.objectValue != nil }) == true { return value }
                reading.expected("null or a list of entities", at: place)
                return nil
            }, in: isReduced, to: \.stream.initial),
        Member(
            "limit", "most entities, the newest", .integer(1...StreamReducer.mostEntities),
            in: isReduced, to: \.limit),
        Member(
            "reduce", "what events mean; the first rule that fits", rules,
            required: .value(rulesExpectation), in: isReduced, to: \.stream.rules),
        Member(
            "onFault", "what a fault does to the operation", .word, in: isReduced,
            to: \.stream.onFault),
        Member(
            "reconnect", "the pauses before it connects again",
            RetryPolicy.backoff(atLeast: 10).form(.init(limit: .max)),
            in: { $0["sse"] != nil || $0["freshet"] != nil }, to: \.reconnect),
        Member(
            "then", "conditions that are set once an event's outcome is stored",
            .list(of: effect, or: "a list such as [{\"condition\": \"NAME\", \"value\": true}]"),
            in: isReduced, to: \.stream.effects),
    ])

    // MARK: Where from

    private static let upstreamExpectation = "the name of an upstream"
    private static let upstream = declared("upstreams") { $0.upstreams }

    /// The name of something that the configuration declares under `member`.
    private static func declared(
        _ member: String, _ known: @escaping @Sendable (SpecNames) -> Set<String>
    ) -> Form<String> {
        Form(Form.text().schema) { value, place, reading in
            guard let name = Form.text().read(value, place, &reading) else { return nil }
            guard known(reading.names).contains(name) else {
                reading.expected(
                    "the name of one of the configuration's \"\(member)\"", at: place)
                return nil
            }
            return name
        }
    }

    /// A relative URL, ready to be sent.
    private static func target(_ expectation: String) -> Form<String> {
        Form.text().narrowed(or: expectation) { text in
            let path = text.prefix { $0 != "?" }
            let isPath =
                path.hasPrefix("/") && !path.hasPrefix("//")
                && !path.split(separator: "/").contains { $0 == "." || $0 == ".." }
            return isPath && !text.contains("#") ? encoded(text) : nil
        }
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

    private static let queryExpectation =
        "the relative URL of a search, such as \"/v1/todo?filter=done == false\""

    private static let followedQuery = Form<String>(Form.text().schema) { value, place, reading in
        let query = target(queryExpectation).read(value, place, &reading)
        let parts = query?.split(separator: "?", maxSplits: 1) ?? []
        let names = parts.dropFirst().first?.split(separator: "&").map { $0.prefix { $0 != "=" } }
        if let name = names?.first(where: { foreign.contains(String($0)) }) {
            reading.expected(
                "a query without \"\(name)\": what is followed are whole entities", at: place)
        }
        return query
    }

    /// Parameters that make an answer something else than the entities themselves, or that are the
    /// protocol's own.
    private static let foreign: Set<String> = [
        "live", "since", "wait", "throttle", "heartbeat", "max", "old", "fields", "include",
        "depth",
        "group", "aggregate", "distinct", "meta", "explain", "after", "count",
    ]

    // MARK: What events mean

    private static let rulesExpectation = "a list of 1 to \(mostRules) rules"

    private static let rules: Form<[StreamRule]> = {
        let form = rule
        return .list(of: form.schema, count: 1...mostRules, or: rulesExpectation) {
            entry, found, reading in
            let rule = form.read(entry.value, entry.pointer, &reading)
            if rule != nil, found.contains(where: { $0.on == "*" }) {
                reading.expected(
                    "no rule behind \"*\", which takes every event", at: entry.pointer)
            }
            return rule
        }
    }()

    private static let eventExpectation = "the name of an event, or \"*\""

    private static let rule = ObjectTable<StreamRule>([
        Member(
            "on", "the event's name; `*` is any",
            Form.text().narrowed(or: eventExpectation) { $0.isEmpty ? nil : $0 },
            required: .value(eventExpectation), to: \.on),
        Member(
            "do", "what is done with its entities", .word,
            required: .value("what is done, such as \"upsert\""), to: \.action),
        Member("key", "JSON pointer to an entity's id", .pointer(), to: \.key),
        Member("data", "JSON pointer to the entity, or the list of them", .pointer(), to: \.data),
        Member(
            "limit", "most entities, the newest", .integer(1...StreamReducer.mostEntities),
            to: \.limit),
    ]).form(StreamRule(on: "", .ignore))

    private static let effect = ObjectTable<ReducedStream.Effect>([
        Member(
            "condition", "one of `conditions`", declared("conditions") { $0.conditions },
            required: .value("the name of a condition"), to: \.condition),
        Member("value", "what it becomes", .flag, to: \.value),
    ]).form(.init(condition: "", value: true))
}
