package import Foundation

/// Identifies a request by everything that the server receives, except its ``VaryingFields``. Requests with
/// equal identities are interchangeable.
///
/// The single definition for caching, coalescing and recordings. Compares bytes: canonically equivalent
/// strings differ for a server.
package struct RequestIdentity: Hashable, Sendable {
    /// The parts, each with a length prefix.
    package private(set) var bytes: [UInt8]

    /// A body and its media type.
    package struct PlainBody: Sendable {
        package let data: Data
        package let type: String?

        package init(_ data: Data, type: String?) {
            self.data = data
            self.type = type
        }
    }

    /// The parts of a request's identity besides its fields.
    package struct Terms: Sendable {
        /// The excluded fields.
        package var varying: VaryingFields
        /// The fields that a session added, and the user's identity that replaces their values, because the
        /// tokens of a user change.
        package var session: (fields: HTTPFields, subject: String)?
        /// The host, if the backend has several: all of them serve the same resource.
        package var host: HostAlias?

        /// The body before it was transformed, and its media type: an encrypted body is another one each time.
        package var plain: PlainBody?

        package init(varying: VaryingFields = .none) { self.varying = varying }
    }

    /// Creates the identity of a request.
    /// - Returns: `nil` for a file or stream body, which can be read only while it is sent.
    package init?(_ request: APIRequest) {
        // The same request is compressed for one host and not for another.
        let request = request.uncompressed
        let body: PlainBody?
        switch (request.notes.identity.plain, request.body) {
        case (let plain?, _): body = plain
        case (nil, .none): body = nil
        case (nil, .data(let data)): body = PlainBody(data, type: request.headers["Content-Type"])
        case (nil, .file), (nil, .stream): return nil
        }
        let url = request.url.absoluteString
        self.init(
            method: request.method.rawValue, url: String(url.prefix { $0 != "#" }), headers: request.headers,
            body: body, credential: request.credential, terms: request.notes.identity)
    }

    /// Creates the identity of a recorded request.
    package init(
        method: String, url: String, headers: HTTPFields, body: Data, without varying: VaryingFields
    ) {
        self.init(
            method: method, url: url, headers: headers,
            body: PlainBody(body, type: headers["Content-Type"]), credential: nil,
            terms: Terms(varying: varying))
    }

    private init(
        method: String, url: String, headers: HTTPFields, body: PlainBody?, credential: HTTPCredential?,
        terms: Terms
    ) {
        var parts = Parts()
        parts.add(method)
        parts.add(terms.varying.removed(from: terms.host?.canonical(url) ?? url, withBodyOf: body?.type))
        for key in terms.varying.keys.sorted() { parts.add(key, as: .key) }
        credential?.add(to: &parts)
        for field in headers where !terms.varying.headers.contains(field.name) {
            parts.add(field.name.canonicalName, as: .header)
            if let session = terms.session, session.fields.contains(field) {
                parts.add(session.subject, as: .subject)
            } else {
                parts.add(field.value)
            }
        }
        if let body {
            parts.add(terms.varying.removed(from: body.data, type: body.type), as: .body)
        }
        bytes = parts.bytes
    }

    /// Returns the bytes, with the memory that they were written into.
    package consuming func takeBytes() -> [UInt8] { bytes }

    // MARK: Reading

    /// The name of a part. A credential has several parts.
    package enum Part: Sendable, Equatable {
        case method, url, signingKey, credential, user, body
        /// A header field by its lowercase name.
        case header(String)
    }

    /// The parts in their order, with the bytes of their values.
    package var parts: [(name: Part, value: ArraySlice<UInt8>)] {
        var parts: [(name: Part, value: ArraySlice<UInt8>)] = []
        var (rest, header) = (bytes[...], nil as String?)
        while let (kind, value) = Parts.next(&rest) {
            switch kind {
            case .header: header = String(decoding: value, as: UTF8.self)
            case .key: parts.append((.signingKey, value))
            case .credential: parts.append((.credential, value))
            case .subject:
                parts.append((.user, value))
                header = nil
            case .body: parts.append((.body, value))
            case .text:
                let name = header.map(Part.header) ?? .credential
                parts.append((parts.isEmpty ? .method : parts.count == 1 ? .url : name, value))
                header = nil
            }
        }
        assert(rest.isEmpty)
        return parts
    }

    /// Concatenates parts.
    fileprivate struct Parts {
        enum Kind: UInt8 { case text, key, credential, header, subject, body }

        private(set) var bytes: [UInt8] = []

        init() { bytes.reserveCapacity(512) }

        mutating func add(_ text: String, as kind: Kind = .text) { add(text.utf8, as: kind) }

        mutating func add(_ part: some Collection<UInt8>, as kind: Kind) {
            bytes.append(kind.rawValue)
            withUnsafeBytes(of: UInt64(part.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part)
        }

        /// Removes the first part; returns `nil` if there is none.
        static func next(_ bytes: inout ArraySlice<UInt8>) -> (kind: Kind, value: ArraySlice<UInt8>)? {
            let head = bytes.prefix(9)
            guard head.count == 9, let kind = head.first.flatMap(Kind.init) else { return nil }
            let count = head.dropFirst().reversed().reduce(0) { $0 << 8 | Int($1) }
            let value = bytes.dropFirst(9).prefix(count)
            bytes = bytes.dropFirst(9 + count)
            return (kind, value)
        }
    }
}

extension HTTPCredential {
    fileprivate func add(to parts: inout RequestIdentity.Parts) {
        parts.add(description, as: .credential)
        switch self {
        case .basic(let user, let password), .digest(let user, let password):
            parts.add(user)
            parts.add(password)
        case .bearer(let token): parts.add(token)
        }
    }
}

extension RequestIdentity: CustomStringConvertible, CustomReflectable {
    /// The size only: the content may be secret.
    package var description: String { "RequestIdentity(\(bytes.count) bytes)" }
    /// The same as ``description``, so that `dump` shows no secret.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
