import Foundation

extension RequestFields {
    /// Returns the parts of a multipart form (RFC 7578): texts, and descriptions of files with name, type
    /// and length.
    /// - Returns: `nil` if the body is not such a form.
    static func parts(_ data: Data, boundary: String) -> [Pair]? {
        let separator = Data("--\(boundary)".utf8)
        guard data.starts(with: separator) else { return nil }
        var pairs: [Pair] = []
        var start = data.startIndex + separator.count
        while let next = data.range(of: Data("\r\n".utf8) + separator, in: start..<data.endIndex) {
            guard let pair = part(data[start..<next.lowerBound]) else { return nil }
            pairs.append(pair)
            start = next.upperBound
        }
        return pairs
    }

    private static func part(_ data: Data) -> Pair? {
        guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: data[..<end.lowerBound], as: UTF8.self)
        guard let name = quoted("name", in: head) else { return nil }
        let content = data[end.upperBound...]
        let type = head.range(of: "Content-Type:", options: .caseInsensitive).map {
            head[$0.upperBound...].prefix { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
        }
        if let fileName = quoted("filename", in: head) {
            return (name, "<\(fileName), \(type ?? "no type"), \(content.count) bytes>")
        }
        return (name, String(data: content, encoding: .utf8) ?? "<\(content.count) bytes>")
    }

    private static func quoted(_ name: String, in head: String) -> String? {
        head.range(of: " \(name)=\"").map { String(head[$0.upperBound...].prefix { $0 != "\"" }) }
    }

    /// Returns the boundary parameter of a `Content-Type`.
    static func boundary(of type: String?) -> String? {
        guard let type, type.lowercased().hasPrefix("multipart/form-data"),
            let start = type.range(of: "boundary=")
        else { return nil }
        let boundary = type[start.upperBound...].prefix { $0 != ";" }
            .trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
        return boundary.isEmpty ? nil : boundary
    }
}
