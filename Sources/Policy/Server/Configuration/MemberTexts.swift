import FreshetJSON

/// What members of the configuration mean whose schema is made elsewhere: `Setting` has the texts of
/// settings, this table those of all that stands inside of types, upstreams, operations and access.
///
/// A key is where a member stands: `*` is a name that users choose, `[]` an element. What a schema
/// refers to is under a name of its own: `credential`, `spec`; properties inside of properties are
/// under `types.*.properties.*`, too.
enum MemberTexts {
    /// `schema` with a description for each member that has none.
    static func describe(_ schema: JSONValue) -> JSONValue {
        guard var members = described(schema, at: "").objectValue else { return schema }
        for index in members.indices where members[index].name == "$defs" {
            members[index].value = .object(
                (members[index].value.objectValue ?? []).map { definition in
                    let path =
                        ["property", "member", "element"].contains(definition.name)
                        ? "types.*.properties.*" : definition.name
                    return .init(
                        name: definition.name, value: described(definition.value, at: path))
                })
        }
        return .object(members)
    }

    private static func described(_ node: JSONValue, at path: String) -> JSONValue {
        guard let members = node.objectValue else { return node }
        return .object(
            members.map { member in
                let value: JSONValue =
                    switch member.name {
                    case "properties": named(member.value, below: path)
                    case "additionalProperties": described(member.value, at: path + ".*")
                    case "items": described(member.value, at: path + "[]")
                    case "anyOf", "oneOf":
                        .array((member.value.arrayValue ?? []).map { described($0, at: path) })
                    default: member.value
                    }
                return .init(name: member.name, value: value)
            })
    }

    private static func named(_ properties: JSONValue, below path: String) -> JSONValue {
        .object(
            (properties.objectValue ?? []).map { property in
                let place = path.isEmpty ? property.name : "\(path).\(property.name)"
                let value = described(property.value, at: place)
                guard var members = value.objectValue, value["description"] == nil,
                    let text = all[place]
                else { return .init(name: property.name, value: value) }
                members.append(.init(name: "description", value: .string(text)))
                return .init(name: property.name, value: .object(members))
            })
    }

