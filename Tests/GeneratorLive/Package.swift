// swift-tools-version: 6.2
// What `check` has generated from the descriptions of real servers, and the programs that call those servers with it.
import Foundation
import PackageDescription

let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
}

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "DiscreteNetworking") }

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func targets(of server: String) -> [Target] {
    let module = "\(server)API"
    guard isThere("Generated/\(module)") else { return [] }
    let contracts: [Target] =
        isThere("Generated/\(module)Contracts")
        ? [
            .executableTarget(
                name: "\(module)Contracts",
                dependencies: [.byName(name: module), product("DiscreteNetworkingContracts")],
                path: "Generated/\(module)Contracts", exclude: ["Contracts"], swiftSettings: strict)
        ] : []
    return contracts + [
        .target(
            name: module, dependencies: [product("DiscreteNetworking")], path: "Generated/\(module)",
            swiftSettings: strict),
        .testTarget(
            name: "\(module)Tests",
            dependencies: [.byName(name: module), product("DiscreteNetworkingTesting")],
            path: "Generated/\(module)Tests", swiftSettings: strict),
        .executableTarget(
            name: "\(server)Live", dependencies: [.byName(name: module), "Live"], swiftSettings: strict),
    ]
}

let package = Package(
    name: "GeneratorLive",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "DiscreteNetworking", path: "../..")],
    targets: [.target(name: "Live", dependencies: [product("DiscreteNetworking")], swiftSettings: strict)]
        + ["Httpbin", "Jupyter", "Kinto", "LabelStudio", "LiteLLM", "Prefect", "Synapse"].flatMap(targets),
    swiftLanguageModes: [.v6]
)
