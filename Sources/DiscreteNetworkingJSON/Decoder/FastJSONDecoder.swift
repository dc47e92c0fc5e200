public import Foundation

/// Decodes JSON faster than a `JSONDecoder`, with the same results.
///
/// ```swift
/// let decoder = FastJSONDecoder()
/// let product = try decoder.decode(Product.self, from: data)
/// ```
///
/// It follows the strategies of the `JSONDecoder` that it is made with, and returns a value only where it is certain that
/// `JSONDecoder` returns the same one. Otherwise, `JSONDecoder` decodes the data, and throws its own error: for a text that is
/// not strict JSON in UTF-8, for a value that does not fit its type, for a fractional number as an integer, for the
/// strategies `.custom` of keys and `.formatted` of dates, for JSON5, for a subclass, and before iOS 17, macOS 14, tvOS 17,
/// watchOS 10 and visionOS 1, where `JSONDecoder` is another implementation.
///
/// An `init(from:)` may therefore run twice for one value. It should do nothing but decode.
///
/// Managers use it for outputs, unless the service's configuration sets `usesFastJSONDecoder` to `false`.
public struct FastJSONDecoder: Sendable {
    private let decoder: JSONDecoder

    /// Creates a decoder.
    /// - Parameter decoder: The decoder whose strategies and `userInfo` are followed. Do not change it later: as with every
    ///   `JSONDecoder`, it must not change while it decodes.
    public init(_ decoder: JSONDecoder = JSONDecoder()) { self.decoder = decoder }

    /// Returns a value decoded from a JSON text.
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The text.
    /// - Throws: The error that `JSONDecoder` throws for the text.
    public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        // To index a text that is not decoded from it would be wasted.
        if let options = JSONDecodingOptions(decoder), let document = try? JSONDocument(data),
            let value = document.decode(type, at: document.top, options)
        {
            return value
        }
        return try decoder.decode(type, from: data)
    }
}

extension JSONDocument {
    /// Decodes a value as a `JSONDecoder` would from its part of the text.
    /// - Returns: `nil` if it is not certain what the decoder would return; it has to be asked.
    package func decode<T: Decodable>(
        _ type: T.Type, at value: Value, like decoder: JSONDecoder
    ) -> T? {
        JSONDecodingOptions(decoder).flatMap { decode(type, at: value, $0) }
    }

    fileprivate func decode<T: Decodable>(_ type: T.Type, at value: Value, _ options: JSONDecodingOptions)
        -> T?
    {
        data.withUnsafeBytes { buffer in
            let bytes = JSONBytes(buffer)
            // Some versions of `JSONDecoder` reject a byte order mark.
            guard bytes[0] != 0xEF else { return nil }
            var source = JSONDecodingSource(self, bytes, options)
            let decoded = try? JSONDecodingNode(source).topValue(type, value.index)
            // Who has kept a decoder or a container may decode more, or otherwise, later on.
            guard isKnownUniquelyReferenced(&source) else {
                source.keepBytes()
                return nil
            }
            return source.isUnsure ? nil : decoded
        }
    }
}
