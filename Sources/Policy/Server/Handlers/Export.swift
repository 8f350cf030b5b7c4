import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `GET /v1/_export[?type=]`: everything at one revision, `{"type","entity"}` a line.
    func export(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let values = try call.context.onlyParameters("type")
        let views = core.store.views()
        var types = views.types.filter { !$0.name.isInternal }
        if let name = values["type"] {
            guard let type = TypeName(name) else {
                throw Problem.badParameter("type", TypeName.refusal(of: name))
            }
            try checkAllowed(type)
            types.removeAll { $0.name != type }
        }
        types.sort { $0.name < $1.name }
        call.reply.at(views.cursor).begin(200, &response)
        response.header("Content-Type", "application/x-ndjson")
        let pins = types.map { name, table in
            PinnedBodies.Pin.rows(
                of: name, turnover: table.turnover, count: table.count, bytes: table.byteCount,
                isWhole: true)
        }
        let rows = ExportRows(types, StreamAccess(access, call.reply.caller))
        BodyStream.start(rows, keeping: pins, among: bodies, &response)
    }
}

/// Walks immutable tables, a piece at a time; what is written meanwhile does not show.
private struct ExportRows: BodySource {
    private var types: ArraySlice<(name: TypeName, cursor: TableCursor)>
    private var access: StreamAccess

    init(_ types: [(name: TypeName, table: TableView)], _ access: StreamAccess) {
        // Without the tables' indexes, which would be kept for nothing.
        self.types = types.map { ($0.name, $0.table.makeCursor()) }[...]
        self.access = access
    }

    mutating func write(into body: inout ByteBuffer) -> StreamStep {
        if access.administrationEnd() != nil { return .cut }
        let start = body.count
        while let type = types.first?.name, var cursor = types.first?.cursor {
            while let document = cursor.next() {
                body.append("{\"type\":\"")
                type.withBytes { body.append($0) }
                body.append("\",\"entity\":")
                body.append(document.json)
                body.append("}\n")
                if body.count - start >= BodyStream.pieceBytes {
                    types[types.startIndex].cursor = cursor
                    return .more
                }
            }
            types.removeFirst()
        }
        return .finish
    }
}
