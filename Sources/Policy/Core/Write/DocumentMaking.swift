import FreshetBase
package import FreshetQuery
import FreshetStore

extension EntityWriter {
    /// Where the id of a new document comes from.
    package enum IDSource {
        /// The path names it; the body may repeat it.
        case path(EntityID)
        /// The body must have one.
        case body
        /// The body may have one, else the server makes one.
        case bodyOrNew
        /// A new one's line, which may be an exported one.
        case exportedOrNew

        /// Whether a new id may begin with `_`: what was stored once is imported again.
        fileprivate var keepsReserved: Bool {
            switch self {
            case .body, .exportedOrNew: true
            case .path, .bodyOrNew: false
            }
        }

        fileprivate var mayBeNew: Bool {
            switch self {
            case .bodyOrNew, .exportedOrNew: true
            case .path, .body: false
            }
        }
    }

    /// Makes a document of `json` and checks it against its type's schema.
    ///
    /// Entities of types with lazy members are completed by the writer, which alone knows the
    /// stored values, and checked again.
    ///
    /// - Parameters:
    ///   - isVerbatim: No rule of the declaration is asked, and no default is added.
    ///   - builder: The caller's scratch.
    package func document(
        _ type: TypeName, _ json: UnsafeRawBufferPointer, id source: IDSource,
        isVerbatim: Bool = false, using builder: inout DocumentBuilder
    ) throws(CoreError) -> Document {
        if !isVerbatim { try catalog.check(type) }
        let schema = catalog.schema(of: type)
        let rule: IDRule
        switch source {
        case .path(let id): rule = .expected(id, asInteger: schema?.identifier == .integer)
        case .body: rule = .fromBody
        case .bodyOrNew, .exportedOrNew:
            rule = schema?.identifier == .integer ? .fromBody : .generated(EntityID.made)
        }
        let document: Document
        do {
            document = try builder.build(
                json: json, id: rule, maximumBytes: limits.documentBytes)
        } catch {
            if case .missingID = error, source.mayBeNew { throw .idRequired(type) }
            throw .document(error)
        }
        if document.idBytes.first == UInt8(ascii: "_"), !source.keepsReserved,
            store.document(type, idBytes: document.idBytes) == nil
        {
            throw .document(.badID(.reserved))
        }
        guard let schema, !isVerbatim else { return document }
        // Whatever is stored, it adds members and mends none, so that faults of many can be told.
        if schema.keepsStoredMembers, case .path = source { return document }
        do {
            let completed = try catalog.complete(
                document, by: schema, replacing: nil, using: &builder)
            return schema.keepsStoredMembers ? document : completed
        } catch {
            throw .invalid(error)
        }
    }
}
