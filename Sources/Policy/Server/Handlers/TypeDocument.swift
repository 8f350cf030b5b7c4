import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetStore

/// A type as JSON: what `GET /v1/_types` lists and what rows of `_types` begin with.
struct TypeDocument {
    private let core: CoreManager

    init(_ core: CoreManager) { self.core = core }

    /// Appends the members of a type to an object that has begun.
    ///
    /// - Parameters:
    ///   - unfit: Entities that do not fit the schema; nil where they are not counted yet.
    ///   - seesAll: Whether figures over all rows are told.
    ///   - schema: Whether the schema is among the members.
    func append(
        _ type: TypeName, count: Int, unfit: Int?, seesAll: Bool = true, schema: Bool,
        to body: inout ByteBuffer
    ) {
        body.member("name", type.text)
        body.member("count", count)
        if seesAll { body.member("unfit", unfit) }
        body.member("sources", each: source(of: type)) { $1.append(jsonString: $0) }
        guard let declared = core.types.catalog.schema(of: type) else {
            return body.member("declared", false)
        }
        body.member("declared", true)
        if schema {
            body.member("schema")
            declared.encode(into: &body)
        }
        // Rows tell how far an index on its way has come, too.
        if seesAll { appendIndexes(of: type, tellsProgress: !schema, to: &body) }
    }

    private func source(of type: TypeName) -> [String] {
        core.operations.remotes.source(of: type).map { [$0.upstreamName] } ?? []
    }

    /// What the indexes are doing: their keys, `building` or `ready`, entries and bytes.
    private func appendIndexes(
        of type: TypeName, tellsProgress: Bool, to body: inout ByteBuffer
    ) {
        body.member("indexes", each: core.store.indexStatus(type)) { index, body in
            body.append("{")
            body.member("keys", index.definition.description)
            body.append(index.isReady ? ",\"state\":\"ready\"" : ",\"state\":\"building\"")
            body.member("entries", index.entries)
            body.member("bytes", index.bytes)
            if tellsProgress { body.member("built", index.built) }
            body.append("}")
        }
    }
}
