import Foundation
import PackagePlugin

/// Generates the managers of a target when it is built, from the description in its folder, by the options of its
/// `generate-managers.json` (or `.yaml`, `.yml`). They are in one file, which nobody commits.
@main
struct GenerateManagersAtBuild: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        return try commands(
            module: target.moduleName, files: target.sourceFiles.map(\.url),
            tool: context.tool(named: "generate-managers").url,
            output: context.pluginWorkDirectoryURL)
    }

    func commands(module: String, files: [URL], tool: URL, output: URL) throws -> [Command] {
        let names = ["generate-managers.json", "generate-managers.yaml", "generate-managers.yml"]
        let configurations = files.filter { names.contains($0.lastPathComponent) }
        guard let configuration = configurations.first, configurations.count == 1 else {
            Diagnostics.error(
                configurations.isEmpty
                    ? "\(module) needs generate-managers.json in its folder, with the input: { \"input\": \"openapi.yaml\" }."
                    : "\(module) has several files generate-managers.json, .yaml or .yml. Remove all but one."
            )
            return []
        }
        let file = output.appendingPathComponent("\(module).swift")
        // Descriptions and overlays: the tool is run again when one of them changes.
        let inputs = files.filter { ["json", "yaml", "yml"].contains($0.pathExtension.lowercased()) }
        return [
            .buildCommand(
                displayName: "Generate the managers of \(module)", executable: tool,
                arguments: [
                    "--config", configuration.path, "--module", module, "--single-file", file.path,
                ], inputFiles: inputs, outputFiles: [file])
        ]
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension GenerateManagersAtBuild: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            try commands(
                module: target.product?.name ?? target.displayName, files: target.inputFiles.map(\.url),
                tool: context.tool(named: "generate-managers").url, output: context.pluginWorkDirectoryURL)
        }
    }
#endif
