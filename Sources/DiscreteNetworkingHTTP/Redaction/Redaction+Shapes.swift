import Foundation

/// Secrets that are recognized by what they look like, under any name.
enum SecretShape {
    /// Hides JSON Web Tokens (RFC 7519), credentials of `Bearer` and `Basic` (RFC 6750, RFC 7617), the userinfo of URLs
    /// (RFC 3986 section 3.2.1) and private keys in PEM (RFC 7468).
    ///
    /// Looks at each byte a few times at most.
    static func hidden(in text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var done = 0
        var index = 0
        while index < text.count {
            let secret: Range<Int>? =
                switch text[index] {
                case UInt8(ascii: "e"): token(at: index, in: text)
                case UInt8(ascii: ":"): userinfo(at: index, in: text)
                case UInt8(ascii: "B"), UInt8(ascii: "b"): credential(at: index, in: text)
                case UInt8(ascii: "-"): privateKey(at: index, in: text)
                default: nil
                }
            if let secret {
                output += text[done..<secret.lowerBound]
                output += Redaction.mark.utf8
                done = secret.upperBound
                index = done
            } else {
                index += 1
            }
        }
        return done == 0 ? text : output + text[done...]
    }

    /// Whether a text may contain a JSON Web Token.
    static func mayBeToken(_ text: [UInt8]) -> Bool {
        text.count > 20 && text.indices.dropLast(2).contains { isToken(at: $0, in: text) }
    }

    private static func isToken(at index: Int, in text: [UInt8]) -> Bool {
        text[index] == UInt8(ascii: "e") && text[index...].starts(with: "eyJ".utf8)
    }

    private static func token(at start: Int, in text: [UInt8]) -> Range<Int>? {
        guard isToken(at: start, in: text), !isBase64URL(before: start, in: text) else { return nil }
        let head = text[start...].prefix(while: isBase64URL)
        guard head.count >= 10, text.startsWithDot(at: head.endIndex) else { return nil }
        let body = text[(head.endIndex + 1)...].prefix(while: isBase64URL)
        guard body.count >= 4, text.startsWithDot(at: body.endIndex) else { return nil }
        return start..<text[body.endIndex...].prefix { $0 == UInt8(ascii: ".") || isBase64URL($0) }.endIndex
    }

    /// An escape of percent-encoding may precede, as in `Bearer%20`.
    private static func isBase64URL(before index: Int, in text: [UInt8]) -> Bool {
        index > 0 && isBase64URL(text[index - 1]) && !(index > 2 && text[index - 3] == UInt8(ascii: "%"))
    }

    private static func userinfo(at colon: Int, in text: [UInt8]) -> Range<Int>? {
        // In JSON a slash may be escaped.
        guard let start = [#"://"#, #":\/\/"#].first(where: { text[colon...].starts(with: $0.utf8) }) else {
            return nil
        }
        let begin = colon + start.utf8.count
        // RFC 3986 allows an apostrophe, unless it ends a quoted URL.
        let apostrophe = UInt8(ascii: "'")
        let scheme = text[..<colon].reversed().prefix(while: isScheme).count
        let isQuoted = scheme < colon && text[colon - scheme - 1] == apostrophe
        let authority = text[begin...].prefix {
            $0 > 0x20 && !"/?#\"<>\\".utf8.contains($0) && !(isQuoted && $0 == apostrophe)
        }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")), at > begin else { return nil }
        return begin..<at
    }

    private static func credential(at start: Int, in text: [UInt8]) -> Range<Int>? {
        guard let scheme = ["bearer", "basic"].first(where: { text.starts(with: $0, at: start) }),
            start == 0 || !isLetter(text[start - 1])
        else { return nil }
        let end = start + scheme.utf8.count
        guard let space = [" ", "%20", "+"].first(where: { text[end...].starts(with: $0.utf8) }) else {
            return nil
        }
        let begin = end + space.utf8.count
        let value = text[begin...].prefix {
            isBase64URL($0) || "./=~".utf8.contains($0) || $0 == 0x2B && space == " "
        }
        let isSecret =
            scheme == "bearer"
            ? value.count >= 8 && value.contains { 0x30...0x39 ~= $0 }
            : Data(base64Encoded: Data(value))?.contains(UInt8(ascii: ":")) ?? false
        return isSecret ? value.startIndex..<value.endIndex : nil
    }

    private static func privateKey(at start: Int, in text: [UInt8]) -> Range<Int>? {
        guard text[start...].starts(with: "-----BEGIN ".utf8) else { return nil }
        let title = text[(start + 11)...].prefix(64).prefix { $0 != UInt8(ascii: "-") }
        guard title.reversed().starts(with: "PRIVATE KEY".utf8.reversed()) else { return nil }
        let begin = min(title.endIndex + 5, text.count)
        let end = ByteSearch(Array("-----END".utf8)).end(in: text, from: begin)
        return begin..<(end.map { $0 - 8 } ?? text.count)
    }

    private static func isScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || 0x30...0x39 ~= byte || "+-.".utf8.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte | 0x20 }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        isLetter(byte) || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

extension [UInt8] {
    fileprivate func startsWithDot(at index: Int) -> Bool {
        index < count && self[index] == UInt8(ascii: ".")
    }

    /// Whether a word of small letters is here, in any case.
    fileprivate func starts(with word: String, at index: Int) -> Bool {
        index + word.utf8.count <= count
            && self[index...].prefix(word.utf8.count).map { $0 | 0x20 } == Array(word.utf8)
    }
}

/// The value of an OAuth authorization code (RFC 6749 section 4.1.2), in contrast to a business code.
enum AuthorizationCode {
    /// Whether a value looks like nothing else: long, with letters and digits mixed.
    static func isLike(_ value: some Collection<UInt8>) -> Bool {
        guard value.count >= 16, value.count <= 4096, value.allSatisfy(isCharacter) else { return false }
        var changes = 0
        var last: Bool?
        for byte in value {
            let isDigit: Bool? = 0x30...0x39 ~= byte ? true : 0x61...0x7A ~= byte | 0x20 ? false : nil
            if let isDigit, let last, isDigit != last { changes += 1 }
            last = isDigit
        }
        return changes >= 2
    }

    /// Whether a value of a query or form may be one: not if it is empty, or a number of at most five digits, as business
    /// codes and statuses are.
    static func mayBe(_ value: some Collection<UInt8>) -> Bool {
        !value.isEmpty && (value.count > 5 || !value.allSatisfy { 0x30...0x39 ~= $0 })
    }

    private static func isCharacter(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte | 0x20 || "-._~/+=%|".utf8.contains(byte)
    }
}

extension Redaction {
    /// Returns whether a param or member is secret by its name or, for a `code`, by its value.
    package func isSecret(param name: String, value: JSONValue) -> Bool {
        isSecret(param: name)
            || isCode(name) && value.string.map { AuthorizationCode.isLike(Array($0.utf8)) } ?? false
    }

    /// Returns whether a field of a query or form is secret.
    package func isSecret(field name: String, value: String) -> Bool {
        isSecret(param: name) || isCode(name) && AuthorizationCode.mayBe(Array(value.utf8))
    }
}
