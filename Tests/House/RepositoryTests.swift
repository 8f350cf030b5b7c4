import Foundation
import Testing

enum Repository {
    static let topLevel: Set<String> = [
        "Package.swift", "Sources", "Tests", "Docker", "OpenAPI", "README.md",
    ]

    /// Names at the top level that do not belong there. What the README's commands make when they
    /// are run in place is ignored by git, and so it is here.
    static func strays(among names: [String], ignoring ignored: Set<String> = []) -> [String] {
        names.filter { !$0.hasPrefix(".") && !ignored.contains($0) && !topLevel.contains($0) }
            .sorted()
    }

    /// Names at the top level that `.gitignore` names.
    static func ignored(by gitignore: String) -> Set<String> {
        Set(
            gitignore.split(separator: "\n").filter { $0.hasPrefix("/") }.map {
                String($0.dropFirst())
            })
    }

    /// Files and directories that the commands of a document make where they are run.
    static func made(by markdown: String) -> Set<String> {
        let files = markdown.matches(of: /cat > ([\w.-]+)/).map { String($0.output.1) }
        let directories = markdown.matches(of: /freshet serve [^\n]*--data ([\w.-]+)/)
            .map { String($0.output.1) }
        return Set(files + directories)
    }

    /// What a package description of ours must not have.
    static func packageFaults(in text: String) -> [String] {
        let code = codeLines(of: text).joined(separator: "\n")
        var faults: [String] = []
        if code.contains(/\.package\s*\(/) { faults.append("depends on a package") }
        let ofTests = "let testSettings = settings + [.unsafeFlags("
        let target = /\.(?:target|executableTarget)\((?:(?!arget\()[\s\S])*?testSettings/
        if code.replacing(ofTests, with: "").contains("unsafeFlags") || code.contains(target) {
            faults.append("uses unsafe flags")
        }
        return faults
    }

    /// The targets of Markdown links that are paths of this repository, from the top level; the
    /// document is `file`.
    static func links(in markdown: Substring, from file: String = "README.md") -> [String] {
        let folder = file.split(separator: "/").dropLast()
        return markdown.matches(of: /\]\(([^)\s#]+)(#[^)\s]*)?\)/).map { String($0.output.1) }
            .filter { !$0.contains("://") }
            .map { link in
                var path = folder
                for part in link.split(separator: "/") {
                    if part == ".." { _ = path.popLast() } else { path.append(part) }
                }
                return path.joined(separator: "/")
            }
    }

    /// The lines of a table whose first cell is a link to a source, and whose second a name.
    static func stations(of table: String) -> [(file: String, name: String)] {
        let station = /(?m)^\| (\[[^\]]+\]\([^)]+\.swift\)) \| `(\w+)` \|/
        return table.matches(of: station).compactMap { match in
            links(in: match.output.1, from: "Sources/README.md").first
                .map { ($0, String(match.output.2)) }
        }
    }

    /// Whether a source declares a function of this name.
    static func declares(_ text: String, _ name: String) -> Bool {
        text.matches(of: /func (\w+)/).contains { $0.output.1 == name }
    }

    /// The text from the heading that begins with `title` up to the next of the same level.
    static func section(_ title: String, of markdown: String) -> Substring? {
        guard let start = markdown.range(of: "\n## \(title)") else { return nil }
        let rest = markdown[start.upperBound...]
        return rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
    }
}

@Suite("The repository")
struct RepositoryTests {
    @Test("The top level holds what it should and nothing else")
    func topLevel() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path)
        let ignored = Repository.ignored(by: try SourceTree.text(".gitignore"))
        #expect(Repository.strays(among: names, ignoring: ignored) == [])
        #expect(Repository.topLevel.isSubset(of: names))
        #expect(Repository.strays(among: ["Sources", ".git", "notes.txt"]) == ["notes.txt"])
    }

    @Test("What the README's commands make is ignored by git")
    func tours() throws {
        let made = Repository.made(by: try SourceTree.text("README.md"))
        #expect(made.isSuperset(of: ["freshet.json", "freshet-data"]))
        let ignored = Repository.ignored(by: try SourceTree.text(".gitignore"))
        #expect(made.subtracting(ignored) == [])
        #expect(ignored.contains("freshet-data"))
    }

    @Test("The image is built from the sources alone, stripped, logs JSON and has its labels")
    func image() throws {
        let image = try SourceTree.text("Docker/Dockerfile")
        #expect(!image.contains("COPY Tests") && image.contains("install -s "))
        #expect(image.contains("FRESHET_LOG_FORMAT=json"))
        for label in ["title", "description", "version", "revision"] {
            #expect(image.contains("org.opencontainers.image.\(label)="))
        }
        #expect(!(try SourceTree.text(".dockerignore")).contains("Tests"))
    }

    @Test("The package depends on no package, and uses no unsafe flags but for tests")
    func package() throws {
        #expect(Repository.packageFaults(in: try SourceTree.text("Package.swift")) == [])
        let bad = "dependencies: [.package(url: \"x\")], swiftSettings: [.unsafeFlags([\"-O\"])]"
        #expect(Repository.packageFaults(in: bad).count == 2)
        let plain = ".target(name: \"A\", path: \"Sources/A\", swiftSettings: testSettings)"
        #expect(Repository.packageFaults(in: plain).count == 1)
    }

    @Test(
        "Every path that a README links to exists",
        arguments: ["README.md", "Sources/README.md", "Tests/README.md"])
    func readmeLinks(_ path: String) throws {
        let readme = try SourceTree.text(path)
        let links = Repository.links(in: readme[...], from: path)
        #expect(links.count > 10)
        #expect(links.filter { !SourceTree.exists($0) } == [])
    }

    @Test("The README of the tests names every folder of them")
    func testFolders() throws {
        let links = Repository.links(
            in: try SourceTree.text("Tests/README.md")[...], from: "Tests/README.md")
        let planes: Set<String> = ["Base", "Wire", "Data", "Policy", "Apps"]
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: SourceTree.root.appendingPathComponent("Tests").path
        ).filter { !$0.contains(".") && !planes.contains($0) }
        #expect(folders.count > 8)
        #expect(folders.filter { !links.contains("Tests/\($0)") } == [])
    }

