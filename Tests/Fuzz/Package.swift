// swift-tools-version: 6.2
// The fuzz targets as a package of their own, so that nobody's build but `.ci/fuzz` has libFuzzer in it.
import PackageDescription

let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "DiscreteNetworking", path: "../..")],
    targets: [
        .target(
            name: "FuzzTargets",
            dependencies: [
                .product(name: "DiscreteNetworking", package: "DiscreteNetworking"),
                .product(name: "DiscreteNetworkingCore", package: "DiscreteNetworking"),
                .product(name: "DiscreteNetworkingCaching", package: "DiscreteNetworking"),
                .product(name: "DiscreteNetworkingTransfers", package: "DiscreteNetworking"),
                .product(name: "DiscreteNetworkingCookies", package: "DiscreteNetworking"),
                .product(name: "DiscreteNetworkingContracts", package: "DiscreteNetworking"),
                .product(name: "DiscreteNetworkingOutbox", package: "DiscreteNetworking"),
                .product(name: "DiscreteNetworkingTesting", package: "DiscreteNetworking"),
            ],
            path: "Targets"),
        // Only `.ci/fuzz` can link it.
        .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Driver"),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Replay"),
    ],
    swiftLanguageModes: [.v6]
)
