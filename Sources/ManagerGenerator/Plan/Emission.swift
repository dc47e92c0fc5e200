import DiscreteNetworkingJSON

/// Emits the generated files.
struct Emission {
    /// That of the description first, then those that only some operations have.
    let services: [ServiceDescription]
    let operations: [Operation]
    let names: TypeNames
    let used: Set<Int>
    let options: GeneratorOptions
    let source: String
    let layout: ModuleLayout
    private let modelEmitter: ModelEmitter
    private let managers: ManagerEmitter
    private let tests: TestEmitter
    private let contracts: ContractEmitter
    private let unions: UnionTestEmitter
    private let pageTests: PageTestEmitter
    private let values: ValueTestEmitter
    let pages: [PageConformance]

    init(
        services: [ServiceDescription], operations: [Operation], models: [Model], used: Set<Int>,
        pagings: [PagingPattern],
        report: Report, options: GeneratorOptions, hashable: Set<Int>, source: String, sampler: SchemaSampler
    ) {
        let called = Set(operations.map(\.service.prefix))
        self.services = services.filter { $0.mainPrefix == nil || called.contains($0.prefix) }
        self.used = used
        self.options = options
        layout = ModuleLayout(options)
        self.source = source
        names = TypeNames(models: models)
        let graph = ModelGraph(models)
        var nested: [[String]: [Int]] = [:]
        for index in models.indices where !models[index].scope.isEmpty && used.contains(index) {
            nested[models[index].scope, default: []].append(index)
        }
        modelEmitter = ModelEmitter(
            names: names, nested: nested, storage: ModelStorage(models),
            alternatives: graph.inUnions(used), hashable: hashable,
            conversions: InputConversions(models))
        let paged = PageFinder(patterns: pagings, names: names, report: report).find(operations)
        pages = paged.pages
        self.operations = operations.map { operation in
            var operation = operation
            if let output = paged.outputs[operation.managerName] {
                operation.parameters.removeAll { output.parameters.contains($0.key) }
            }
            return operation
        }
        managers = ManagerEmitter(
            names: names, models: modelEmitter, pagings: paged.outputs)
        let samples = SampleMaker(names: names)
        tests = TestEmitter(
            names: names, managers: managers, module: options.module, samples: samples)
        pageTests = PageTestEmitter(
            names: names, module: options.module, pages: pages, sampler: sampler)
        let deprecated = Set(operations.filter(\.isDeprecated).map(\.managerName))
        values = ValueTestEmitter(
            names: names, module: options.module, deprecated: deprecated, used: used, sampler: sampler)
        unions = UnionTestEmitter(
            names: names, module: options.module,
            samples: UnionReading(names: names).samples(
                sampler, of: used.filter { models[$0].received == nil }, report: report),
            deprecated: deprecated)
        contracts = ContractEmitter(names: names, module: options.module, samples: samples)
    }

    /// The models at the top level that are written.
    private var topLevel: [Int] {
        names.models.indices.filter { index in
            let model = names.models[index]
            guard model.scope.isEmpty, used.contains(index) else { return false }
            if case .alias = model.kind {
                return model.same != nil || modelEmitter.nested[model.path] != nil
            }
            return true
        }
    }

    var modelCount: Int { used.count { names.models[$0].same == nil } }

    // MARK: Files

