import Foundation

/// What changes from call to call without making another request: timestamps, nonces, numbers of requests.
///
/// ```swift
/// func varyingFields(for call: APICall) -> VaryingFields {
///     VaryingFields(headers: ["X-Request-ID"], params: ["ts"])
/// }
/// ```
/// See ``Service/varyingFields(for:)``. Name nothing here that tells one user, language or resource from another:
/// requests that differ in it share cached responses and exchanges.
public struct VaryingFields: Sendable, Hashable {
    /// The names of headers.
    public var headers: Set<HTTPFields.Name>
    /// Names in the query, in a form, and in JSON at any depth.
    public var params: Set<String>
    /// Digests of the keys whose signatures are among these fields: other keys make other requests.
    package var keys: Set<String> = []

    public init(headers: Set<HTTPFields.Name> = [], params: Set<String> = []) {
        self.headers = headers
        self.params = params
    }

    /// No field.
    public static let none = VaryingFields()

    /// The fields of both.
    public func union(_ other: VaryingFields) -> VaryingFields {
        guard other != .none else { return self }
        var union = VaryingFields(
            headers: headers.union(other.headers), params: params.union(other.params))
        union.keys = keys.union(other.keys)
        return union
    }

    // MARK: What is left without them

    /// A URL without these items of its query.
    func removed(from url: String) -> String {
        guard !params.isEmpty, let question = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return url }
        let query = url[url.index(after: question)...]
        return url[..<question] + "?" + removed(fromPairs: query)
    }

    /// A form or JSON without these names; any other body as it is.
    package func removed(from body: Data, type: String?) -> Data {
        guard !params.isEmpty, let type = type?.lowercased() else { return body }
        if type.hasPrefix("application/x-www-form-urlencoded") {
            return Data(removed(fromPairs: String(decoding: body, as: UTF8.self)[...]).utf8)
        }
        guard type.contains("json"), let json = try? JSONValue(parsing: body) else { return body }
        return removed(from: json).canonicalData
    }

    private func removed(fromPairs text: Substring) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).filter { pair in
            let name = pair.prefix { $0 != "=" }.replacingOccurrences(of: "+", with: " ")
            return !params.contains(name.removingPercentEncoding ?? name)
        }.joined(separator: "&")
    }

    private func removed(from json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members):
            .object(members.filter { !params.contains($0.key) }.mapValues(removed(from:)))
        case .array(let elements): .array(elements.map(removed(from:)))
        default: json
        }
    }
}
