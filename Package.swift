// swift-tools-version: 6.2
import PackageDescription

// Xcode puts it into the app's privacy report. Nothing reads it on Linux, so that no bundle is made there.
let privacyManifest = "PrivacyInfo.xcprivacy"
#if os(Linux)
    let (excluded, resources) = ([privacyManifest], [Resource]())
#else
    let (excluded, resources) = ([String](), [Resource.copy(privacyManifest)])
#endif

let package = Package(
    name: "DiscreteNetworking",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "DiscreteNetworking", targets: ["DiscreteNetworking"]),
        .library(name: "DiscreteNetworkingTesting", targets: ["DiscreteNetworkingTesting"]),
        .library(name: "DiscreteNetworkingInspector", targets: ["DiscreteNetworkingInspector"]),
        .library(name: "LoopbackServer", targets: ["LoopbackServer"]),
        .library(name: "DiscreteNetworkingContracts", targets: ["DiscreteNetworkingContracts"]),
        .executable(name: "Storefront", targets: ["Storefront"]),
        .executable(name: "contract-check", targets: ["contract-check"]),
        .executable(name: "Benchmarks", targets: ["Benchmarks"]),
        .executable(name: "generate-managers", targets: ["generate-managers"]),
        .plugin(name: "GenerateManagers", targets: ["GenerateManagers"]),
    ],
    targets: [
        .target(name: "CCodings"),
        .target(name: "CCurl"),
        .target(name: "CPoll"),
        .target(name: "DiscreteNetworkingSupport"),
        .target(name: "DiscreteNetworkingJSON", dependencies: ["DiscreteNetworkingSupport"]),
        .target(
            name: "DiscreteNetworkingHTTP",
            dependencies: ["DiscreteNetworkingJSON", "DiscreteNetworkingSupport"]),
        .target(
            name: "DiscreteNetworkingCurl",
            dependencies: [
                "DiscreteNetworkingHTTP",
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
                .target(name: "CPoll", condition: .when(platforms: [.linux])),
                .target(name: "CCodings", condition: .when(platforms: [.linux])),
            ]),
        .target(
            name: "DiscreteNetworking",
            dependencies: [
                "DiscreteNetworkingSupport", "DiscreteNetworkingJSON", "DiscreteNetworkingHTTP",
                "DiscreteNetworkingCurl",
                .target(name: "CPoll", condition: .when(platforms: [.linux])),
            ], exclude: excluded, resources: resources),
        .target(name: "LoopbackServer"),
        // Its page is part of the library, so that no bundle has to be found.
        .target(
            name: "DiscreteNetworkingInspector", dependencies: ["DiscreteNetworking", "LoopbackServer"],
            resources: ["page.html", "style.css", "words.js", "model.js", "list.js", "detail.js", "app.js"]
                .map {
                    .embedInCode("Page/\($0)")
                }),
        .testTarget(
            name: "DiscreteNetworkingInspectorTests",
            dependencies: [
                "DiscreteNetworking", "DiscreteNetworkingInspector", "DiscreteNetworkingTesting",
                "LoopbackServer",
            ]),
        .target(
            name: "DiscreteNetworkingTesting",
            dependencies: ["DiscreteNetworking", "DiscreteNetworkingContracts"]),
        // The converters are part of the library, so that no bundle has to be found.
        .target(
            name: "ManagerGenerator",
            dependencies: ["DiscreteNetworkingCurl", "DiscreteNetworkingJSON", "DiscreteNetworkingSupport"],
            resources: ["yaml_converter.py", "yaml_converter.rb"].map {
                .embedInCode("Document/Converter/\($0)")
            }),
        .executableTarget(name: "generate-managers", dependencies: ["ManagerGenerator"]),
        .plugin(
            name: "GenerateManagers",
            capability: .command(
                intent: .custom(
                    verb: "generate-managers",
                    description: "Generates managers, models, a service and tests from an API description."),
                permissions: [
                    .writeToPackageDirectory(reason: "Writes the generated managers and their tests.")
                ]),
            dependencies: ["generate-managers"]),
        // What the generator makes of a description with everything in it: compared, compiled and run.
        .target(
            name: "EverythingAPI", dependencies: ["DiscreteNetworking"],
            path: "Tests/ManagerGeneratorTests/Generated/EverythingAPI"),
        .testTarget(
            name: "EverythingAPITests",
            dependencies: ["EverythingAPI", "DiscreteNetworking", "DiscreteNetworkingTesting"],
            path: "Tests/ManagerGeneratorTests/Generated/EverythingAPITests"),
        .executableTarget(
            name: "EverythingAPIContracts",
            dependencies: ["EverythingAPI", "DiscreteNetworking", "DiscreteNetworkingContracts"],
            path: "Tests/ManagerGeneratorTests/Generated/EverythingAPIContracts", exclude: ["Contracts"]),
        .testTarget(
            name: "ManagerGeneratorTests",
            dependencies: [
                "ManagerGenerator", "DiscreteNetworking", "DiscreteNetworkingJSON",
                "DiscreteNetworkingTesting",
                "EverythingAPI", "LoopbackServer", "generate-managers",
            ],
            exclude: ["Fixtures", "Generated"]),
        // The shop's own description, and what is generated from it.
        .target(
            name: "ShopAPI", dependencies: ["DiscreteNetworking"], path: "Samples/ShopAPI/Generated/ShopAPI"),
        .testTarget(
            name: "ShopAPITests",
            dependencies: ["ShopAPI", "DiscreteNetworking", "DiscreteNetworkingTesting"],
            path: "Samples/ShopAPI/Generated/ShopAPITests"),
        .executableTarget(
            name: "ShopAPIContracts",
            dependencies: ["ShopAPI", "DiscreteNetworking", "DiscreteNetworkingContracts"],
            path: "Samples/ShopAPI/Generated/ShopAPIContracts", exclude: ["Contracts"]),
        .target(name: "CurlDirect", dependencies: ["CCurl"], path: "Samples/CurlDirect"),
        .target(name: "AllocationCounter", path: "Samples/AllocationCounter"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "DiscreteNetworking", "DiscreteNetworkingInspector", "LoopbackServer",
                .target(name: "CurlDirect", condition: .when(platforms: [.linux])),
                .target(name: "AllocationCounter", condition: .when(platforms: [.linux])),
            ],
            path: "Samples/Benchmarks"),
        .testTarget(name: "BenchmarksTests", dependencies: ["Benchmarks"]),
        .testTarget(
            name: "DiscreteNetworkingTests",
            dependencies: [
                "DiscreteNetworking", "DiscreteNetworkingJSON", "DiscreteNetworkingHTTP",
                "DiscreteNetworkingCurl", "DiscreteNetworkingTesting", "LoopbackServer",
                .target(name: "CCodings", condition: .when(platforms: [.linux])),
                .target(name: "CPoll", condition: .when(platforms: [.linux])),
            ]),
        .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer"]),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "DiscreteNetworking", "DiscreteNetworkingJSON", "DiscreteNetworkingHTTP",
                "DiscreteNetworkingCurl",
                "DiscreteNetworkingContracts", "DiscreteNetworkingTesting",
            ],
            path: "Tests/Fuzz", exclude: ["Corpus", "Driver", "Package.swift"],
            sources: ["Replay", "Targets"]),
        .testTarget(
            name: "DiscreteNetworkingTestingTests",
            dependencies: [
                "DiscreteNetworkingTesting", "DiscreteNetworkingContracts", "DiscreteNetworking",
                "LoopbackServer",
            ],
            exclude: ["Transport/Fixtures", "RequestGenerator/__Snapshots__"]),
        .target(name: "DiscreteNetworkingContracts", dependencies: ["DiscreteNetworking"]),
        .testTarget(
            name: "DiscreteNetworkingContractsTests",
            dependencies: ["DiscreteNetworkingContracts", "DiscreteNetworking", "LoopbackServer"]),
        .target(
            name: "StorefrontKit",
            dependencies: [
                "DiscreteNetworking", "DiscreteNetworkingContracts", "DiscreteNetworkingInspector",
                "LoopbackServer",
            ],
            path: "Samples/StorefrontKit"),
        .executableTarget(
            name: "contract-check", dependencies: ["StorefrontKit"], path: "Samples/ContractCheck",
            exclude: ["Contracts"]),
        .executableTarget(name: "Storefront", dependencies: ["StorefrontKit"], path: "Samples/Storefront"),
        .testTarget(
            name: "StorefrontTests",
            dependencies: [
                "StorefrontKit", "DiscreteNetworking", "DiscreteNetworkingTesting", "LoopbackServer",
                "ShopAPI",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// What users build compiles in projects with these settings, too. Imports that public declarations need say so.
for target in package.targets where target.type == .regular {
    guard target.name.hasPrefix("DiscreteNetworking") || target.name == "LoopbackServer" else { continue }
    target.swiftSettings = ["InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny"]
        .map { .enableUpcomingFeature($0) }
}
