// swift-tools-version: 6.2
// An outside package, as an app has one. The files of App compile in every world that an app may live in, unchanged
// and without a warning, and their tests pass there.
import PackageDescription

let networking = Target.Dependency.product(name: "DiscreteNetworking", package: "DiscreteNetworking")
let testing = Target.Dependency.product(name: "DiscreteNetworkingTesting", package: "DiscreteNetworking")

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
        + worlds.sorted { $0.key < $1.key }.map { name, settings in
            .testTarget(
                name: name, dependencies: [networking, testing],
                // A link to App: one target may not have the files of another.
                path: "Tests/\(name)", swiftSettings: settings + [.treatAllWarnings(as: .error)])
        },
    swiftLanguageModes: [.v6]
)
