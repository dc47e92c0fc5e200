import DiscreteNetworkingCommands
import Foundation

/// The options of a run, from the command line and the configuration file.
struct GeneratorOptions: Sendable, Equatable {
    var input = ""
    var output = "Generated"
    var module = ""
    /// The module of the models; `nil` is ``module``.
    var modelsModule: String?
    /// The modules of managers by their first tag; others are in ``module``.
    var tagModules: [NamePair] = []
    /// The identifier of the service; `nil` takes the title of the description.
    var service: String?
    var include: [String] = []
    var exclude: [String] = []
    var paging: [String] = []
    /// The paths of recorded calls that the user names.
    var paths: [PathTemplate] = []
    /// The overlays that correct the description, in this order.
    var overlays: [String] = []
    var corrections = ShortCorrections()
    /// Swift types by formats.
    var formats: [NamePair] = []
    /// Folders by the beginnings of the URLs of their documents.
    var savedDocuments: [NamePair] = []
    /// New names by schemas, operation ids and endpoints.
    var renames: [NamePair] = []
    /// What names of schemas, operations and paths begin with and Swift names do not.
    var strippedPrefixes: [String] = []
    /// The models that conform to `Hashable`; `*` means all.
    var hashable: [String] = []
    var access = AccessLevel.public
    /// Whether a form's arrays of objects have no indexes: `items[][price]`.
    var hasBracketArrays = false
    /// Where a manifest for the generated code finds the framework; `nil` writes none.
    var package: String?
    /// The recording with which the description is compared; `nil` generates.
    var learn: String?
    /// What each call to a server has besides, to learn from it.
    var headers: [NamePair] = []
    /// The file that takes the code of the module, without tests and contracts; `nil` writes folders.
    var singleFile: String?
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
        let line: ArgumentList
        do throws(UsageError) { line = try ArgumentList(arguments) } catch {
            throw GeneratorError(error.message)
        }
        isCheck = line.isCheck
        learn = line.learn
        headers = line.headers
        singleFile = line.singleFile
        wantsHelp = line.wantsHelp
        guard !wantsHelp else { return }
        let file = try ConfigurationFile(line.configuration, in: folder)
        // A list of the command line takes the place of the file's list.
        let values = (file?.values ?? [:]).merging(line.values) { _, given in given }
        input = values[.input]?.first ?? ""
        output = values[.output]?.first ?? output
        module = values[.module]?.first ?? ""
        modelsModule = values[.modelsModule]?.first
        tagModules = try OptionName.tagModule.pairs(values[.tagModule] ?? [])
        service = values[.service]?.first
        include = values[.include] ?? []
        exclude = values[.exclude] ?? []
        paging = values[.paging] ?? []
        paths = try (values[.path] ?? []).map { text throws(GeneratorError) in try PathTemplate(text) }
        overlays = values[.overlay] ?? []
        corrections.optional = values[.optional] ?? []
        corrections.nullable = values[.nullable] ?? []
        corrections.types = try OptionName.type.pairs(values[.type] ?? [])
        formats = try OptionName.mapFormat.pairs(values[.mapFormat] ?? [])
        savedDocuments = try OptionName.mapUrl.pairs(values[.mapUrl] ?? [])
        renames = try OptionName.rename.pairs(values[.rename] ?? [])
        strippedPrefixes = values[.stripPrefix] ?? []
        hashable = values[.hashable] ?? []
        if let name = values[.access]?.first {
            guard let level = AccessLevel(rawValue: name) else {
                throw GeneratorError("--access needs public, package or internal, not \(name).")
            }
            access = level
        }
        package = values[.package]?.first
        if let style = values[.formArrays]?.first {
            guard ["indexed", "brackets"].contains(style) else {
                throw GeneratorError("--form-arrays needs indexed or brackets, not \(style).")
            }
            hasBracketArrays = style == "brackets"
        }
        guard !input.isEmpty else { throw GeneratorError("Which description? Give its path or its URL.") }
        guard learn == nil else { return }
        guard !module.isEmpty else {
            throw GeneratorError("--module says what the generated module is called, such as ShopAPI.")
        }
        try checkModules()
    }

    private func checkModules() throws(GeneratorError) {
        let named =
            [("--module", module)] + (modelsModule.map { [("--models-module", $0)] } ?? [])
            + tagModules.map { ("--tag-module \($0.name)", $0.value) }
        for (option, name) in named {
            let isName = name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_")
            }
            guard isName, name.first?.isNumber == false else {
                throw GeneratorError("\(option) needs a Swift name, such as ShopAPI, not \(name).")
            }
            // Its files import these modules, and its manifest has the name as an identifier.
            guard SwiftName.escaped(name) == name, !ModuleLayout.isTaken(name) else {
                throw GeneratorError(
                    "\(option) \(name) is the name of a keyword or of a module that the code imports; take another one, such as ShopAPI."
                )
            }
        }
        guard ModuleLayout(self).isSplit else { return }
        guard
            modelsModule == nil || modelsModule == module
                || !tagModules.map(\.value).contains(modelsModule ?? "")
        else {
            throw GeneratorError("--models-module and --tag-module need different modules.")
        }
        guard access != .internal else {
            throw GeneratorError("--access internal goes with one module; with several, use package.")
        }
        guard singleFile == nil else { throw GeneratorError("--single-file goes with one module.") }
    }

    static let help = """
        Usage: generate-managers DESCRIPTION --module NAME [options]

        Writes managers, models, a service, tests and contracts from an OpenAPI 3.0, 3.1 or 3.2 or a Swagger 2.0 description,
        in JSON or YAML, from a file or a URL, or from recorded calls: a HAR file, or a cassette of this framework.

        Exit status: 0 if all was written; 1 if --check finds a change that breaks callers; 2 if nothing could be done; 3 if
        references lead nowhere, and what needs them was left out and named; 64 for wrong options.

          --module NAME       the module, such as ShopAPI; its tests are in NAMETests, its contracts in NAMEContracts
          --models-module N   the models are in a module of their own, such as ShopModels
          --tag-module TAG=N  managers with this first tag are in a module of their own; may be given several times
          --output FOLDER     where they go (default: Generated)
          --service NAME      the service's identifier (default: from the title of the description)
          --include TERM      only tag:NAME, path:/BEGINNING or operation:ID; may be given several times
          --exclude TERM      all but these, in the same terms; it wins over --include
          --path TEMPLATE     a path of recorded calls, such as /contents/{path}, or /files/{path+} for several segments;
                              may be given several times
          --paging PATTERN    number:PAGE,SIZE, offset:OFFSET,LIMIT or cursor:CURSOR,LIMIT: operations with these
                              parameters become lists that are loaded page by page; may be given several times
          --overlay FILE      corrects the description by an OpenAPI Overlay 1.0 document; may be given several times
          --optional NAME     a property that may be absent, such as Pet.name; a schema such as Pet means all of its own
          --nullable NAME     a property or schema that may be null
          --type NAME=TYPE    the type of a property or schema: string, string/date, integer, any, or another schema
          --map-format F=TYPE the Swift type of a format: String, Int, Int64, UInt64, Double, Decimal, Date, FullDate,
                              UUID, Data or JSONValue
          --map-url URL=PATH  the folder with saved documents of another server, by the beginning of the URLs that refer
                              to them; may be given several times, and is an object in a configuration file
          --rename OLD=NEW    the Swift name of a schema, of an operation by its id, or of "GET /pets"; these four may be
                              given several times, and are objects or lists in a configuration file
          --strip-prefix TEXT what names of schemas, operation ids and paths (/api/v1) begin with and Swift names do not
          --hashable NAME     a model that is Hashable, such as Pet, with what is in it; * means all; may be given several
                              times
          --access LEVEL      public (default), package, or internal, which leaves out the contracts
          --form-arrays STYLE indexed (default) or brackets: a form's array of objects as items[0][price], or as
                              items[][price], which Rails reads
          --package PLACE     also write a Package.swift, once, that finds the framework at this path or URL
          --config FILE       the options in a file (default: generate-managers.json, .yaml or .yml in the working
                              directory): the options above by their names, such as input, output, formArrays; paths are
                              relative to the file, and the command line overrides it
          --learn RECORDING   write nothing but corrections: compare the responses of a HAR file or a cassette with the
                              description, and add what is wrong in it to the last --overlay, a JSON file. With the URL
                              of a server, call its GETs that need no argument, or one of a response before
          --header FIELD      what these calls have besides, such as 'Authorization: Bearer …'
          --single-file FILE  write the code of the module only, without the service's class, tests and contracts, for
                              the build-time plugin
          --check             write nothing; say what changed since the last time, and what of it breaks callers
          --help              show this
        """
}
