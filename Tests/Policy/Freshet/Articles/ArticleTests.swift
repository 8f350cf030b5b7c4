import Foundation
import Testing

/// Every piece of Swift in the catalogue's articles stands, line by line, in a file of this folder,
/// which the compiler reads and the tests run.
@Suite("The articles of the documentation catalogue")
struct ArticleTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let catalogue = folder.appending(
        path: "../../../../Sources/Policy/Freshet/Freshet.docc")

    static let articles = [
        "Contexts", "RunSpecifications", "Controllers", "TryRefreshRetry", "Agents",
    ]

    /// The blocks that are marked as Swift, their lines without indentation and without empty ones.
    private static func blocks(of markdown: String) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in lines(of: markdown) {
            if let lines = block {
                if line == "```" {
                    blocks.append(lines)
                    block = nil
                } else if !line.isEmpty {
                    block = lines + [line]
                }
            } else if line == "```swift" {
                block = []
            }
        }
        return blocks
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("Their code is compiled", arguments: articles)
    func code(_ name: String) throws {
        let article = try String(
            contentsOf: Self.catalogue.appending(path: "\(name).md"), encoding: .utf8)
        let compiled = Self.lines(
            of: try String(
                contentsOf: Self.folder.appending(path: "\(name)Article.swift"), encoding: .utf8)
        ).filter { !$0.isEmpty }
        let blocks = Self.blocks(of: article)
        #expect(!blocks.isEmpty)
        for block in blocks {
            let starts = compiled.indices.filter { compiled[$0...].starts(with: block) }
            #expect(!starts.isEmpty, "\(name): \(block.first ?? "")")
        }
    }

    @Test("The front page names every article")
    func frontPage() throws {
        let page = try String(
            contentsOf: Self.catalogue.appending(path: "Freshet.md"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.catalogue.path)
        #expect(Set(files) == Set(Self.articles.map { "\($0).md" } + ["Freshet.md"]))
        for name in Self.articles { #expect(page.contains("<doc:\(name)>"), "\(name)") }
    }
}
