import DiscreteNetworkingJSON
import Foundation

/// Turns YAML into JSON with a Ruby or Python that is installed: macOS has the first, most others the second.
///
/// Both read the core schema of YAML 1.2 (section 10.3), as OpenAPI asks: `no` is a word, `12:30` is a text, and a date stays
/// one. Neither makes objects of a document's tags, and what aliases and merge keys would make of a few lines is measured
/// before it is made.
enum YAMLConverter {
    /// The limit of values, of the document and of what its aliases make of it.
    private static let valueLimit = 2_000_000

    /// The converters in the order they are tried.
    private static let tools: [(name: String, arguments: [String])] = [
        ("python3", ["-c", text(PackageResources.yaml_converter_py)]),
        ("ruby", ["-e", text(PackageResources.yaml_converter_rb)]),
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The values of several documents, by one process; `nil` if one of them cannot be converted.
    static func values(of documents: [Data], limits: DocumentLimits = DocumentLimits(), path: String)
        -> [JSONValue]?
    {
        guard documents.count > 1 else { return nil }
        let lengths = documents.map { String($0.count) }.joined(separator: ",")
        let all = try? json(
            documents.reduce(Data(), +), lengths: lengths, of: "\(documents.count) files", limits: limits,
            path: path)
        guard let values = all?.array, values.count == documents.count else { return nil }
        return values
    }

    /// - Parameters:
    ///   - lengths: the lengths of several documents with commas between them; their values are in an array.
    ///   - path: where the tools are, as in the variable `PATH`.
    static func json(
        _ yaml: Data, lengths: String? = nil, of name: String, limits: DocumentLimits = DocumentLimits(),
        path: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    ) throws(GeneratorError) -> JSONValue {
        let numbers =
            [lengths ?? String(yaml.count)]
            + [Int(limits.conversionTime.rounded(.up)), valueLimit].map(String.init)
        for tool in tools {
            guard let executable = executable(tool.name, in: path) else { continue }
            let converter = ConverterProcess(
                path: executable, arguments: tool.arguments + numbers, time: limits.conversionTime,
                outputLimit: limits.totalBytes)
            switch try converter.run(yaml) {
            case .ended(status: 0, let output, _):
                guard let value = try? JSONValue(parsing: output) else {
                    throw GeneratorError("\(name) is YAML that is nested too deeply.")
                }
                return value
            case .ended(_, _, let errors):
                let last = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last
                // Without its module Python says nothing about the document.
                if last?.contains("No module named") == true { continue }
                throw GeneratorError(
                    "\(name) is not YAML that can be read: \(last.map(String.init) ?? "\(tool.name) gave up")"
                )
            case .tookTooLong:
                throw GeneratorError(
                    "\(name) took \(tool.name) more than \(numbers[1]) seconds to read. Convert it to JSON first."
                )
            case .wroteTooMuch:
                throw GeneratorError(
                    "\(name) is larger than \(DocumentLimits.text(limits.totalBytes)) as JSON.")
            }
        }
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
}
