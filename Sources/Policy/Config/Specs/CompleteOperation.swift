package import FreshetJSON
package import FreshetRefresh

/// What holds of an operation: what the configuration says of it, and the defaults of all else.
package struct CompleteOperation: Sendable {
    /// The member of the configuration, complete.
    package let value: JSONValue
    /// Members that the configuration does not have, and whose default is not null: `admit.maxWait`.
    package let defaults: [String]

    private static let schema = OperationDeclaration.table.schema(
        of: OperationDeclaration(named: ""))

    /// - Parameters:
    ///   - given: Its member of the configuration; an empty object where it has none.
    ///   - upstream: The name of where its values come from; nil for nowhere.
    ///   - retry: Of the upstream, which holds where the operation has none.
    package init(
        _ given: JSONValue, kind: OperationKind, upstream: String?, retry: OperationRetry?
    ) {
        var defaults: [String] = []
        var value = given.completed(by: Self.schema, "", &defaults)
        defaults.removeAll { $0 == "kind" || $0 == "retry" }
        func fill(_ path: String..., with standard: JSONValue) {
            defaults.append(path.joined(separator: "."))
            value.replace(path[...], with: standard)
        }
        if given["automatic"] == nil {
            fill(
                "automatic",
                with: kind == .mutation
                    ? false : ["and": [["active": "service"], ["active": "operation"]]])
        }
        if given["refetch"]?["when"].flatMap({ $0.isNull ? nil : $0 }) == nil {
            let gate = value["automatic"] ?? .null
            let link = upstream.map {
                JSONValue.object([.init(name: "connected", value: .string($0))])
            }
            fill("refetch", "when", with: link.map { ["and": [gate, $0]] } ?? gate)
        }
        if given["retry"] == nil {
            if let retry {
                fill("retry", with: OperationRetry.table.schema(of: retry).standard)
            } else {
                value.replace(["retry"], with: .null)
            }
        }
        if let stale = value["stale"], !stale.isNull, stale.arrayValue == nil {
            value.replace(["stale"], with: [stale])
        }
        for path in [["controllers"], ["refetch", "on"]] {
            let found = path.reduce(value) { $0[$1] ?? .null }
            if found.isNull { value.replace(path[...], with: []) }
        }
        self.value = value
        self.defaults = defaults
    }
}

extension JSONValue {
    /// This object with every member that a JSON Schema tells of; those that it lacks have the
    /// default, or are null.
    ///
    /// - Parameter defaults: Takes the names of those that have a default, `path` in front.
    fileprivate func completed(
        by schema: JSONValue, _ path: String, _ defaults: inout [String]
    ) -> JSONValue {
        .object(
            (schema["properties"]?.objectValue ?? []).map { property in
                let name = path + property.name
                guard let given = self[property.name], !given.isNull else {
                    let standard = property.value.standard
                    if !standard.isNull { defaults.append(name) }
                    return .init(name: property.name, value: standard)
                }
                let isWhole = given.objectValue == nil || property.value["properties"] == nil
                return .init(
                    name: property.name,
                    value: isWhole
                        ? given : given.completed(by: property.value, name + ".", &defaults))
            })
    }

    /// The default of a JSON Schema, put together of those of its members; null where there is none.
    fileprivate var standard: JSONValue {
        if let value = self["default"] { return value }
        let members = (self["properties"]?.objectValue ?? []).map {
            Member(name: $0.name, value: $0.value.standard)
        }
        return members.allSatisfy(\.value.isNull) ? .null : .object(members)
    }

    /// Puts a value in place of a member, which is there.
    fileprivate mutating func replace(_ path: ArraySlice<String>, with value: JSONValue) {
        guard let name = path.first else {
            self = value
            return
        }
        self = .object(
            (objectValue ?? []).map { member in
                var member = member
                if member.name == name { member.value.replace(path.dropFirst(), with: value) }
                return member
            })
    }
}