    static let all: [String: String] = [
        "log": "how the log is written",
        "snapshot": "how the log is made short",
        "scrub": "how damage is looked for",
        "limits": "how much of everything; past a limit the answer names it",
        "cors": "pages of other origins",
        "types.*.identifier": "what ids are; both where absent",
        "types.*.properties": "the declared properties by name",
        "types.*.properties.*.type": "the kind of value",
        "types.*.properties.*.nullable": "`null` is allowed, too",
        "types.*.properties.*.required": "must be there; in an object the names that must be",
        "types.*.properties.*.enum": "the only values",
        "types.*.properties.*.minimum": "least number",
        "types.*.properties.*.maximum": "greatest number",
        "types.*.properties.*.minLength": "least length in characters",
        "types.*.properties.*.maxLength": "greatest length in characters",
        "types.*.properties.*.pattern": "a regular expression that must be found",
        "types.*.properties.*.minItems": "fewest elements",
        "types.*.properties.*.maxItems": "most elements",
        "types.*.properties.*.items": "what each element is",
        "types.*.properties.*.properties": "members of an object",
        "types.*.properties.*.additionalProperties": "whether other members are allowed",
        "types.*.properties.*.default": "is filled in where the property is absent",
        "types.*.properties.*.silent": "changes of it alone make no live event",
        "types.*.properties.*.lazy": "keeps its value where a write does not name it",
        "types.*.additionalProperties": "whether undeclared properties are allowed",
        "types.*.relationships": "what properties refer to, for `include`",
        "types.*.relationships.*.type": "the type that is referred to",
        "types.*.relationships.*.association": "the property holds one id or a list of ids",
        "types.*.relationships.*.by":
            "backwards: the property of the other type that holds this id",
        "types.*.indexes": "properties, or lists of them, that searches use",
        "types.*.contracts": "what a reader may demand of rows, by name",
        "types.*.contracts.*.requires": "properties that must be there",
        "types.*.contracts.*.where": "a filter that must hold",
        "types.*.store": "where rows are kept; `memory` begins empty at each start",
        "types.*.durability": "when writes of this type are answered",
        "types.*.remote": "the service that the entities come from",
        "types.*.remote.upstream": "one of `upstreams`",
        "types.*.remote.get": "how one entity is asked for",
        "types.*.remote.search": "how entities are searched",
        "types.*.remote.create": "how one is created",
        "types.*.remote.update": "how one is changed",
        "types.*.remote.remove": "how one is removed",
        "types.*.remote.rejected": "what becomes of a row whose write was rejected",
        "types.*.remote.id": "JSON pointer to the id in each element",
        "types.*.remote.rename": "their member name → ours",
        "types.*.remote.extract": "nested entities that become entities of their own type",
        "types.*.remote.extract.*.type": "the type of the nested entity",
        "types.*.remote.extract.*.at": "JSON pointer to it",
        "types.*.remote.extract.*.id": "JSON pointer to its id",
        "types.*.remote.extract.*.rename": "their member name → ours",
        "types.*.remote.endpoints": "further paths by name, for `endpoint=`",
        "types.*.remote.fallback": "errors after which local data is answered",
        "conditions.*.initial": "its value before anybody sets it",
        "conditions.*.persist": "whether it outlives a restart",
        "operations.*.kind": "a query, its pages, or a write",
        "operations.*.type": "the type of its entities",
        "operations.*.query": "the search, as in `_search`",
        "operations.*.write": "what a mutation does",
        "operations.*.automatic": "may it run by itself: a gate",
        "operations.*.stale": "when its value is old; any of them",
        "operations.*.refetch": "when it runs again",
        "operations.*.refetch.when": "runs when this becomes true",
        "operations.*.refetch.every": "runs so long after the last run",
        "operations.*.refetch.cron": "runs at these times",
        "operations.*.refetch.cron.expr": "minute, hour, day, month, weekday",
        "operations.*.refetch.cron.tz": "the time zone, as `Europe/Berlin`; UTC where absent",
        "operations.*.refetch.cron.for": "how long the time lasts",
        "operations.*.refetch.on[].mutation": "an operation of the kind `mutation` has succeeded",
        "operations.*.refetch.on[].event": "an event of this name has come",
        "operations.*.refetch.on": "runs after these mutations or events",
        "operations.*.refetch.settle": "how long `when` must hold",
        "operations.*.refetch.minInterval": "least time between automatic starts",
        "operations.*.refetch.onFall": "what becomes of the run when `when` is false again",
        "operations.*.refetch.during": "what a trigger does while it runs",
        "operations.*.refetch.requireSubscribers": "only while somebody watches",
        "operations.*.refetch.requireStale": "only where the value is stale",
        "operations.*.admit": "a gate over all runs, manual ones too",
        "operations.*.admit.when": "the gate",
        "operations.*.admit.otherwise": "what becomes of a run that it refuses",
        "operations.*.admit.maxWait": "longest wait",
        "operations.*.retry": "tries after the first",
        "operations.*.deadline": "longest time of a run, its retries included",
        "operations.*.linger": "how long a run goes on that nobody watches any more",
        "operations.*.evict": "when its state is forgotten",
        "operations.*.evict.idle": "after so long without use",
        "operations.*.controllers": "what drives it from outside",
        "access.tokens": "who may come in",
        "access.tokens[].name": "what the log calls the bearer",
        "access.tokens[].sha256": "the token's digest, from `freshet token new`",
        "access.tokens[].subject": "the value of `$subject`; the name where absent",
        "access.tokens[].claims": "the values of `$claims.NAME`",
        "access.tokens[].admin": "may administrate",
        "access.tokens[].expires": "when it ends",
        "access.anonymous.*.level": "what it may cause: no request to an upstream, or requests too",
        "access.tokens[].types.*.level":
            "what it may cause: no request to an upstream, or requests too",
        "types.*.remote.get.path": "below the base; `{id}` and the like are filled in",
        "types.*.remote.get.query": "query parameters, filled in likewise",
        "types.*.remote.get.item": "JSON pointer to the entity in the answer",
        "types.*.remote.get.method": "the method",
        "types.*.remote.search.path": "below the base; `{id}` and the like are filled in",
        "types.*.remote.search.query": "query parameters, filled in likewise",
        "types.*.remote.search.items": "JSON pointer to the list in the answer",
        "types.*.remote.search.total": "JSON pointer to the number of all",
        "types.*.remote.search.pageSize": "rows of a page of theirs",
        "types.*.remote.search.maxPages": "most pages that one search asks for",
        "types.*.remote.create.path": "below the base; `{id}` and the like are filled in",
        "types.*.remote.create.query": "query parameters, filled in likewise",
        "types.*.remote.create.item": "JSON pointer to the entity in the answer",
        "types.*.remote.create.method": "the method",
        "types.*.remote.create.sendId": "whether the id is sent along",
        "types.*.remote.update.path": "below the base; `{id}` and the like are filled in",
        "types.*.remote.update.query": "query parameters, filled in likewise",
        "types.*.remote.update.item": "JSON pointer to the entity in the answer",
        "types.*.remote.update.method": "the method",
        "types.*.remote.remove.path": "below the base; `{id}` and the like are filled in",
        "types.*.remote.remove.query": "query parameters, filled in likewise",
        "types.*.remote.remove.item": "JSON pointer to the entity in the answer",
        "types.*.remote.remove.method": "the method",
        "types.*.remote.endpoints.*.path": "below the base; `{id}` and the like are filled in",
        "types.*.remote.endpoints.*.query": "query parameters, filled in likewise",
        "types.*.remote.endpoints.*.item": "JSON pointer to the entity in the answer",
        "types.*.remote.endpoints.*.items": "JSON pointer to the list in the answer",
        "types.*.remote.endpoints.*.total": "JSON pointer to the number of all",
        "types.*.remote.endpoints.*.pageSize": "rows of a page of theirs",
        "types.*.remote.endpoints.*.maxPages": "most pages that one search asks for",
        "types.*.remote.endpoints.*.method": "the method",
        "$schema": "where the schema of this file is, for editors",
        "spec.and": "all of these",
        "spec.or": "one of these",
        "spec.not": "not this",
        "spec.spec": "the specification of this name",
        "spec.healthy": "the upstream's `probe` says that it is well",
        "spec.connected": "the link to the upstream is up",
        "spec.connected.upstream": "its name",
        "spec.connected.atLeast": "`limited`: content with an upstream that asks for patience",
        "spec.token": "the upstream's credential is ready",
        "spec.token.upstream": "its name",
        "spec.token.validFor": "ready for so long",
        "spec.active": "the switch of the service, or of an operation, is on",
        "spec.active.operation": "its id",
        "spec.condition": "the flag of this name is set",
        "spec.window": "these hours of these days",
        "spec.window.days": "as `mon-fri`",
        "spec.window.from": "as `08:00`",
        "spec.window.to": "as `18:00`",
        "spec.window.tz": "the time zone, as `Europe/Berlin`; UTC where absent",
        "spec.between": "between two times",
        "spec.between.from": "the first, as `2026-07-01T08:00`",
        "spec.between.to": "the second",
        "spec.between.tz": "their time zone",
        "spec.cron": "from each of these times on for a while",
        "spec.cron.expr": "minute, hour, day, month, weekday",
        "spec.cron.tz": "the time zone",
        "spec.cron.for": "for how long; a minute where absent",
        "spec.pressure": "memory is as short as this",
        "spec.subscribers": "at least so many watch",
        "spec.failures": "at least so many failures in a row",
        "spec.age": "the value is older, or there is none",
        "spec.value": "whether there is a value",
        "spec.status": "the operation's status",
        "spec.status.is": "this one, or one of these",
        "spec.status.of": "the operation; the own one where absent",
        "spec.of": "the operation; the own one where absent",
        "spec.subscribers.eq": "equal",
        "spec.subscribers.ne": "not equal",
        "spec.subscribers.gt": "more",
        "spec.subscribers.gte": "at least",
        "spec.subscribers.lt": "less",
        "spec.subscribers.lte": "at most",
        "spec.subscribers.of": "the operation; the own one where absent",
        "spec.failures.eq": "equal",
        "spec.failures.ne": "not equal",
        "spec.failures.gt": "more",
        "spec.failures.gte": "at least",
        "spec.failures.lt": "less",
        "spec.failures.lte": "at most",
        "spec.failures.of": "the operation; the own one where absent",
        "spec.age.eq": "equal",
        "spec.age.ne": "not equal",
        "spec.age.gt": "more",
        "spec.age.gte": "at least",
        "spec.age.lt": "less",
        "spec.age.lte": "at most",
        "spec.age.of": "the operation; the own one where absent",
    ]
}
