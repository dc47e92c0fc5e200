import Foundation

/// Where params go in a request, and in what form.
///
/// ```swift
/// override var encoding: (any ParamEncoding)? { .form }           // one manager
/// func encoding(for call: APICall) -> any ParamEncoding { .json } // a whole service
/// ```
public protocol ParamEncoding: Sendable {
    /// Writes params into the URL or the body of a request, and says what they are in its headers.
    /// - Throws: any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func encode(_ params: Params, into request: inout APIRequest) throws
}

/// Params in the URL's query.
public struct QueryParamEncoding: ParamEncoding {
    public var encoder: QueryEncoder

    public init(_ encoder: QueryEncoder = QueryEncoder()) { self.encoder = encoder }

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        request.url = try URLRule.appending(query: encoder.encode(params), to: request.url)
    }
}

/// Params as a form in the body (`application/x-www-form-urlencoded`, WHATWG URL section 5).
public struct FormParamEncoding: ParamEncoding {
    public var encoder: QueryEncoder

    public init(_ encoder: QueryEncoder = QueryEncoder(spaces: .plus)) { self.encoder = encoder }

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.body = .data(Data(encoder.encode(params).utf8))
    }
}

/// Params as a JSON object in the body, in the canonical form: `{}` where there are none.
public struct JSONParamEncoding: ParamEncoding {
    public init() {}

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        request.headers["Content-Type"] = "application/json"
        request.body = .data(params.jsonValue.canonicalData)
    }
}

/// A body of one's own; params go in the query.
public struct RawParamEncoding: ParamEncoding {
    public var data: Data
    public var contentType: String
    public var encoder: QueryEncoder

    public init(_ data: Data, contentType: String, encoder: QueryEncoder = QueryEncoder()) {
        self.data = data
        self.contentType = contentType
        self.encoder = encoder
    }

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        try QueryParamEncoding(encoder).encode(params, into: &request)
        request.headers["Content-Type"] = contentType
        request.body = .data(data)
    }
}

extension ParamEncoding where Self == QueryParamEncoding {
    /// In the URL's query.
    public static var query: Self { Self() }
    /// In the URL's query, in a style of one's own.
    public static func query(_ encoder: QueryEncoder) -> Self { Self(encoder) }
}

extension ParamEncoding where Self == FormParamEncoding {
    /// As a form in the body.
    public static var form: Self { Self() }
    /// As a form in the body, in a style of one's own.
    public static func form(_ encoder: QueryEncoder) -> Self { Self(encoder) }
}

extension ParamEncoding where Self == JSONParamEncoding {
    /// As a JSON object in the body.
    public static var json: Self { Self() }
}

extension ParamEncoding where Self == RawParamEncoding {
    /// A body of one's own; params go in the query.
    public static func raw(_ data: Data, contentType: String) -> Self { Self(data, contentType: contentType) }
}

/// Where params go unless a service or a manager says otherwise: GET, HEAD and DELETE in the query,
/// other methods as JSON.
public func standardParamEncoding(for method: HTTPMethod) -> any ParamEncoding {
    method == .get || method == .head || method == .delete ? QueryParamEncoding() : JSONParamEncoding()
}
