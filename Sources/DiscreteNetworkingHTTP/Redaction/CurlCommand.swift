import Foundation

extension APIRequest {
    /// Returns the request as a `curl` command for a shell.
    ///
    /// ```swift
    /// print(request.curlCommand())
    /// // curl -g --path-as-is -X POST -H 'Content-Type: application/json' …
    /// ```
    ///
    /// Secrets are redacted, so the server will reject a request that needs one; with ``Redaction/none``
    /// the command is exact. A body that cannot be searched for secrets, because it has a `Content-Encoding`, a
    /// service transforms its bodies, or it is text in UTF-16 or UTF-32, is redacted as a whole. A body that the
    /// framework has compressed is shown uncompressed. A file body is read from its file; a stream body is omitted.
    public func curlCommand(redaction: Redaction = .standard) -> String {
        if isCompressed, redaction != .none { return uncompressed.curlCommand(redaction: redaction) }
        // -g: no globbing of brackets. --path-as-is: keep dot segments.
        var words = ["curl", "-g", "--path-as-is"]
        var input = ""
        words += method == .head ? ["--head"] : ["-X", Self.quoted(method.rawValue)]
        for field in redaction.redactedHeaders(of: self) {
            // `Name;` is curl's syntax for an empty value; `Name:` would remove the field.
            let isEmpty = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            words += ["-H", Self.quoted(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")]
        }
        if headers["Accept-Encoding"] == nil { words.append("--compressed") }
        switch body {
        case .none, .stream: break
        case .file(let url): words += ["--data-binary", Self.quoted("@" + url.path)]
        case .data(let data):
            if headers["Content-Type"] == nil { words += ["-H", "'Content-Type:'"] }
            let bytes = visible(data, redaction)
            if let text = String(bytes: bytes, encoding: .utf8), bytes.first != UInt8(ascii: "@"),
                !bytes.contains(where: { $0 < 0x20 })
            {
                words += ["--data-binary", Self.quoted(text)]
            } else {
                // A single line, safe for all bytes.
                input = "printf '\(Self.octal(bytes))' | "
                words += ["--data-binary", "@-"]
            }
        }
        words.append(Self.quoted(redaction.redacted(self)))
        return input + words.joined(separator: " ")
    }

    private func visible(_ data: Data, _ redaction: Redaction) -> [UInt8] {
        let isWide = data.contains(0) && TextType.contains(headers["Content-Type"])
        let isReadable = redaction == .none || hasReadableBody && !isWide
        return isReadable ? redaction.redacted(bytes: [UInt8](data)) : Array(Redaction.mark.utf8)
    }

    /// Quotes a text for a POSIX shell with single quotes.
    ///
    /// By bytes: a quote followed by a combining mark is one `Character` but two for a shell.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        guard !isPlain else { return text }
        var bytes = [UInt8(ascii: "'")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") { bytes += #"'\''"#.utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes + [UInt8(ascii: "'")], as: UTF8.self)
    }

    private static func octal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }
}
