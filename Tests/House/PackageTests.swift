import Foundation
import Testing

/// What Package.swift declares, read as text: `library(…)`, `tests(…)` and plain targets.
enum PackageDescription {
    struct Target: Equatable {
        /// The folder of its sources.
        let folder: String
        /// The modules that it may import, as they are written in the description.
        let dependencies: [String]
    }

    static func targets(in text: String) -> [Target] {
        let ours = /\b(library|tests)\(\s*"(\w+)", in: "(\w*)",\s*uses: \[([^\]]*)\]/
        let plain =
            /\.(?:target|executableTarget|testTarget)\(\s*name: "[\w-]+",\s*dependencies: \[([^\]]*)\],\s*path: "([^"]+)"/
        return text.matches(of: ours).map { match in
            let root = match.output.1 == "library" ? "Sources" : "Tests"
            let folder = [root, "\(match.output.3)", "\(match.output.2)"].filter { !$0.isEmpty }
            return Target(
                folder: folder.joined(separator: "/"), dependencies: names(in: match.output.4))
        }
            + text.matches(of: plain).map { match in
                Target(folder: "\(match.output.2)", dependencies: names(in: match.output.1))
            }
    }

    private static func names(in list: Substring) -> [String] {
        list.matches(of: /"([\w-]+)"/).map { "\($0.output.1)" }
    }

    /// One sentence for each dependency of `target` that none of `files` imports.
    static func unusedDependencies(of target: Target, in files: [SourceTree.File]) -> [String] {
        let imported = Set(
            files.filter { $0.path.hasPrefix(target.folder + "/") }
                .flatMap { file in file.text.split(separator: "\n") }
                .filter { $0.contains("import ") }
                .flatMap { ImportTable.imports(of: String($0)).map(\.module) })
        return target.dependencies
            .filter { !imported.contains($0.replacingOccurrences(of: "-", with: "_")) }
            .map { "\(target.folder) declares \($0), which none of its files imports" }
    }
}

/// Declarations with the access level `package`, and whether anybody outside of their target uses
/// them. Names are compared, not declarations: a name that stands anywhere else counts as used, so
/// what is found is surely unused.
enum PackageAccess {
    /// The names that `text` declares as `package`.
    static func declared(in text: String) -> [String] {
        codeLines(of: text).filter { $0.contains("package ") }.compactMap { line in
            line.firstMatch(
                of:
                    /\bpackage\s+(?:\w+\s+)*?(?:func|var|let|struct|class|enum|protocol|typealias|actor)\s+`?(\w+)/
            ).map { "\($0.output.1)" }
        }
    }

    /// The names that stand in `text`, comments and strings included.
    static func words(of text: String) -> Set<String> {
        var words: Set<String> = []
        var word: [UInt8] = []
        for byte in Array(text.utf8) + [0] {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                word.append(byte)
            default:
                if !word.isEmpty { words.insert(String(decoding: word, as: UTF8.self)) }
                word.removeAll(keepingCapacity: true)
            }
        }
        return words
    }

    /// "folder: name" for each `package` declaration in `files` that no other folder's files name.
    static func unused(in files: [SourceTree.File], targets folders: [String]) -> [String] {
        let owner = { (file: SourceTree.File) in
            folders.first { file.path.hasPrefix($0 + "/") } ?? file.path
        }
        var users: [String: Set<String>] = [:]
        for file in files {
            for word in words(of: file.text) { users[word, default: []].insert(owner(file)) }
        }
        return files.flatMap { file in
            declared(in: file.text).filter { users[$0] == [owner(file)] }
                .map { "\(file.path): \($0)" }
        }
    }
}

@Suite("The package's targets")
struct PackageTests {
    private static func swiftFiles() throws -> [SourceTree.File] {
        try ["Sources", "Tests"].flatMap { try SourceTree.files(under: $0) }
    }

    @Test("Every dependency that a target declares is imported by one of its files")
    func dependencies() throws {
        let targets = PackageDescription.targets(in: try SourceTree.text("Package.swift"))
        let files = try Self.swiftFiles()
        #expect(targets.count > 25)
        #expect(
            targets.flatMap { PackageDescription.unusedDependencies(of: $0, in: files) } == [])
    }

    @Test("A dependency that nobody imports is found, in each form of a target")
    func dependencySample() {
        let targets = PackageDescription.targets(
            in: """
                library("A", in: "Wire", uses: ["FreshetBase", "CLinux"]),
                tests(
                    "A", in: "Wire", uses: ["FreshetBase"]),
                .executableTarget(
                    name: "a-b", dependencies: ["a-c"], path: "Sources/Apps/a-b",
                """)
        #expect(
            targets == [
                .init(folder: "Sources/Wire/A", dependencies: ["FreshetBase", "CLinux"]),
                .init(folder: "Tests/Wire/A", dependencies: ["FreshetBase"]),
                .init(folder: "Sources/Apps/a-b", dependencies: ["a-c"]),
            ])
        let files = [
            SourceTree.File(
                path: "Sources/Wire/A/X.swift",
                text: "package import FreshetBase\n// import CLinux\n"),
            SourceTree.File(path: "Sources/Apps/a-b/X.swift", text: "import struct a_c.C\n"),
        ]
        #expect(
            targets.flatMap { PackageDescription.unusedDependencies(of: $0, in: files) } == [
                "Sources/Wire/A declares CLinux, which none of its files imports",
                "Tests/Wire/A declares FreshetBase, which none of its files imports",
            ])
    }

    /// The `package` declarations that no other target names. The number may only fall.
    private static let knownUnused = 80

    @Test("No more package declarations than before are named by no other target")
    func packageAccess() throws {
        let folders = PackageDescription.targets(in: try SourceTree.text("Package.swift"))
            .map(\.folder)
        let unused = PackageAccess.unused(in: try Self.swiftFiles(), targets: folders)
        #expect(
            unused.count <= Self.knownUnused,
            "\(unused.count) package declarations are named by no other target: \(unused)")
    }

    @Test("A package declaration that only its own target names is found")
    func packageAccessSample() {
        let files = [
            SourceTree.File(
                path: "Sources/A/X.swift",
                text: """
                    package final class Used {}
                    package static func unused() {}
                    package struct `Both` {}
                    // package func comment() {}
                    """),
            SourceTree.File(path: "Sources/A/Y.swift", text: "unused()"),
            SourceTree.File(path: "Sources/B/Z.swift", text: "Used(), Both()"),
        ]
        #expect(
            PackageAccess.unused(in: files, targets: ["Sources/A", "Sources/B"])
                == ["Sources/A/X.swift: unused"])
    }
}
