/// What a backend has against the token of a call.
///
/// Thrown out of a session's refresh, any of these means that the refresh token is no longer good either: the
/// user is asked to log in.
public enum SessionProblem: Error, Sendable, Hashable {
    /// It was good once: refresh it.
    case expired
    /// It was never good, or is revoked: the user has to log in.
    case illegal
    /// It is good, but not for this. Where no token was sent, the user has to log in; otherwise the failure
    /// is reported.
    case forbidden
}

extension APIError {
    /// Whether a token endpoint says that the refresh token is no longer good (RFC 6749 section 5.2).
    var isInvalidGrant: Bool {
        guard let body = response?.body, let answer = try? JSONValue(parsing: body) else { return false }
        return answer["error"]?.string == "invalid_grant"
    }
}

extension SessionProblem {
    /// By the status of the response.
    public static func byStatus(
        _ failure: APIFailure, _ problems: [Int: SessionProblem] = [401: .expired]
    ) -> SessionProblem? {
        failure.response.flatMap { problems[$0.status] }
    }

    /// By a `WWW-Authenticate` header for bearer tokens (RFC 6750 section 3.1): `invalid_token` is
    /// ``expired``, `insufficient_scope` is ``forbidden``, and `invalid_request` is no problem of the token.
    ///
    /// A challenge without an error is answered to a call that had no token: ``expired``, which without tokens
    /// means a login.
    public static func byChallenge(_ failure: APIFailure) -> SessionProblem? {
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

    /// By a value in the response's JSON body.
    ///
    /// ```swift
    /// SessionProblem.byBody(failure, at: "id")                            // {"id": "expired_access_token"}
    /// SessionProblem.byBody(failure, at: "code", [40102: .expired, 40103: .illegal])
    /// ```
    public static func byBody(
        _ failure: APIFailure, at path: JSONPath, _ problems: [JSONValue: SessionProblem] = named
    ) -> SessionProblem? {
        guard let body = failure.response?.body, !body.isEmpty,
            let range = try? JSONLocator(body).locate(path), let value = try? JSONValue(parsing: body[range])
        else { return nil }
        return problems[value]
    }

    /// `expired_access_token`, `illegal_access_token` and `no_permission_for_this_api`.
    public static let named: [JSONValue: SessionProblem] = [
        "expired_access_token": .expired, "illegal_access_token": .illegal,
        "no_permission_for_this_api": .forbidden,
    ]
}
