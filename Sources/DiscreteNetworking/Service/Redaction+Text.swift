import Foundation

extension Redaction {
    /// Header fields with secret values hidden, and secret pairs in other values, such as those of a
    /// `Location`.
    public func redacted(_ headers: HTTPFields) -> HTTPFields {
        HTTPFields(
            headers.map { field in
                let value = isSecret(header: field.name) ? Self.mark : redacted(text: field.value)
                return HTTPFields.Field(name: field.name, value: value)
            })
    }

    /// A URL as text with secret values in its query and its fragment, and any password, hidden.
    public func redacted(_ url: URL) -> String {
        var text = url.absoluteString
        guard self != .none else { return text }
        if url.user != nil || url.password != nil, let scheme = text.range(of: "://"),
            let at = text[scheme.upperBound...].firstIndex(of: "@")
        {
            text.replaceSubrange(scheme.upperBound..<at, with: Self.mark)
        }
        guard let start = text.firstIndex(where: { $0 == "?" || $0 == "#" || $0 == ";" }) else { return text }
        return text[...start] + redacted(text: String(text[text.index(after: start)...]))
    }

    /// Text of any kind, whole, cut off or malformed, with the values of secret names hidden: JSON
    /// members (`"token": …`), pairs (`token=…`) and header lines (`Token: …`), also where they stand
    /// inside a JSON string or are percent-encoded.
    public func redacted(text: String) -> String {
        guard self != .none else { return text }
        var scanner = SecretScanner(text: text, redaction: self)
        return scanner.redacted()
    }
}
