import Foundation

/// A response that a manager carries for the time before its backend is there; see ``BaseAPIManager/sample``.
///
/// ```swift
/// override var sample: SampleResponse? { .json(["code": 0, "content": ["id": 7, "name": "茶壶"]]) }
/// override var sample: SampleResponse? { .file(Bundle.main.url(forResource: "product", withExtension: "json")!) }
/// override var sample: SampleResponse? { .json { params in ["code": 0, "content": ["id": params["id"] ?? 1]] } }
/// ```
/// It is the whole answer of the backend, envelope and all: it goes through the service's rules, decoding and the validator
/// as an answer from the network does.
public struct SampleResponse: Sendable {
    /// The status code. Default: 200.
    public var status = 200
    /// The header fields.
    public var headers: HTTPFields
    /// Makes the body from the params of the call.
    let body: @Sendable (Params) throws -> Data

    /// Bytes made from the params of a call.
    /// - Parameter body: what it throws ends the call with ``APIError/Kind/transport(_:)``.
    public init(
        status: Int = 200, headers: HTTPFields = ["Content-Type": "application/json"],
        body: @escaping @Sendable (Params) throws -> Data
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// JSON, as a literal.
    public static func json(_ value: JSONValue, status: Int = 200) -> SampleResponse {
        SampleResponse(status: status) { _ in value.canonicalData }
    }

    /// JSON made from the params of the call.
    public static func json(
        status: Int = 200, _ make: @escaping @Sendable (Params) throws -> JSONValue
    ) -> SampleResponse {
        SampleResponse(status: status) { try make($0).canonicalData }
    }

    /// What a file has, read for each call.
    public static func file(_ url: URL, contentType: String = "application/json") -> SampleResponse {
        SampleResponse(headers: ["Content-Type": contentType]) { _ in try Data(contentsOf: url) }
    }
}

/// Whether and when samples answer.
public enum SampleMode: Sendable, Hashable {
    /// The backend is asked.
    case off
    /// The sample answers at once.
    case immediate
    /// The sample answers after so many seconds.
    case delayed(TimeInterval)
    /// Nobody answers: to see what a screen shows while it waits.
    case never
    /// The backend is asked, whatever a manager says: for a release build.
    ///
    /// ```swift
    /// #if !DEBUG
    ///     ApiProxy.shared.sampleMode = .forbidden
    /// #endif
    /// ```
    case forbidden
}

/// A sample that answers a call.
struct ActiveSample: Sendable {
    let response: SampleResponse
    let mode: SampleMode

    /// `nil` where the backend is asked.
    init?(_ response: SampleResponse, _ mode: SampleMode) {
        guard mode != .off, mode != .forbidden else { return nil }
        self.response = response
        self.mode = mode
    }
}
