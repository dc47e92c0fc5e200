public import DiscreteNetworkingCore
import Foundation

/// Fails unless a manager would send a given request. Nothing is sent, and no stub is needed.
///
/// ```swift
/// await assertRequest(
///     of: manager, with: ["id": 7], .get,
///     "https://api.example.com/v3/products/7",
///     query: ["cid": "000001", "t": .timestamp], headers: ["Authorization": nil]
/// )
/// ```
///
/// A failure shows each difference and both requests as cURL commands.
/// - Parameters:
///   - params: The arguments; `nil` to call the param source.
///   - url: The URL, which may contain a query.
///   - query: All query items, in any order except among items of the same name.
///   - headers: The header fields to check; `nil` for a field that must be absent.
///   - body: The body. Default: none.
///   - redaction: The redaction of failures. Default: the redaction of the manager's proxy.
/// - Returns: The request, for further checks; `nil` if there is none.
@MainActor
@discardableResult
public func assertRequest(
    of manager: BaseAPIManager, with params: Params? = nil, _ method: HTTPMethod, _ url: String,
    query: ExpectedFields = [:], headers: ExpectedFields = [:], body: ExpectedBody = .none,
    redaction: Redaction? = nil, fileID: StaticString = #fileID, file: StaticString = #filePath,
    line: UInt = #line
) async -> APIRequest? {
    let place = TestLine(fileID: fileID, file: file, line: line)
    let request: APIRequest
    let actual: RequestFields
    do {
        request = try await manager.request(with: params)
        actual = try await RequestFields(request)
    } catch {
        report("\(type(of: manager)) would send no request: \(error)", at: place)
        return nil
    }
    var comparison = FieldComparison(redaction: redaction ?? manager.proxy.redaction)
    comparison.compare("method", expected: method.rawValue, actual: actual.method.rawValue)
    let (address, items) = RequestFields.split(url)
    var query = query
    query.rules = items.map { ($0.name, .equal($0.value)) } + query.rules
    if address != actual.address {
        comparison.add(
            "url", comparison.redaction.redacted(text: address), actual.shownAddress(comparison.redaction))
    }
    comparison.compare("query", query, actual.query, isExact: true)
    comparison.compare(
        "header", headers, actual.headers.map { ($0.name.rawName, $0.value) }, isExact: false,
        isSame: { $0.lowercased() == $1.lowercased() })
    comparison.compare(body, actual.body)
    guard !comparison.differences.isEmpty else { return request }

    let expected = sample(of: request, method, address, query, headers, body)
    report(
        """
        \(type(of: manager)) would send another request:
        \(comparison.differences.map(\.text).joined(separator: "\n"))
          as cURL lines
            expected  \(expected?.curlCommand(redaction: comparison.redaction) ?? "\(url) is no URL")
            actual    \(request.curlCommand(redaction: comparison.redaction))
        """, at: place)
    return request
}

/// Returns the expected request for its cURL command, with unchecked headers from the actual one.
private func sample(
    of request: APIRequest, _ method: HTTPMethod, _ url: String, _ query: ExpectedFields,
    _ headers: ExpectedFields, _ body: ExpectedBody
) -> APIRequest? {
    var components = URLComponents(string: url)
    if !query.rules.isEmpty {
        components?.queryItems = query.rules.filter { $0.rule != .absent }.map {
            URLQueryItem(name: $0.name, value: $0.rule.sample)
        }
    }
    guard let url = components?.url else { return nil }
    var expected = request
    expected.url = url
    expected.method = method
    for (name, rule) in headers.rules {
        guard let name = try? HTTPFields.Name(validating: name) else { continue }
        expected.headers[name] = rule == .absent ? nil : rule.sample
    }
    if let body = body.sample { expected.body = body }
    return expected
}
