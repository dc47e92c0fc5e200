import DiscreteNetworkingCore
import Foundation

extension RecordedRequest {
    /// Returns the identity of the request, ignoring the order of headers, query items, fields and JSON
    /// members.
    func identity(without varying: VaryingFields) -> RequestIdentity {
        let parts = URLParts(url)
        let query = Self.pairs(parts.query)
        return RequestIdentity(
            method: method, url: parts.server + parts.path + "?" + query,
            headers: HTTPFields(
                Dictionary(grouping: headers, by: \.name).sorted {
                    $0.key.canonicalName < $1.key.canonicalName
                }
                .flatMap(\.value)),
            body: body.identity(without: varying), without: varying)
    }

    fileprivate static func pairs(_ pairs: [(name: String, value: String)]) -> String {
        ordered(pairs).map {
            PercentEncoding.unreserved.encode($0.name) + "=" + PercentEncoding.unreserved.encode($0.value)
        }
        .joined(separator: "&")
    }

    /// Sorts pairs by name, preserving the order of values of the same name.
    private static func ordered(
        _ pairs: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        Dictionary(grouping: pairs, by: \.name).sorted { $0.key < $1.key }.flatMap(\.value)
    }
}

extension RecordedBody {
    /// Returns the body's bytes, prefixed with its kind.
    fileprivate func identity(without varying: VaryingFields) -> Data {
        switch self {
        case .none: Data()
        case .json(let json):
            Data("json ".utf8) + varying.removed(from: json.canonicalData, type: "application/json")
        case .form(let fields):
            Data("form ".utf8)
                + varying.removed(
                    from: Data(RecordedRequest.pairs(fields.map { ($0.name, $0.text) }).utf8),
                    type: "application/x-www-form-urlencoded")
        case .text(let text): Data("text \(text)".utf8)
        case .binary(let data): Data("binary ".utf8) + data
        case .digest(let size, let sha256): Data("digest \(size) \(sha256)".utf8)
        }
    }
}
