// swift-tools-version: 6.2
// A program that embeds Freshet, with a run specification and a controller of its own. In a program
// of yours the dependency is a URL and a version in place of the path.
import PackageDescription

let package = Package(
    name: "examples",
    dependencies: [.package(name: "freshet", path: "../..")],
    targets: [
        .executableTarget(
            name: "quotes",
            dependencies: [.product(name: "Freshet", package: "freshet")],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
