import Foundation

/// An encoding that gives each param its own location, for an endpoint with params in the query, in headers and in the
/// body.
///
/// ```swift
/// override var encoding: (any ParamEncoding)? {
///     .placed(["X-Trace": .header, "session": .cookie, "order": .json])
/// }
/// ```
/// Path params are not included. Params without a location are sent in the query, arrays as `a=1&a=2`. There is a body
/// only if a param is located in it or the encoding provides one.
public struct PlacedParamEncoding: ParamEncoding {
    enum Body: Sendable {
        /// Made of the params only; form fields make a form.
        case params
        /// The fields as text, followed by these parts.
        case multipart(MultipartForm)
        case raw(RequestBody, contentType: String)
    }

    let places: [String: ParamLocation]
    let body: Body

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        var query: [String] = []
        var cookies: [String] = []
        var fields: [(name: String, value: String, isJSON: Bool)] = []
        var bodyParams = Params()
        for (key, value) in params {
            let place = places[key] ?? .query
            switch place.kind {
            case .query: query += place.pairs(key, value).map { Self.encoded($0) }
            case .cookie: cookies += place.pairs(key, value).map { Self.encoded($0) }
            case .header:
                guard !value.isNull else { continue }
                let name = try HTTPFields.Name(validating: place.name ?? key)
                request.headers[name] = place.texts(value).joined(separator: ",")
            case .field:
                bodyParams[place.name ?? key] = value
                let hasJSON = value.object != nil || value.array?.contains { $0.object != nil } == true
                fields += place.pairs(key, value).map { name, text in
                    (name, text, hasJSON && (text.hasPrefix("{") || text.hasPrefix("[")))
                }
            case .text(let contentType):
                guard !value.isNull else { continue }
                bodyParams[place.name ?? key] = value
                try set(.data(Data(ParamLocation.text(value).utf8)), contentType, in: &request)
            case .json(let contentType):
                bodyParams = value.object.map(Params.init(values:)) ?? Params(values: [key: value])
                try set(.data(value.canonicalData), contentType, in: &request)
            }
        }
        if !cookies.isEmpty { request.headers["Cookie"] = cookies.joined(separator: "; ") }
        request.url = try URLRule.appending(query: query.joined(separator: "&"), to: request.url)
        switch body {
        case .params:
            if !fields.isEmpty {
                let text = fields.map { Self.encoded(($0.name, $0.value), spacesAsPlus: true) }.joined(
                    separator: "&")
                try set(.data(Data(text.utf8)), "application/x-www-form-urlencoded", in: &request)
            }
        case .multipart(let form):
            let parts = fields.map(Self.part) + form.parts
            let form = MultipartForm(parts, boundary: form.boundary)
            for part in form.parts where bodyParams[part.name] == nil {
                bodyParams[part.name] = part.notedValue
            }
            try set(try form.body(), form.contentType, in: &request)
        case .raw(let body, let contentType):
            guard fields.isEmpty else {
                throw InvalidRequestError("The endpoint's body is \(contentType), which has no form fields.")
            }
            try set(body, contentType, in: &request)
        }
        if !bodyParams.isEmpty { request.notes.bodyParams = bodyParams.values }
    }

    private func set(_ body: RequestBody, _ contentType: String, in request: inout APIRequest) throws {
        guard case .none = request.body else {
            throw InvalidRequestError(
                "Several params are the whole body, or one of them and the fields of a form.")
        }
        if case .none = body { return }
        request.headers["Content-Type"] = contentType
        request.body = body
    }

    /// A field as a part of a form: one that is a JSON text says so (RFC 7578 section 4.4).
    private static func part(_ field: (name: String, value: String, isJSON: Bool)) -> MultipartForm.Part {
        var part = MultipartForm.Part.text(field.value, named: field.name)
        if field.isJSON { part.contentType = "application/json" }
        return part
    }

    private static func encoded(_ pair: (name: String, value: String), spacesAsPlus: Bool = false) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.unreserved.append(pair.name, to: &bytes, spacesAsPlus: spacesAsPlus)
        bytes.append(UInt8(ascii: "="))
        PercentEncoding.unreserved.append(pair.value, to: &bytes, spacesAsPlus: spacesAsPlus)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ParamEncoding where Self == PlacedParamEncoding {
    /// Each param in its location; params without one in the query.
    public static func placed(_ places: [String: ParamLocation]) -> Self {
        Self(places: places, body: .params)
    }
    /// Each param in its location; the fields precede the form's own parts.
    public static func placed(_ places: [String: ParamLocation], multipart form: MultipartForm) -> Self {
        Self(places: places, body: .multipart(form))
    }
    /// Each param in its location, with the given body; ``RequestBody/none`` sends no body.
    public static func placed(
        _ places: [String: ParamLocation], body: RequestBody, contentType: String
    ) -> Self {
        Self(places: places, body: .raw(body, contentType: contentType))
    }
}

extension PlacedParamEncoding: SecretBearing {
    /// The names and locations of the params; never their values.
    public var description: String { "params in \(places.count) places" }
}
