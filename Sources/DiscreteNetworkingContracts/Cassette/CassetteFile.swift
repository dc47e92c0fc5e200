import DiscreteNetworkingCore
import Foundation

/// The file format of a cassette, based on HAR 1.2. Additional members start with `_`.
enum CassetteFile {
    static func text(_ entries: [CassetteEntry]) -> String {
        let log: JSONValue = [
            "version": "1.2", "creator": ["name": "DiscreteNetworking", "version": "1"],
            "entries": .array(entries.map(json)),
        ]
        return PrettyJSON.text(["log": log])
    }

    /// Parses a cassette.
    /// - Throws: ``ContractError`` with the error and its position.
    static func entries(parsing data: Data) throws(ContractError) -> [CassetteEntry] {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: data)
        } catch {
            throw ContractError("it is not JSON: \(error)")
        }
        guard let entries = json["log"]?["entries"]?.array else {
            throw ContractError("it has no log.entries.")
        }
        var read: [CassetteEntry] = []
        for (index, entry) in entries.enumerated() {
            do {
                read.append(try self.entry(entry))
            } catch {
                throw ContractError("log.entries[\(index)]\(error.message)")
            }
        }
        return read
    }

    // MARK: Writing

    private static func json(_ entry: CassetteEntry) -> JSONValue {
        var request: [String: JSONValue] = [
            "method": .string(entry.request.method), "url": .string(entry.request.url),
            "headers": json(entry.request.headers),
        ]
        if entry.request.body != .none {
            request["postData"] = json(entry.request.body, entry.request.headers)
        }
        var response: [String: JSONValue] = [
            "status": .number(JSONNumber(entry.status)), "headers": json(entry.headers),
        ]
        if entry.body != .none { response["content"] = json(entry.body, entry.headers) }
        if entry.isTruncated { response["_truncated"] = true }
        return ["request": .object(request), "response": .object(response)]
    }

    private static func json(_ headers: HTTPFields) -> JSONValue {
        .array(headers.map { ["name": .string($0.name.rawName), "value": .string($0.value)] })
    }

    private static func json(_ body: RecordedBody, _ headers: HTTPFields) -> JSONValue {
        var members: [String: JSONValue] = ["mimeType": .string(headers["Content-Type"] ?? "")]
        switch body {
        case .none: break
        case .json(let json): members["_json"] = json
        case .form(let fields):
            members["params"] = .array(
                fields.map { field in
                    var members: [String: JSONValue] = [
                        "name": .string(field.name), "value": .string(field.value),
                    ]
                    members["fileName"] = field.fileName.map(JSONValue.string)
                    return .object(members)
                })
        case .text(let text): members["text"] = .string(text)
        case .binary(let data):
            members["text"] = .string(data.base64EncodedString())
            members["encoding"] = "base64"
        case .digest(let size, let sha256):
            members["_size"] = .number(JSONNumber(size))
            members["_sha256"] = .string(sha256)
        }
        return .object(members)
    }

    // MARK: Reading

    private static func entry(_ json: JSONValue) throws(ContractError) -> CassetteEntry {
        guard let request = json["request"], let method = request["method"]?.string,
            let url = request["url"]?.string
        else { throw ContractError(".request needs a method and a url.") }
        guard let response = json["response"], let status = response["status"]?.int, 100...999 ~= status
        else {
            throw ContractError(".response needs a status.")
        }
        var entry = CassetteEntry(
            request: RecordedRequest(
                method: method, url: url, headers: try headers(request["headers"], ".request"),
                body: try body(request["postData"], ".request.postData")),
            status: status, headers: try headers(response["headers"], ".response"),
            body: try body(response["content"], ".response.content"))
        entry.isTruncated = response["_truncated"]?.bool ?? false
        return entry
    }

    private static func headers(_ json: JSONValue?, _ place: String) throws(ContractError) -> HTTPFields {
        var headers = HTTPFields()
        for field in json?.array ?? [] {
            guard let name = field["name"]?.string, let value = field["value"]?.string else {
                throw ContractError("\(place).headers has a header without name or value.")
            }
            do {
                headers.append(try HTTPFields.Name(validating: name), value)
            } catch {
                throw ContractError("\(place).headers: \(error.reason)")
            }
        }
        return headers
    }

    private static func body(_ json: JSONValue?, _ place: String) throws(ContractError) -> RecordedBody {
        guard let json else { return .none }
        if let value = json["_json"] { return .json(value) }
        if let params = json["params"]?.array {
            var fields: [RecordedBody.FormField] = []
            for param in params {
                guard let name = param["name"]?.string, let value = param["value"]?.string else {
                    throw ContractError("\(place).params has a field without name or value.")
                }
                fields.append(.init(name: name, value: value, fileName: param["fileName"]?.string))
            }
            return .form(fields)
        }
        if let size = json["_size"]?.int, let digest = json["_sha256"]?.string {
            return .digest(size: size, sha256: digest)
        }
        guard let text = json["text"]?.string else {
            throw ContractError("\(place) needs one of text, params and _json.")
        }
        guard let encoding = json["encoding"] else { return .text(text) }
        guard encoding == "base64", let data = Data(base64Encoded: text) else {
            throw ContractError("\(place).text is not base64.")
        }
        return .binary(data)
    }
}
