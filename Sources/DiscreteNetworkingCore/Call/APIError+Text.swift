public import Foundation

extension APIError: LocalizedError {
    /// The service, endpoint and request ID, what happened, and what to do about it, for developers.
    ///
    /// Control characters in texts of the server are escaped: it cannot forge a line where the error is printed.
    public var errorDescription: String? { "\(serviceIdentifier)/\(endpoint) \(requestID): \(explanation)" }

    /// What happened and what to do about it, for texts that name the call themselves.
    package var explanation: String {
        switch kind {
        case .vetoed: hint ?? "An interceptor vetoed the call."
        case .invalidParams(let reason): "The validator rejected the params: \(clean(reason))"
        case .serviceNotRegistered:
            "No service is registered under \"\(serviceIdentifier)\"; register one at start-up with ServiceFactory.shared.register([\"\(serviceIdentifier)\": YourService.self]). In a test, give the manager a proxy that has it: manager.proxy = ApiProxy(stubbing: stubs, [\"\(serviceIdentifier)\": YourService.self])."
        case .serviceCycle(let identifiers):
            "The services \(identifiers.map(\.rawValue).joined(separator: " → ")) look up each other in init, so none of them can be created; look up one of them lazily instead."
        // Names and types of members, no values: `session: …` is no secret here.
        case .invalidService(let reason): "The service cannot be used: \(reason)"
        case .nestedTooDeeply(let limit):
            hint
                ?? "Hooks are calling each other: this call is nested more than \(limit) levels deep."
        case .notCached(let reason): "No cached response can be used, and nothing was sent: \(reason)."
        case .notReachable: hint ?? "There is no network connection; nothing was sent."
        case .degraded(let date):
            hint
                ?? "Calls to this endpoint are suspended until \(Self.text(of: date)) (repeated failures, or suspended by the app). Nothing was sent."
        case .invalidRequest(let reason): "The request cannot be sent: \(clean(reason))"
        case .timedOut: hint ?? timeoutText
        case .deadlineExceeded(let wait):
            hint ?? "The call did not end within its deadline. It waited for \(wait.text)."
        case .cancelled: hint ?? "The call was canceled."
        case .transport(let error):
            "The transport failed\(place(after: "at"))\(error.isAfterRedirect ? ", after a redirect" : ""): \(clean(error.description))"
        case .transfer(let failure): clean(failure.description)
        case .http(let status):
            "The server responded\(place(after: "to \(requestType)")) with status \(status)\(StatusWords.text(of: status)), which the service does not accept."
                + (businessCode == nil ? "" : " \(businessText)")
        case .business: businessText
        case .decoding(let failure):
            "The response cannot be decoded to the output type, at \(quoted(failure.place)): \(failure.reason(redaction).escapingControlCharacters())"
        case .invalidResponse(let reason): "The validator rejected the response: \(clean(reason))"
        case .refreshFailed(let failure):
            "The access token has expired, and its refresh failed: \(clean(failure.description))"
        case .sessionUnavailable(let reason):
            "The session cannot be read, so that its user is not known; nothing was sent: \(clean(reason))"
        case .loginRequired:
            "The user has to log in first; see TokenSession.login, or log in and call TokenSession.adopt(_:).\(cause)"
        case .loginFailed(let reason): "The login failed: \(clean(reason))"
        case .loginCancelled: "The call requires a login, which the user canceled."
        case .swallowed:
            underlying.map {
                "The service handled a failure: \($0.requestID == requestID ? $0.explanation : $0.localizedDescription)"
            }
                ?? "An interceptor withheld the outcome."
        }
    }

    private var businessText: String {
        if businessCode?.isNull == true {
            return
                "The backend reported a failure without a code\(businessMessage.map { ": \(quoted($0))" } ?? "")."
        }
        return
            "The backend reported the business code \(quoted(businessCode?.canonicalText ?? ""))\(businessMessage.map { ": \(quoted($0))" } ?? "").\(otherTypeText)"
    }

    /// Advice for a code that differs from a success code only in its type.
    private var otherTypeText: String {
        guard let report = response?.reported, let success = report.successOfOtherType else { return "" }
        return
            " It is \(report.code.kind) \(quoted(report.code.canonicalText)), but the success code is \(success.kind) \(quoted(success.canonicalText)); give the envelope this code, or codes: .integers."
    }

    /// The URL of the request after a word, such as ` at https://api.example.com/products/7`; empty if there was none.
    private func place(after word: String) -> String {
        (target?.text(redaction)).map { " \(word) \($0)" } ?? ""
    }

