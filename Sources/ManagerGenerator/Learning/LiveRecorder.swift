import DiscreteNetworkingCurl
import DiscreteNetworkingJSON
import DiscreteNetworkingSupport
import Foundation

/// Records the responses of a server to the GETs of a description: those that need nothing, and those whose path parameters are
/// in a response before, such as the `id` of the first item of `/pets` for `/pets/{id}`.
struct LiveRecorder: Sendable {
    let base: URL
    /// What each call has besides, such as `Authorization`.
    let headers: [NamePair]
    /// The time for one call in seconds.
    var timeLimit: TimeInterval = 30
    /// The time for all calls in seconds.
    var totalLimit: TimeInterval = 600

    private static let callLimit = 2_000
    /// A response of more bytes is left out: it is a file or has no end.
    private static let sizeLimit = 16 << 20
    /// All responses have no more bytes than this in Base64.
    private static let totalSizeLimit = 256 << 20

    /// - Returns: Entries as a HAR file has them.
    func record(_ index: OperationIndex) throws(GeneratorError) -> [JSONValue] {
        let gets = index.all.filter { $0.endpoint.hasPrefix("GET ") }
            .sorted { ($0.segments.count, $0.endpoint) < ($1.segments.count, $1.endpoint) }
        var entries: [JSONValue] = []
        var answers: [[String]: JSONValue] = [:]
        var ids = KnownIDs()
        var size = 0
        let end = Date().addingTimeInterval(totalLimit)
        for get in gets.prefix(Self.callLimit) where Date() < end && size < Self.totalSizeLimit {
            let isFolder = get.endpoint.hasSuffix("/")
            for (segments, query) in targets(of: get, answers, ids) {
                guard let entry = call(segments, query, isFolder: isFolder) else { continue }
                size += entry["response"]?["content"]?["text"]?.string?.utf8.count ?? 0
                entries.append(entry)
                if let json = RecordedCall.json(entry["response"]?["content"] ?? [:]) {
                    answers[segments] = json
                    let status = entry["response"]?["status"]?.int ?? 0
                    if 200..<300 ~= status { ids.add(json) }
                }
            }
        }
        guard !entries.isEmpty else {
            throw GeneratorError(
                "\(VisibleText.url(base.absoluteString)) responded to none of \(gets.count) GETs. Give the URL of the server, with the path that comes before the paths of the description."
            )
        }
        return entries
    }

    /// The paths to call, filled with values of the responses before, and their query; none if a value is not known.
    private func targets(
        of entry: OperationIndex.Entry, _ answers: [[String]: JSONValue], _ ids: KnownIDs
    ) -> [(segments: [String], query: [URLQueryItem])] {
        var query: [URLQueryItem] = []
        for parameter in entry.parameters
        where parameter.string("in") == "query" && parameter.flag("required") {
            guard let value = Self.value(of: parameter) else { return [] }
            query.append(URLQueryItem(name: parameter.string("name") ?? "", value: value))
        }
        var paths: [[String]] = [[]]
        for segment in entry.segments {
            guard let open = segment.firstIndex(of: "{"), let close = segment.lastIndex(of: "}") else {
                paths = paths.map { $0 + [segment] }
                continue
            }
            let name = String(segment[segment.index(after: open)..<close])
            let own = entry.parameters.first {
                $0.string("in") == "path" && $0.string("name") == name
            }
            paths = paths.compactMap { path in
                let found =
                    answers[path].flatMap { Self.member(name, ofItemsOf: $0) } ?? ids.value(for: name)
                    ?? own.flatMap(Self.value)
                return found.map { path + [segment[..<open] + $0 + segment[segment.index(after: close)...]] }
            }
        }
        return paths.map { ($0, query) }
    }

    /// What a description gives as a value of a parameter.
    private static func value(of parameter: Node) -> String? {
        let schema = parameter["schema"] ?? parameter
        let values = [
            parameter.value["example"], parameter["examples"]?.members.first?.node.value["value"],
            schema.value["example"], schema.value["default"], schema.value["const"],
            schema.value["enum"]?.array?.first,
        ]
        return values.lazy.compactMap(\.self).compactMap(text).first
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        // A dot segment leads to another path (RFC 3986, section 5.2.4).
        case .string(let text): ["", ".", ".."].contains(text) ? nil : text
        case .number(let number): number.literal
        case .bool(let bool): String(bool)
        default: nil
        }
    }

    /// The value of a path parameter in the first item of a list.
    private static func member(_ name: String, ofItemsOf answer: JSONValue) -> String? {
        let lists = [answer.array] + (answer.object ?? [:]).sorted { $0.key < $1.key }.map(\.value.array)
        let words = Words.split(name).map { $0.lowercased() }
        for item in lists.compactMap({ $0?.first?.object }) {
            func called(_ wanted: [String]) -> String? {
                item.first { Words.split($0.key).map { $0.lowercased() } == wanted }.flatMap {
                    text($0.value)
                }
            }
            if let value = called(words) ?? words.last.flatMap({ called([$0]) }) ?? called(["id"])
                ?? called(["name"])
            {
                return value
            }
        }
        return nil
    }

    // MARK: Calls

    /// - Parameter isFolder: Whether the path ends with a slash: servers tell it from the path without one.
    private func call(_ segments: [String], _ query: [URLQueryItem], isFolder: Bool) -> JSONValue? {
        guard var components = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return nil }
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove("/")
        let path = segments.map { $0.addingPercentEncoding(withAllowedCharacters: allowed) ?? $0 }
        let prefix = components.percentEncodedPath.split(separator: "/").map(String.init)
        components.percentEncodedPath =
            "/" + (prefix + path).joined(separator: "/") + (isFolder && !path.isEmpty ? "/" : "")
        components.queryItems = query.isEmpty ? nil : query
        guard let url = components.url else { return nil }
        var request = APIRequest(url: url, destination: .memory(limit: Self.sizeLimit))
        request.headers = .standard
        request.headers["Accept"] = "application/json"
        for header in headers {
            guard let name = try? HTTPFields.Name(validating: header.name) else { continue }
            request.headers[name] = header.value
        }
        request.timeout = timeLimit
        guard let response = Self.response(to: request, within: timeLimit),
            case .data(let data) = response.body
        else { return nil }
        let type = response.headers["Content-Type"] ?? ""
        return [
            "request": ["method": "GET", "url": .string(url.absoluteString)],
            "response": [
                "status": .number(JSONNumber(response.status)),
                "content": [
                    "mimeType": .string(type), "encoding": "base64",
                    "text": .string(data.base64EncodedString()),
                ],
            ],
        ]
    }

    private static func response(to request: APIRequest, within limit: TimeInterval) -> TransportResponse? {
        let outcome = Locked<TransportResponse?>(nil)
        let done = DispatchSemaphore(value: 0)
        let task = Task {
            outcome.current = try? await DocumentFetcher.transport.send(request)
            done.signal()
        }
        if done.wait(timeout: .now() + limit) != .success { task.cancel() }
        return outcome.current
    }
}
