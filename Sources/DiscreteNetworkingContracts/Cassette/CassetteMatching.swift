public import DiscreteNetworkingCore
import Foundation

/// Determines whether a request matches a recorded one.
///
/// The same parts are compared as in a cache key: method, URL, headers and body, except the
/// ``/DiscreteNetworking/VaryingFields`` of the service, its signer and the plugins, and secrets, which are
/// redacted on both sides. The order of headers, query items and JSON members is ignored.
public struct CassetteMatching: Sendable, Equatable {
    /// The names of ignored headers.
    public var ignoredHeaders: Set<HTTPFields.Name>
    /// The names of ignored params in the query, in forms and in JSON, such as timestamps and nonces.
    public var ignoredParams: Set<String>

    /// Creates a comparison that leaves out some headers and params.
    public init(
        ignoredHeaders: Set<HTTPFields.Name> = Self.standardHeaders, ignoredParams: Set<String> = []
    ) {
        self.ignoredHeaders = ignoredHeaders
        self.ignoredParams = ignoredParams
    }

    /// The headers that depend on the machine.
    public static let standardHeaders: Set<HTTPFields.Name> = [
        "User-Agent", "Accept-Language", "Accept-Encoding", "Connection", "Content-Length", "Date", "Host",
    ]
    /// Leaves out the headers that depend on the machine.
    public static let standard = CassetteMatching()

    /// A difference of two requests.
    struct Difference: Equatable {
        /// What differs. In finding the nearest recording, one difference of a kind outweighs all of later kinds.
        enum Kind: Int, CaseIterable { case target, query, body, header }

        let kind: Kind
        let text: String
        /// The weight among differences of the kind.
        var weight = 1
    }

    /// Returns whether a list of differences is smaller than another one.
    static func isNearer(_ left: [Difference], than right: [Difference]) -> Bool {
        func weights(_ list: [Difference]) -> [Int] {
            Difference.Kind.allCases.map { kind in list.reduce(0) { $1.kind == kind ? $0 + $1.weight : $0 } }
        }
        return weights(left).lexicographicallyPrecedes(weights(right))
    }

    /// Returns the ignored fields of a request.
    private func varying(_ request: RecordedRequest) -> VaryingFields {
        VaryingFields(headers: ignoredHeaders, params: ignoredParams).union(request.varying)
    }

    func isSame(_ recorded: RecordedRequest, _ now: RecordedRequest) -> Bool {
        let varying = varying(now)
        return recorded.identity(without: varying) == now.identity(without: varying)
    }

    /// Returns the differences of two requests, for display.
    func differences(_ recorded: RecordedRequest, _ now: RecordedRequest) -> [Difference] {
        let varying = varying(now)
        let params = varying.params.union(varying.queryItems).union(varying.bodyFields)
        return CassetteMatching(ignoredHeaders: varying.headers, ignoredParams: params).list(recorded, now)
    }

    private func list(_ recorded: RecordedRequest, _ now: RecordedRequest) -> [Difference] {
        var differences: [Difference] = []
        if recorded.method != now.method {
            differences.append(
                .init(kind: .target, text: Self.line("method", recorded.method, now.method), weight: 5))
        }
        differences += url(URLParts(recorded.url), URLParts(now.url))
        differences += compare(
            .header, "header", Self.grouped(recorded.headers), Self.grouped(now.headers),
            ignoring: Set(ignoredHeaders.map(\.canonicalName)))
        return differences + body(recorded.body, now.body)
    }

    private func url(_ recorded: URLParts, _ now: URLParts) -> [Difference] {
        var differences: [Difference] = []
        if recorded.server != now.server {
            differences.append(
                .init(kind: .target, text: Self.line("server", recorded.server, now.server), weight: 10))
        }
        if recorded.path != now.path {
            differences.append(
                .init(kind: .target, text: Self.line("path", recorded.path, now.path), weight: 10))
        }
        return differences
            + compare(
                .query, "query", Self.grouped(recorded.query), Self.grouped(now.query),
                ignoring: ignoredParams)
    }

