import Foundation
import Testing

/// Types that stand at the top of their files and are seen in the whole module.
enum TypeNames {
    struct Declaration: Hashable {
        let name: String
        let module: String
    }

    static func declared(in file: SourceTree.File, module: String) -> [Declaration] {
        codeLines(of: file.text).compactMap { line in
            // What is nested is indented, and has the name of what it is nested in before its own.
            guard line.first?.isLetter == true || line.hasPrefix("@"),
                let match = line.firstMatch(of: declaration), !line.contains("private ")
            else { return nil }
            return Declaration(name: "\(match.output.1)", module: module)
        }
    }

    /// Whether `file` declares no type that others see, or has the name of one of its types.
    static func isNamedForItsType(_ file: SourceTree.File) -> Bool {
        let declared = Set(declared(in: file, module: "").map(\.name))
        let name = file.path.split(separator: "/").last?.prefix { $0 != "." && $0 != "+" } ?? ""
        return declared.isEmpty || declared.contains(String(name))
            || file.text.contains("extension \(name) {")
    }

    private static var declaration: Regex<(Substring, Substring)> {
        /^(?:@\w+ )*(?:\w+ )*(?:struct|class|enum|actor|protocol|typealias) `?(\w+)/
    }

    /// The names that stand in several modules, each with these.
    static func repeated(_ declarations: [Declaration]) -> [String] {
        Dictionary(grouping: Set(declarations), by: \.name).filter { $0.value.count > 1 }
            .map { "\($0.key): \($0.value.map(\.module).sorted().joined(separator: ", "))" }
            .sorted()
    }
}

@Suite("Names of types")
struct TypeNameTests {
    /// Whose reader cannot take one for the other.
    private static let known = [
        "Main: Sources/Apps/freshet, Sources/Apps/freshet-bench",
        // A program that uses the library sees this one alone.
        "WriteReceipt: Sources/Data/Store, Sources/Policy/Freshet",
    ]

    @Test("No type has the name of another module's")
    func repetitions() throws {
        let folders = PackageDescription.targets(in: try SourceTree.text("Package.swift"))
            .map(\.folder)
        let declarations = try SourceTree.files(under: "Sources").flatMap { file in
            TypeNames.declared(
                in: file,
                module: folders.first { file.path.hasPrefix($0 + "/") } ?? file.path)
        }
        #expect(declarations.count > 500)
        #expect(TypeNames.repeated(declarations) == Self.known)
    }

    /// Handlers are named for their endpoints.
    @Test("A file of Policy that declares types has the name of one that it declares or extends")
    func files() throws {
        let files = try ["Refresh", "Remote", "Server", "Freshet"]
            .flatMap { try SourceTree.files(under: "Sources/Policy/\($0)") }
            .filter { !$0.path.contains("/Handlers/") && !$0.path.contains("/Configuration/") }
        #expect(files.count > 100)
        #expect(files.filter { !TypeNames.isNamedForItsType($0) }.map(\.path) == [])
    }

    @Test("A file that is named for none of its types is found")
    func fileSample() {
        func isNamed(_ path: String, _ text: String) -> Bool {
            TypeNames.isNamedForItsType(.init(path: path, text: text))
        }
        #expect(isNamed("a/Tree.swift", "enum Tree {}\nstruct Leaf {}"))
        #expect(isNamed("a/Tree+Leaves.swift", "struct Leaf {}\nextension Tree {}"))
        #expect(isNamed("a/Helpers.swift", "private struct Leaf {}"))
        #expect(!isNamed("a/Trees.swift", "struct Tree {}"))
    }

    @Test("A name of two modules is found, a private or a nested one is none")
    func sample() {
        let one = """
            package final class Reply<Value>: Sendable {
                struct State {}
            }
            private struct Parts {}
            // enum Comment {}
            @frozen public indirect enum Tree {}
            """
        let other = "struct Reply {}\nenum State {}\nstruct Parts {}\nenum Comment {}"
        let declarations =
            TypeNames.declared(in: .init(path: "a.swift", text: one), module: "A")
            + TypeNames.declared(in: .init(path: "b.swift", text: other), module: "B")
        #expect(declarations.map(\.name).contains("Tree"))
        #expect(TypeNames.repeated(declarations) == ["Reply: A, B"])
    }
}
