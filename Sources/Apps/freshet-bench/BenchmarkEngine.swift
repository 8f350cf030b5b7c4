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
    benchmarkAggregation(view)
}

/// The expressions alone, over every summary as it is stored, one behind the other in memory as
/// the lines of a file are.
private func benchmarkExpressions(_ documents: [Document]) {
    let name = Array("summary".utf8)
    var bytes: [UInt8] = []
    var places: [Range<Int>] = []
    for document in documents {
        name.withUnsafeBytes { name in
            guard let text = document.member(named: name)?.stringContents else { return }
            bytes += text
            places.append(bytes.count - text.count..<bytes.count)
        }
    }
    for (name, pattern) in [
        ("rare literal", "lib.*ssl[0-9]"), ("no literal", "[0-9][a-z]+[0-9]|x{2,}"),
        ("ignoring case", "(?i)python.*(library|tool)"),
    ] {
        guard let regex = try? Regex(pattern) else { continue }
        measure("expression, \(name)", operations: places.count, bytes: bytes.count) {
            var found = 0
            bytes.withUnsafeBytes { bytes in
                for place in places {
                    let text = UnsafeRawBufferPointer(rebasing: bytes[place])
                    var patience = FilterEvaluator.patience
                    if regex.verdict(contents: text, patience: &patience) == true { found += 1 }
                }
            }
            keep(found)
        }
    }
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
