import Foundation

extension APIError: LocalizedError {
    /// What happened and what to do, in one or two sentences for a developer.
    public var errorDescription: String? {
        switch kind {
        case .vetoed: "An interceptor did not let the call go out."
        case .invalidParams(let reason): "The validator refused the params: \(clean(reason))"
        case .serviceNotRegistered:
            "No service is registered under \"\(serviceIdentifier)\"; register one at start-up with ServiceFactory.shared.register([\"\(serviceIdentifier)\": YourService.self]). In a test, give the manager a proxy that has it: manager.proxy = ApiProxy(stubbing: stubs, [\"\(serviceIdentifier)\": YourService.self])."
        case .serviceCycle(let identifiers):
            "The services \(identifiers.map(\.rawValue).joined(separator: " → ")) ask for each other in init, so none of them can be made; look up one of them when it is needed instead."
        case .notReachable: "There is no network; nothing was sent."
        case .degraded(let date):
            "The endpoint kept failing and is not called until \(Self.text(of: date)); nothing was sent."
        case .invalidRequest(let reason): "The request cannot be sent: \(clean(reason))"
        case .timedOut: "The answer did not come in time; see the timeout of the manager or its service."
        case .cancelled: hint ?? "The call was cancelled."
        case .transport(let error): "The exchange failed on the wire: \(clean(error.description))"
        case .transfer(let failure): clean(failure.description)
        case .http(let status):
            "The server answered with status \(status)\(Self.meaning(of: status)), which the service does not accept."
                + (businessCode == nil ? "" : " \(businessText)")
        case .business: businessText
        case .decoding(let failure):
            "The response is not what the output type says, at \(failure.place): \(failure.reason(redaction))"
        case .invalidResponse(let reason): "The validator refused the response: \(clean(reason))"
        case .refreshFailed(let failure):
            "The access token is expired, and its refresh failed: \(clean(failure.description))"
        case .loginRequired:
            "The user has to log in first; see TokenSession.login, or log in and call TokenSession.adopt(_:).\(cause)"
        case .loginFailed(let reason): "The login failed: \(clean(reason))"
        case .loginCancelled: "The call needs a login, which the user cancelled."
        case .intercepted:
            underlying.map { "The service took care of a failure: \($0.localizedDescription)" }
                ?? "An interceptor held the result back."
        }
    }

    private var businessText: String {
        "The backend reported the business code \(clean(businessCode?.canonicalText ?? ""))\(businessMessage.map { ": \(clean($0))" } ?? "")."
    }

    /// Which call came before, and how it failed.
    private var cause: String {
        underlying.map {
            " Before: \($0.serviceIdentifier)/\($0.methodName) \($0.requestID): \($0.localizedDescription)"
        } ?? ""
    }

    private func clean(_ text: String) -> String { redaction.redacted(sentence: text) }

    private static func text(of date: Date?) -> String {
        date.flatMap { RFC3339.text(of: $0) } ?? "it recovers"
    }

    private static func meaning(of status: Int) -> String {
        switch status {
        case 304: " (not modified)"
        case 300..<400: " (redirect)"
        case 401: " (unauthorized)"
        case 403: " (forbidden)"
        case 404: " (not found)"
        case 429: " (too many requests)"
        case 500..<600: " (server error)"
        default: ""
        }
    }
}

extension APIError: SecretBearing {
    /// Service, method, call, cause, status and the beginning of the body.
    public var description: String {
        var text = "\(serviceIdentifier)/\(endpoint) \(requestID): \(errorDescription ?? "")"
        if let response {
            text += " [HTTP \(response.status), \(response.body.count) bytes"
            if let snippet { text += ": \(snippet)" }
            text += "]"
        }
        return text
    }

    /// The beginning of the response's body, at most 256 characters, with secrets hidden; `nil` where it
    /// is empty or not text.
    public var snippet: String? {
        guard let body = response?.body, !body.isEmpty else { return nil }
        let beginning = body.prefix(2048)
        // A cut in the middle of a character is not binary: up to three bytes may be missing.
        let text = (0...3).lazy.compactMap { String(data: beginning.dropLast($0), encoding: .utf8) }.first
        guard let text, !text.isEmpty else { return nil }
        let visible = redaction.redacted(text: text).map { $0.isNewline || $0 == "\t" ? " " : $0 }
        guard !visible.contains(where: { $0.unicodeScalars.contains { $0.value < 0x20 } }) else { return nil }
        return visible.count > 256 || body.count > beginning.count
            ? String(visible.prefix(255)) + "…" : String(visible)
    }
}

extension APIError.Kind: SecretBearing {
    /// The case and what is with it, with secrets hidden; see ``Redaction/standard``.
    public var description: String {
        func clean(_ text: String) -> String { Redaction.standard.redacted(sentence: text) }
        return switch self {
        case .vetoed: "vetoed"
        case .invalidParams(let reason): "invalidParams(\(clean(reason)))"
        case .serviceNotRegistered: "serviceNotRegistered"
        case .serviceCycle(let identifiers): "serviceCycle(\(identifiers))"
        case .notReachable: "notReachable"
        case .degraded(let date): "degraded(until: \(date.map { "\($0)" } ?? "nil"))"
        case .invalidRequest(let reason): "invalidRequest(\(clean(reason)))"
        case .timedOut: "timedOut"
        case .cancelled: "cancelled"
        case .transport(let error): "transport(\(clean(error.description)))"
        case .transfer(let failure): "transfer(\(clean(failure.description)))"
        case .http(let status): "http(status: \(status))"
        case .business(let code, let message):
            "business(code: \(code), message: \(message.map(clean) ?? "nil"))"
        case .decoding(let failure): "decoding(\(failure))"
        case .invalidResponse(let reason): "invalidResponse(\(clean(reason)))"
        case .refreshFailed(let failure): "refreshFailed(\(clean(failure.description)))"
        case .loginRequired: "loginRequired"
        case .loginFailed(let reason): "loginFailed(\(clean(reason)))"
        case .loginCancelled: "loginCancelled"
        case .intercepted: "intercepted"
        }
    }
}

extension APIError.DecodingFailure: SecretBearing {
    /// Where and why, with secrets hidden; see ``Redaction/standard``.
    public var description: String { "at \(place): \(reason(.standard))" }

    /// The reason, without a value that stands under a secret name.
    func reason(_ redaction: Redaction) -> String {
        guard mayQuote, path.contains(where: redaction.isSecret(param:)) else {
            return redaction.redacted(sentence: reason)
        }
        return "the value cannot be read, and is not shown."
    }
}
