import Foundation
import XCTest

@testable import DiscreteNetworkingCore

extension APICall {
    /// A call as a manager would make it.
    static func stub(
        _ methodName: String = "products/detail", _ params: Params = [:], method: HTTPMethod = .get,
        overrides: Overrides = Overrides()
    ) -> APICall {
        APICall(
            requestID: .next(), serviceIdentifier: .test, methodName: methodName, requestType: method,
            params: params, tag: nil, overrides: overrides, outputType: Product.self,
            managerType: ManagerType(BaseAPIManager.self))
    }
}

/// A service whose URL rule, version, encoding and headers a test may set.
final class ShapedService: Service {
    struct Rules: Sendable {
        var baseURL = URL(string: "https://api.example.com")!
        var apiVersion: String?
        var url: (@Sendable (APICall) throws -> URL)?
        var encoding: (@Sendable (APICall) -> any ParamEncoding)?
        var extraParams: Params = [:]
        var extraHeaders: [String: String] = [:]
        var defaultHeaders: HTTPFields = [:]
        var timeout: TimeInterval = 20
        var signer: (any RequestSigner)?
        var adapt: @Sendable (inout APIRequest, APICall) async throws -> Void = { _, _ in }
    }

    let rules = Locked(Rules())

    var baseURL: URL { rules.current.baseURL }
    var apiVersion: String? { rules.current.apiVersion }
    func url(for call: APICall) throws -> URL {
        try rules.current.url?(call) ?? call.url(baseURL: baseURL, apiVersion: apiVersion)
    }
    func encoding(for call: APICall) -> any ParamEncoding {
        rules.current.encoding?(call) ?? standardParamEncoding(for: call.requestType)
    }
    func extraParams(for call: APICall) -> Params { rules.current.extraParams }
    func extraHeaders(for call: APICall) -> [String: String] { rules.current.extraHeaders }
    var configuration: ServiceConfiguration {
        ServiceConfiguration(
            timeout: rules.current.timeout, defaultHeaders: rules.current.defaultHeaders)
    }
    func signer(for call: APICall) -> (any RequestSigner)? { rules.current.signer }
    func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        try await rules.current.adapt(&request, call)
    }
}

/// The request of a call to a service with these rules.
func request(
    _ call: APICall, _ change: (inout ShapedService.Rules) -> Void = { _ in }
) async throws -> APIRequest {
    let service = ShapedService()
    service.rules.withLock { change(&$0) }
    return try await RequestGenerator().request(for: call, service: service)
}

/// Why the request of a call cannot be built; `nil`, and a failed test, where it can.
func refusal(
    _ call: APICall, file: StaticString = #filePath, line: UInt = #line,
    _ change: (inout ShapedService.Rules) -> Void = { _ in }
) async -> String? {
    do {
        let request = try await request(call, change)
        XCTFail("not refused: \(request.url)", file: file, line: line)
    } catch let error as InvalidRequestError {
        return error.reason
    } catch {
        XCTFail("another error: \(error)", file: file, line: line)
    }
    return nil
}

extension RequestBody {
    /// The bytes, where they are in memory.
    var text: String? {
        if case .data(let data) = self { String(decoding: data, as: UTF8.self) } else { nil }
    }
    var isNone: Bool { if case .none = self { true } else { false } }
}
