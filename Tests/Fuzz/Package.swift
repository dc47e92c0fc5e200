// swift-tools-version: 6.2
// The fuzz targets as a program of its own, so that nobody's build but `.ci/fuzz` has libFuzzer in it.
import PackageDescription

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "DiscreteNetworking", path: "../..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                .product(name: "DiscreteNetworking", package: "DiscreteNetworking"),
                .product(name: "DiscreteNetworkingContracts", package: "DiscreteNetworking"),
                .product(name: "DiscreteNetworkingTesting", package: "DiscreteNetworking"),
            ],
            path: ".", exclude: ["Corpus", "Replay"], sources: ["Driver", "Targets"])
    ],
    swiftLanguageModes: [.v6]
)
