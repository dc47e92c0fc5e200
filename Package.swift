// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "DiscreteNetworking",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "DiscreteNetworking", targets: ["DiscreteNetworking"])
    ],
    targets: [
        .target(name: "DiscreteNetworking"),
        .target(name: "LoopbackServer"),
        .testTarget(name: "DiscreteNetworkingTests", dependencies: ["DiscreteNetworking", "LoopbackServer"]),
        .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer"]),
    ],
    swiftLanguageModes: [.v6]
)
