public import Foundation

/// A decoder of a format other than JSON, such as `PropertyListDecoder` or the `XMLDecoder` of another package.
///
/// A decoder that has this method needs one line:
///
/// ```swift
/// extension XMLDecoder: PayloadDecoder {}
/// ```
/// Each response is decoded by a new decoder, which the closures in ``ServiceConfiguration/decoders`` and
/// ``ResponseRules/decoders`` create. A decoder therefore does not have to be `Sendable`.
public protocol PayloadDecoder {
    /// Decodes a value.
    /// - Throws: Any error; the call fails with ``APIError/Kind/decoding(_:)``. A `DecodingError` names the place.
    func decode<Output: Decodable>(_ type: Output.Type, from data: Data) throws -> Output
}

extension JSONDecoder: PayloadDecoder {}

extension PropertyListDecoder: PayloadDecoder {}
