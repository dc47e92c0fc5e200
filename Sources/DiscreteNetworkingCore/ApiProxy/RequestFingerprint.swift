import Foundation

/// The hashes of the parts of a request, to name the parts in which two requests differ. It holds no value.
///
/// `Hasher` makes the hashes, with another seed in each process.
package struct RequestFingerprint: Sendable {
    /// The hash of the method, the path and the endpoint. Only requests of one resource are compared.
    package let resource: Int
    private let whole: Int
    private let parts: [RequestPart: Int]

    /// - Parameters:
    ///   - headers: The header fields of the request, for the case of their names.
    ///   - endpoint: What else the requests of a resource have in common.
    ///   - others: Parts that the identity does not have, and their values.
    package init(
        _ identity: RequestIdentity, headers: HTTPFields, endpoint: [String] = [],
        others: [(part: RequestPart, value: String)] = []
    ) {
        var whole = Hasher()
        whole.combine(bytes: identity.bytes)
        var reader = PartReader(headers: headers)
        for text in endpoint { reader.resource.combine(text) }
        for (part, value) in identity.parts { reader.add(part, value) }
        for (part, value) in others {
            whole.combine(value)
            reader.add(Array(value.utf8), as: part)
        }
        self.whole = whole.finalize()
        resource = reader.resource.finalize()
        parts = reader.parts.mapValues { $0.finalize() }
    }

    package func isSame(as other: RequestFingerprint) -> Bool { whole == other.whole }

    /// Returns the parts in which two different requests of a resource differ, at least one.
    package func differences(from other: RequestFingerprint) -> [RequestPart] {
        let differing = Set(parts.keys).union(other.parts.keys).filter { parts[$0] != other.parts[$0] }
        guard !differing.isEmpty else { return [.order] }
        // Numbers are sorted, because the code that sorts an array of parts has 21 KB.
        let (found, names) = (Array(differing), differing.map(\.description))
        return names.indices.sorted { names[$0] < names[$1] }.map { found[$0] }
    }

    /// Returns the differences from the nearest of several requests, the last one of equally near ones; `nil` if there are
    /// none.
    package func differences(fromNearestOf others: [RequestFingerprint]) -> [RequestPart]? {
        others.reversed().map(differences).min { $0.count < $1.count }
    }
}

/// Divides an identity into parts with names.
private struct PartReader {
    let headers: HTTPFields
    var resource = Hasher()
    var parts: [RequestPart: Hasher] = [:]
    private var isForm = false

    /// The size in bytes from which on a body is one part, and the number of params from which on they are one part.
    private static let (bodyLimit, paramLimit) = (64 << 10, 256)

    package init(headers: HTTPFields) { self.headers = headers }

    mutating func add(_ value: some Collection<UInt8>, as part: RequestPart) {
        parts[part, default: Hasher()].combine(bytes: value)
    }

    mutating func add(_ part: RequestIdentity.Part, _ value: ArraySlice<UInt8>) {
        switch part {
        case .method: resource.combine(bytes: value)
        case .url: addURL(value)
        case .signingKey: add(value, as: .signingKey)
        case .credential: add(value, as: .credential)
        case .user: add(value, as: .user)
        case .header(let name):
            if name == "content-type" { isForm = Self.isForm(value) }
            let own = headers.first { $0.name.canonicalName == name }?.name
            if let field = own ?? (try? HTTPFields.Name(validating: name)) { add(value, as: .header(field)) }
        case .body: addBody(value)
        }
    }

    private static func isForm(_ type: ArraySlice<UInt8>) -> Bool {
        String(decoding: type, as: UTF8.self).lowercased().hasPrefix("application/x-www-form-urlencoded")
    }

    private mutating func addURL(_ url: ArraySlice<UInt8>) {
        let front = url.prefix { $0 != UInt8(ascii: "?") }
        let scheme = front.prefix { $0 != UInt8(ascii: ":") }
        let path = front[scheme.endIndex...].dropFirst("://".utf8.count).drop { $0 != UInt8(ascii: "/") }
        add(front[..<path.startIndex], as: .server)
        resource.combine(bytes: path)
        addPairs(url[front.endIndex...].dropFirst(), else: .query)
    }

    /// Adds params by name.
    /// - Parameter rest: The part for what has no name.
    private mutating func addPairs(_ text: ArraySlice<UInt8>, else rest: RequestPart) {
        let pairs = text.split(separator: UInt8(ascii: "&"))
        guard pairs.count <= Self.paramLimit else { return add(text, as: rest) }
        for pair in pairs {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
                add(pair, as: rest)
                continue
            }
            let name = String(decoding: pair[..<equals], as: UTF8.self)
                .replacingOccurrences(of: "+", with: " ")
            add(pair[equals...], as: .param(name.removingPercentEncoding ?? name))
        }
    }

    private mutating func addBody(_ body: ArraySlice<UInt8>) {
        guard body.count <= Self.bodyLimit else { return add(body, as: .body) }
        if isForm { return addPairs(body, else: .body) }
        guard body.first == UInt8(ascii: "{"), let json = try? JSONValue(parsing: Data(body)),
            let members = json.object, members.count <= Self.paramLimit
        else { return add(body, as: .body) }
        for (name, value) in members { add(value.canonicalData, as: .param(name)) }
    }
}

extension Hasher {
    fileprivate mutating func combine(bytes: some Collection<UInt8>) {
        combine(bytes.count)
        let isDone: Void? = bytes.withContiguousStorageIfAvailable {
            combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { for byte in bytes { combine(byte) } }
    }
}
