import DiscreteNetworking
import Foundation

/// What the body of a request has to be. A dictionary or array literal stands for JSON.
///
/// ```swift
/// body: ["id": 7, "tags": ["a"]]
/// body: .json(["id": 7], where: ["nonce": .uuid, "device.time": .timestamp])
/// body: .form(["user": "小明", "sign": .hexadecimal(64)])
/// ```
public enum ExpectedBody: Sendable {
    /// There is none.
    case none
    /// Not looked at.
    case any
    /// JSON, equal whatever the order of keys, but for the values at these paths, for which there is a rule.
    case json(JSONValue, where: [String: FieldRule] = [:])
    /// A form of these fields and no others.
    case form(ExpectedFields)
    /// A form with files of these fields and no others, whatever its boundary. A file is
    /// `"<photo.jpg, image/jpeg, 3120 bytes>"`.
    case multipart(ExpectedFields)
    /// This text.
    case text(String)
    /// These bytes.
    case data(Data)
}

extension ExpectedBody: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .json(.object(Dictionary(elements) { $1 }))
    }
    public init(arrayLiteral elements: JSONValue...) { self = .json(.array(elements)) }
}

extension ExpectedBody {
    /// What stands for it in a cURL line; `nil` where the actual one does.
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
