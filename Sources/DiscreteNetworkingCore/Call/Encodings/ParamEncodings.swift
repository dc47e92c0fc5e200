public import Foundation

/// Encodes params in the URL's query.
public struct QueryParamEncoding: ParamEncoding, Hashable {
    /// The style of the pairs.
    public var encoder: QueryEncoder

    /// Creates the encoding.
    public init(_ encoder: QueryEncoder = QueryEncoder()) { self.encoder = encoder }

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        guard !params.isEmpty else { return }
        request.url = try URLRule.appending(query: encoder.encode(params), to: request.url)
    }
}

/// Encodes params as a form body (`application/x-www-form-urlencoded`, WHATWG URL section 5). Without
/// params there is no body.
public struct FormParamEncoding: ParamEncoding, Hashable {
    /// The style of the pairs.
    public var encoder: QueryEncoder

    /// Creates the encoding.
    public init(_ encoder: QueryEncoder = QueryEncoder(spaces: .plus)) { self.encoder = encoder }

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        request.notes.emptyBody = .form
        guard !params.isEmpty else { return }
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        request.notes.bodyParams = params.values
        request.body = .data(Data(encoder.encode(params).utf8))
    }
}

/// Params as JSON in the body, in the canonical form: an object of all of them, no body where there are none; or the
/// value of one, with the others in the query.
///
/// To send an empty object, use `.raw(Data("{}".utf8), contentType: "application/json")`.
public struct JSONParamEncoding: ParamEncoding, Hashable {
    /// The param that is the whole body: an array, a number, a string; `nil` for an object of all params.
    public var root: String?

    /// Creates an encoding of all params as an object, or of one as the body.
    public init(root: String? = nil) { self.root = root }

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        if let root { return try encode(params, root, into: &request) }
        request.notes.emptyBody = .json
        guard !params.isEmpty else { return }
        request.headers["Content-Type"] = "application/json"
        request.notes.bodyParams = params.values
        request.body = .data(params.jsonValue.canonicalData)
    }

    private func encode(_ params: Params, _ root: String, into request: inout APIRequest) throws {
        guard let value = params[root] else {
            throw InvalidRequestError(
                "The param \(root.debugDescription) is missing, and its value is the body; pass it, or JSONValue.null."
            )
        }
        try QueryParamEncoding().encode(params.removing([root]), into: &request)
        request.headers["Content-Type"] = "application/json"
        request.notes.bodyParams = [root: value]
        request.body = .data(value.canonicalData)
    }
}

/// Sends a custom body from memory, a file or a stream; params are encoded in the query.
public struct RawParamEncoding: ParamEncoding {
    /// The body.
    public var body: RequestBody
    /// The media type of the body.
    public var contentType: String
    /// The style of the pairs.
    public var encoder: QueryEncoder

    /// Creates the encoding of a body and its media type.
    public init(_ body: RequestBody, contentType: String, encoder: QueryEncoder = QueryEncoder()) {
        self.body = body
        self.contentType = contentType
        self.encoder = encoder
    }

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        try QueryParamEncoding(encoder).encode(params, into: &request)
        request.headers["Content-Type"] = contentType
        request.body = body
    }
}

/// Encodes params and the parts of a form as `multipart/form-data` (RFC 7578): the params first, as text,
/// named by the encoder.
public struct MultipartParamEncoding: ParamEncoding {
    /// The form. Its parts follow the params.
    public var form: MultipartForm
    /// The style of the pairs.
    public var encoder: QueryEncoder

    /// Creates the encoding of a form.
    public init(_ form: MultipartForm, encoder: QueryEncoder = QueryEncoder()) {
        self.form = form
        self.encoder = encoder
    }

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        let fields = encoder.pairs(of: params).map { MultipartForm.Part.text($0.value, named: $0.name) }
        let form = MultipartForm(fields + form.parts, boundary: form.boundary)
        request.notes.bodyParams = form.parts.reduce(into: params.values) { values, part in
            let value = part.notedValue
            values[part.name] = values[part.name].map { .array([$0, value]) } ?? value
        }
        request.headers["Content-Type"] = form.contentType
        request.body = try form.body()
    }
}

extension MultipartForm.Part {
    /// A short text, which may be a secret that the server repeats; `null` for all else.
    var notedValue: JSONValue {
        guard fileName == nil, case .data(let data) = body, data.count <= 4096,
            let text = String(data: data, encoding: .utf8)
        else { return .null }
        return .string(text)
    }
}

extension ParamEncoding where Self == QueryParamEncoding {
    /// Params in the URL's query.
    public static var query: Self { Self() }
    /// Params in the URL's query, in a given style.
    public static func query(_ encoder: QueryEncoder) -> Self { Self(encoder) }
}

extension ParamEncoding where Self == FormParamEncoding {
    /// Params as a form body.
    public static var form: Self { Self() }
    /// Params as a form body, in a given style.
    public static func form(_ encoder: QueryEncoder) -> Self { Self(encoder) }
}

extension ParamEncoding where Self == JSONParamEncoding {
    /// Params as a JSON object in the body.
    public static var json: Self { Self() }
    /// One param's value as the whole JSON body, such as an array; the other params in the query.
    ///
    /// ```swift
    /// // load(with: ["ids": [1, 2]]): [1,2]
    /// override var encoding: (any ParamEncoding)? { .json(root: "ids") }
    /// ```
    public static func json(root name: String) -> Self { Self(root: name) }
}

extension ParamEncoding where Self == RawParamEncoding {
    /// A body in memory; params are encoded in the query.
    public static func raw(_ data: Data, contentType: String) -> Self {
        Self(.data(data), contentType: contentType)
    }
    /// A file as the body, read while it is sent; params are encoded in the query.
    public static func file(_ url: URL, contentType: String) -> Self {
        Self(.file(url), contentType: contentType)
    }
    /// A stream as the body (see ``RequestBody/stream(length:_:)``); params are encoded in the query.
    public static func stream(
        length: Int64?, contentType: String,
        _ make: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>
    ) -> Self {
        Self(.stream(length: length, make), contentType: contentType)
    }
}

extension ParamEncoding where Self == MultipartParamEncoding {
    /// Params as text parts of a form, before its own parts.
    public static func multipart(_ form: MultipartForm) -> Self { Self(form) }
}

/// Returns the default encoding of a method: query for GET, HEAD and DELETE, otherwise JSON. Without params
/// there is no body.
package func standardParamEncoding(for method: HTTPMethod) -> any ParamEncoding {
    method == .get || method == .head || method == .delete ? QueryParamEncoding() : JSONParamEncoding()
}

extension RawParamEncoding: SecretBearing {
    /// The media type and the size; never the content.
    public var description: String { "\(contentType), \(body)" }
}

extension MultipartParamEncoding: SecretBearing {
    /// The parts of the form, without their content.
    public var description: String { "\(form)" }
}
