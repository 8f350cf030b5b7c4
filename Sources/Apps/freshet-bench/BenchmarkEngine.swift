import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery

func benchmarkEngine(_ samples: Samples) {
    let documents = samples.documents()
    var table = Table()
    measure("table insert", operations: documents.count, rounds: 3) {
        table = Table()
        for document in documents { keep(table.insert(document)) }
    }
    var state: UInt64 = 1
    measure("table look-up, random ids", operations: 100_000) {
        for _ in 0..<100_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let document = documents[Int(state >> 33) % documents.count]
            keep(table.document(document.idBytes))
        }
    }
    benchmarkExpressions(documents)
    let view = table.view(seq: 1)
    for (name, text) in [
        ("one equality", "section == 'games'"),
        ("number and string", "installedSize > 1000 and section == 'games'"),
        ("contains", "contains(summary, 'game')"),
        ("expression with a rare literal", "summary ~= 'lib.*ssl[0-9]'"),
        ("expression without a literal", "summary ~= '[0-9][a-z]+[0-9]|x{2,}'"),
        ("expression that ignores case", "summary ~= '(?i)python.*(library|tool)'"),
    ] {
        guard let type = TypeName("package"), let filter = try? Filter(parsing: text) else {
            continue
        }
        var query = Query(type: type)
        query.filter = filter
        query.count = true
        guard let plan = try? SearchPlan(query) else { continue }
        measure("scan a row, \(name)", operations: documents.count) {
            keep(try? plan.run(on: view))
        }
    }
}

/// The expressions alone, over every summary as it is stored.
private func benchmarkExpressions(_ documents: [Document]) {
    let texts = documents.compactMap { document -> UnsafeRawBufferPointer? in
        let name = Array("summary".utf8)
        return name.withUnsafeBytes { document.member(named: $0)?.stringContents }
    }
    let bytes = texts.reduce(0) { $0 + $1.count }
    for (name, pattern) in [
        ("rare literal", "lib.*ssl[0-9]"), ("no literal", "[0-9][a-z]+[0-9]|x{2,}"),
        ("ignoring case", "(?i)python.*(library|tool)"),
    ] {
        guard let regex = try? Regex(pattern) else { continue }
        measure("expression, \(name)", operations: texts.count, bytes: bytes) {
            var found = 0
            for text in texts where regex.matches(contents: text) { found += 1 }
            keep(found)
        }
    }
    // The texts are parts of the documents.
    keep(documents)
}

extension Samples {
    /// Every entity as a document, sealed.
    func documents() -> [Document] {
        var builder = DocumentBuilder()
        var documents: [Document] = []
        forEach { line in
            guard let document = try? builder.build(json: line, id: .fromBody) else { return }
            document.seal(revision: UInt64(documents.count + 1))
            documents.append(document)
        }
        return documents
    }
}