    /// - Throws: ``GeneratorError`` where texts that are used many times make too much of a description.
    func files() throws(GeneratorError) -> [GeneratedFile] {
        let module = options.module
        try layout.check(operations)
        var files = FileList()
        for (owner, text) in try code() {
            switch owner {
            case .operation(let position):
                let operation = operations[position]
                let path = "\(folder(operation))/\(operation.managerName).swift"
                try files.append(swift(layout.module(of: operation), path) { $0.add(text) })
            case .model(let index):
                try files.append(
                    swift(layout.models, "Models/\(names.models[index].name).swift") { $0.add(text) })
            }
        }
        for operation in operations {
            try files.append(
                swift("\(module)Tests/\(folder(operation))/\(operation.managerName)Tests.swift") {
                    tests.emit(operation, to: &$0)
                })
        }
        let emitters = services.map { ServiceEmitter($0, operations) }
        for emitter in emitters {
            try files.append(
                swift("\(module)/Service/\(emitter.protocolName).swift") {
                    emitter.emitDescription(to: &$0)
                })
            try files.append(
                once("\(module)/Service/\(emitter.className).swift") { emitter.emitClass(to: &$0) })
        }
        try files.append(
            swift("\(module)Tests/Support/TestSupport.swift") {
                tests.emitSupport(
                    emitters, hasUnions: !unions.samples.isEmpty, hasPages: !pageTests.samples.isEmpty,
                    hasValues: !values.samples.isEmpty,
                    to: &$0)
            })
        if !pageTests.samples.isEmpty {
            try files.append(
                swift("\(module)Tests/Support/PageTests.swift") { pageTests.emit(to: &$0) })
        }
        if !values.samples.isEmpty {
            try files.append(
                swift("\(module)Tests/Support/ValueTests.swift") { values.emit(to: &$0) })
        }
        if !unions.samples.isEmpty {
            try files.append(
                swift("\(module)Tests/Support/UnionTests.swift") { unions.emit(to: &$0) })
        }
        // Their program is a target of its own, which does not see what is internal.
        let subjects = options.access == .internal ? [] : contracts.subjects(operations)
        if !subjects.isEmpty {
            try files.append(
                swift("\(module)Contracts/Contracts.swift") {
                    contracts.emitMain(subjects, to: &$0)
                })
            try files.append(
                once("\(module)Contracts/ContractArguments.swift") {
                    contracts.emitArguments(subjects, to: &$0)
                })
        }
        let contractFiles = ContractFileEmitter(names: names)
        for operation in subjects.map(\.operation) {
            try files.append(
                GeneratedFile(
                    path: "\(module)Contracts/Contracts/\(operation.managerName).json",
                    text: contractFiles.file(operation),
                    isWrittenOnce: true))
        }
        if let dependency = options.package {
            try files.append(
                PackageFile(
                    layout: layout, dependency: dependency, hasContracts: !subjects.isEmpty
                ).file)
        }
        return files.files.sorted { $0.path < $1.path }
    }

    /// The managers and the models, by the files that they are in.
    private func code() throws(GeneratorError) -> [ModelFiles.Owner: Source] {
        var limit = SizeLimit()
        var code: [ModelFiles.Owner: Source] = [:]
        var texts: [(index: Int, text: Source)] = []
        for (position, operation) in operations.enumerated() {
            var text = Source()
            managers.emit(operation, to: &text)
            try limit.add(text.size)
            code[.operation(position)] = text
        }
        for index in topLevel {
            var text = Source()
            modelEmitter.emit(index, to: &text)
            for page in pages where page.model == index { page.emit(names, to: &text) }
            try limit.add(text.size)
            texts.append((index, text))
        }
        var lines = code.mapValues(\.count)
        for (index, text) in texts { lines[.model(index)] = text.count }
        let files = ModelFiles(
            topLevel, of: names.models, types: layout.isSplit ? [] : operations.map(\.types), lines: lines)
        for (index, text) in texts {
            let file = files.file(.model(index))
            // A file begins with the model that it is named after.
            if file == .model(index) {
                code[file] = code[file].map { text.followed(by: $0) } ?? text
            } else {
                code[file] = code[file]?.followed(by: text) ?? text
            }
        }
        return code
    }

    private func folder(_ operation: Operation) -> String {
        let taken: Set<String> = ["Models", "Service", "Support", "Contracts", ""]
        return taken.contains(operation.folder) ? operation.folder + "Managers" : operation.folder
    }

