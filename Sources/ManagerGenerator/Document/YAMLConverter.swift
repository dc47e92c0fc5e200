import DiscreteNetworkingJSON
import Foundation

/// Turns YAML into JSON with a Ruby or Python that is installed: macOS has the first, most others the second.
///
/// Both read the core schema of YAML 1.2 (section 10.3), as OpenAPI asks: `no` is a word, `12:30` is a text, and a date stays
/// one. Neither makes objects of a document's tags, and what aliases would make of a few lines is measured before it is made.
enum YAMLConverter {
    private static let nodeLimit = 5_000_000

    private static let ruby = """
        require "psych"; require "json"
        class Core < Psych::ScalarScanner
          def tokenize(text)
            case text
            when nil, "", "~", /\\A(?:null|Null|NULL)\\z/ then nil
            when /\\A(?:true|True|TRUE)\\z/ then true
            when /\\A(?:false|False|FALSE)\\z/ then false
            when /\\A[-+]?[0-9]+\\z/ then text.to_i
            when /\\A0o[0-7]+\\z/ then text[2..-1].to_i(8)
            when /\\A0x[0-9a-fA-F]+\\z/ then text.hex
            when /\\A[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\\z/ then text.sub(/\\.(?=[eE]|\\z)/, "").to_f
            else text
            end
          end
        end
        def size(value, known)
          children = value.is_a?(Hash) ? value.values : value.is_a?(Array) ? value : (return 1)
          known[value] ||= (known[value] = Float::INFINITY; 1 + children.sum { |child| size(child, known) })
        end
        classes = Psych::ClassLoader::Restricted.new([], [])
        document = Psych.parse(STDIN.read.force_encoding("UTF-8"))
        value = document ? Psych::Visitors::ToRuby.new(Core.new(classes), classes).accept(document) : nil
        abort "its aliases make more than \(nodeLimit) values of it" if size(value, {}.compare_by_identity) > \(nodeLimit)
        puts JSON.generate(value, max_nesting: 600)
        """
    /// Without the working directory among the places of its modules: a `yaml.py` there would be run.
    private static let python = """
        import sys
        sys.path = [path for path in sys.path if path]
        import json, re, yaml
        class Core(yaml.SafeLoader): yaml_implicit_resolvers = {}
        def scalar(tag, pattern, first): Core.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), first)
        scalar("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""])
        scalar("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF"))
        scalar("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", list("-+0123456789"))
        scalar("float", r"^[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789"))
        scalar("merge", r"^<<$", ["<"])
        Core.add_constructor("tag:yaml.org,2002:int", lambda l, n: int(n.value, 0 if n.value[:2] in ("0o", "0x") else 10))
        Core.add_constructor("tag:yaml.org,2002:float", lambda l, n: float(n.value))
        def size(value, known):
            if not isinstance(value, (dict, list)): return 1
            if id(value) not in known:
                known[id(value)] = float("inf")
                children = value.values() if isinstance(value, dict) else value
                known[id(value)] = 1 + sum(size(child, known) for child in children)
            return known[id(value)]
        value = yaml.load(sys.stdin.buffer.read(), Core)
        if size(value, {}) > \(nodeLimit): sys.exit("its aliases make more than \(nodeLimit) values of it")
        json.dump(value, sys.stdout)
        """

    /// The converters in the order they are tried.
    private static let tools: [(name: String, arguments: [String])] = [
        ("python3", ["-c", python]), ("ruby", ["-e", ruby]),
    ]

    /// - Parameter path: where the tools are, as in the variable `PATH`.
    static func json(
        _ yaml: Data, of name: String,
        path: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    ) throws(GeneratorError) -> JSONValue {
        var complaint: String?
        for tool in tools {
            guard let executable = executable(tool.name, in: path) else { continue }
            let (status, output, errors) = try run(executable, tool.arguments, input: yaml)
            if status == 0, let value = try? JSONValue(parsing: output) { return value }
            let last = String(decoding: errors, as: UTF8.self).split(separator: "\n").last.map(String.init)
            // Without its module Python says nothing about the document.
            if last?.contains("No module named") != true { complaint = last ?? "\(tool.name) gave up" }
        }
        if let complaint { throw GeneratorError("\(name) is not YAML that can be read: \(complaint)") }
        throw GeneratorError(
            """
            \(name) is YAML, and neither a ruby nor a python3 with the module yaml is installed. Convert it where \
            there is one: ruby -ryaml -rjson -e 'puts JSON.generate(YAML.safe_load(STDIN.read))' < openapi.yaml > openapi.json
            """)
    }

    private static func executable(_ tool: String, in path: String) -> String? {
        path.split(separator: ":").map { "\($0)/\(tool)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
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
