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
                throw Problem.badParameter("type", "'\(name)' is no type name")
            }
            do { try core.types.catalog.check(type) } catch { throw Problem(error) }
            types.removeAll { $0.name != type }
        }
        types.sort { $0.name < $1.name }
        call.reply.at(views.cursor).begin(200, &response)
        response.header("Content-Type", "application/x-ndjson")
        let access = StreamAccess(self.access, call.reply.caller)
        _ = response.startStream(ExportStream(types, access))
    }
}

/// Walks immutable views, a piece at a time; what is written meanwhile does not show.
private final class ExportStream: StreamSource {
    private static let pieceBytes = 48 * 1024

    private var types: ArraySlice<(name: TypeName, table: TableView)>
    private var cursor: TableCursor?
    private var access: StreamAccess

    init(_ types: [(name: TypeName, table: TableView)], _ access: StreamAccess) {
        self.types = types[...]
        self.access = access
    }

    var nextDeadline: MonotonicInstant? { nil }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        if access.administrationEnd() != nil { return .cut }
        let start = body.count
        while let (type, table) = types.first {
            var cursor = self.cursor ?? table.makeCursor()
            while let document = cursor.next() {
                body.append("{\"type\":\"")
                type.withBytes { body.append($0) }
                body.append("\",\"entity\":")
                body.append(document.json)
                body.append("}\n")
                if body.count - start >= Self.pieceBytes {
                    self.cursor = cursor
                    return .more
                }
            }
            self.cursor = nil
            types.removeFirst()
        }
        return .finish
    }

    func shutdown() {}
    func ended(_ reason: StreamEnd) {}
}
