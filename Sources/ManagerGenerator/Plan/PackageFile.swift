/// A manifest for the generated code as a package of its own, written once.
struct PackageFile {
    let module: String
    /// A path or a URL of the framework.
    let dependency: String
    let hasContracts: Bool

    private var name: String {
        dependency.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? ""
    }

    var file: GeneratedFile {
        GeneratedFile(path: "Package.swift", text: text, isWrittenOnce: true)
    }

    private var text: String {
        let isURL = dependency.contains("://")
        let package =
            isURL
            ? ".package(url: \(Literal.string(dependency)), branch: \"main\")"
            : ".package(name: \"DiscreteNetworking\", path: \(Literal.string(dependency)))"
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            func product(_ name: String) -> Target.Dependency {
                .product(name: name, package: \(Literal.string(isURL ? name : "DiscreteNetworking")))
            }

            let package = Package(
                name: \(Literal.string(module)),
                platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
                products: [.library(name: \(Literal.string(module)), targets: [\(Literal.string(module))])],
                dependencies: [\(package)],
                targets: [
            \(Self.targets(module, hasContracts: hasContracts).map { "        \($0)" }.joined(separator: "\n"))
                ],
                swiftLanguageModes: [.v6]
            )

            """
    }

    /// The lines of a manifest that the generated code needs.
    static func targets(_ module: String, hasContracts: Bool) -> [String] {
        let path = Literal.string(module)
        let targets = [
            ".target(name: \(path), dependencies: [product(\"DiscreteNetworking\")], path: \(path)),",
            ".testTarget(",
            "    name: \(Literal.string(module + "Tests")), dependencies: [\(path), product(\"DiscreteNetworkingTesting\")],",
            "    path: \(Literal.string(module + "Tests"))),",
        ]
        guard hasContracts else { return targets }
        return targets + [
            ".executableTarget(",
            "    name: \(Literal.string(module + "Contracts")), dependencies: [\(path), product(\"DiscreteNetworkingContracts\")],",
            "    path: \(Literal.string(module + "Contracts")), exclude: [\"Contracts\"]),",
        ]
    }
}
