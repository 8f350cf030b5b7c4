import FreshetBase
package import FreshetQuery
package import FreshetStore

/// The declared types, and the rules that they set for writes. Immutable; any thread.
package final class TypeCatalog: EntityRules, Sendable {
    /// Only declared types exist.
    package let isStrict: Bool
    /// In the order of the configuration.
    package let declared: [TypeSchema]
    private let schemas: [TypeName: TypeSchema]

    package init(_ declared: [TypeSchema] = [], isStrict: Bool = false) {
        self.isStrict = isStrict
        self.declared = declared
        var schemas: [TypeName: TypeSchema] = [:]
        for schema in declared {
            if let name = TypeName(schema.name) { schemas[name] = schema }
        }
        self.schemas = schemas
    }

    /// Nothing is declared and any type exists: the fast way around all look-ups below.
    package var isEmpty: Bool { schemas.isEmpty && !isStrict }

    package func schema(of type: TypeName) -> TypeSchema? {
        schemas.isEmpty ? nil : schemas[type]
    }

    /// Whether `type` may be named at all.
    package func allows(_ type: TypeName) -> Bool {
        !isStrict || schemas[type] != nil
    }

    /// The types that never reach a file.
    package var memoryTypes: Set<TypeName> {
        Set(schemas.filter { $0.value.storage == .memory }.keys)
    }

    // MARK: EntityRules, called by the store's writer

    package func needsStored(_ type: TypeName) -> Bool {
        schema(of: type)?.keepsStoredMembers ?? false
    }

    package func complete(
        _ type: TypeName, _ document: Document, replacing stored: Document?
    ) throws(EntityFaults) -> Document {
        guard let schema = schema(of: type) else { return document }
        var builder = DocumentBuilder()
        return try complete(document, by: schema, replacing: stored, using: &builder)
    }

    /// Adds the members that `document` lacks and checks the whole against `schema`.
    func complete(
        _ document: Document, by schema: TypeSchema, replacing stored: Document?,
        using builder: inout DocumentBuilder
    ) throws(EntityFaults) -> Document {
        var completed = document
        var bytes = ByteBuffer(capacity: 0)
        if schema.complete(document.json, stored: stored?.json, into: &bytes) {
            do {
                completed = try builder.build(json: bytes.bytes, id: .fromBody)
            } catch {
                // Only size and depth can fault here: the parts were valid and the id is there.
                throw EntityFaults([
                    EntityFault(
                        pointer: "", code: "too-large",
                        detail: "with its stored and default members the entity is over the limits")
                ])
            }
        }
        var faults = schema.faults(in: completed.json)
        if let fault = schema.fault(ofId: completed.idBytes) { faults.insert(fault, at: 0) }
        guard faults.isEmpty else {
            throw EntityFaults(
                faults.map {
                    EntityFault(pointer: $0.pointer, code: $0.code, detail: $0.detail)
                })
        }
        return completed
    }
}
