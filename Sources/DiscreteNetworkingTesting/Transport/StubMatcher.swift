public import DiscreteNetworkingCore
import Foundation

/// Determines which requests a stub answers.
///
/// ```swift
/// stubs.on(ProductManager.self, answer: .status(404))
/// stubs.on(.service(.storefront), .method(.post), answer: .status(503))
/// stubs.on(
///     ProductListManager.self, .query("page", "2"), answer: .status(500))
/// stubs.on(
///     .custom("a big page") { $0.url.absoluteString.contains("size=100") },
///     answer: .status(413))
/// ```
public struct StubMatcher: Sendable {
    /// The description for failures.
    let name: String
    /// Returns why a request does not match; `nil` if it does.
    let mismatch: @Sendable (APIRequest) -> String?

    init(_ name: String, mismatch: @escaping @Sendable (APIRequest) -> String?) {
        self.name = name
        self.mismatch = mismatch
    }

    /// Matches every request.
    public static let any = StubMatcher("any request") { _ in nil }

    /// Matches requests of a manager's class and its subclasses.
    public static func manager<Manager: BaseAPIManager>(_ type: Manager.Type) -> StubMatcher {
        StubMatcher("\(type)") { request in
            guard let actual = request.origin?.managerType else { return "no manager sent it" }
            return actual.inherits(from: type) ? nil : "the manager is \(actual), not \(type)"
        }
    }

    /// Matches requests of a service's managers.
    public static func service(_ identifier: ServiceIdentifier) -> StubMatcher {
        StubMatcher("service \(identifier)") { request in
            guard let actual = request.origin?.serviceIdentifier else { return "no manager sent it" }
            return actual == identifier ? nil : "the service is \(actual), not \(identifier)"
        }
    }

    /// Matches requests with a method.
    public static func method(_ method: HTTPMethod) -> StubMatcher {
        StubMatcher("method \(method)") {
            $0.method == method ? nil : "the method is \($0.method), not \(method)"
        }
    }

    /// Matches requests with a percent-encoded path; `*` matches any path segment.
    public static func path(_ path: String) -> StubMatcher {
        let expected = path.split(separator: "/", omittingEmptySubsequences: false)
        return StubMatcher("path \(path)") { request in
            let actual =
                URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
            let parts = actual.split(separator: "/", omittingEmptySubsequences: false)
            let isSame =
                parts.count == expected.count && zip(expected, parts).allSatisfy { $0 == "*" || $0 == $1 }
            return isSame ? nil : "the path is \(actual), not \(path)"
        }
    }

    /// Matches requests with a query item; the first of a name counts.
    public static func query(_ name: String, _ rule: FieldRule = .any) -> StubMatcher {
        StubMatcher("query \(name)") { request in
            let (_, items) = RequestFields.split(request.url.absoluteString)
            let value = items.first { $0.name == name }?.value
            return rule.accepts(value) ? nil : complaint("query", name, rule, value)
        }
    }

    /// Matches requests with a header field.
    public static func header(_ name: HTTPFields.Name, _ rule: FieldRule = .any) -> StubMatcher {
        StubMatcher("header \(name)") { request in
            let value = request.headers[name]
            return rule.accepts(value) ? nil : complaint("header", name.rawName, rule, value)
        }
    }

    /// Matches requests with a JSON body, ignoring the order of keys. Not for file and stream bodies.
    public static func body(_ json: JSONValue) -> StubMatcher {
        StubMatcher("body \(Redaction.standard.redacted(text: json.canonicalText))") { request in
            guard case .data(let data) = request.uncompressed.body, let actual = try? JSONValue(parsing: data)
            else {
                return "the body is no JSON"
            }
            if actual == json { return nil }
            var comparison = FieldComparison(redaction: .standard)
            comparison.compare(.json(json), .json(actual))
            return comparison.differences.map { "\($0.field) is \($0.actual), not \($0.expected)" }
                .joined(separator: "; ")
        }
    }

    /// Matches requests for which a closure returns `true`.
    /// - Parameter name: The description for failures.
    public static func custom(
        _ name: String, _ isMeant: @escaping @Sendable (APIRequest) -> Bool
    ) -> StubMatcher {
        StubMatcher(name) { isMeant($0) ? nil : "it is not \(name)" }
    }
}

/// Returns the difference of a field, with secrets redacted.
private func complaint(_ kind: String, _ name: String, _ rule: FieldRule, _ value: String?) -> String {
    var comparison = FieldComparison(redaction: .standard)
    comparison.compare(
        kind, [name: rule], value.map { [(name: name, value: $0)] } ?? [], isExact: false)
    return comparison.differences.map { "\($0.field) is \($0.actual), not \($0.expected)" }.joined()
}
