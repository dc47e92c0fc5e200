// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "EverythingAPI",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "EverythingAPI", targets: ["EverythingAPI"])],
    dependencies: [.package(name: "DiscreteNetworking", path: "../../..")],
    targets: [
        .target(
            name: "EverythingAPI",
            dependencies: [
                .product(name: "DiscreteNetworking", package: "DiscreteNetworking")
            ],
            path: "EverythingAPI"),
        .testTarget(
            name: "EverythingAPITests",
            dependencies: [
                "EverythingAPI",
                .product(name: "DiscreteNetworkingTesting", package: "DiscreteNetworking"),
            ],
            path: "EverythingAPITests"),
        .executableTarget(
            name: "EverythingAPIContracts",
            dependencies: [
                "EverythingAPI",
                .product(name: "DiscreteNetworkingContracts", package: "DiscreteNetworking"),
            ],
            path: "EverythingAPIContracts", exclude: ["Contracts"]),
    ],
    swiftLanguageModes: [.v6]
)
