/// Why a backend rejected the token of a call.
///
/// ```swift
/// final class ShopService: Service {
///     let baseURL = URL(string: "https://api.example.com")!
///
///     func sessionProblem(in failure: FailureContext) -> SessionProblem? {
///         .byStatus(failure, [401: .expired, 403: .forbidden])
///     }
/// }
/// ```
///
/// Throw any of these from a session's refresh if the refresh token is no longer valid either: the user is
/// asked to log in.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum SessionProblem: Error, Sendable, Hashable {
    /// The token has expired: refresh it.
    case expired
    /// The token is invalid or revoked: the user has to log in.
    case invalid
    /// The token is valid but lacks permission. The user has to log in if no token was sent; otherwise the
    /// failure is reported.
    case forbidden
}

extension APIError {
    /// Whether a token endpoint rejected the refresh token: with 400, 401 or 403, as `invalid_grant`, or by what the service
    /// calls a problem with a token. Other errors of OAuth are of the client or the server (RFC 6749 section 5.2).
    func rejectsRefreshToken(by service: (any Service)?) -> Bool {
        guard let response else { return false }
        let answer = try? JSONValue(parsing: response.body)
        if let code = answer?["error"]?.string {
            if code == "invalid_grant" { return true }
            if Self.otherTokenErrors.contains(code) { return false }
        }
        return [400, 401, 403].contains(response.status)
            || service?.sessionProblem(in: FailureContext(call: call, error: self)) != nil
    }

    private static let otherTokenErrors: Set<String> = [
        "invalid_request", "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
        "server_error", "temporarily_unavailable",
    ]
}

/// The refresh token is no longer valid: the user has to log in.
struct RejectedRefreshToken: Error {
    let cause: APIError
}

extension SessionProblem {
    /// Determines the problem from the status code of the response.
    public static func byStatus(
        _ failure: FailureContext, _ problems: [Int: SessionProblem] = [401: .expired]
    ) -> SessionProblem? {
        failure.response.flatMap { problems[$0.status] }
    }

    /// Determines the problem from a `WWW-Authenticate` header for bearer tokens (RFC 6750 section 3.1):
    /// `invalid_token` is ``expired``, `insufficient_scope` is ``forbidden``, and `invalid_request` is not
    /// a token problem.
    ///
    /// A challenge without an error code is the response to a request without a token: ``expired``, which requires a
    /// login if there are no tokens.
    public static func byChallenge(_ failure: FailureContext) -> SessionProblem? {
        guard let response = failure.response,
            let challenge = response.headers.values(of: "WWW-Authenticate")
                .flatMap(AuthenticationChallenge.all).first(where: { $0.isScheme("Bearer") })
        else { return nil }
        switch challenge.parameter("error") {
        case "invalid_token": return .expired
        case "insufficient_scope": return .forbidden
        case nil: return response.status == 401 ? .expired : nil
        default: return nil
        }
    }

    /// Determines the problem from a value in the response's JSON body.
    ///
    /// ```swift
    /// // {"id": "expired_access_token"}
    /// SessionProblem.byBody(failure, at: "id")
    /// SessionProblem.byBody(
    ///     failure, at: "code", [40102: .expired, 40103: .invalid])
    /// ```
    public static func byBody(
        _ failure: FailureContext, at path: JSONPath, _ problems: [JSONValue: SessionProblem] = named
    ) -> SessionProblem? {
        guard let body = failure.response?.body, !body.isEmpty,
            let range = try? JSONLocator(body).locate(path), let value = try? JSONValue(parsing: body[range])
        else { return nil }
        return problems[value]
    }

    /// The default mapping of ``byBody(_:at:_:)``: `expired_access_token`, `illegal_access_token` and
    /// `no_permission_for_this_api`.
    public static let named: [JSONValue: SessionProblem] = [
        "expired_access_token": .expired, "illegal_access_token": .invalid,
        "no_permission_for_this_api": .forbidden,
    ]
}
