import Foundation

/// All that a server can see of a request, but for its ``VaryingFields``: two requests are the same where this is.
///
/// The one definition for the caches, for the sharing of exchanges and for recordings. It compares bytes, not
/// characters: `é` in one code point and in two are two texts for a server.
package struct RequestIdentity: Hashable, Sendable {
    /// Every part with its length in front, so that none runs into the next.
    package let bytes: [UInt8]

    /// What besides its fields says which request one is.
    package struct Terms: Sendable {
        /// What does not count.
        package var varying: VaryingFields
        /// The lines that a session has put in, and whose they are: they count as that user, because the tokens of
        /// one user change.
        package var session: (fields: HTTPFields, subject: String)?

        package init(varying: VaryingFields = .none) { self.varying = varying }
    }

    /// What a request counts as.
    /// - Returns: `nil` for one whose body is only read while it is sent: it is like no other.
    package init?(_ request: APIRequest) {
        let body: Data?
        switch request.body {
        case .none: body = nil
        case .data(let data): body = data
        case .file, .stream: return nil
        }
        let url = request.url.absoluteString
        self.init(
            method: request.method.rawValue, url: String(url.prefix { $0 != "#" }), headers: request.headers,
            body: body, credential: request.credential, terms: request.terms)
    }

    /// What a recorded request counts as.
    package init(
        method: String, url: String, headers: HTTPFields, body: Data, without varying: VaryingFields
    ) {
        self.init(
            method: method, url: url, headers: headers, body: body, credential: nil,
            terms: Terms(varying: varying))
    }

    private init(
        method: String, url: String, headers: HTTPFields, body: Data?, credential: HTTPCredential?,
        terms: Terms
    ) {
        var parts = Parts()
        parts.add(method)
        parts.add(terms.varying.removed(from: url))
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
            parts.add(terms.varying.removed(from: body, type: headers["Content-Type"]), as: .body)
        }
        bytes = parts.bytes
    }

    /// Writes parts one behind the other.
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
    /// Its size: what it holds may be secret.
    package var description: String { "RequestIdentity(\(bytes.count) bytes)" }
    /// The same as ``description``, so that `dump` shows no secret.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
