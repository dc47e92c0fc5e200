// swift-tools-version: 6.2
import PackageDescription

// Xcode puts it into the app's privacy report. Nothing reads it on Linux, so that no bundle is made there.
let privacyManifest = "PrivacyInfo.xcprivacy"
#if os(Linux)
    let (excluded, resources) = ([privacyManifest], [Resource]())
#else
    let (excluded, resources) = ([String](), [Resource.copy(privacyManifest)])
#endif

/// A C target that only Linux needs.
func linux(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(platforms: [.linux])) }

let package = Package(
    name: "DiscreteNetworking",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "DiscreteNetworking", targets: ["DiscreteNetworking"]),
        .library(name: "DiscreteNetworkingCore", targets: ["DiscreteNetworkingCore"]),
        .library(name: "DiscreteNetworkingTraffic", targets: ["DiscreteNetworkingTraffic"]),
        .library(name: "DiscreteNetworkingResilience", targets: ["DiscreteNetworkingResilience"]),
        .library(name: "DiscreteNetworkingCookies", targets: ["DiscreteNetworkingCookies"]),
        .library(name: "DiscreteNetworkingTransfers", targets: ["DiscreteNetworkingTransfers"]),
        .library(name: "DiscreteNetworkingCaching", targets: ["DiscreteNetworkingCaching"]),
        .library(name: "DiscreteNetworkingTesting", targets: ["DiscreteNetworkingTesting"]),
        .library(name: "DiscreteNetworkingInspector", targets: ["DiscreteNetworkingInspector"]),
        .library(name: "LoopbackServer", targets: ["LoopbackServer"]),
        .library(name: "DiscreteNetworkingContracts", targets: ["DiscreteNetworkingContracts"]),
        .library(name: "DiscreteNetworkingTelemetry", targets: ["DiscreteNetworkingTelemetry"]),
        .library(name: "DiscreteNetworkingOAuth", targets: ["DiscreteNetworkingOAuth"]),
        .library(name: "DiscreteNetworkingOutbox", targets: ["DiscreteNetworkingOutbox"]),
        .library(name: "DiscreteNetworkingSigning", targets: ["DiscreteNetworkingSigning"]),
        .executable(name: "generate-managers", targets: ["generate-managers"]),
        .executable(name: "inspect", targets: ["inspect"]),
        .plugin(name: "GenerateManagers", targets: ["GenerateManagers"]),
        .plugin(name: "GenerateManagersAtBuild", targets: ["GenerateManagersAtBuild"]),
    ],
    targets: [
        // The framework.
        .target(name: "CCodings"),
        .target(name: "CCurl"),
        .target(name: "CPoll"),
        .target(name: "DiscreteNetworkingSupport"),
        .target(name: "DiscreteNetworkingJSON", dependencies: ["DiscreteNetworkingSupport"]),
        .target(
            name: "DiscreteNetworkingHTTP",
            dependencies: ["DiscreteNetworkingJSON", "DiscreteNetworkingSupport", linux("CCodings")]),
        .target(
            name: "DiscreteNetworkingCurl",
            dependencies: ["DiscreteNetworkingHTTP", linux("CCurl"), linux("CPoll"), linux("CCodings")]),
        .target(
            name: "DiscreteNetworkingCore",
            dependencies: [
                "DiscreteNetworkingSupport", "DiscreteNetworkingJSON", "DiscreteNetworkingHTTP",
                "DiscreteNetworkingCurl", linux("CPoll"),
            ], exclude: excluded, resources: resources),
        .target(
            name: "DiscreteNetworkingTraffic",
            dependencies: [
                "DiscreteNetworkingCore", "DiscreteNetworkingHTTP", "DiscreteNetworkingJSON",
                "DiscreteNetworkingSupport",
            ]),
        .target(name: "DiscreteNetworkingResilience", dependencies: ["DiscreteNetworkingCore"]),
        .target(
            name: "DiscreteNetworkingCookies",
            dependencies: [
                "DiscreteNetworkingCore", "DiscreteNetworkingHTTP", "DiscreteNetworkingJSON",
                "DiscreteNetworkingSupport",
            ]),
        .target(
            name: "DiscreteNetworkingTransfers",
            dependencies: [
                "DiscreteNetworkingCore", "DiscreteNetworkingHTTP", "DiscreteNetworkingJSON",
                "DiscreteNetworkingSupport",
            ]),
        .target(
            name: "DiscreteNetworkingCaching",
            dependencies: [
                "DiscreteNetworkingCore", "DiscreteNetworkingHTTP", "DiscreteNetworkingJSON",
                "DiscreteNetworkingSupport",
            ]),
        .target(
            name: "DiscreteNetworking",
            dependencies: [
                "DiscreteNetworkingCaching", "DiscreteNetworkingCookies", "DiscreteNetworkingCore",
                "DiscreteNetworkingResilience", "DiscreteNetworkingTraffic", "DiscreteNetworkingTransfers",
            ]),
        .target(name: "DiscreteNetworkingCommands", dependencies: ["DiscreteNetworkingSupport"]),
        .target(name: "LoopbackServer"),
        .target(
            name: "DiscreteNetworkingContracts",
            dependencies: ["DiscreteNetworkingCore", "DiscreteNetworkingCommands"]),
        .target(name: "DiscreteNetworkingTelemetry", dependencies: ["DiscreteNetworkingCore"]),
        .target(
            name: "DiscreteNetworkingSigning",
            dependencies: ["DiscreteNetworkingCore", "DiscreteNetworkingHTTP"]),
        .target(
            name: "DiscreteNetworkingOAuth",
            dependencies: ["DiscreteNetworkingCore", "DiscreteNetworkingHTTP"]),
        .target(
            name: "DiscreteNetworkingOutbox",
            dependencies: [
                "DiscreteNetworkingCaching", "DiscreteNetworkingCore", "DiscreteNetworkingHTTP",
                "DiscreteNetworkingJSON", "DiscreteNetworkingSupport",
            ]),
        .target(
            name: "DiscreteNetworkingTesting",
            dependencies: [
                "DiscreteNetworkingCore", "DiscreteNetworkingContracts", "DiscreteNetworkingOutbox",
                "DiscreteNetworkingTraffic", "DiscreteNetworkingTransfers",
            ]),
        // Its page is text in Swift: a literal of its bytes would take the compiler 25 seconds.
        .target(
            name: "DiscreteNetworkingInspector",
            dependencies: ["DiscreteNetworkingCore", "DiscreteNetworkingTraffic", "LoopbackServer"]),

        .executableTarget(
            name: "inspect", dependencies: ["DiscreteNetworkingCommands", "DiscreteNetworkingInspector"]),

        // The generator. Its converters are part of the library.
        .target(
            name: "ManagerGenerator",
            dependencies: [
                "DiscreteNetworkingCommands", "DiscreteNetworkingCurl", "DiscreteNetworkingJSON",
                "DiscreteNetworkingSupport",
            ],
            resources: ["yaml_converter.py", "yaml_converter.rb"]
                .map { .embedInCode("Document/Converter/\($0)") }),
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
        .plugin(
            name: "GenerateManagersAtBuild", capability: .buildTool(), dependencies: ["generate-managers"]),

        // The samples: a shop, the contracts of its backend, its managers as they are generated, and benchmarks.
        .target(
            name: "StorefrontKit",
            dependencies: [
                "DiscreteNetworking", "DiscreteNetworkingCommands", "DiscreteNetworkingContracts",
                "DiscreteNetworkingInspector", "DiscreteNetworkingOutbox", "DiscreteNetworkingSigning",
                "DiscreteNetworkingTelemetry", "LoopbackServer",
            ], path: "Samples/StorefrontKit"),
        .executableTarget(name: "Storefront", dependencies: ["StorefrontKit"], path: "Samples/Storefront"),
        .executableTarget(
            name: "contract-check", dependencies: ["StorefrontKit"], path: "Samples/ContractCheck",
            exclude: ["Contracts"]),
        .target(
            name: "ShopAPI", dependencies: ["DiscreteNetworking"], path: "Samples/ShopAPI/Generated/ShopAPI"),
        .target(name: "CBenchmarks", dependencies: ["CCurl"], path: "Samples/CBenchmarks"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "DiscreteNetworking", "DiscreteNetworkingCommands", "DiscreteNetworkingInspector",
                "DiscreteNetworkingOutbox", "LoopbackServer", linux("CBenchmarks"),
            ], path: "Samples/Benchmarks"),

        // The tests. Tests/Worlds, Tests/Fuzz and the generated packages are packages of their own.
        .target(name: "CWatchdog", path: "Tests/CWatchdog"),
        .testTarget(
            name: "DiscreteNetworkingTests",
            dependencies: [
                "CWatchdog",
                "DiscreteNetworking", "DiscreteNetworkingCore", "DiscreteNetworkingCaching",
                "DiscreteNetworkingCookies", "DiscreteNetworkingResilience", "DiscreteNetworkingTraffic",
                "DiscreteNetworkingTransfers", "DiscreteNetworkingJSON", "DiscreteNetworkingHTTP",
                "DiscreteNetworkingCurl", "DiscreteNetworkingTesting", "LoopbackServer",
                linux("CCodings"), linux("CPoll"),
                // The examples of doc comments import them.
                "DiscreteNetworkingContracts", "DiscreteNetworkingInspector", "DiscreteNetworkingOAuth",
                "DiscreteNetworkingOutbox", "DiscreteNetworkingSigning", "DiscreteNetworkingTelemetry",
            ]),
        .testTarget(
            name: "DiscreteNetworkingCommandsTests",
            dependencies: [
                "DiscreteNetworkingCommands", "Benchmarks", "Storefront", "contract-check",
                "generate-managers",
                "inspect",
            ]),
        .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer"]),
        .testTarget(
            name: "DiscreteNetworkingContractsTests",
            dependencies: [
                "DiscreteNetworkingContracts", "DiscreteNetworking", "DiscreteNetworkingCore",
                "DiscreteNetworkingSigning",
                "LoopbackServer",
            ]),
        .testTarget(
            name: "DiscreteNetworkingTestingTests",
            dependencies: [
                "DiscreteNetworkingTesting", "DiscreteNetworkingContracts", "DiscreteNetworking",
                "DiscreteNetworkingCaching", "DiscreteNetworkingCore", "DiscreteNetworkingSigning",
                "DiscreteNetworkingTraffic", "DiscreteNetworkingOutbox", "LoopbackServer",
            ], exclude: ["Transport/Fixtures", "RequestGenerator/__Snapshots__"]),
        .testTarget(
            name: "DiscreteNetworkingInspectorTests",
            dependencies: [
                "DiscreteNetworking", "DiscreteNetworkingCore", "DiscreteNetworkingTraffic",
                "DiscreteNetworkingInspector",
                "DiscreteNetworkingTesting",
                "DiscreteNetworkingOutbox", "LoopbackServer",
            ]),
        .testTarget(
            name: "DiscreteNetworkingTelemetryTests",
            dependencies: [
                "DiscreteNetworkingTelemetry", "DiscreteNetworking", "DiscreteNetworkingCore",
                "DiscreteNetworkingTesting",
                "LoopbackServer",
            ]),
        .testTarget(
            name: "DiscreteNetworkingOAuthTests",
            dependencies: [
                "DiscreteNetworkingOAuth", "DiscreteNetworking", "DiscreteNetworkingCore",
                "DiscreteNetworkingCookies", "DiscreteNetworkingTesting",
                "LoopbackServer",
            ], exclude: ["authlib_server.py"]),
        .testTarget(
            name: "DiscreteNetworkingOutboxTests",
            dependencies: [
                "DiscreteNetworkingOutbox", "DiscreteNetworking", "DiscreteNetworkingCaching",
                "DiscreteNetworkingCore", "DiscreteNetworkingTransfers", "DiscreteNetworkingTesting",
                "LoopbackServer",
            ]),
        .testTarget(
            name: "DiscreteNetworkingSigningTests",
            dependencies: [
                "DiscreteNetworkingSigning", "DiscreteNetworking", "DiscreteNetworkingCaching",
                "DiscreteNetworkingCore", "DiscreteNetworkingTesting", "LoopbackServer",
            ]),
        .testTarget(
            name: "ManagerGeneratorTests",
            dependencies: [
                "ManagerGenerator", "DiscreteNetworking", "DiscreteNetworkingContracts",
                "DiscreteNetworkingCore", "DiscreteNetworkingJSON", "DiscreteNetworkingTesting",
                "LoopbackServer", "generate-managers",
            ], exclude: ["Fixtures", "Generated"]),
        .testTarget(
            name: "StorefrontTests",
            dependencies: [
                "StorefrontKit", "ShopAPI", "DiscreteNetworking", "DiscreteNetworkingCore",
                "DiscreteNetworkingSigning",
                "DiscreteNetworkingTesting",
                "LoopbackServer",
            ]),
        .testTarget(
            name: "BenchmarksTests", dependencies: ["Benchmarks", "DiscreteNetworkingCommands"]),
    ],
    swiftLanguageModes: [.v6]
)

// What users build compiles in projects with these settings, too. Imports that public declarations need say so.
for target in package.targets where target.type == .regular {
    guard target.name.hasPrefix("DiscreteNetworking") || target.name == "LoopbackServer" else { continue }
    target.swiftSettings = ["InternalImportsByDefault", "MemberImportVisibility", "ExistentialAny"]
        .map { .enableUpcomingFeature($0) }
}