    private var timeoutText: String {
        let seconds = (target?.timeout).flatMap { $0.isFinite ? $0 : nil }
        let limit = seconds.map { " after \(RequestLocation.text(ofSeconds: $0))" } ?? ""
        return
            "The request\(place(after: "to")) timed out\(limit); see the timeout of the manager or its service."
    }

    /// The underlying call and its error.
    private var cause: String {
        underlying.map {
            " Underlying error: \($0.localizedDescription)"
        } ?? ""
    }

    /// A text of the framework or the app, which may have several lines.
    private func clean(_ text: String) -> String {
        redaction.redacted(sentence: text).escapingControlCharacters(except: ["\n"])
    }

    /// A text of the server.
    private func quoted(_ text: String) -> String {
        redaction.redacted(sentence: text).escapingControlCharacters()
    }

    private static func text(of date: Date?) -> String {
        date.flatMap { RFC3339.text(of: $0) } ?? "it recovers"
    }
}

extension APIError: SecretBearing {
    /// The service, endpoint, request ID, reason, status, and the beginning of the body.
    public var description: String {
        var text = errorDescription ?? ""
        if let response {
            text += " [HTTP \(response.status), \(response.body.count) bytes"
            if let snippet { text += ": \(snippet.escapingControlCharacters())" }
            text += "]"
        }
        return text
    }

    /// The beginning of the response body, at most 256 characters, with secrets redacted; `nil` if it is
    /// empty, not text, or was not decoded by its ``BodyTransform``.
    public var snippet: String? {
        guard let response, !response.hidesBody, !response.body.isEmpty,
            let body = response.body.prefix(8192).searchable(as: response.headers["Content-Type"])
        else { return nil }
        let (beginning, isCut) = redaction.redacted(beginningOf: body, limit: 2048)
        // The body may end within a UTF-8 sequence: up to three bytes are ignored.
        let text = (0...3).lazy.compactMap { String(bytes: beginning.dropLast($0), encoding: .utf8) }.first
        guard let text, !text.isEmpty else { return nil }
        let visible = text.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        guard !visible.contains(where: { $0.unicodeScalars.contains { $0.value < 0x20 } }) else { return nil }
        return visible.count > 256 || isCut
            ? String(visible.prefix(255)) + "…" : String(visible)
    }
}

extension APIError.Kind: SecretBearing {
    /// The case and its associated values, with secrets redacted; see ``Redaction/standard``.
    public var description: String {
        func clean(_ text: String) -> String { Redaction.standard.redacted(sentence: text) }
        return switch self {
        case .vetoed: "vetoed"
        case .invalidParams(let reason): "invalidParams(\(clean(reason)))"
        case .serviceNotRegistered: "serviceNotRegistered"
        case .serviceCycle(let identifiers): "serviceCycle(\(identifiers))"
        case .invalidService(let reason): "invalidService(\(reason))"
        case .nestedTooDeeply(let limit): "nestedTooDeeply(limit: \(limit))"
        case .notCached(let reason): "notCached(\(reason))"
        case .notReachable: "notReachable"
        case .degraded(let date): "degraded(until: \(date.map { "\($0)" } ?? "nil"))"
        case .invalidRequest(let reason): "invalidRequest(\(clean(reason)))"
        case .timedOut: "timedOut"
        case .deadlineExceeded(let wait): "deadlineExceeded(waitingFor: \(wait))"
        case .cancelled: "cancelled"
        case .transport(let error): "transport(\(clean(error.description)))"
        case .transfer(let failure): "transfer(\(clean(failure.description)))"
        case .http(let status): "http(status: \(status))"
        case .business(let code, let message):
            "business(code: \(clean("\(code)")), message: \(message.map(clean) ?? "nil"))"
        case .decoding(let failure): "decoding(\(failure))"
        case .invalidResponse(let reason): "invalidResponse(\(clean(reason)))"
        case .refreshFailed(let failure): "refreshFailed(\(clean(failure.description)))"
        case .sessionUnavailable(let reason): "sessionUnavailable(\(clean(reason)))"
        case .loginRequired: "loginRequired"
        case .loginFailed(let reason): "loginFailed(\(clean(reason)))"
        case .loginCancelled: "loginCancelled"
        case .swallowed: "swallowed"
        }
    }
}

extension APIError.DecodingFailure: SecretBearing {
    /// The path and the reason, with secrets redacted; see ``Redaction/standard``.
    public var description: String {
        "at \(Redaction.standard.redacted(sentence: place)): \(reason(.standard))"
    }

    /// Returns the reason without a value that has a secret name.
    func reason(_ redaction: Redaction) -> String {
        guard mayQuote, path.contains(where: redaction.isSecret(param:)) else {
            return redaction.redacted(sentence: reason)
        }
        return "the value cannot be decoded (redacted)."
    }
}
