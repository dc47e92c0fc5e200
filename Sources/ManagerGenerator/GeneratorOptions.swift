import Foundation

/// The options of a run, from the command line and the configuration file.
struct GeneratorOptions: Sendable, Equatable {
    var input = ""
    var output = "Generated"
    var module = ""
    /// The identifier of the service; `nil` takes the title of the description.
    var service: String?
    var include: [String] = []
    var exclude: [String] = []
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

    /// - Parameter folder: the working directory, in which the configuration file is looked for.
    init(
        _ arguments: [String],
        in folder: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
    ) throws(GeneratorError) {
        let line = try ArgumentList(arguments)
        isCheck = line.isCheck
        wantsHelp = line.wantsHelp
        guard !wantsHelp else { return }
        let file = try ConfigurationFile(line.configuration, in: folder)
        // A list of the command line takes the place of the file's list.
        let values = (file?.values ?? [:]).merging(line.values) { _, given in given }
        input = values[.input]?.first ?? ""
        output = values[.output]?.first ?? output
        module = values[.module]?.first ?? ""
        service = values[.service]?.first
        include = values[.include] ?? []
        exclude = values[.exclude] ?? []
        paging = values[.paging] ?? []
        package = values[.package]?.first
        if let style = values[.formArrays]?.first {
            guard ["indexed", "brackets"].contains(style) else {
                throw GeneratorError("--form-arrays needs indexed or brackets, not \(style).")
            }
            hasBracketArrays = style == "brackets"
        }
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

    static let help = """
        Usage: generate-managers DESCRIPTION --module NAME [options]

        Writes managers, models, a service, tests and contracts from an OpenAPI 3.0, 3.1 or 3.2 or a Swagger 2.0 description,
        in JSON or YAML, from a file or a URL, or from recorded calls: a HAR file, or a cassette of this framework. Ends with status 0, with 1 where --check finds a change that breaks callers, and
        with 2 where nothing could be done.

          --module NAME       the module, such as ShopAPI; its tests are in NAMETests, its contracts in NAMEContracts
          --output FOLDER     where they go (default: Generated)
          --service NAME      the service's identifier (default: from the title of the description)
          --include TERM      only tag:NAME, path:/BEGINNING or operation:ID; may be given several times
          --exclude TERM      all but these, in the same terms; it wins over --include
          --paging PATTERN    number:PAGE,SIZE, offset:OFFSET,LIMIT or cursor:CURSOR,LIMIT: operations with these
                              parameters become lists that are loaded page by page; may be given several times
          --form-arrays STYLE indexed (default) or brackets: a form's array of objects as items[0][price], or as
                              items[][price], which Rails reads
          --package PLACE     also write a Package.swift, once, that finds the framework at this path or URL
          --config FILE       the options in a file (default: generate-managers.json, .yaml or .yml in the working
                              directory): input, output, module, service, include, exclude, paging, formArrays and
                              package; paths are relative to the file, and the command line overrides it
          --check             write nothing; say what changed since the last time, and what of it breaks callers
          --help              show this
        """
}
