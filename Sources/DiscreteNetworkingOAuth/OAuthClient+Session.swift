public import DiscreteNetworkingCore
public import Foundation

extension OAuthClient {
    /// Exchanges the refresh token for new tokens (RFC 6749 section 6). A response without a refresh token keeps the old one.
    ///
    /// ```swift
    /// TokenSession { tokens, proxy in
    ///     try await client.refresh(tokens, over: proxy)
    /// }
    /// ```
    /// - Throws: An `APIError`, from which the session sees whether the refresh token is spent; `SessionProblem.invalid` without a
    ///   refresh token; ``OAuthError`` for a response without tokens.
    @MainActor
    public func refresh(_ tokens: SessionTokens, over proxy: ApiProxy = .shared) async throws -> SessionTokens
    {
        guard let refreshToken = tokens.refreshToken else { throw SessionProblem.invalid }
        let grant: Params = ["grant_type": "refresh_token", "refresh_token": refreshToken]
        let members = try await load(grant, at: server.token, over: proxy)
        if let refusal = Self.refusal(in: members, of: grant) {
            // The second code is GitHub's.
            if case .refused(let code, _) = refusal, ["invalid_grant", "bad_refresh_token"].contains(code) {
                throw SessionProblem.invalid
            }
            throw refusal
        }
        var new = SessionTokens(
            try OAuthTokens(members), user: tokens.user, receivedAt: proxy.clock.now)
        if new.refreshToken == nil { new.refreshToken = refreshToken }
        return new
    }

    /// Revokes a token (RFC 7009). A token that the server does not know is no error.
    /// - Parameter hint: What kind of token it is, so that the server finds it sooner.
    /// - Throws: ``OAuthError``.
    @MainActor
    public func revoke(
        _ token: String, hint: TokenHint? = nil, over proxy: ApiProxy = .shared
    ) async throws(OAuthError) {
        guard let url = server.revocation else { throw .missing(.revocation) }
        var params: Params = ["token": token]
        if let hint { params["token_type_hint"] = .string(hint.rawValue) }
        _ = try await post(params, to: url, over: proxy)
    }

    /// The kind of a token (RFC 7009 section 2.1).
    public enum TokenHint: String, Sendable, Hashable {
        /// An access token.
        case accessToken = "access_token"
        /// A refresh token.
        case refreshToken = "refresh_token"
    }

    /// Logs the user out, and then revokes the refresh token, or the access token if there is none.
    ///
    /// The user is logged out regardless of the server's response.
    /// - Throws: The error of the credential store, or ``OAuthError``, after all else was done.
    @MainActor
    public func logOut(of session: TokenSession, over proxy: ApiProxy = .shared) async throws {
        await session.load()
        let tokens = session.tokens
        var failure: (any Error)?
        do {
            try await session.logOut()
        } catch {
            failure = error
        }
        if let tokens, server.revocation != nil {
            if let refreshToken = tokens.refreshToken {
                try await revoke(refreshToken, hint: .refreshToken, over: proxy)
            } else {
                try await revoke(tokens.accessToken, hint: .accessToken, over: proxy)
            }
        }
        if let failure { throw failure }
    }
}

/// A login in a browser, for a `TokenSession`.
///
/// ```swift
/// session.login = OAuthLogin(client) { url in try await openBrowser(at: url) }
/// ```
@MainActor
public final class OAuthLogin: SessionLogin {
    private let client: OAuthClient
    private let proxy: ApiProxy
    private let params: [String: String]
    private let user: @MainActor @Sendable (OAuthTokens) async throws -> String?
    private let browser: @MainActor @Sendable (URL) async throws -> URL?

    /// Creates a login.
    /// - Parameters:
    ///   - client: The client.
    ///   - params: Further params of the authorization request.
    ///   - proxy: The proxy that sends the request for the tokens. Default: `ApiProxy.shared`.
    ///   - user: Returns what identifies the user; see `SessionTokens.user`. Default: `nil`, unknown.
    ///   - browser: Opens a URL and returns the one that the browser was redirected to; `nil` if the user has closed it.
    public init(
        _ client: OAuthClient, params: [String: String] = [:], proxy: ApiProxy? = nil,
        user: @escaping @MainActor @Sendable (OAuthTokens) async throws -> String? = { _ in nil },
        browser: @escaping @MainActor @Sendable (URL) async throws -> URL?
    ) {
        self.client = client
        self.params = params
        self.proxy = proxy ?? .shared
        self.user = user
        self.browser = browser
    }

    public func logIn(to session: TokenSession) async -> LoginOutcome {
        do {
            let request = try client.authorizationRequest(params: params)
            guard let callback = try await browser(request.url) else { return .cancelled }
            let tokens = try await client.tokens(from: callback, to: request, over: proxy)
            return .loggedIn(
                SessionTokens(tokens, user: try await user(tokens), receivedAt: proxy.clock.now))
        } catch is CancellationError {
            return .cancelled
        } catch OAuthError.refused(code: "access_denied", description: _) {
            return .cancelled
        } catch OAuthError.call(let error) {
            return .failed(error)
        } catch {
            return .failed(error)
        }
    }
}
