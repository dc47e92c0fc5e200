import Foundation

extension APIRequest {
    /// The request as a `curl` command that runs when it is pasted into a shell.
    ///
    /// ```swift
    /// print(request.curlCommand())
    /// // curl -g --path-as-is -X POST -H 'Content-Type: application/json' --data-binary '{"id":7}' 'https://…'
    /// ```
    /// Secrets are hidden, so a command with one in it runs but is refused by the server; with
    /// ``Redaction/none`` it is the very request. A body from a file is read from that file; one from a
    /// stream cannot be shown and is left out.
    public func curlCommand(redaction: Redaction = .standard) -> String {
        // -g: brackets are no globs. --path-as-is: dots in a path stay.
        var words = ["curl", "-g", "--path-as-is"]
        var input = ""
        words += method == .head ? ["--head"] : ["-X", Self.quoted(method.rawValue)]
        for field in redaction.redacted(headers) {
            // curl takes `Name;` for a header without a value; `Name:` would remove it.
            let isEmpty = field.value.allSatisfy { $0 == " " || $0 == "\t" }
            words += ["-H", Self.quoted(isEmpty ? field.name + ";" : "\(field.name): \(field.value)")]
        }
        if headers["Accept-Encoding"] == nil { words.append("--compressed") }
        switch body {
        case .none, .stream: break
        case .file(let url): words += ["--data-binary", Self.quoted("@" + url.path)]
        case .data(let data):
            if !headers.contains(where: { HTTPFields.isSame($0.name, "Content-Type") }) {
                words += ["-H", "'Content-Type:'"]
            }
            let text = String(data: data, encoding: .utf8).map { redaction.redacted(text: $0) }
            if let text, !text.hasPrefix("@"), !text.utf8.contains(where: { $0 < 0x20 }) {
                words += ["--data-binary", Self.quoted(text)]
            } else {
                // One line, and safe for every byte.
                input = "printf '\(Self.octal(text.map { Data($0.utf8) } ?? data))' | "
                words += ["--data-binary", "@-"]
            }
        }
        words.append(Self.quoted(redaction.redacted(url)))
        return input + words.joined(separator: " ")
    }

    /// In single quotes, where a POSIX shell takes every character for itself.
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
        return isPlain ? text : "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }

    private static func octal(_ data: Data) -> String {
        data.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined()
    }
}
