import FreshetBase
import FreshetQuery
import FreshetStore

func benchmarkStore(_ samples: Samples) {
    guard let type = TypeName("package") else { return }
    var builder = DocumentBuilder()
    let store = MemoryStore()
    measure("memory store, document built and set", operations: samples.lines.count, rounds: 3) {
        samples.forEach { line in
            guard let document = try? builder.build(json: line, id: .fromBody) else { return }
            keep(store.commit(Transaction(.set(type, document, .none))))
        }
    }
    measure("memory store, get", operations: samples.lines.count) {
        samples.forEach { line in
            guard let id = try? EntityID("apt") else { return }
            keep(store.document(type, id))
        }
    }
    store.close()
}
