public import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
public import Foundation

/// The response of a token endpoint (RFC 6749 section 5.1).
public struct OAuthTokens: Sendable, Hashable {
    /// The tokens.
    public let response: TokenResponse
    /// All members of the response, such as `id_token`.
    public let members: JSONValue

    init(_ members: JSONValue) throws(OAuthError) {
        self.members = members
        do {
            response = try JSONDecoder().decode(TokenResponse.self, fromUntrusted: members.canonicalData)
        } catch DecodingError.keyNotFound(let key, _) {
            throw .invalidResponse("it has no \(key.stringValue).")
        } catch DecodingError.typeMismatch(_, let context), DecodingError.dataCorrupted(let context),
            DecodingError.valueNotFound(_, let context)
        {
            throw .invalidResponse(
                "\(context.codingPath.last?.stringValue ?? "the body") is not what RFC 6749 section 5.1 says."
            )
        } catch {
            throw .invalidResponse("it is no object of RFC 6749 section 5.1.")
        }
        try Self.check(response.accessToken, "access_token")
        try Self.check(response.refreshToken, "refresh_token")
    }

    /// Refuses a token that no request can have (RFC 6749 appendices A.12 and A.17): the session would keep it.
    private static func check(_ token: String?, _ name: String) throws(OAuthError) {
        guard token?.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) != false else {
            throw .invalidResponse("\(name) has characters that RFC 6749 appendix A does not allow.")
        }
    }
}

extension OAuthTokens: SecretBearing {
    /// The token type; never a token.
    public var description: String { response.description }
}

extension SessionTokens {
    /// Creates the tokens of a session.
    /// - Parameter user: Identifies the user; see `SessionTokens.user`.
    public init(_ tokens: OAuthTokens, user: String? = nil, receivedAt date: Date = Date()) {
        self.init(tokens.response, user: user, receivedAt: date)
    }
}

// MARK: Calls

extension OAuthClient {
    /// Returns the tokens for a grant.
    @MainActor
    func tokens(_ grant: Params, over proxy: ApiProxy) async throws(OAuthError) -> OAuthTokens {
        let members = try await post(grant, to: server.token, over: proxy)
        if let refusal = Self.refusal(in: members, of: grant) { throw refusal }
        return try OAuthTokens(members)
    }

    /// Returns the error in a response with status 200, as GitHub sends it.
    static func refusal(in members: JSONValue, of grant: Params) -> OAuthError? {
        guard members["access_token"].string == nil else { return nil }
        let sent = ["code", "code_verifier", "device_code", "refresh_token"].compactMap { grant[$0]?.string }
        return OAuthError(members, Redaction.standard.hiding(sent))
    }

    /// Sends a form to an endpoint of the server.
    @MainActor
    func post(_ params: Params, to url: URL, over proxy: ApiProxy) async throws(OAuthError) -> JSONValue {
        do throws(APIError) {
            return try await load(params, at: url, over: proxy)
        } catch {
            throw OAuthError(error)
        }
    }

    /// The same with the error of the call.
    @MainActor
    func load(_ params: Params, at url: URL, over proxy: ApiProxy) async throws(APIError) -> JSONValue {
        let manager = OAuthManager(of: OAuthService.register(url, with: proxy.services), headers: headers)
        manager.proxy = proxy
        return try await manager.load(at: url, with: params.merging(self.params))
    }
}

/// A request to an authorization server.
final class OAuthManager: APIManager<JSONValue> {
    let serviceIdentifier: ServiceIdentifier
    let methodName = ""
    let requestType = HTTPMethod.post
    private let ownHeaders: [String: String]

    init(of serviceIdentifier: ServiceIdentifier, headers: [String: String]) {
        self.serviceIdentifier = serviceIdentifier
        ownHeaders = headers
    }

    override var headers: [String: String] { ownHeaders }
    override var usesSession: Bool { false }
    override var encoding: (any ParamEncoding)? { .form }
    override var responseRules: ResponseRules { ResponseRules(envelope: .bare, redirects: .refuse) }
}

/// An endpoint of an authorization server as a service: nothing of the app's services goes there.
final class OAuthService: Service {
    let baseURL: URL
    let configuration = ServiceConfiguration(timeout: 30, responseSizeLimit: 1024 * 1024)

    // Never used: services of this class are registered with their URL.
    convenience init() { self.init(URL(fileURLWithPath: "/")) }
    private init(_ baseURL: URL) { self.baseURL = baseURL }

    /// Registers the service of an endpoint, unless it is.
    static func register(_ url: URL, with services: ServiceFactory) -> ServiceIdentifier {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.user = nil
        parts?.password = nil
        parts?.query = nil
        parts?.fragment = nil
        let baseURL = parts?.url ?? url
        let identifier = ServiceIdentifier(rawValue: "oauth \(baseURL.absoluteString)")
        if !services.identifiers.contains(identifier) {
            services.register([identifier: { OAuthService(baseURL) }])
        }
        return identifier
    }
}
