/// How the end of a response's body is found (RFC 9112 section 6.3).
package enum ResponseFraming: Sendable, Equatable {
    /// The body has a length in bytes.
    case length(Int64)
    /// The body is in chunks, of which the last one is empty.
    case chunked
    /// The body ends with the connection, or with the stream of HTTP/2.
    case untilClose

    /// - Parameters:
    ///   - lengths: The values of `Content-Length`.
    ///   - codings: The values of `Transfer-Encoding`.
    ///   - allowsCodings: Whether the version of HTTP has transfer codings; only HTTP/1.1 does.
    /// - Throws: ``TransportError`` of kind `.badResponse` if recipients could disagree about the end: both fields are
    ///   present (RFC 9112 section 6.3), the coding is not `chunked` alone, or ``length(of:)`` throws.
    package init(lengths: [String], codings: [String], allowsCodings: Bool) throws(TransportError) {
        let length = try Self.length(of: lengths)
        guard codings.isEmpty else {
            guard length == nil else {
                throw Self.malformed("The response has a Content-Length and a Transfer-Encoding.")
            }
            guard allowsCodings, codings.count == 1,
                Substring(Self.trimmed(codings[0].utf8[...])).lowercased() == "chunked"
            else {
                throw Self.malformed("The response has a transfer coding that was not asked for.")
            }
            self = .chunked
            return
        }
        self = length.map { .length($0) } ?? .untilClose
    }

    /// Returns the length that `Content-Length` declares (RFC 9110 section 8.6); `nil` without values.
    /// - Throws: ``TransportError`` of kind `.badResponse` unless all values, and the members of their lists, are the
    ///   same text of decimal digits only, at most `Int64.max`.
    package static func length(of values: [String]) throws(TransportError) -> Int64? {
        if values.count == 1, let length = decimal(values[0]) { return length }
        var first: Substring?
        for value in values {
            for part in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                let text = Substring(trimmed(part))
                guard text.utf8.elementsEqual((first ?? text).utf8) else {
                    throw malformed("The response has contradicting Content-Length values.")
                }
                first = text
            }
        }
        guard let first else { return nil }
        guard let length = decimal(first) else {
            throw malformed("The response has a malformed Content-Length.")
        }
        return length
    }

    private static func decimal(_ text: some StringProtocol) -> Int64? {
        // `Int64` accepts a sign.
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
        return Int64(text)
    }

    private static func trimmed(_ text: Substring.UTF8View.SubSequence) -> Substring.UTF8View.SubSequence {
        var text = text.drop { $0 == 0x20 || $0 == 0x09 }
        while let byte = text.last, byte == 0x20 || byte == 0x09 { text.removeLast() }
        return text
    }

    private static func malformed(_ message: String) -> TransportError {
        TransportError(.badResponse, message: message)
    }
}

extension HTTPFields {
    /// The length of the body in bytes that `Content-Length` declares; `nil` if there is none.
    /// - Throws: ``TransportError``; see ``ResponseFraming/length(of:)``.
    package var contentLength: Int64? {
        get throws(TransportError) { try ResponseFraming.length(of: values(of: "Content-Length")) }
    }
}
