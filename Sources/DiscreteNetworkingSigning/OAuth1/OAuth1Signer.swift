public import DiscreteNetworkingCore
import Foundation

/// Signs requests with OAuth 1.0a (RFC 5849).
///
/// ```swift
/// let token = Locked<(name: String, secret: SigningKey)?>(nil)
///
/// func signer(for call: APICall) -> (any RequestSigner)? {
///     let token = token.current
///     return OAuth1Signer(
///         credentials: OAuth1Credentials(
///             consumerKey: "dpf43f3p2l4k3l03",
///             consumerSecret: SigningKey(secret),
///             token: token?.name, tokenSecret: token?.secret))
/// }
/// ```
///
/// Adds `oauth_consumer_key`, `oauth_token`, `oauth_signature_method`, `oauth_timestamp`, `oauth_nonce`, `oauth_version` and
/// `oauth_signature` to the header `Authorization`, to the form or to the query. Signed are the method, the URL and, in a form, its
/// fields; a body of another type is not (section 3.4.1.3.1).
public struct OAuth1Signer: RequestSigner {
    /// How a request is signed (RFC 5849 section 3.4).
    public enum Method: String, Sendable, Hashable {
        /// HMAC with SHA-1, which each server knows.
        case hmacSHA1 = "HMAC-SHA1"
        /// HMAC with SHA-256, which later servers know as well.
        case hmacSHA256 = "HMAC-SHA256"
        /// The secrets themselves, over HTTPS only.
        case plaintext = "PLAINTEXT"
    }

    /// Where the params are (RFC 5849 section 3.5).
    public enum Placement: Sendable, Hashable {
        /// In the header `Authorization`, with a realm if there is one.
        case header(realm: String?)
        /// In the form of the body.
        case form
        /// At the end of the query.
        case query

        /// In the header `Authorization`, without a realm.
        public static let header = Placement.header(realm: nil)
    }

    /// Who signs.
    public var credentials: OAuth1Credentials
    /// How the request is signed. Default: ``Method/hmacSHA1``.
    public var method: Method
    /// Where the params are. Default: ``Placement/header``.
    public var placement: Placement
    /// Where the user is sent after the login, or `oob`: for temporary credentials (section 2.1). Default: none.
    public var callback: String?
    /// The code that the user has brought: for token credentials (section 2.3). Default: none.
    public var verifier: String?
    /// Whether `oauth_version` is sent, which is optional (section 3.1). Default: `true`.
    public var sendsVersion: Bool
    /// The source of the timestamp and the nonce. A ``ServerClock`` has the right time for devices with a wrong clock.
    public var nonceSource: NonceSource

    /// Creates a signer; see the properties for each value.
    public init(
        credentials: OAuth1Credentials, method: Method = .hmacSHA1, placement: Placement = .header,
        callback: String? = nil, verifier: String? = nil, sendsVersion: Bool = true,
        nonceSource: NonceSource = NonceSource()
    ) {
        self.credentials = credentials
        self.method = method
        self.placement = placement
        self.callback = callback
        self.verifier = verifier
        self.sendsVersion = sendsVersion
        self.nonceSource = nonceSource
    }

    /// Signs a request.
    /// - Throws: `InvalidRequestError` if there is no consumer key, if the params are for a form and the body is none, or if
    ///   secrets would be sent without HTTPS.
    public func sign(_ request: inout APIRequest, for call: APICall) throws {
        guard !credentials.consumerKey.isEmpty else {
            throw InvalidRequestError("The consumer key is empty; return no signer while there is none.")
        }
        if method == .plaintext { try checkTransport(of: request.url) }
        if placement == .form { try prepareForm(of: &request) }
        var fields = try self.fields()
        let signature = signature(of: request, fields)
        fields.append(.init(name: "oauth_signature", value: signature))
        switch placement {
        case .header(let realm):
            request.headers["Authorization"] = Self.authorization(fields, realm: realm)
        case .form:
            for field in fields { try SignatureLocation.param(field.name).write(field.value, into: &request) }
        case .query:
            for field in fields { try SignatureLocation.query(field.name).write(field.value, into: &request) }
        }
    }

    public var varyingFields: VaryingFields {
        let names: Set = ["oauth_timestamp", "oauth_nonce", "oauth_signature"]
        var fields = VaryingFields()
        switch placement {
        case .header: fields.headers = ["Authorization"]
        case .form: fields.bodyFields = names
        case .query: fields.queryItems = names
        }
        let users = [credentials.consumerKey, credentials.token ?? "", credentials.key]
        fields.keys = [SigningKey(users.joined(separator: "\n")).fingerprint]
        return fields
    }

    // MARK: Fields

    private func fields() throws(InvalidRequestError) -> [SignedFields.Field] {
        let timestamp = try nonceSource.seconds()
        let all: [(String, String?)] = [
            ("oauth_consumer_key", credentials.consumerKey), ("oauth_token", credentials.token),
            ("oauth_signature_method", method.rawValue), ("oauth_timestamp", timestamp),
            ("oauth_nonce", nonceSource.nonce()), ("oauth_version", sendsVersion ? "1.0" : nil),
            ("oauth_callback", callback), ("oauth_verifier", verifier),
        ]
        return all.compactMap { name, value in value.map { .init(name: name, value: $0) } }
    }

    private func signature(of request: APIRequest, _ fields: [SignedFields.Field]) -> String {
        let algorithm: DigestAlgorithm
        switch method {
        case .plaintext: return credentials.key
        case .hmacSHA1: algorithm = .sha1
        case .hmacSHA256: algorithm = .sha256
        }
        let text = Data(request.oauthBaseString(fields).utf8)
        let hmac = MessageDigest.hmac(algorithm, of: text, key: Data(credentials.key.utf8))
        return Data(hmac.bytes).base64EncodedString()
    }

    private static func authorization(_ fields: [SignedFields.Field], realm: String?) -> String {
        // A quoted-string (RFC 9110 section 5.6.4). A realm is not percent-encoded.
        let quoted = realm.map { realm in
            realm.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        }
        let pairs = SignedFields(fields).percentEncoded().fields.map { "\($0.name)=\"\($0.value)\"" }
        return "OAuth " + ((quoted.map { ["realm=\"\($0)\""] } ?? []) + pairs).joined(separator: ", ")
    }

    // MARK: Checks

    private func checkTransport(of url: URL) throws(InvalidRequestError) {
        let isSafe =
            url.scheme?.lowercased() == "https" || HostName.isLoopback(HostName.normal(url.host ?? ""))
        guard isSafe else {
            throw InvalidRequestError(
                "PLAINTEXT sends the secrets themselves, and the URL is not HTTPS; use HTTPS or another method."
            )
        }
    }

    /// Checks that the body is a form, and makes one of a missing body.
    private func prepareForm(of request: inout APIRequest) throws(InvalidRequestError) {
        if case .none = request.body, request.method != .get, request.method != .head {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = .data(Data())
        }
        guard request.oauthForm != nil else {
            throw InvalidRequestError(
                "The params of OAuth are for a form, and the body is no form in memory; use the placement header."
            )
        }
    }
}
