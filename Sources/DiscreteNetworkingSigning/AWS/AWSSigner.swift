public import DiscreteNetworkingCore
public import Foundation

/// Signs requests with AWS Signature Version 4, for Amazon API Gateway, S3 and services that are compatible with them.
///
/// ```swift
/// let credentials = Locked<AWSCredentials?>(nil)
///
/// func signer(for call: APICall) -> (any RequestSigner)? {
///     credentials.current.map {
///         AWSSigner(
///             credentials: $0, region: "eu-central-1", service: "execute-api")
///     }
/// }
/// ```
///
/// Adds `X-Amz-Date` and `Authorization`, with temporary credentials `X-Amz-Security-Token`, and for S3
/// `X-Amz-Content-SHA256`; or, with ``Placement/query(expiresAfter:)``, the same as params of the URL. Each attempt has a
/// signature of its own. A `+` in the query is sent as `%20`, because servers read it in two ways.
///
/// The signature covers the method, the path, the query, the body and header fields: `Host`, `Content-Type`,
/// `Content-MD5`, the fields that begin with `X-Amz-`, and ``signedHeaders``. See "AWS Signature Version 4 for API
/// requests" in AWS's documentation.
public struct AWSSigner: RequestSigner {
    /// How the path of the URL becomes part of the signature.
    public enum PathRule: Sendable, Hashable {
        /// Without dot segments and empty segments, and percent-encoded once more: all services but S3.
        case normalized
        /// As it is: for S3, because its keys may have dot segments.
        case s3
    }

    /// Whether the signature covers the body.
    public enum Payload: Sendable, Hashable {
        /// It does. A stream fails, because it can be read only while it is sent.
        case signed
        /// It does, unless the body is a stream, which is `UNSIGNED-PAYLOAD`: for S3.
        case signedExceptStreams
        /// It does not: `UNSIGNED-PAYLOAD`, for S3.
        case unsigned
    }

    /// Where the signature is.
    public enum Placement: Sendable, Hashable {
        /// In the header `Authorization`.
        case header
        /// In the query, valid for a time in seconds: at least 1, at most 604,800 (seven days).
        case query(expiresAfter: Int)
    }

    /// Who signs.
    public var credentials: AWSCredentials
    /// The region of the service, such as `eu-central-1`.
    public var region: String
    /// The name of the service in signatures, such as `execute-api`, `s3` or `es`.
    public var service: String
    /// How the path is signed. Default: ``PathRule/s3`` for the service `s3`, otherwise ``PathRule/normalized``.
    public var pathRule: PathRule
    /// Whether the body is signed. Default: ``Payload/signed``.
    public var payload: Payload
    /// Where the signature is. Default: ``Placement/header``.
    public var placement: Placement
    /// Further header fields that are signed, if the request has them.
    public var signedHeaders: Set<HTTPFields.Name>
    /// Returns the current time. Default: the system clock; see ``ServerClock`` for devices with a wrong clock.
    public var now: @Sendable () -> Date

    /// Creates a signer; see the properties for each value.
    public init(
        credentials: AWSCredentials, region: String, service: String, pathRule: PathRule? = nil,
        payload: Payload = .signed, placement: Placement = .header,
        signedHeaders: Set<HTTPFields.Name> = [], now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.credentials = credentials
        self.region = region
        self.service = service
        self.pathRule = pathRule ?? (service == "s3" ? .s3 : .normalized)
        self.payload = payload
        self.placement = placement
        self.signedHeaders = signedHeaders
        self.now = now
    }

    /// Signs a request.
    /// - Throws: `InvalidRequestError` if a part of the credentials is empty, if the body is a stream that has to be signed,
    ///   or if the time of a query is out of range.
    public func sign(_ request: inout APIRequest, for call: APICall) async throws {
        guard !credentials.accessKeyID.isEmpty, !credentials.secretAccessKey.data.isEmpty else {
            throw InvalidRequestError(
                "The AWS credentials are empty; return no signer while there are none.")
        }
        let scope = try AWSScope(now(), region: region, service: service)
        let hash = try await payloadHash(of: request.body)
        try request.spellSpacesInQuery()
        switch placement {
        case .header: signHeader(of: &request, scope, hash)
        case .query(let seconds): try signQuery(of: &request, scope, hash, expiresAfter: seconds)
        }
    }

