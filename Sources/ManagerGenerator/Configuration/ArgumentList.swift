/// The arguments of the command, before their values are checked.
struct ArgumentList {
    private(set) var values: [OptionName: [String]] = [:]
    /// The path of the configuration file.
    private(set) var configuration: String?
    /// The recording with which the description is compared.
    private(set) var learn: String?
    /// What each call to a server has besides, to learn from it.
    private(set) var headers: [NamePair] = []
    /// The file that takes the code of the module.
    private(set) var singleFile: String?
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
            case "--learn": learn = try value()
            case "--header": headers.append(try Self.header(try value()))
            case "--single-file": singleFile = try value()
            case let flag where flag.hasPrefix("-"):
                guard let name = OptionName.allCases.first(where: { $0.flag == flag }) else {
                    let flags =
                        OptionName.allCases.compactMap(\.flag) + [
                            "--config", "--learn", "--header", "--single-file", "--check", "--help",
                        ]
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

    private static func header(_ text: String) throws(GeneratorError) -> NamePair {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].isToken else {
            throw GeneratorError("--header needs a field such as 'Authorization: Bearer …'.")
        }
        return NamePair(name: parts[0], value: String(parts[1].drop { $0 == " " }))
    }

    /// `--name=value` is the same as `--name value`.
    private static func split(_ argument: String) -> [String] {
        guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return [argument] }
        return [String(argument[..<equals]), String(argument[argument.index(after: equals)...])]
    }
}
