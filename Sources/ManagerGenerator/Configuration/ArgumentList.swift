import DiscreteNetworkingCommands

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

    init(_ arguments: [String]) throws(UsageError) {
        var rest = CommandArguments(arguments, help: GeneratorOptions.help)
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--check": isCheck = true
            case "--config": configuration = try rest.value()
            case "--learn": learn = try rest.value()
            case "--header": headers.append(try Self.header(try rest.value()))
            case "--single-file": singleFile = try rest.value()
            case let flag where flag.hasPrefix("-"):
                guard let name = OptionName.allCases.first(where: { $0.flag == flag }) else {
                    throw rest.unknown()
                }
                let value = try rest.value()
                if name.isList { values[name, default: []].append(value) } else { values[name] = [value] }
            case let path:
                if let input = values[.input]?.first {
                    throw UsageError("There is one input, \(input); \(path) is too much.")
                }
                values[.input] = [path]
            }
        }
    }

    private static func header(_ text: String) throws(UsageError) -> NamePair {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].isToken else {
            throw UsageError("--header needs a field such as 'Authorization: Bearer …'.")
        }
        return NamePair(name: parts[0], value: String(parts[1].drop { $0 == " " }))
    }
}
