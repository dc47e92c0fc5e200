public import DiscreteNetworkingCore
public import Foundation

/// The expected body of a request. A dictionary or array literal is JSON.
///
/// ```swift
/// let bodies: [ExpectedBody] = [
///     ["id": 7, "tags": ["a"]],
///     .json(["id": 7], where: ["nonce": .uuid, "device.time": .timestamp]),
///     .form(["user": "小明", "sign": .hexadecimal(64)]),
/// ]
/// ```
public enum ExpectedBody: Sendable {
    /// No body.
    case none
    /// Any body.
    case any
    /// JSON, ignoring the order of keys, with rules for the values at some paths.
    case json(JSONValue, where: [String: FieldRule] = [:])
    /// A form with exactly these fields.
    case form(ExpectedFields)
    /// A multipart form with exactly these fields, ignoring the boundary. A file is described as
    /// `"<photo.jpg, image/jpeg, 3120 bytes>"`.
    case multipart(ExpectedFields)
    /// Text.
    case text(String)
    /// Data.
    case data(Data)
}

extension ExpectedBody: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .json(.object(Dictionary(elements) { $1 }))
    }
    public init(arrayLiteral elements: JSONValue...) { self = .json(.array(elements)) }
}

extension ExpectedBody {
    /// The body for a cURL command; `nil` to use the actual one.
    var sample: RequestBody? {
        switch self {
        case .none: RequestBody.none
        case .any, .multipart: nil
        case .json(let json, _): .data(json.canonicalData)
        case .form(let fields):
            .data(Data(fields.rules.map { "\($0.name)=\($0.rule.sample)" }.joined(separator: "&").utf8))
        case .text(let text): .data(Data(text.utf8))
        case .data(let data): .data(data)
        }
    }
}