    private func body(_ recorded: RecordedBody, _ now: RecordedBody) -> [Difference] {
        switch (recorded, now) {
        case (.json(let old), .json(let new)): json(old, new, at: FieldPath())
        case (.form(let old), .form(let new)):
            compare(.body, "form", Self.grouped(old), Self.grouped(new), ignoring: ignoredParams)
        default:
            recorded == now
                ? []
                : [.init(kind: .body, text: Self.line("body", Self.summary(recorded), Self.summary(now)))]
        }
    }

    private func json(_ recorded: JSONValue, _ now: JSONValue, at path: FieldPath) -> [Difference] {
        switch (recorded, now) {
        case (.object(let old), .object(let new)):
            return Set(old.keys).union(new.keys).sorted().flatMap { key -> [Difference] in
                guard !ignoredParams.contains(key) else { return [] }
                let below = path.appending(.key(key))
                guard let left = old[key], let right = new[key] else {
                    return [
                        .init(
                            kind: .body,
                            text: Self.line(
                                "body \(below)", old[key]?.canonicalText, new[key]?.canonicalText))
                    ]
                }
                return json(left, right, at: below)
            }
        case (.array(let old), .array(let new)) where old.count == new.count:
            return zip(old, new).enumerated().flatMap { index, pair in
                json(pair.0, pair.1, at: path.appending(.key(String(index))))
            }
        default:
            guard recorded != now else { return [] }
            let text = Self.line("body \(path)", recorded.canonicalText, now.canonicalText)
            return [.init(kind: .body, text: text)]
        }
    }

    private func compare(
        _ kind: Difference.Kind, _ what: String, _ recorded: [String: [String]], _ now: [String: [String]],
        ignoring names: Set<String>
    ) -> [Difference] {
        Set(recorded.keys).union(now.keys).subtracting(names).sorted().compactMap { name in
            guard recorded[name] != now[name] else { return nil }
            func text(_ values: [String]?) -> String? {
                values.map { $0.map { JSONValue.string($0).canonicalText }.joined(separator: ", ") }
            }
            return Difference(
                kind: kind, text: Self.line("\(what) \(name)", text(recorded[name]), text(now[name])))
        }
    }

    // MARK: Text

    private static func line(_ what: String, _ recorded: String?, _ now: String?) -> String {
        "\(what): recorded \(recorded.map(short) ?? "none"), now \(now.map(short) ?? "none")"
    }

    private static func short(_ text: String) -> String { text.count > 200 ? text.prefix(200) + "…" : text }

    private static func summary(_ body: RecordedBody) -> String? {
        switch body {
        case .none: nil
        case .json(let json): json.canonicalText
        case .form(let fields): fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        case .text(let text): JSONValue.string(text).canonicalText
        case .binary(let data):
            "\(data.count) bytes with SHA-256 \(MessageDigest(.sha256, of: data).hexadecimal.prefix(8))…"
        case .digest(let size, let sha256): "\(size) bytes with SHA-256 \(sha256.prefix(8))…"
        }
    }

    // MARK: Ordered names and values

    private static func grouped(_ pairs: [(name: String, value: String)]) -> [String: [String]] {
        Dictionary(grouping: pairs, by: \.name).mapValues { $0.map(\.value) }
    }

    private static func grouped(_ headers: HTTPFields) -> [String: [String]] {
        grouped(headers.map { ($0.name.canonicalName, $0.value) })
    }

    private static func grouped(_ fields: [RecordedBody.FormField]) -> [String: [String]] {
        grouped(fields.map { ($0.name, $0.text) })
    }
}

/// The parts of a URL as text: a URL with redacted secrets is not a valid `URL`.
struct URLParts {
    let server: String
    let path: String
    let query: [(name: String, value: String)]

    init(_ url: String) {
        let text = url.prefix { $0 != "#" }
        let front = text.prefix { $0 != "?" }
        query = FormReader.pairs(String(text.dropFirst(front.count + 1)))
        let host = front.range(of: "://").map { $0.upperBound } ?? front.startIndex
        let slash = front[host...].firstIndex(of: "/") ?? front.endIndex
        server = String(front[..<slash])
        path = slash == front.endIndex ? "/" : String(front[slash...])
    }
}
