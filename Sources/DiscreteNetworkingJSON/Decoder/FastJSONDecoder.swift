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
/// not strict JSON in UTF-8, for a value of another type, for an integer beyond 2^53 with a fraction or an exponent, for the
/// strategies `.custom` of keys and `.formatted` of dates, for JSON5, for a subclass, and before iOS 17, macOS 14, tvOS 17,
/// watchOS 10 and visionOS 1, where `JSONDecoder` is another implementation.
///
/// Two errors are its own, `DecodingError.dataCorrupted` with the path of a number: of one that does not fit its type, which
/// `JSONDecoder` reports as invalid JSON, and of one with more than 90 characters with which Foundation would end the process.
///
/// An `init(from:)` may therefore run twice for one value. It should do nothing but decode.
///
/// Managers use it for outputs, unless the service's configuration sets `usesFastJSONDecoder` to `false`.
public struct FastJSONDecoder: Sendable {
    private let decoder: JSONDecoder
    /// `nil` if the decoder itself has to decode everything.
    private let options: JSONDecodingOptions?

    /// Creates a decoder.
    /// - Parameter decoder: The decoder with the strategies and the `userInfo` to follow. They are read here: do not
    ///   change them later.
    public init(_ decoder: JSONDecoder = JSONDecoder()) {
        self.decoder = decoder
        options = JSONDecodingOptions(decoder)
    }

    /// Whether a decoder is the one that this one follows.
    package func isMade(of decoder: JSONDecoder) -> Bool { decoder === self.decoder }

    /// Returns a value decoded from a JSON text.
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The text.
    /// - Throws: The error that `JSONDecoder` throws for the text; `DecodingError` for a number as above.
    public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        // To index a text that is not decoded from it would be wasted.
        guard options != nil, let document = try? JSONDocument(data) else {
            return try decoder.decode(type, fromUntrusted: data)
        }
        return try decode(type, at: document.top, of: document, from: data)
    }

    /// Returns a value decoded from a part of a JSON text.
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - value: The part.
    ///   - document: The whole text.
    ///   - data: The part as a text of its own, for the `JSONDecoder`.
    /// - Throws: As ``decode(_:from:)``.
    package func decode<T: Decodable>(
        _ type: T.Type, at value: JSONDocument.Value, of document: JSONDocument, from data: Data
    ) throws -> T {
        var misfit: DecodingError?
        if let options {
            // Whatever the error is: the decoder throws its own.
            do { return try document.decode(type, at: value, options) } catch {
                misfit = (error as? JSONNumberMisfit)?.error
            }
        }
        do {
            return try decoder.decode(type, fromUntrusted: data)
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
            throw misfit ?? .dataCorrupted(context)
        }
    }
}

extension JSONDocument {
    /// Decodes a value as a `JSONDecoder` would from its part of the text.
    /// - Returns: `nil` if it is not certain what the decoder would return; it has to be asked.
    package func decode<T: Decodable>(
        _ type: T.Type, at value: Value, like decoder: JSONDecoder
    ) -> T? {
        JSONDecodingOptions(decoder).flatMap { try? decode(type, at: value, $0) }
    }

    // No `T?` is returned, because to look that type up takes as long as to decode a string.

    /// - Throws: If it is not certain what the decoder would return.
    fileprivate func decode<T: Decodable>(
        _ type: T.Type, at value: Value, _ options: JSONDecodingOptions
    ) throws -> T {
        try data.withUnsafeBytes { buffer in
            let bytes = JSONBytes(buffer)
            var source = JSONDecodingSource(self, bytes, options)
            // Some versions of `JSONDecoder` reject a byte order mark.
            guard bytes[0] != 0xEF else { throw source.unsure() }
            // Who has kept a decoder or a container may decode more, or otherwise, later on.
            defer { if !isKnownUniquelyReferenced(&source) { source.keepBytes() } }
            let decoded = try JSONDecodingNode(source).topValue(type, value.index)
            guard !source.isUnsure, isKnownUniquelyReferenced(&source) else { throw source.unsure() }
            return decoded
        }
    }
}