    @Test("The README is read in a minute")
    func readmeLength() throws {
        let readme = try SourceTree.text("README.md")
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 161)
        #expect(readme.split { $0.isWhitespace }.count <= 1_200)
    }

    @Test("The stations of the journeys are files, and declare what takes the step")
    func journeys() throws {
        let readme = try SourceTree.text("Sources/README.md")
        let section = try #require(Repository.section("Journeys", of: readme))
        let journeys = section.components(separatedBy: "\n### ").dropFirst()
        #expect(journeys.count == 7)
        for journey in journeys {
            let stations = Repository.stations(of: journey)
            // Each line of the table, but for its head and the line below, is a station.
            let lines = journey.split(separator: "\n").filter { $0.hasPrefix("| ") }
            #expect(stations.count == lines.count - 1 && stations.count >= 8)
            for station in stations {
                let isThere = SourceTree.exists(station.file)
                #expect(isThere, "\(station.file) is gone")
                let text = isThere ? try SourceTree.text(station.file) : ""
                #expect(
                    Repository.declares(text, station.name),
                    "\(station.file) does not declare \(station.name)")
            }
        }
    }

    @Test("A link to nothing is found")
    func badLink() {
        let text = "see [a](Sources/No.swift), [b](https://example.test/x), [c](#here)"
        #expect(Repository.links(in: text[...]) == ["Sources/No.swift"])
        #expect(
            Repository.links(in: "[a](Base/No.swift) [b](../Tests/No)", from: "Sources/README.md")
                == ["Sources/Base/No.swift", "Tests/No"])
        #expect(!SourceTree.exists("Sources/No.swift"))
        let row = "| [A](Base/A.swift) | `begin` | it begins |"
        #expect(Repository.stations(of: "head\n\(row)\n").map(\.file) == ["Sources/Base/A.swift"])
        #expect(Repository.stations(of: "| [A](Base/A.swift) | begins |").isEmpty)
        #expect(Repository.declares("    func begin() {", "begin"))
        #expect(!Repository.declares("    func beginAll() { begin() }", "begin"))
    }
}
