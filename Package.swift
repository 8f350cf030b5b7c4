// swift-tools-version: 6.2
// Freshet: a live entity service in one binary. No package dependency, by design.
import Glibc
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// Tests are built plainly beside optimised targets, since the optimiser took most of its time for
/// them; what they test is optimised.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// A library target of one plane; `plane` is its folder under Sources, "" for the base. `sources` of
/// something else are no sources of the target.
func library(
    _ name: String, in plane: String, uses dependencies: [String], excludes sources: [String] = []
) -> Target {
    .target(
        name: "Freshet\(name)",
        dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: plane.isEmpty ? "Sources/\(name)" : "Sources/\(plane)/\(name)",
        exclude: sources,
        swiftSettings: settings)
}

/// The tests of one target, in the folder under Tests that mirrors its place under Sources.
func tests(_ name: String, in plane: String, uses dependencies: [String]) -> Target {
    .testTarget(
        name: "Freshet\(name)Tests",
        dependencies: dependencies.map { .init(stringLiteral: $0) },
        path: plane.isEmpty ? "Tests/\(name)" : "Tests/\(plane)/\(name)",
        swiftSettings: testSettings)
}

let package = Package(
    name: "freshet",
    products: [
        .library(name: "Freshet", targets: ["Freshet"]),
        .executable(name: "freshet", targets: ["freshet"]),
        .executable(name: "freshet-bench", targets: ["freshet-bench"]),
    ],
    targets: [
        .systemLibrary(name: "CLinux", path: "Sources/Wire/CLinux"),
        .systemLibrary(name: "CCurl", path: "Sources/Wire/CCurl"),
        library("Base", in: "", uses: ["CLinux"]),

        // Wire moves bytes.
        library("JSON", in: "Wire", uses: ["FreshetBase"]),
        library("HTTP", in: "Wire", uses: ["FreshetBase"]),
        library("Net", in: "Wire", uses: ["FreshetBase", "CLinux"]),
        library("HTTPServer", in: "Wire", uses: ["FreshetBase", "FreshetNet", "FreshetHTTP"]),

        library("HTTPClient", in: "Wire", uses: ["FreshetBase", "CCurl", "CLinux"]),
        .target(
            name: "FreshetLogDrivers",
            dependencies: ["FreshetBase", "FreshetJSON", "FreshetHTTPClient"],
            path: "Sources/Wire/Log",
            swiftSettings: settings),

        // Data answers questions.
        library("Query", in: "Data", uses: ["FreshetBase", "FreshetJSON"]),
        library("Engine", in: "Data", uses: ["FreshetBase", "FreshetJSON", "FreshetQuery"]),
        library(
            "Live", in: "Data",
            uses: ["FreshetBase", "FreshetJSON", "FreshetQuery", "FreshetEngine"]),
        library(
            "Store", in: "Data",
            uses: ["FreshetBase", "FreshetJSON", "FreshetQuery", "FreshetEngine"]),

        // Policy decides.
        library("Refresh", in: "Policy", uses: ["FreshetBase"]),
        library(
            "Remote", in: "Policy",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetHTTP", "FreshetHTTPClient", "FreshetQuery",
                "FreshetRefresh",
            ]),
        library(
            "Core", in: "Policy",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetQuery", "FreshetEngine", "FreshetLive",
                "FreshetStore", "FreshetRefresh", "FreshetRemote",
            ]),
        library(
            "Config", in: "Policy",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetHTTPClient", "FreshetQuery", "FreshetEngine",
                "FreshetStore", "FreshetRefresh", "FreshetRemote", "FreshetCore",
            ]),
        library(
            "Server", in: "Policy",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetQuery", "FreshetEngine", "FreshetLive",
                "FreshetStore", "FreshetRefresh", "FreshetRemote", "FreshetCore",
                "FreshetConfig", "FreshetHTTP", "FreshetNet", "FreshetHTTPServer",
                "FreshetHTTPClient", "FreshetLogDrivers",
            ],
            excludes: ["Browser", "Docs"]),

        // The library product: a server in a program of one's own.
        .target(
            name: "Freshet",
            dependencies: [
                "FreshetBase", "FreshetJSON", "FreshetHTTP", "FreshetQuery", "FreshetEngine",
                "FreshetLive", "FreshetStore", "FreshetRefresh", "FreshetRemote", "FreshetCore",
                "FreshetConfig", "FreshetServer",
            ],
            path: "Sources/Policy/Freshet",
            swiftSettings: settings),

        .executableTarget(
            name: "freshet",
            dependencies: [
                "FreshetBase", "FreshetJSON", "FreshetHTTP", "FreshetHTTPClient", "FreshetQuery",
                "FreshetStore", "FreshetRefresh", "FreshetRemote", "FreshetCore",
                "FreshetConfig", "FreshetServer",
            ],
            path: "Sources/Apps/freshet",
            swiftSettings: settings),
        // Measurement only.
        .target(name: "CMallocCount", path: "Sources/Apps/CMallocCount"),
        .executableTarget(
            name: "freshet-bench",
            dependencies: [
                "CMallocCount", "FreshetBase", "FreshetJSON", "FreshetHTTP", "FreshetHTTPClient",
                "FreshetQuery", "FreshetEngine", "FreshetLive", "FreshetStore", "FreshetLogDrivers",
                "FreshetRefresh", "FreshetRemote", "FreshetCore", "FreshetConfig",
                "FreshetServer",
            ],
            path: "Sources/Apps/freshet-bench",
            swiftSettings: settings),

        // What the tests of several targets use.
        .target(
            name: "FreshetTestSupport", dependencies: ["FreshetBase"], path: "Tests/Support",
            swiftSettings: settings),
        tests("Base", in: "", uses: ["FreshetBase"]),
        tests("House", in: "", uses: []),
        tests("JSON", in: "Wire", uses: ["FreshetBase", "FreshetJSON", "FreshetTestSupport"]),
        tests("HTTP", in: "Wire", uses: ["FreshetBase", "FreshetHTTP", "FreshetTestSupport"]),
        tests("Net", in: "Wire", uses: ["FreshetBase", "FreshetNet"]),
        tests(
            "HTTPServer", in: "Wire",
            uses: ["FreshetBase", "FreshetHTTP", "FreshetNet", "FreshetHTTPServer"]),
        tests(
            "HTTPClient", in: "Wire",
            uses: ["FreshetBase", "FreshetHTTPClient", "FreshetTestSupport"]),
        .testTarget(
            name: "FreshetLogDriversTests",
            dependencies: ["FreshetBase", "FreshetLogDrivers", "FreshetTestSupport"],
            path: "Tests/Wire/Log",
            swiftSettings: testSettings),
        tests("Query", in: "Data", uses: ["FreshetBase", "FreshetJSON", "FreshetQuery"]),
        tests(
            "Engine", in: "Data",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetQuery", "FreshetEngine", "FreshetTestSupport",
            ]),
        tests(
            "Live", in: "Data",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetQuery", "FreshetEngine", "FreshetLive",
                "FreshetTestSupport",
            ]),
        tests(
            "Store", in: "Data",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetLogDrivers", "FreshetQuery", "FreshetEngine",
                "FreshetStore", "FreshetTestSupport",
            ]),
        tests(
            "Refresh", in: "Policy",
            uses: ["FreshetBase", "FreshetRefresh", "FreshetTestSupport"]),
        tests(
            "Remote", in: "Policy",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetQuery", "FreshetRefresh", "FreshetRemote",
                "FreshetTestSupport",
            ]),
        tests(
            "Core", in: "Policy",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetQuery", "FreshetEngine", "FreshetLive",
                "FreshetStore", "FreshetRefresh", "FreshetRemote", "FreshetCore",
                "FreshetConfig", "FreshetTestSupport",
            ]),
        tests(
            "Config", in: "Policy",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetHTTPClient", "FreshetQuery", "FreshetStore",
                "FreshetRefresh", "FreshetRemote", "FreshetCore", "FreshetConfig",
                "FreshetTestSupport",
            ]),
        tests(
            "Server", in: "Policy",
            uses: [
                "FreshetBase", "FreshetJSON", "FreshetHTTP", "FreshetHTTPServer", "FreshetQuery",
                "FreshetStore", "FreshetRefresh", "FreshetRemote", "FreshetCore",
                "FreshetConfig", "FreshetServer", "Freshet", "FreshetTestSupport",
            ]),
        .testTarget(
            name: "FreshetTests",
            dependencies: ["Freshet", "FreshetBase", "FreshetRefresh", "FreshetTestSupport"],
            path: "Tests/Policy/Freshet",
            swiftSettings: testSettings),
        .testTarget(
            name: "FreshetAppTests",
            dependencies: ["freshet", "FreshetBase", "FreshetJSON", "FreshetRemote"],
            path: "Tests/Apps",
            swiftSettings: testSettings),
    ]
)

// Docker/Dockerfile builds from the sources alone, so that a change of a test builds no image anew.
if access("\(Context.packageDirectory)/Tests", F_OK) != 0 {
    package.targets.removeAll { $0.path?.hasPrefix("Tests/") == true }
}