    /// A file with the imports of its module.
    private func swift(_ module: String, _ path: String, _ content: (inout Source) -> Void) -> GeneratedFile {
        swift("\(module)/\(path)", imports: ["DiscreteNetworking"] + layout.dependencies(of: module), content)
    }

    /// - Parameter imports: The modules to import; none where the content has its own imports.
    private func swift(
        _ path: String, imports: [String] = [], _ content: (inout Source) -> Void
    ) -> GeneratedFile {
        var body = Source()
        content(&body)
        let text = body.text
        var head = Source()
        head.add(
            "\(Generation.mark). Do not edit: the next run overwrites changes."
        )
        if Self.hasForeignNames(text) { head.add("// swift-format-ignore-file: IdentifiersMustBeASCII") }
        head.space()
        if !imports.isEmpty {
            let words = ["Date", "UUID", "Decimal", "Data"]
            let needsFoundation = Self.mentions(words, text)
            for name in (imports + (needsFoundation ? ["Foundation"] : [])).sorted() {
                head.add("import \(name)")
            }
            head.space()
        }
        var code = head.text + text.drop(while: \.isNewline)
        // Tests and contracts are not for others, and need all modules.
        let isCode = layout.modules.contains { path.hasPrefix($0 + "/") }
        if layout.isSplit, !isCode {
            for kind in ["@testable import", "import"] {
                code = code.replacingOccurrences(
                    of: "\n\(kind) \(options.module)\n",
                    with: "\n" + layout.modules.sorted().map { "\(kind) \($0)\n" }.joined())
            }
        }
        return GeneratedFile(
            path: path, text: isCode ? options.access.applied(to: code) : code, isWrittenOnce: false)
    }

    /// Whether one of these ASCII words stands alone in the code of a text.
    private static func mentions(_ words: [String], _ text: String) -> Bool {
        text.utf8.split(separator: UInt8(ascii: "\n")).contains { line in
            guard !line.drop(while: { $0 == UInt8(ascii: " ") }).starts(with: "///".utf8) else {
                return false
            }
            return line.split { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
                    false
                default: true
                }
            }
            .contains { part in words.contains { $0.utf8.elementsEqual(part) } }
        }
    }

    /// Whether names are in another script: they are kept, and a linter is told so.
    private static func hasForeignNames(_ text: String) -> Bool {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        return text.split(separator: "\n").contains { line in
            guard !line.utf8.allSatisfy({ $0 < 0x80 }), !line.drop(while: { $0 == " " }).hasPrefix("//")
            else { return false }
            var isInside = false
            var previous: Character = " "
            for character in line {
                if character == "\"", previous != "\\" { isInside.toggle() }
                if !isInside, !character.isASCII { return true }
                previous = character
            }
            return false
        }
    }

    private func once(_ path: String, _ content: (inout Source) -> Void) -> GeneratedFile {
        var body = Source()
        content(&body)
        return GeneratedFile(path: path, text: options.access.applied(to: body.text), isWrittenOnce: true)
    }

    /// - Parameter key: What identifies a schema from one run to the next.
    func manifest(_ files: [GeneratedFile], key: (Place) -> String) -> Manifest {
        var given = Dictionary(
            operations.map { ($0.endpoint, $0.managerName) }, uniquingKeysWith: { first, _ in first })
        for index in topLevel where GivenNames.isStable(names.models[index].place) {
            given[key(names.models[index].place)] = names.models[index].name
        }
        return Manifest(
            source: source, title: services[0].title, version: services[0].version,
            files: files.filter { !$0.isWrittenOnce }.map(\.path),
            onceFiles: files.filter(\.isWrittenOnce).map(\.path),
            digests: Dictionary(
                files.filter { !$0.isWrittenOnce }.map { ($0.path, Manifest.digest($0.text.utf8)) },
                uniquingKeysWith: { $1 }),
            names: GivenNames(given),
            surface: Surface(operations, names: names, used: used, managers: managers, models: modelEmitter))
    }
}
