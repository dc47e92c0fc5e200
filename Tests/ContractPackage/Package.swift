// swift-tools-version: 6.2
// An outside package, as an app has one: it uses the library by path and compiles without a warning.
import PackageDescription

let package = Package(
    name: "Contract",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    dependencies: [.package(name: "DiscreteNetworking", path: "../..")],
    targets: [
        .executableTarget(
            name: "Contract",
            dependencies: [.product(name: "DiscreteNetworking", package: "DiscreteNetworking")]),
        .executableTarget(
            name: "MainActorApp",
            dependencies: [.product(name: "DiscreteNetworking", package: "DiscreteNetworking")],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
    ],
    swiftLanguageModes: [.v6]
)
