package import Foundation

/// Locates values in a JSON text without building them.
///
/// It opens an envelope so that only the content is decoded, with any decoder:
///
/// ```swift
/// // {"code":0,"msg":"","content":{…}}
/// if let range = try JSONLocator(data).locate("content") {
///     let content = try JSONDecoder().decode(Content.self, from: data[range])
/// }
/// ```
///
/// The whole text is validated with the same grammar as ``JSONValue/init(parsing:)-(Data)``, with the same
/// result: the last of equal keys counts, and keys are compared as Swift strings. To decode or to parse what is located,
/// use a ``JSONDocument``, which reads the text once.
package struct JSONLocator: Sendable {
    private let data: Data

    /// Creates a locator for data. The ranges found are indices of this `Data`, which may be a slice.
    package init(_ data: Data) { self.data = data }

    /// Creates a locator for bytes. The ranges found are indices of the array.
    package init(bytes: [UInt8]) { data = Data(bytes) }

    /// Returns the range of the value at a path, without surrounding whitespace; `nil` if there is none.
    /// - Throws: ``JSONError`` if the text is not JSON, before or after the value.
    package func locate(_ path: JSONPath) throws(JSONError) -> Range<Int>? {
        try locate(all: [path])[0]
    }

    /// Returns the ranges of the values at several paths; `nil` for each that is absent.
    /// - Throws: ``JSONError`` if the text is not JSON.
    package func locate(all paths: [JSONPath]) throws(JSONError) -> [Range<Int>?] {
        let document = try JSONDocument(data)
        return paths.map { path in document.value(at: path).map(document.range) }
    }
}
