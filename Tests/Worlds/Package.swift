// swift-tools-version: 6.2
// An outside package, as an app has one. The files of App, Core and the others compile in every world that an app
// may live in, unchanged and without a warning, and their tests pass there.
import PackageDescription

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "DiscreteNetworking") }

let networking = product("DiscreteNetworking")
let testing = product("DiscreteNetworkingTesting")

/// What a world's target imports, by the folder of its files. An app may do with the core, and with one module above it.
let parts = [
    "": [networking, testing],
    "Core": [product("DiscreteNetworkingCore")],
    "Caching": [product("DiscreteNetworkingCore"), product("DiscreteNetworkingCaching")],
    "Cookies": [product("DiscreteNetworkingCore"), product("DiscreteNetworkingCookies")],
    "Resilience": [product("DiscreteNetworkingCore"), product("DiscreteNetworkingResilience")],
    "Traffic": [product("DiscreteNetworkingCore"), product("DiscreteNetworkingTraffic")],
    "Transfers": [product("DiscreteNetworkingCore"), product("DiscreteNetworkingTransfers")],
]

/// The build settings of Xcode 26's app template.
let template: [SwiftSetting] = [
    .defaultIsolation(MainActor.self),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let worlds: [String: [SwiftSetting]] = [
    "Xcode26": template + [.swiftLanguageMode(.v6)],
    "Xcode26Swift5": template + [
        .swiftLanguageMode(.v5),
        .enableUpcomingFeature("DisableOutwardActorInference"),
        .enableUpcomingFeature("GlobalActorIsolatedTypesUsability"),
        .enableUpcomingFeature("InferSendableFromCaptures"),
    ],
    "Swift5Minimal": [.swiftLanguageMode(.v5), .unsafeFlags(["-strict-concurrency=minimal"])],
    "Swift5Targeted": [.swiftLanguageMode(.v5), .unsafeFlags(["-strict-concurrency=targeted"])],
    "Swift5Complete": [.swiftLanguageMode(.v5), .unsafeFlags(["-strict-concurrency=complete"])],
    "InternalImports": [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
    ],
]

let package = Package(
    name: "Worlds",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "DiscreteNetworking", path: "../..")],
    targets: [
        .executableTarget(
            name: "Contract", dependencies: [networking], swiftSettings: [.treatAllWarnings(as: .error)]),
        // Its managers are generated when it is built.
        .target(
            name: "PoetryAPI", dependencies: [networking], swiftSettings: [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "GenerateManagersAtBuild", package: "DiscreteNetworking")]),
        .testTarget(
            name: "BuildTime", dependencies: ["PoetryAPI", networking, testing],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
        + worlds.sorted { $0.key < $1.key }.flatMap { name, settings in
            parts.sorted { $0.key < $1.key }.map { part, dependencies in
                .testTarget(
                    name: part + name, dependencies: dependencies,
                    // A link to App, Core or another: one target may not have the files of another.
                    path: "Tests/\(part)\(name)", swiftSettings: settings + [.treatAllWarnings(as: .error)])
            }
        },
    swiftLanguageModes: [.v6]
)
