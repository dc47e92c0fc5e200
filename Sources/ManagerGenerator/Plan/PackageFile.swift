/// A manifest for the generated code as a package of its own, written once.
struct PackageFile {
    let layout: ModuleLayout
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
        let module = layout.main
        let libraries = layout.modules.map(Literal.string).joined(separator: ", ")
        let package =
            isURL
            ? ".package(url: \(Literal.string(dependency)), branch: \"main\")"
            : ".package(name: \"DiscreteNetworking\", path: \(Literal.string(dependency)))"
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: \(Literal.string(module)),
                platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v9), .visionOS(.v1)],
                products: [.library(name: \(Literal.string(module)), targets: [\(libraries)])],
                dependencies: [\(package)],
                targets: [
            \(Self.targets(layout, of: isURL ? name : "DiscreteNetworking", hasContracts: hasContracts).map { "        \($0)" }.joined(separator: "\n"))
                ],
                swiftLanguageModes: [.v6]
            )

            """
    }

    /// The lines of a manifest that the generated code needs.
    /// - Parameter package: The name of the framework's package.
    static func targets(
        _ layout: ModuleLayout, of package: String = "DiscreteNetworking", hasContracts: Bool
    ) -> [String] {
        func product(_ name: String) -> String {
            ".product(name: \(Literal.string(name)), package: \(Literal.string(package)))"
        }
        let module = layout.main
        /// A target that uses all modules and a product of the framework.
        func beside(_ kind: String, _ name: String, _ product: String, excluding excluded: String = "")
            -> [String]
        {
            [
                ".\(kind)(",
                "    name: \(Literal.string(name)),",
                "    dependencies: [",
            ] + layout.modules.map { "        \(Literal.string($0))," } + [
                "        \(product),",
                "    ],",
                "    path: \(Literal.string(name))\(excluded)),",
            ]
        }
        /// A target of the generated code.
        func library(_ name: String) -> [String] {
            let dependencies = layout.dependencies(of: name).map { Literal.string($0) + "," }
            return [".target(", "    name: \(Literal.string(name)),", "    dependencies: ["]
                + (dependencies + [product("DiscreteNetworking") + (dependencies.isEmpty ? "" : ",")])
                .map { "        " + $0 } + ["    ],", "    path: \(Literal.string(name))),"]
        }
        let targets =
            layout.modules.flatMap(library)
            + beside("testTarget", module + "Tests", product("DiscreteNetworkingTesting"))
        guard hasContracts else { return targets }
        return targets
            + beside(
                "executableTarget", module + "Contracts", product("DiscreteNetworkingContracts"),
                excluding: ", exclude: [\"Contracts\"]")
    }
}
