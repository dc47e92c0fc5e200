public import Foundation

/// A request as the server received it.
public struct LoopbackRequest: Sendable {
    /// The method, in the case it came in.
    public let method: String
    /// The request target exactly as on the wire, for example `/search?q=caf%C3%A9`.
    public let target: String
    /// `HTTP/1.1` or `HTTP/1.0`.
    public let version: String
    /// The header fields in order, names in the case they came in.
    public let headers: [(name: String, value: String)]
    /// The body without transfer coding; empty if the server does not keep bodies.
    public let body: Data
    /// The length of the body in bytes, whether it is kept or not.
    public let bodyCount: Int
    /// Whether the body equals ``LoopbackResponse/pattern(count:)``, to verify large uploads without
    /// keeping them.
    public let bodyIsPattern: Bool
    /// The fields that followed a chunked body.
    public let trailers: [(name: String, value: String)]
    /// The number of the connection it came on, counted from 1. Equal numbers mean a reused connection.
    public let connection: Int
    /// The values of the `{name}` placeholders of the matching route.
    public internal(set) var pathParameters: [String: String] = [:]

    /// The path of the target, percent-decoded.
    public var path: String {
        Percent.decode(rawPath.utf8)
    }

    /// The query items in order, percent-decoded and with `+` as space.
    public var query: [(name: String, value: String)] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return Percent.pairs(target.utf8[mark...].dropFirst())
    }

    /// The items of an `application/x-www-form-urlencoded` body; empty for any other body.
    public var form: [(name: String, value: String)] {
        let type = header("Content-Type")?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        guard type?.lowercased() == "application/x-www-form-urlencoded" else { return [] }
        return Percent.pairs(body)
    }

    /// Returns the value of a header field, case-insensitive; several values are joined with `, `.
    public func header(_ name: String) -> String? {
        let values = headers.values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The path as on the wire; of `http://host/path` only what follows the host.
    var rawPath: Substring {
        let path = Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") })
        guard !path.hasPrefix("/"), let scheme = path.range(of: "://") else { return path }
        let rest = path[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    }
}

extension [(name: String, value: String)] {
    /// The values of all fields of this name, in order.
    func values(of name: String) -> [String] {
        compactMap { $0.name.caseInsensitiveEquals(name) ? $0.value : nil }
    }

    /// The comma-separated members of all fields of this name, lowercased.
    func tokens(of name: String) -> [String] {
        values(of: name).flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { !$0.isEmpty }
    }
}

extension String {
    /// Equality of field names: ASCII letters match in either case.
    func caseInsensitiveEquals(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { left, right in
            left == right
                || (left | 0x20 == right | 0x20 && UInt8(ascii: "a")...UInt8(ascii: "z") ~= left | 0x20)
        }
    }
}
