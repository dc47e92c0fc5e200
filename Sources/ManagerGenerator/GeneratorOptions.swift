import Foundation

/// What the command line asks for.
struct GeneratorOptions: Sendable, Equatable {
    var input = ""
    var output = "Generated"
    var module = ""
    /// The identifier of the service; `nil` takes the title of the description.
    var service: String?
    var include: [String] = []
    var paging: [String] = []
    /// Whether a form's arrays of objects have no indexes: `items[][price]`.
    var hasBracketArrays = false
    /// Where a manifest for the generated code finds the framework; `nil` writes none.
    var package: String?
    var isCheck = false
    var wantsHelp = false

    init(input: String = "", output: String = "Generated", module: String = "API") {
        self.input = input
        self.output = output
        self.module = module
    }

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
            case "--output": output = try value()
            case "--module": module = try value()
            case "--service": service = try value()
            case "--include": include.append(try value())
            case "--paging": paging.append(try value())
            case "--package": package = try value()
            case "--form-arrays":
                let style = try value()
                guard ["indexed", "brackets"].contains(style) else {
                    throw GeneratorError("--form-arrays needs indexed or brackets, not \(style).")
                }
                hasBracketArrays = style == "brackets"
            case "--check": isCheck = true
            case let option where option.hasPrefix("-"): throw GeneratorError("Unknown option \(option).")
            case let path:
                guard input.isEmpty else {
                    throw GeneratorError("There is one input, \(input); \(path) is too much.")
                }
                input = path
            }
        }
        guard !wantsHelp else { return }
        guard !input.isEmpty else { throw GeneratorError("Which description? Give its path or its URL.") }
        guard !module.isEmpty else {
            throw GeneratorError("--module says what the generated module is called, such as ShopAPI.")
        }
        let isName = module.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_")
        }
        guard isName, module.first?.isNumber == false else {
            throw GeneratorError("--module needs a Swift name, such as ShopAPI, not \(module).")
        }
    }

    /// `--name=value` is the same as `--name value`.
    private static func split(_ argument: String) -> [String] {
        guard argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") else { return [argument] }
        return [String(argument[..<equals]), String(argument[argument.index(after: equals)...])]
    }

    static let help = """
        Usage: generate-managers DESCRIPTION --module NAME [options]

        Writes managers, models, a service, tests and contracts from an OpenAPI 3.0 or 3.1 or a Swagger 2.0 description, in
        JSON or YAML, from a file or a URL. Ends with status 0, with 1 where --check finds a change that breaks callers, and
        with 2 where nothing could be done.

          --module NAME       the module, such as ShopAPI; its tests are in NAMETests, its contracts in NAMEContracts
          --output FOLDER     where they go (default: Generated)
          --service NAME      the service's identifier (default: from the title of the description)
          --include TERM      only tag:NAME, path:/BEGINNING or operation:ID; may be given several times
          --paging PATTERN    number:PAGE,SIZE, offset:OFFSET,LIMIT or cursor:CURSOR,LIMIT: operations with these
                              parameters become lists that are loaded page by page; may be given several times
          --form-arrays STYLE indexed (default) or brackets: a form's array of objects as items[0][price], or as
                              items[][price], which Rails reads
          --package PLACE     also write a Package.swift, once, that finds the framework at this path or URL
          --check             write nothing; say what changed since the last time, and what of it breaks callers
          --help              show this
        """
}
