package import Foundation

/// The fields of a request that change from call to call without changing its meaning, such as timestamps
/// and nonces.
///
/// ```swift
/// func varyingFields(for call: APICall) -> VaryingFields {
///     VaryingFields(headers: ["X-Request-ID"], params: ["ts"])
/// }
/// ```
///
/// See ``Service/varyingFields(for:)``, ``RequestSigner/varyingFields`` and ``APIPlugin/varyingFields``. Do not list
/// fields that distinguish users, languages or resources: requests that differ only in listed fields share cached
/// responses and exchanges.
public struct VaryingFields: Sendable, Hashable {
    /// The names of headers.
    public var headers: Set<HTTPFields.Name>
    /// The names of params in the query, in a form, and in JSON at any depth.
    public var params: Set<String>
    /// The names of items in the query only.
    package var queryItems: Set<String> = []
    /// The names of params of the body, in a form or in the JSON object itself; of items in the query if the body is neither.
    package var bodyFields: Set<String> = []
    /// The digests of the signing keys of these fields: requests signed with other keys are different.
    package var keys: Set<String> = []

    /// Creates the names of fields that differ from call to call.
    public init(headers: Set<HTTPFields.Name> = [], params: Set<String> = []) {
        self.headers = headers
        self.params = params
    }

    /// No fields.
    public static let none = VaryingFields()

    /// Returns the union with other fields.
    public func union(_ other: VaryingFields) -> VaryingFields {
        guard other != .none else { return self }
        var union = VaryingFields(
            headers: headers.union(other.headers), params: params.union(other.params))
        union.queryItems = queryItems.union(other.queryItems)
        union.bodyFields = bodyFields.union(other.bodyFields)
        union.keys = keys.union(other.keys)
        return union
    }

    // MARK: Removing fields

    /// Returns a URL without these query items.
    /// - Parameter type: The media type of the body; `nil` if there is none.
    func removed(from url: String, withBodyOf type: String?) -> String {
        guard !(params.isEmpty && queryItems.isEmpty && bodyFields.isEmpty),
            let question = url.utf8.firstIndex(of: UInt8(ascii: "?"))
        else { return url }
        let names = params.union(queryItems).union(Self.hasFields(type) ? [] : bodyFields)
        let query = url[url.index(after: question)...]
        return url[..<question] + "?" + Self.removed(names, fromPairs: query)
    }

    /// Returns a form or JSON body without these names; any other body is unchanged.
    package func removed(from body: Data, type: String?) -> Data {
        guard !params.isEmpty || !bodyFields.isEmpty, let type = type?.lowercased() else { return body }
        if type.hasPrefix(Self.form) {
            let pairs = String(decoding: body, as: UTF8.self)
            return Data(Self.removed(params.union(bodyFields), fromPairs: pairs[...]).utf8)
        }
        guard type.contains("json"), let json = try? JSONValue(parsing: body) else { return body }
        guard case .object(let members) = json, Self.hasFields(type) else {
            return removed(from: json).canonicalData
        }
        return removed(from: .object(members.filter { !bodyFields.contains($0.key) })).canonicalData
    }

    /// Whether a param can be added to a body of this type; see ``bodyFields``.
    private static func hasFields(_ type: String?) -> Bool {
        let name = type?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return name == form || name == "application/json"
    }

    private static let form = "application/x-www-form-urlencoded"

    private static func removed(_ names: Set<String>, fromPairs text: Substring) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).filter { pair in
            let name = pair.prefix { $0 != "=" }.replacingOccurrences(of: "+", with: " ")
            return !names.contains(name.removingPercentEncoding ?? name)
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
