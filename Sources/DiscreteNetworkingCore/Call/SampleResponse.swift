public import Foundation

/// A manager's response for previews, demos and endpoints that do not exist yet; see ``BaseAPIManager/sample``.
///
/// ```swift
/// override var sample: SampleResponse? {
///     .json(["code": 0, "content": ["id": 7, "name": "茶壶"]])
/// }
/// override var sample: SampleResponse? {
///     .file(Bundle.main.url(forResource: "product", withExtension: "json")!)
/// }
/// override var sample: SampleResponse? {
///     .json { params in ["code": 0, "content": ["id": params["id"] ?? 1]] }
/// }
/// ```
/// A sample is a complete response, including the envelope. It is processed, decoded and validated like a response from
/// the network. A call with a sample as its response needs no login, sends no token and no cookie, and neither reads nor writes what
/// the service stores.
public struct SampleResponse: Sendable {
    /// The status code. Default: 200.
    public var status = 200
    /// The header fields.
    public var headers: HTTPFields
    /// Returns the body for the params of the call.
    let body: @Sendable (Params) throws -> Data

    /// Creates a sample with a body that depends on the params of the call.
    /// - Parameter body: Returns the body. An error it throws ends the call with ``APIError/Kind/transport(_:)``.
    public init(
        status: Int = 200, headers: HTTPFields = ["Content-Type": "application/json"],
        body: @escaping @Sendable (Params) throws -> Data
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a sample from a JSON literal.
    public static func json(_ value: JSONValue, status: Int = 200) -> SampleResponse {
        SampleResponse(status: status) { _ in value.canonicalData }
    }

    /// Creates a JSON sample from the params of the call.
    public static func json(
        status: Int = 200, _ make: @escaping @Sendable (Params) throws -> JSONValue
    ) -> SampleResponse {
        SampleResponse(status: status) { try make($0).canonicalData }
    }

    /// Creates a sample with the content of a file, which is read for each call.
    public static func file(_ url: URL, contentType: String = "application/json") -> SampleResponse {
        SampleResponse(headers: ["Content-Type": contentType]) { _ in try Data(contentsOf: url) }
    }
}

/// Whether samples are the responses of calls, and when.
public enum SampleMode: Sendable, Hashable {
    /// Calls go to the backend.
    case off
    /// The sample is returned immediately.
    case immediate
    /// The sample is returned after a delay, in seconds.
    case delayed(TimeInterval)
    /// The call does not end, to show a screen while it loads.
    case never
    /// Calls go to the backend, overriding the managers' modes, for release builds.
    ///
    /// ```swift
    /// #if !DEBUG
    ///     ApiProxy.shared.sampleMode = .forbidden
    /// #endif
    /// ```
    case forbidden
}

/// The sample and the delay of one call.
struct ActiveSample: Sendable {
    let response: SampleResponse
    let mode: SampleMode

    /// `nil` if the call goes to the backend.
    init?(_ response: SampleResponse, _ mode: SampleMode) {
        guard mode != .off, mode != .forbidden else { return nil }
        self.response = response
        self.mode = mode
    }
}
