import DiscreteNetworkingJSON
import Foundation

/// Turns YAML into JSON with a Ruby or Python that is installed: macOS has the first, most others the second.
enum YAMLConverter {
    private static let ruby = """
        require "yaml"; require "json"
        puts JSON.generate(YAML.respond_to?(:unsafe_load) ? YAML.unsafe_load(STDIN.read) : YAML.load(STDIN.read))
        """
    private static let python = """
        import sys, json, yaml, datetime
        class Loader(yaml.SafeLoader): pass
        Loader.yaml_implicit_resolvers = {k: [(t, r) for t, r in v if t != "tag:yaml.org,2002:timestamp"] \
        for k, v in yaml.SafeLoader.yaml_implicit_resolvers.items()}
        json.dump(yaml.load(sys.stdin.buffer.read(), Loader), sys.stdout)
        """

    /// The converters in the order they are tried.
    private static let tools: [(name: String, arguments: [String])] = [
        ("python3", ["-c", python]), ("ruby", ["-e", ruby]),
    ]

    static func json(_ yaml: Data, of name: String) throws(GeneratorError) -> JSONValue {
        var complaint: String?
        for tool in tools {
            guard let path = path(of: tool.name) else { continue }
            let (status, output, errors) = try run(path, tool.arguments, input: yaml)
            if status == 0, let value = try? JSONValue(parsing: output) { return value }
            let last = String(decoding: errors, as: UTF8.self).split(separator: "\n").last.map(String.init)
            // Without its module Python says nothing about the document.
            if last?.contains("No module named") != true { complaint = last ?? "\(tool.name) gave up" }
        }
        if let complaint { throw GeneratorError("\(name) is not YAML that can be read: \(complaint)") }
        throw GeneratorError(
            """
            \(name) is YAML, and neither a ruby nor a python3 with the module yaml is installed. Convert it where \
            there is one: ruby -ryaml -rjson -e 'puts JSON.generate(YAML.load(STDIN.read))' < openapi.yaml > openapi.json
            """)
    }

    private static func path(of tool: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            .map { "\($0)/\(tool)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func run(
        _ path: String, _ arguments: [String], input: Data
    ) throws(GeneratorError) -> (status: Int32, output: Data, errors: Data) {
        #if os(macOS) || os(Linux)
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("generate-managers-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            do {
                // Files instead of pipes: none can fill up while nobody reads it.
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let files = ["input", "output", "errors"].map(folder.appendingPathComponent)
                try input.write(to: files[0])
                for file in files.dropFirst() { try Data().write(to: file) }
                let process = Process()
                process.executableURL = URL(fileURLWithPath: path)
                process.arguments = arguments
                process.standardInput = try FileHandle(forReadingFrom: files[0])
                process.standardOutput = try FileHandle(forWritingTo: files[1])
                process.standardError = try FileHandle(forWritingTo: files[2])
                try process.run()
                process.waitUntilExit()
                return (
                    process.terminationStatus, try Data(contentsOf: files[1]), try Data(contentsOf: files[2])
                )
            } catch {
                throw GeneratorError("\(path) cannot be run: \(error.localizedDescription)")
            }
        #else
            throw GeneratorError("YAML is converted on macOS and Linux only.")
        #endif
    }
}
