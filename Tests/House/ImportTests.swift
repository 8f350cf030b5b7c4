import Testing

/// The table of architecture.md section 2: a target's folder, its module, what it stands on.
/// A target may import what it stands on and whatever that stands on.
struct ImportTable {
    struct Target {
        let folder: String
        let module: String
        let standsOn: [String]
        let system: Set<String>
    }

    static let hot: Set<String> = ["Glibc", "Synchronization"]
    static let policy: Set<String> = ["Glibc", "Synchronization", "Dispatch", "Foundation"]

    static let targets: [Target] = [
        Target(
            folder: "Sources/Base", module: "FreshetBase", standsOn: [],
            // Checksums by the processor's own instruction.
            system: hot.union(["CLinux"])),
        Target(
            folder: "Sources/Wire/JSON", module: "FreshetJSON", standsOn: ["FreshetBase"],
            system: hot),
        Target(
            folder: "Sources/Wire/HTTP", module: "FreshetHTTP", standsOn: ["FreshetBase"],
            system: hot),
        Target(
            folder: "Sources/Wire/Net", module: "FreshetNet", standsOn: ["FreshetBase"],
            system: hot.union(["Dispatch", "CLinux"])),
        Target(
            folder: "Sources/Wire/HTTPServer", module: "FreshetHTTPServer",
            standsOn: ["FreshetNet", "FreshetHTTP"], system: hot.union(["Dispatch"])),
        Target(
            folder: "Sources/Wire/HTTPClient", module: "FreshetHTTPClient",
            standsOn: ["FreshetBase"], system: hot.union(["Dispatch", "CLinux", "CCurl"])),
        Target(
            folder: "Sources/Wire/Log", module: "FreshetLogDrivers",
            standsOn: ["FreshetJSON", "FreshetHTTPClient"], system: hot.union(["Dispatch"])),
        Target(
            folder: "Sources/Data/Query", module: "FreshetQuery", standsOn: ["FreshetJSON"],
            system: hot),
        Target(
            folder: "Sources/Data/Engine", module: "FreshetEngine", standsOn: ["FreshetQuery"],
            system: hot),
        Target(
            folder: "Sources/Data/Live", module: "FreshetLive", standsOn: ["FreshetEngine"],
            system: hot),
        Target(
            folder: "Sources/Data/Store", module: "FreshetStore", standsOn: ["FreshetEngine"],
            system: hot),
        Target(
            folder: "Sources/Policy/Refresh", module: "FreshetRefresh",
            standsOn: ["FreshetBase"], system: policy),
        Target(
            folder: "Sources/Policy/Remote", module: "FreshetRemote",
            standsOn: ["FreshetQuery", "FreshetRefresh", "FreshetHTTPClient"],
            // It reads event streams; what stands on it knows nothing of HTTP.
            system: policy.union(["FreshetHTTP"])),
        Target(
            folder: "Sources/Policy/Core", module: "FreshetCore",
            standsOn: ["FreshetStore", "FreshetLive", "FreshetRemote", "FreshetRefresh"],
            system: policy),
        Target(
            folder: "Sources/Policy/Config", module: "FreshetConfig", standsOn: ["FreshetCore"],
            system: policy),
        Target(
            folder: "Sources/Policy/Server", module: "FreshetServer",
            standsOn: [
                "FreshetConfig", "FreshetHTTPServer", "FreshetHTTPClient", "FreshetLogDrivers",
            ],
            system: policy),
        Target(
            folder: "Sources/Policy/Freshet", module: "Freshet", standsOn: ["FreshetServer"],
            system: policy),
        Target(
            folder: "Sources/Apps/freshet", module: "freshet", standsOn: ["FreshetServer"],
            system: policy),
        Target(
            folder: "Sources/Apps/freshet-bench", module: "freshet_bench",
            standsOn: ["FreshetServer"],
            // It measures the bare client beside what stands on it.
            system: policy.union(["CMallocCount", "FreshetHTTPClient"])),
    ]

    static func allowed(for target: Target) -> Set<String> {
        var modules = target.system
        var pending = target.standsOn
        while let module = pending.popLast() {
            guard modules.insert(module).inserted else { continue }
            pending += targets.first { $0.module == module }?.standsOn ?? []
        }
        return modules
    }

    /// The modules that `source` imports, with their lines.
    static func imports(of source: String) -> [(line: Int, module: String)] {
        codeLines(of: source).enumerated().compactMap { number, line in
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
                words[..<place].allSatisfy({ $0.hasPrefix("@") || access.contains(String($0)) })
            else { return nil }
            var name = words[place + 1]
            if kinds.contains(String(name)), place + 2 < words.count { name = words[place + 2] }
            return (number + 1, String(name.prefix { $0 != "." }))
        }
    }

    private static let access: Set<String> = [
        "public", "package", "internal", "fileprivate", "private",
    ]
    private static let kinds: Set<String> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]

    /// One sentence per import that the table does not allow.
    static func faults(in file: SourceTree.File) -> [String] {
        guard let target = targets.first(where: { file.path.hasPrefix($0.folder + "/") }) else {
            return ["\(file.path) belongs to no target of the table"]
        }
        let allowed = allowed(for: target)
        return imports(of: file.text).filter { !allowed.contains($0.module) }
            .map { "\(file.path):\($0.line) imports \($0.module)" }
    }
}

@Suite("Imports follow the planes")
struct ImportTests {
    @Test("Every file imports only what its target stands on")
    func sources() throws {
        let files = try SourceTree.files(under: "Sources")
        #expect(files.count > 20)
        #expect(files.flatMap(ImportTable.faults(in:)) == [])
    }

    @Test("An import that goes up, sideways, or into Foundation from a hot folder is found")
    func badSamples() {
        for (path, text) in [
            ("Sources/Base/Bad.swift", "import Foundation\n"),
            ("Sources/Wire/HTTP/Bad.swift", "package import FreshetJSON\n"),
            ("Sources/Data/Store/Bad.swift", "@preconcurrency import FreshetHTTP\n"),
            ("Sources/Data/Query/Bad.swift", "import struct FreshetStore.Commit\n"),
            ("Sources/Policy/Core/Bad.swift", "import FreshetHTTP\n"),
            ("Sources/Policy/Server/Bad.swift", "import FoundationNetworking\n"),
            ("Sources/Stray/Bad.swift", "import Glibc\n"),
        ] {
            #expect(ImportTable.faults(in: .init(path: path, text: text)).count == 1, "\(path)")
        }
    }

    @Test("Imports in comments and strings, and allowed ones, are no faults")
    func goodSamples() {
        let text = """
            // import Foundation
            package import FreshetBase
            let sample = "import Foundation"
            """
        #expect(ImportTable.faults(in: .init(path: "Sources/Data/Store/A.swift", text: text)) == [])
    }
}
