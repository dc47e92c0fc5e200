import Foundation

/// What the documents of a description may cost. Anybody may have written them.
struct DocumentLimits: Sendable {
    /// The size of one document in bytes, decompressed.
    var bytes = 64 << 20
    /// The size of all documents in bytes.
    var totalBytes = 256 << 20
    /// The number of documents of a server, the first included.
    var documents = 500
    /// The number of files: some makers keep each operation and each schema in one.
    var files = 5_000
    /// The number of JSON values in one document.
    var values = 10_000_000
    /// The number of properties of all models.
    var properties = 1_000_000
    /// The number of redirects of one request.
    var redirects = 5
    /// The time for one document from a server in seconds, redirects included.
    var fetchTime: TimeInterval = 30
    /// The time for converting one document from YAML in seconds.
    var conversionTime: TimeInterval = 120

    /// A size for an error text: `64 MiB`.
    static func text(_ bytes: Int) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MiB" : "\(bytes) bytes"
    }
}

/// Counts the steps of reading a description, and ends a description that takes too many: a few lines may lead to one
/// another in more ways than any computer can follow.
final class Work {
    /// A schema takes about ten steps, a property five.
    static let limit = 50_000_000

    private(set) var steps = 0

    /// - Throws: ``GeneratorError`` past the limit.
    func add(_ count: Int = 1, at place: Place) throws(GeneratorError) {
        steps += count
        guard steps <= Self.limit else {
            throw GeneratorError(
                """
                The description takes more than \(Self.limit) steps to read: its schemas lead to one another in too many \
                ways. Choose a part of it with --include, or simplify its allOf, oneOf and anyOf.
                """, at: place)
        }
    }
}
