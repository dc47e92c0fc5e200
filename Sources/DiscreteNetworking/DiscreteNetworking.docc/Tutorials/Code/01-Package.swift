// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shop",
    platforms: [.iOS(.v15), .macOS(.v12)],
    dependencies: [
        .package(
            url: "https://example.com/DiscreteNetworking.git",
            branch: "main")
    ],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                "DiscreteNetworking",
                .product(
                    name: "DiscreteNetworkingInspector", package: "DiscreteNetworking"),
            ]),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Shop",
                .product(name: "DiscreteNetworkingTesting", package: "DiscreteNetworking"),
                .product(name: "LoopbackServer", package: "DiscreteNetworking"),
            ]),
    ]
)