    public var varyingFields: VaryingFields {
        var fields = VaryingFields()
        switch placement {
        case .header:
            fields.headers = ["Authorization", "X-Amz-Date", "X-Amz-Security-Token", "X-Amz-Content-SHA256"]
        case .query:
            fields.queryItems = [
                "X-Amz-Date", "X-Amz-Credential", "X-Amz-Security-Token", "X-Amz-Signature",
            ]
        }
        let key = SigningKey(Data("\(credentials.accessKeyID)\n".utf8) + credentials.secretAccessKey.data)
        fields.keys = [key.fingerprint]
        return fields
    }

    // MARK: Placements

    private func signHeader(of request: inout APIRequest, _ scope: AWSScope, _ hash: String) {
        request.headers["X-Amz-Date"] = scope.time
        request.headers["X-Amz-Security-Token"] = credentials.sessionToken
        if pathRule == .s3 || hash == Self.unsignedPayload { request.headers["X-Amz-Content-SHA256"] = hash }
        let names = signedNames(of: request)
        let signature = signature(of: request, names, scope, hash)
        request.headers["Authorization"] =
            "\(AWSScope.algorithm) Credential=\(credentials.accessKeyID)/\(scope.text), SignedHeaders=\(names.joined(separator: ";")), Signature=\(signature)"
    }

    private func signQuery(
        of request: inout APIRequest, _ scope: AWSScope, _ hash: String, expiresAfter seconds: Int
    ) throws {
        guard 1...604_800 ~= seconds else {
            throw InvalidRequestError(
                "A signature in the query is valid for 1 to 604800 seconds, not for \(seconds).")
        }
        let names = signedNames(of: request)
        var items = [
            ("X-Amz-Algorithm", AWSScope.algorithm),
            ("X-Amz-Credential", "\(credentials.accessKeyID)/\(scope.text)"),
            ("X-Amz-Date", scope.time), ("X-Amz-Expires", String(seconds)),
            ("X-Amz-SignedHeaders", names.joined(separator: ";")),
        ]
        if let token = credentials.sessionToken { items.append(("X-Amz-Security-Token", token)) }
        for (name, value) in items { try SignatureLocation.query(name).write(value, into: &request) }
        let signature = signature(of: request, names, scope, hash)
        try SignatureLocation.query("X-Amz-Signature").write(signature, into: &request)
    }

    // MARK: Signature

    private static let unsignedPayload = "UNSIGNED-PAYLOAD"

    private func payloadHash(of body: RequestBody) async throws -> String {
        switch (payload, body) {
        case (.unsigned, _), (.signedExceptStreams, .stream): Self.unsignedPayload
        default: try await body.digest(.sha256).hexadecimal
        }
    }

    /// The lowercase names of the fields that are signed, sorted.
    private func signedNames(of request: APIRequest) -> [String] {
        let own = Set(signedHeaders.map(\.canonicalName)).union(["content-type", "content-md5"])
        let names = request.headers.map(\.name.canonicalName).filter {
            $0.hasPrefix("x-amz-") || own.contains($0)
        }
        return Set(names + ["host"]).sorted()
    }

    private func signature(
        of request: APIRequest, _ names: [String], _ scope: AWSScope, _ hash: String
    ) -> String {
        let fields = names.map { "\($0):\(request.awsValue(of: $0))\n" }
        let canonical = [
            request.method.rawValue, request.awsPath(by: pathRule), request.canonicalQuery,
            fields.joined(), names.joined(separator: ";"), hash,
        ].joined(separator: "\n")
        return scope.signature(of: canonical, with: credentials.secretAccessKey)
    }
}
