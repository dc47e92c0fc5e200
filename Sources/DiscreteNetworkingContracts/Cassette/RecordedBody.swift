import DiscreteNetworkingCore
import Foundation

/// A recorded body: without secrets, and as readable as possible.
enum RecordedBody: Sendable, Equatable {
    case none
    /// Replayed with sorted keys and without whitespace.
    case json(JSONValue)
    /// The fields of a URL-encoded or multipart form.
    case form([FormField])
    case text(String)
    case binary(Data)
    /// The digest of a body that is too large to record.
    case digest(size: Int, sha256: String)

    struct FormField: Sendable, Equatable {
        var name: String
        var value: String
        /// The name of a file part; `nil` for other fields.
        var fileName: String?

        /// The value, marked if it is a file.
        var text: String { (fileName.map { "file \($0) " } ?? "") + value }
    }

    /// The maximum size of a recorded request body; larger ones are recorded as a digest.
    static let requestLimit = 1 << 20

    init(request data: Data, type: String?, _ redaction: Redaction) {
        // Forms first: the data of a multipart form differs each time.
        if let fields = FormReader.fields(data, type: type, redaction) {
            self = .form(fields)
        } else if data.count > Self.requestLimit {
            self = .digest(size: data.count, sha256: MessageDigest(.sha256, of: data).hexadecimal)
        } else {
            self.init(response: data, type: type, redaction)
        }
    }

    init(response body: Data, type: String?, _ redaction: Redaction) {
        let searchable = redaction == .none ? body : body.searchable(as: type)
        guard let data = searchable else {
            self = .text(Redaction.mark)
            return
        }
        if data.isEmpty {
            self = .none
        } else if type?.lowercased().contains("json") ?? true, let json = try? JSONValue(parsing: data) {
            self = .json(redaction.redacted(json))
        } else if let text = String(data: data, encoding: .utf8),
            !text.unicodeScalars.contains(where: { $0.value < 0x20 && !"\t\r\n".unicodeScalars.contains($0) })
        {
            self = .text(redaction.redacted(text: text))
        } else {
            self = .binary(data)
        }
    }

    /// The same structure without a value.
    var hidden: RecordedBody {
        switch self {
        case .json(let json): .json(Redaction.hidden(json))
        case .text: .text(Redaction.mark)
        case .none, .form, .binary, .digest: .none
        }
    }

    /// The data to replay.
    var data: Data {
        switch self {
        case .none, .form, .digest: Data()
        case .json(let json): json.canonicalData
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }
}

extension Redaction {
    /// Returns a value with secret members redacted. Their types are preserved, so that replayed JSON
    /// decodes: a number becomes 0.
    func redacted(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (name, isSecret(param: name, value: value) ? Self.hidden(value) : redacted(value))
                    }))
        case .array(let elements): .array(elements.map(redacted))
        case .string(let text): .string(redacted(text: text))
        default: json
        }
    }

    fileprivate static func hidden(_ json: JSONValue) -> JSONValue {
        switch json {
        case .null: .null
        case .bool: false
        case .number: 0
        case .string: .string(mark)
        case .array(let elements): .array(elements.map(hidden))
        case .object(let members): .object(members.mapValues(hidden))
        }
    }
}
