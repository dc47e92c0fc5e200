import DiscreteNetworkingJSON
import Foundation

/// A recorded call: an entry of a HAR file, or of a cassette of this framework.
struct RecordedCall {
    /// In lower case.
    let method: String
    let components: URLComponents
    let request: JSONValue
    let response: JSONValue

    /// - Returns: `nil` if the entry is no answered call.
    init?(_ entry: JSONValue) {
        guard let request = entry["request"], let response = entry["response"],
            let method = request["method"]?.string?.lowercased(), method.isToken,
            let components = request["url"]?.string.flatMap({ URLComponents(string: $0) }),
            components.host != nil
        else { return nil }
        (self.method, self.components) = (method, components)
        (self.request, self.response) = (request, response)
    }

    /// One archive of the lines that the framework's `TrafficFile` writes, JSON Lines with an archive of one call each, of which
    /// the last of a call counts; `nil` if it is none. The last line is incomplete where the app was killed.
    static func archive(ofLines text: Data) -> JSONValue? {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        guard lines.count > 1 else { return nil }
        var (order, entries): ([JSONValue], [JSONValue: [JSONValue]]) = ([], [:])
        for (index, line) in lines.enumerated() {
            guard let log = (try? JSONValue(parsing: line))?["log"],
                let call = log["pages"]?[0]?["_requestID"],
                let list = log["entries"]?.array
            else {
                if index > 0, index == lines.count - 1 { break }
                return nil
            }
            if entries[call] == nil { order.append(call) }
            entries[call] = list
        }
        return ["log": ["entries": .array(order.flatMap { entries[$0] ?? [] })]]
    }

    /// The calls of a document; `nil` if it is no recording.
    static func all(in document: JSONValue) -> [RecordedCall]? {
        document["log"]?["entries"]?.array.map { $0.compactMap(RecordedCall.init) }
    }

    /// The segments of the path, decoded; one may contain a slash.
    var segments: [String] {
        components.percentEncodedPath.split(separator: "/").map {
            String($0).removingPercentEncoding ?? String($0)
        }
    }

    /// 0 if there was no response.
    var status: Int { response["status"]?.int ?? 0 }

    var origin: String {
        let port = components.port.map { ":\($0)" } ?? ""
        return "\(components.scheme ?? "https")://\(components.host ?? "")\(port)"
    }

    /// - Parameter name: in lower case.
    func requestHeader(_ name: String) -> String? {
        request["headers"]?.array?.first { $0["name"]?.string?.lowercased() == name }?["value"]?.string
    }

    /// The content of the response.
    var content: JSONValue { response["content"] ?? [:] }

    /// The media type of a content or of posted data, without its parameters.
    static func mediaType(_ content: JSONValue) -> String? {
        let type = content["mimeType"]?.string?.split(separator: ";").first.map(String.init)
        return type.flatMap { $0.isEmpty || $0 == "x-unknown" ? nil : $0 }
            ?? (content["_json"] != nil ? "application/json" : nil)
    }

    /// The value of a content or of posted data; `nil` if it is no JSON.
    static func json(_ content: JSONValue) -> JSONValue? {
        if let json = content["_json"] { return json }
        guard let text = content["text"]?.string else { return nil }
        let isEncoded = content["encoding"]?.string == "base64"
        let data = isEncoded ? Data(base64Encoded: text) : Data(text.utf8)
        return data.flatMap { try? JSONValue(parsing: $0) }
    }

    /// Whether it is a call of an API, not a page or a static file.
    var isData: Bool {
        if isEmpty { return !Self.isPage(Self.mediaType(content)) }
        if MediaType.kind(Self.mediaType(content) ?? "") == .json { return true }
        guard let json = Self.json(content) else { return false }
        return json.object != nil || json.array != nil
    }

    private static func isPage(_ mediaType: String?) -> Bool {
        guard let type = mediaType?.lowercased() else { return false }
        return ["text/html", "text/css"].contains(type) || type.contains("javascript")
            || ["image/", "font/", "video/", "audio/"].contains(where: type.hasPrefix)
    }

    /// Whether the response has no body, as far as the recording says.
    var isEmpty: Bool { (content["text"]?.string ?? "").isEmpty && content["_json"] == nil }
}
