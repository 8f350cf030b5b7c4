import Foundation
import Testing

/// A method and a path, as the route table and the OpenAPI document both write them.
struct RouteName: Hashable, Comparable, CustomStringConvertible {
    let method: String
    let path: String

    var description: String { "\(method) \(path)" }

    static func < (left: RouteName, right: RouteName) -> Bool {
        (left.path, left.method) < (right.path, right.method)
    }
}

enum Routes {
    static let tableFile = "Sources/Policy/Server/Request/RouteTable.swift"
    static let documentFile = "OpenAPI/openapi.json"
    static let embeddedFile = "Sources/Policy/Server/OpenAPIDocument.swift"

    /// The routes of the table. Left out: OPTIONS, which every path has, and lines marked `// 501`,
    /// which stand for later features and are not described.
    static func ofTable(_ text: String) -> Set<RouteName> {
        var routes: Set<RouteName> = []
        for line in text.split(separator: "\n") where !line.contains("// 501") {
            for match in line.matches(of: /Route\(\.(\w+), "([^"]+)"/) {
                routes.insert(RouteName(method: "\(match.1)", path: "\(match.2)"))
            }
        }
        return routes.filter { $0.method != "options" }
    }

    /// The routes of the document. `x-query` is the method QUERY, which OpenAPI 3.1 cannot name.
    static func ofDocument(_ data: Data) throws -> Set<RouteName> {
        let methods: Set<String> = ["get", "head", "put", "post", "patch", "delete", "x-query"]
        let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let paths = document?["paths"] as? [String: [String: Any]] ?? [:]
        var routes: Set<RouteName> = []
        for (path, item) in paths {
            for key in item.keys where methods.contains(key) {
                let method = key == "x-query" ? "query" : key
                routes.insert(RouteName(method: method, path: path))
            }
        }
        return routes
    }

    /// One sentence per route that only one side has. HEAD beside GET may go undescribed.
    static func differences(table: Set<RouteName>, document: Set<RouteName>) -> [String] {
        let undescribed = table.subtracting(document).filter {
            !($0.method == "head" && table.contains(RouteName(method: "get", path: $0.path)))
        }
        let unserved = document.subtracting(table).filter {
            !($0.method == "head" && table.contains(RouteName(method: "get", path: $0.path)))
        }
        return undescribed.sorted().map { "\($0) is served, not described" }
            + unserved.sorted().map { "\($0) is described, not served" }
    }

    /// The JSON text inside the Swift file that embeds the document.
    static func embedded(in source: String) -> Substring? {
        guard let start = source.range(of: "#\"\"\"\n"),
            let end = source.range(of: "\n\"\"\"#", range: start.upperBound..<source.endIndex)
        else { return nil }
        return source[start.upperBound..<end.lowerBound]
    }
}

@Suite("Routes and their description")
struct RouteTests {
    @Test("Every route is described in the OpenAPI document, and the reverse")
    func agreement() throws {
        let table = Routes.ofTable(try SourceTree.text(Routes.tableFile))
        let document = try Routes.ofDocument(Data(try SourceTree.text(Routes.documentFile).utf8))
        #expect(table.count > 20)
        #expect(Routes.differences(table: table, document: document) == [])
    }

    @Test("Every route says what its caller must be allowed")
    func needs() throws {
        let text = try SourceTree.text(Routes.tableFile)
        let lines = text.split(separator: "\n").filter { $0.contains("Route(.") }
        #expect(lines.count > 40)
        for line in lines {
            #expect(line.contains(", needs: ."), "\(line)")
            #expect(!line.contains("\"/v1") || !line.contains("needs: .nothing"), "\(line)")
        }
    }

    @Test("Handlers write and answer by the ways that ask for the caller's rights")
    func guardedWays() throws {
        for file in try SourceTree.files(under: "Sources/Policy/Server") {
            // What another server answers has been judged there.
            let isGuard = file.path.contains("/Access/") || file.path.contains("/Cluster/")
            for (number, line) in codeLines(of: file.text).enumerated() where !isGuard {
                let goesAround =
                    line.contains("writer.commit") || line.contains("exchange.complete")
                    || line.contains("store.submit") || line.contains("store.document(")
                    || line.contains("store.view(") && file.path.contains("/Handlers/")
                #expect(!goesAround, "\(file.path):\(number + 1)")
            }
        }
    }

    @Test("A route of one side alone is found on either side")
    func badSample() throws {
        let table = Routes.ofTable(
            """
            Route(.get, "/a", one),
            Route(.head, "/a", one),
            Route(.post, "/b", two),
            Route(.get, "/later", three),  // 501
            """)
        let document = try Routes.ofDocument(
            Data(#"{"paths":{"/a":{"get":{}},"/c":{"x-query":{},"summary":"s"}}}"#.utf8))
        #expect(
            Routes.differences(table: table, document: document) == [
                "post /b is served, not described", "query /c is described, not served",
            ])
    }

    @Test("The document that the server serves is the one in OpenAPI")
    func embeddedDocument() throws {
        let source = try SourceTree.text(Routes.embeddedFile)
        let served = try #require(Routes.embedded(in: source), "run .ci/embed")
        let left = try JSONSerialization.jsonObject(with: Data(served.utf8)) as? NSDictionary
        let right =
            try JSONSerialization.jsonObject(
                with: Data(try SourceTree.text(Routes.documentFile).utf8)) as? NSDictionary
        #expect(left != nil && left == right, "run .ci/embed")
    }

    /// A change of one of them is a change of one line of the file that is made.
    @Test("Each path and component of the served document is one line")
    func embeddedLines() throws {
        let source = try SourceTree.text(Routes.embeddedFile)
        let served = try #require(Routes.embedded(in: source), "run .ci/embed")
        let document =
            try JSONSerialization.jsonObject(with: Data(served.utf8)) as? [String: Any]
        let components = document?["components"] as? [String: [String: Any]] ?? [:]
        let paths = document?["paths"] as? [String: Any] ?? [:]
        let lines = served.split(separator: "\n")
        let heads = Set(lines.map { $0.prefix { $0 != ":" } })
        for name in paths.keys + components.values.flatMap(\.keys) {
            #expect(heads.contains("\"\(name)\""), "\(name)")
        }
        let counts = components.values.map(\.count).reduce(paths.count, +)
        #expect(counts > 150 && lines.count < counts + 100)
    }

    @Test("An embedded document is read back, and a file without one is noticed")
    func embeddedSample() {
        #expect(Routes.embedded(in: "let json = #\"\"\"\n{}\n\n\"\"\"#\n") == "{}\n")
        #expect(Routes.embedded(in: "let json = 1") == nil)
    }
}
