package import Foundation

extension Data {
    /// Returns a body in UTF-8, in which secrets can be found: converted as for an output, if it has another encoding. Returns
    /// the body itself if it is no text, and `nil` if it is text in an unknown encoding with zeros between the characters.
    /// The body may be cut within a character.
    /// - Parameter contentType: The value of `Content-Type`; `nil` if there is none.
    package func searchable(as contentType: String?) -> Data? {
        let isText = TextType.contains(contentType)
        let charset = contentType.flatMap { MediaType($0).charset }
        let converted = (0...3).lazy.compactMap {
            try? Charset.json(dropLast($0), named: charset, limit: .max)
        }.first
        if let converted, !converted.contains(0), isText || converted.beginsLikeJSON { return converted }
        return isText && contains(0) ? nil : self
    }

    /// Whether this is an object or an array. Bytes that are no text rarely begin so.
    private var beginsLikeJSON: Bool {
        let first = first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
