import Foundation
import PackagePlugin

/// `swift package generate-managers openapi.json --output Sources --module ShopAPI`: the tool of the same name, for packages
/// that depend on this one.
@main
struct GenerateManagers: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let process = Process()
        process.executableURL = try context.tool(named: "generate-managers").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            // The tool has said why; its status is for scripts.
            exit(process.terminationStatus)
        }
    }
}
