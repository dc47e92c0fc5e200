import DiscreteNetworkingCore
import Foundation

/// Reads the fields of a form, without secrets.
enum FormReader {
    /// Returns the fields; `nil` if the body is not a form.
    static func fields(_ data: Data, type: String?, _ redaction: Redaction) -> [RecordedBody.FormField]? {
        guard let type else { return nil }
        let lowercased = type.lowercased()
        if lowercased.hasPrefix("application/x-www-form-urlencoded") {
            return pairs(String(decoding: data, as: UTF8.self)).map { name, value in
                let isSecret = redaction.isSecret(field: name, value: value)
                return .init(
                    name: name, value: isSecret ? Redaction.mark : redaction.redacted(text: value))
            }
        }
        guard lowercased.hasPrefix("multipart/form-data"), let boundary = boundary(of: type) else {
            return nil
        }
        return parts(data, boundary: boundary, redaction)
    }

    /// Returns percent-decoded names and values, in order.
    static func pairs(_ text: String) -> [(name: String, value: String)] {
        // Splits by bytes: a separator followed by a combining mark is one `Character`.
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let sides = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            func decoded(_ side: Substring.UTF8View) -> String {
                let spaced = String(
                    decoding: side.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
                return spaced.removingPercentEncoding ?? spaced
            }
            return (decoded(sides[0]), sides.count > 1 ? decoded(sides[1]) : "")
        }
    }

    // MARK: RFC 7578

    private static func boundary(of type: String) -> String? {
        guard let range = type.range(of: "boundary=", options: .caseInsensitive) else { return nil }
        let rest = type[range.upperBound...]
        return rest.hasPrefix("\"")
            ? String(rest.dropFirst().prefix { $0 != "\"" }) : String(rest.prefix { $0 != ";" })
    }

    /// Returns the parts without the boundary, which is unique to each request.
    private static func parts(_ data: Data, boundary: String, _ redaction: Redaction) -> [RecordedBody
        .FormField]?
    {
        let line = Data("--\(boundary)".utf8)
        var fields: [RecordedBody.FormField] = []
        var start = data.range(of: line)?.upperBound
        while let from = start, let next = data.range(of: line, in: from..<data.endIndex) {
            let part = data[from..<next.lowerBound]
            guard let gap = part.range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: part[..<gap.lowerBound], as: UTF8.self)
            guard let name = parameter("name", in: head) else { return nil }
            let body = Data(part[gap.upperBound...].dropLast(2))
            let isSecret = redaction.isSecret(field: name, value: String(decoding: body, as: UTF8.self))
            fields.append(
                .init(
                    name: name, value: isSecret ? Redaction.mark : text(of: body, redaction),
                    fileName: parameter("filename", in: head)))
            start = next.upperBound
        }
        return start == nil ? nil : fields
    }

    private static func parameter(_ name: String, in head: String) -> String? {
        guard let range = head.range(of: " \(name)=\"", options: .caseInsensitive) else { return nil }
        return String(head[range.upperBound...].prefix { $0 != "\"" })
    }

    /// Not a text type: a file may be binary.
    private static let anyType = "application/octet-stream"

    /// Returns a digest for binary data.
    private static func text(of body: Data, _ redaction: Redaction) -> String {
        if case .text(let text) = RecordedBody(response: body, type: Self.anyType, redaction) { return text }
        return body.isEmpty ? "" : "sha256:\(MessageDigest(.sha256, of: body).hexadecimal)"
    }
}
