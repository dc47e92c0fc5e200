import DiscreteNetworkingCore
import Foundation

/// A request separated into its fields.
struct RequestFields: Sendable {
    typealias Pair = (name: String, value: String)

    /// The body, according to its media type, before it was transformed and compressed.
    enum Body: Sendable {
        case none
        case json(JSONValue)
        case form([Pair])
        case multipart([Pair])
        case text(String)
        case bytes(Data)
    }

    /// The original request.
    let request: APIRequest
    let method: HTTPMethod
    /// The URL without its query.
    let address: String
    let query: [Pair]
    let headers: HTTPFields
    let body: Body

    /// Separates a request. A file or stream body is read completely.
    init(_ request: APIRequest) async throws {
        self.request = request
        method = request.method
        (address, query) = Self.split(request.url.absoluteString)
        headers = request.headers
        // What a body transform has made of it is another one each time.
        if let plain = request.notes.identity.plain {
            body = Self.body(plain.data, type: plain.type)
        } else {
            body = Self.body(
                try await request.uncompressed.body.collected(), type: request.headers["Content-Type"])
        }
    }

    /// Returns the URL without its query, with secrets redacted.
    func shownAddress(_ redaction: Redaction) -> String { Self.split(redaction.redacted(request)).0 }

    /// Returns a URL without its query, and the query items.
    static func split(_ url: String) -> (String, [Pair]) {
        let whole = url.prefix { $0 != "#" }
        guard let mark = whole.firstIndex(of: "?") else { return (String(whole), []) }
        return (String(whole[..<mark]), pairs(whole[whole.index(after: mark)...]))
    }

    /// Returns the decoded items of a query or form.
    static func pairs(_ text: some StringProtocol) -> [Pair] {
        // Splits by bytes: a separator followed by a combining mark is one `Character`.
        text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (decoded(name), decoded(pair.dropFirst(name.count + 1)))
        }
    }

    private static func decoded(_ bytes: some Sequence<UInt8>) -> String {
        let spaced = String(
            decoding: bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        return spaced.removingPercentEncoding ?? spaced
    }

    private static func body(_ data: Data, type: String?) -> Body {
        if data.isEmpty { return .none }
        if let boundary = boundary(of: type), let parts = parts(data, boundary: boundary) {
            return .multipart(parts)
        }
        let type = type?.lowercased() ?? ""
        if type.contains("json"), let json = try? JSONValue(parsing: data) { return .json(json) }
        guard let text = String(data: data, encoding: .utf8) else { return .bytes(data) }
        if type.hasPrefix("application/x-www-form-urlencoded") { return .form(pairs(text)) }
        return .text(text)
    }
}

extension RequestBody {
    /// Returns all data of the body, reading files and streams.
    func collected() async throws -> Data {
        switch self {
        case .none: return Data()
        case .data(let data): return data
        case .file(let url): return try Data(contentsOf: url)
        case .stream(_, let make):
            var data = Data()
            for try await piece in make() { data += piece }
            return data
        }
    }
}
