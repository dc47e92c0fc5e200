/// The arguments of the command, before their values are checked.
struct ArgumentList {
    private(set) var values: [OptionName: [String]] = [:]
    /// The path of the configuration file.
    private(set) var configuration: String?
    private(set) var isCheck = false
    private(set) var wantsHelp = false

    init(_ arguments: [String]) throws(GeneratorError) {
        var rest = arguments.flatMap(Self.split)[...]
        while let argument = rest.popFirst() {
            func value() throws(GeneratorError) -> String {
                guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
                    throw GeneratorError("\(argument) needs a value.")
                }
                return value
            }
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--check": isCheck = true
            case "--config": configuration = try value()
            case let flag where flag.hasPrefix("-"):
                guard let name = OptionName.allCases.first(where: { $0.flag == flag }) else {
                    let flags = OptionName.allCases.compactMap(\.flag) + ["--config", "--check", "--help"]
                    throw GeneratorError("Unknown option \(flag).\(NearName.hint(flag, among: flags))")
                }
                let value = try value()
                if name.isList { values[name, default: []].append(value) } else { values[name] = [value] }
            case let path:
                if let input = values[.input]?.first {
                    throw GeneratorError("There is one input, \(input); \(path) is too much.")
                }
                values[.input] = [path]
            }
        }
    }

    /// `--name=value` is the same as `--name value`.
    private static func split(_ argument: String) -> [String] {
        guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return [argument] }
        return [String(argument[..<equals]), String(argument[argument.index(after: equals)...])]
    }
}
