import Foundation

/// A media type with its charset (RFC 9110 section 8.3.1).
package struct MediaType: Sendable, Hashable {
    /// The type in lower case, such as `application/json`.
    let name: String
    /// The charset in lower case; `nil` if there is none.
    let charset: String?

    private init(name: String, charset: String?) {
        self.name = name
        self.charset = charset
    }

    /// - Parameter contentType: The value of `Content-Type`.
    init(_ contentType: String) {
        if let common = Self.common[contentType] {
            self = common
            return
        }
        // Some servers write single quotes.
        let charset = FieldParameters(contentType)["charset"]?.trimmingCharacters(in: ["'"]).lowercased()
        self.init(
            name: contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased(),
            charset: charset.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// The media types of most responses, which need no parsing.
    private static let common = [
        "application/json": MediaType(name: "application/json", charset: nil),
        "application/json; charset=UTF-8": MediaType(name: "application/json", charset: "utf-8"),
        "application/json; charset=utf-8": MediaType(name: "application/json", charset: "utf-8"),
        "application/json;charset=utf-8": MediaType(name: "application/json", charset: "utf-8"),
        "application/json;charset=UTF-8": MediaType(name: "application/json", charset: "utf-8"),
    ]

    /// The type that defines the syntax of this type: `application/xml` for `application/rss+xml` (RFC 6839); `nil`
    /// without a suffix.
    var suffixType: String? {
        guard let plus = name.lastIndex(of: "+") else { return nil }
        return "application/" + name[name.index(after: plus)...]
    }

    /// Whether the content is a property list, as text or binary.
    var isPropertyList: Bool { name == "application/x-plist" || name == "application/x-apple-plist" }

    /// Whether the content is JSON (RFC 8259, RFC 6839 section 3.1).
    package var isJSON: Bool { name == "application/json" || name == "text/json" || name.hasSuffix("+json") }
}

extension HTTPFields {
    /// The media type of the body; `nil` if the fields have none.
    package var mediaType: MediaType? { self["Content-Type"].map(MediaType.init) }
}
