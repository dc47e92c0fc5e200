public import DiscreteNetworkingCore
import Foundation

/// The location of a signature in a request.
public enum SignatureLocation: Sendable, Hashable {
    /// A header field.
    case header(HTTPFields.Name)
    /// The end of the URL's query.
    case query(String)
    /// One more param: in the form or JSON object of the body, otherwise in the query.
    case param(String)

    /// The name of the header or param.
    public var name: String {
        switch self {
        case .header(let name): name.rawName
        case .query(let name), .param(let name): name
        }
    }

    /// Writes a signature, replacing an existing value of the same name.
    /// - Throws: <doc:/DiscreteNetworking/InvalidRequestError> if the body cannot take a param.
    public func write(_ signature: String, into request: inout APIRequest) throws(InvalidRequestError) {
        switch self {
        case .header(let name): request.headers[name] = signature
        case .query(let name): try Self.append(name, signature, toQueryOf: &request)
        case .param(let name):
            request.writeEmptyBody()
            // A param stands in the body that the server reads, not in its compressed bytes.
            let isCompressed = request.isCompressed
            request = request.uncompressed
            defer { if isCompressed { request.compress() } }
            guard case .data(let body) = request.body else {
                return try Self.append(name, signature, toQueryOf: &request)
            }
            switch Self.mediaType(request.headers["Content-Type"]) {
            case "application/x-www-form-urlencoded":
                let pairs = Self.appending(name, signature, to: String(decoding: body, as: UTF8.self))
                request.body = .data(Data(pairs.utf8))
            case "application/json":
                guard let json = try? JSONValue(parsing: body), case .object(var members) = json else {
                    throw InvalidRequestError(
                        "The body is not a JSON object, so the signature cannot be added to it; put the signature in a header."
                    )
                }
                members[name] = .string(signature)
                request.body = .data(JSONValue.object(members).canonicalData)
            default: try Self.append(name, signature, toQueryOf: &request)
            }
        }
    }

    private static func append(
        _ name: String, _ signature: String, toQueryOf request: inout APIRequest
    ) throws(InvalidRequestError) {
        let query = RequestTarget(request.url).query
        let signed = appending(name, signature, to: query)
        var text = request.url.absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        text.replaceSubrange((text[..<end].firstIndex(of: "?") ?? end)..<end, with: "?" + signed)
        guard let url = URL(string: text) else {
            throw InvalidRequestError("The URL with its signature is invalid.")
        }
        request.url = url
    }

    /// Returns the pairs with one more at the end, which replaces others of the same name.
    private static func appending(_ name: String, _ value: String, to pairs: String) -> String {
        let name = PercentEncoding.unreserved.encode(name)
        let others = pairs.utf8.split(separator: UInt8(ascii: "&")).filter { pair in
            !pair.prefix { $0 != UInt8(ascii: "=") }.elementsEqual(name.utf8)
        }
        return
            (others.map { String(decoding: $0, as: UTF8.self) }
            + ["\(name)=\(PercentEncoding.unreserved.encode(value))"])
            .joined(separator: "&")
    }

    private static func mediaType(_ contentType: String?) -> String? {
        contentType?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }
}

extension APIRequest {
    /// Writes an empty form or object if the encoding left out the body for lack of params.
    fileprivate mutating func writeEmptyBody() {
        guard case .none = body, let emptyBody = notes.emptyBody else { return }
        switch emptyBody {
        case .form:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = .data(Data())
        case .json:
            headers["Content-Type"] = "application/json"
            body = .data(Data("{}".utf8))
        }
    }
}
