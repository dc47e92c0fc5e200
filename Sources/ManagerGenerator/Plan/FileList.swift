/// The generated files, of limited size.
struct FileList {
    private(set) var files: [GeneratedFile] = []
    private var limit = SizeLimit()

    mutating func append(_ file: GeneratedFile) throws(GeneratorError) {
        try limit.add(file.text.utf8.count)
        files.append(file)
    }
}

/// How much is generated.
struct SizeLimit {
    private var size = 0
    private static let limit = 512 << 20

    /// - Parameter count: A number of bytes.
    mutating func add(_ count: Int) throws(GeneratorError) {
        size += count
        guard size <= Self.limit else {
            throw GeneratorError(
                "The generated files are larger than \(DocumentLimits.text(Self.limit)). Choose a part of the description with --include."
            )
        }
    }
}
