public import Foundation

extension Redaction {
    /// Returns header fields with secret values redacted, and with secret pairs redacted in other values,
    /// such as a `Location`.
    public func redacted(_ headers: HTTPFields) -> HTTPFields {
        HTTPFields(
            headers.map { field in
                let value = isSecret(header: field.name.rawName) ? Self.mark : redacted(text: field.value)
                return HTTPFields.Field(name: field.name, value: value)
            })
    }

    /// Returns the header fields of a request, with a CSRF token redacted under any name.
    package func redactedHeaders(of request: APIRequest) -> HTTPFields {
        guard let name = request.notes.csrf?.header, self != .none else { return redacted(request.headers) }
        var headers = redacted(request.headers)
        if headers[name] != nil { headers[name] = Self.mark }
        return headers
    }

    /// Returns a URL with secrets redacted in its path (`;token=…`), query and fragment, and with any
    /// userinfo redacted.
    public func redacted(_ url: URL) -> String { redacted(url, pathParams: [:]) }

    /// Returns the URL of a request, additionally with secret path params redacted.
    public func redacted(_ request: APIRequest) -> String {
        redacted(request.url, pathParams: request.notes.pathParams)
    }

    /// Returns text with the values of secret names redacted: JSON members (`"token": …`), pairs
    /// (`token=…`), header lines (`Token: …`) and form parts (RFC 7578), also nested in JSON strings or
    /// percent-encoded. The text may be incomplete or malformed.
    ///
    /// A colon in a sentence does not always follow a name: words after it are kept, as in `Invalid token:
    /// it is expired`.
    public func redacted(text: String) -> String {
        String(decoding: redacted(bytes: Array(text.utf8)), as: UTF8.self)
    }

    /// The same for bytes that may be partly text.
    package func redacted(bytes: [UInt8]) -> [UInt8] { redacted(bytes, isSentence: false) }

    /// Returns the values with secret names in a text, as they are meant: without quotes and escapes.
    package func secrets(in bytes: [UInt8]) -> [String] {
        guard self != .none else { return [] }
        var scanner = SecretScanner(bytes, redaction: self)
        _ = scanner.redacted()
        return scanner.found.flatMap(FoundSecret.values)
    }

    private func redacted(_ bytes: [UInt8], isSentence: Bool) -> [UInt8] {
        guard self != .none else { return bytes }
        var scanner = SecretScanner(hidingValues(in: bytes), redaction: self, isSentence: isSentence)
        return scanner.redacted()
    }

    /// The same for a sentence of an error, which contains no header lines. Cut at ``sentenceLimit``, because a server
    /// may send a message of any size.
    package func redacted(sentence: String) -> String {
        let (text, isCut) = redacted(
            beginningOf: sentence.utf8, limit: Self.sentenceLimit, isSentence: true)
        return String(decoding: text, as: UTF8.self) + (isCut ? "…" : "")
    }

    /// The maximum size of a sentence, in bytes; a longer one is cut.
    package static let sentenceLimit = 2048

    /// Returns the beginning of a text with secrets redacted, also a value that the cut halves.
    /// - Parameter limit: The number of bytes that are read.
    package func redacted(
        beginningOf text: some Collection<UInt8>, limit: Int, isSentence: Bool = false
    ) -> (text: [UInt8], isCut: Bool) {
        var read = Array(text.prefix(limit))
        let isCut = text.count > read.count
        if isCut {
            read.removeLast(lengthOfHalfValue(endingIn: read))
            // Removes the bytes of an incomplete character.
            while let last = read.last, last & 0xC0 == 0x80 { read.removeLast() }
            if let last = read.last, last >= 0xC0 { read.removeLast() }
        }
        return (redacted(read, isSentence: isSentence), isCut)
    }

    private func redacted(_ url: URL, pathParams: [String: JSONValue]) -> String {
        let text = url.absoluteString
        guard self != .none else { return text }
        let authority = Self.startOfAuthority(in: text) ?? text.startIndex
        let path = text[authority...].utf8.firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        let query = text[path...].utf8.firstIndex { "?#".utf8.contains($0) } ?? text.endIndex
        var visible = hidden(String(text[..<path]))
        if url.user != nil || url.password != nil,
            let at = text[authority..<path].utf8.lastIndex(of: UInt8(ascii: "@"))
        {
            visible = String(text[..<authority]) + Self.mark + hidden(String(text[at..<path]))
        }
        let secrets = pathParams.filter { isSecret(param: $0.key) }
            .map { Array(($0.value.string ?? $0.value.canonicalText).utf8) }
        visible += hidden(String(text[path..<query])).utf8
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { redacted(segment: Array($0), secrets) }.joined(separator: "/")
        guard query < text.endIndex else { return visible }
        return visible + text[query...query] + redacted(text: String(text[text.utf8.index(after: query)...]))
    }

    /// Returns the index after `//` (RFC 3986 section 3.2); `nil` in a URL without an authority, such as `mailto:`.
    private static func startOfAuthority(in url: String) -> String.Index? {
        guard let end = url.utf8.firstIndex(where: { "/?#".utf8.contains($0) }),
            url.utf8[end...].starts(with: "//".utf8),
            end == url.startIndex || url.utf8[..<end].last == UInt8(ascii: ":")
        else { return nil }
        return url.utf8.index(end, offsetBy: 2)
    }

    /// Hides what is secret under any name.
    private func hidden(_ text: String) -> String {
        String(decoding: SecretShape.hidden(in: hidingValues(in: Array(text.utf8))), as: UTF8.self)
    }

    /// Redacts a path segment that contains a secret path param, and secret pairs in its parameters after
    /// `;` (RFC 3986 section 3.3).
    private func redacted(segment: [UInt8], _ secrets: [[UInt8]]) -> String {
        let decoded = PercentEncoding.decoded(segment)
        if secrets.contains(where: { !$0.isEmpty && ByteSearch($0).contains(in: decoded) }) {
            return Self.mark
        }
        let start = segment.firstIndex(of: UInt8(ascii: ";")) ?? segment.count
        return String(decoding: segment[..<start] + redacted(bytes: Array(segment[start...])), as: UTF8.self)
    }
}
