// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ShopAPI",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [.library(name: "ShopAPI", targets: ["ShopAPI"])],
    dependencies: [.package(name: "DiscreteNetworking", path: "../../..")],
    targets: [
        .target(
            name: "ShopAPI",
            dependencies: [
                .product(name: "DiscreteNetworking", package: "DiscreteNetworking")
            ],
            path: "ShopAPI"),
        .testTarget(
            name: "ShopAPITests",
            dependencies: [
                "ShopAPI",
                .product(name: "DiscreteNetworkingTesting", package: "DiscreteNetworking"),
            ],
            path: "ShopAPITests"),
        .executableTarget(
            name: "ShopAPIContracts",
            dependencies: [
                "ShopAPI",
                .product(name: "DiscreteNetworkingContracts", package: "DiscreteNetworking"),
            ],
            path: "ShopAPIContracts", exclude: ["Contracts"]),
    ],
    swiftLanguageModes: [.v6]
)
