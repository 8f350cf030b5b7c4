import FreshetBase
package import FreshetEngine
package import FreshetQuery
package import FreshetStore

/// The declared types, and the rules that they set for writes. Any thread.
///
/// A changed configuration replaces all of it at once (`replace`); whoever is at work goes on by
/// the schema that it has looked up.
// SAFETY: `current` is read and written under `lock` only.
package final class TypeCatalog: EntityRules, @unchecked Sendable {
    private struct State {
        var isStrict: Bool
        var declared: [TypeSchema]
        var schemas: [TypeName: TypeSchema]

        init(_ declared: [TypeSchema], isStrict: Bool) {
            self.isStrict = isStrict
            self.declared = declared
            schemas = [:]
            for schema in declared {
                if let name = TypeName(schema.name) { schemas[name] = schema }
            }
        }

        var isEmpty: Bool { schemas.isEmpty && !isStrict }
    }

    private let lock = Lock()
    private var current: State
    private let replacements = Counter()
    /// 1 where nothing is declared: read without the lock, on the way of every request.
    private let emptiness = Counter()

    /// The most bytes of an entity.
    private let maximumEntity: Int

    package init(
        _ declared: [TypeSchema] = [], isStrict: Bool = false, maximumEntity: Int = 1 << 20
    ) {
        self.maximumEntity = maximumEntity
        current = State(declared, isStrict: isStrict)
        emptiness.set(current.isEmpty ? 1 : 0)
    }

    /// Declares other types from now on. What is stored stays as it is.
    package func replace(_ declared: [TypeSchema], isStrict: Bool) {
        let changed = State(declared, isStrict: isStrict)
        lock.withLock { current = changed }
        emptiness.set(changed.isEmpty ? 1 : 0)
        // Last: what is made under a new number is made of the new schemas.
        replacements.add()
    }

    /// Moves with every `replace`.
    package var generation: Int { replacements.value }

    /// Nothing is declared and any type exists: the fast way around all look-ups below.
    package var isEmpty: Bool { emptiness.value == 1 }

    /// In the order of the configuration.
    package var declared: [TypeSchema] { lock.withLock { current.declared } }

    package func schema(of type: TypeName) -> TypeSchema? {
        isEmpty ? nil : lock.withLock { current.schemas[type] }
    }

    /// Checks that `type` may be named; every route that names one calls this first.
    package func check(_ type: TypeName) throws(CoreError) {
        guard allows(type) else { throw .unknownType(type) }
    }

    /// Whether an id of `type` that no document spells is written as a number.
    package func idsAreIntegers(_ type: TypeName) -> Bool {
        schema(of: type)?.identifier == .integer
    }

    /// Whether `type` may be named at all. Requests name no types of the service's own but those of
    /// `SystemType`.
    package func allows(_ type: TypeName) -> Bool {
        isEmpty || type.isInternal
            || lock.withLock { !current.isStrict || current.schemas[type] != nil }
    }

    /// The types that never reach a file.
    package var memoryTypes: Set<TypeName> {
        Set(lock.withLock { current.schemas }.filter { $0.value.storage == .memory }.keys)
    }

    /// The types whose writes are on the disk when they are answered, whatever the server promises.
    package var syncedTypes: Set<TypeName> {
        Set(lock.withLock { current.schemas }.filter { $0.value.durability == .full }.keys)
    }

    // MARK: EntityRules, called by the store's writer

    package func indexes(of type: TypeName) -> [IndexDefinition] {
        schema(of: type)?.indexes ?? []
    }

    package func isDeclared(_ type: TypeName) -> Bool { schema(of: type) != nil }

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
        guard !schema.acceptsEverything else { return document }
        var completed = document
        var bytes = ByteBuffer(capacity: 0)
        if schema.complete(document.json, stored: stored?.json, into: &bytes) {
            do {
                completed = try builder.build(
                    json: bytes.bytes, id: .fromBody, maximumBytes: maximumEntity)
                if document.isIDFilledIn { completed.markIDFilledIn() }
            } catch {
                // Only size and depth can fault here: the parts were valid and the id is there.
                throw EntityFaults([
                    ValueFault(
                        pointer: "", code: "too-large",
                        detail: "with its stored and default members the entity is over the limits")
                ])
            }
        }
        var faults = schema.faults(in: completed.json)
        if let fault = schema.fault(ofId: completed.idBytes) { faults.insert(fault, at: 0) }
        guard faults.isEmpty else { throw EntityFaults(faults) }
        return completed
    }
}
