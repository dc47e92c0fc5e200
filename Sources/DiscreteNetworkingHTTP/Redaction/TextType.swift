/// Media types of text, in which a zero byte is a sign of an encoding of several bytes a character.
package enum TextType {
    /// - Parameter contentType: The value of `Content-Type`; `nil` if there is none.
    package static func contains(_ contentType: String?) -> Bool {
        let type = (contentType ?? "").lowercased().prefix { $0 != ";" && $0 != " " }
        return type.hasPrefix("text/")
            || ["json", "xml", "urlencoded", "script"].contains { type.hasSuffix($0) }
    }
}
