import FreshetBase
import FreshetJSON
import FreshetQuery
import FreshetStore

/// A switch that several servers with the same data have: stored while it is off.
struct StoredSwitch {
    private static let type = TypeName.internal("switch")

    private let document: Document

    /// - Parameter operation: nil: the switch of the service.
    init?(of operation: String?) {
        guard let id = try? EntityID(operation.map { "operation/\($0)" } ?? "service") else {
            // The switch of a name that is too long for an id lasts as long as its server leads.
            return nil
        }
        var json = ByteBuffer(capacity: 64)
        json.append("{")
        json.member("id", id.text)
        json.append("}")
        var builder = DocumentBuilder()
        guard let document = try? builder.build(json: json.bytes, id: .fromBody) else {
            preconditionFailure("an object with an id is a document")
        }
        self.document = document
    }

    func isActive(in store: any EntityStore) -> Bool {
        store.document(Self.type, document.id) == nil
    }

    func write(_ isActive: Bool) -> WriteOperation {
        isActive ? .remove(Self.type, document.id, .none) : .set(Self.type, document, .none)
    }
}
