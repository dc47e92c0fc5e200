/// Why an attempt failed: the part of an ``APIError`` that is independent of the call.
package struct CallFailure: Error {
    private struct Fields: Sendable {
        let kind: APIError.Kind
        let response: APIResponse?
        var request: Box<APIRequest>?
    }

    private let fields: Box<Fields>

    package var kind: APIError.Kind { fields.value.kind }
    /// The response; `nil` if none was received.
    package var response: APIResponse? { fields.value.response }
    /// The request after redirects, if it is that which failed; otherwise `nil`.
    package var redirected: Box<APIRequest>? { fields.value.request }

    package init(kind: APIError.Kind, response: APIResponse? = nil) {
        fields = Box(Fields(kind: kind, response: response))
    }

    package init(_ error: TransportError) { self.init(ExchangeFailure(error)) }

    package init(_ failure: ExchangeFailure) {
        fields = Box(
            Fields(kind: APIError.Kind(failure.error), response: nil, request: failure.redirected))
    }

    /// Creates a failure from an error of reading a body, file or stream.
    package init(reading error: any Error) {
        switch error {
        case let failure as CallFailure: self = failure
        case let error as TransportError: self.init(error)
        case let failure as TransferFailure: self.init(kind: .transfer(failure))
        case is CancellationError: self.init(kind: .cancelled)
        default:
            // The error's text is omitted: it may contain the URL and thereby a secret.
            let message = "The transport's stream threw a \(type(of: error))."
            self.init(TransportError(.unknown, message: message))
        }
    }
}

/// Why an exchange failed, and at which request.
package struct ExchangeFailure: Error {
    let error: TransportError
    /// The request, if it is one after redirects; `nil` if it is the one that was asked for.
    let redirected: Box<APIRequest>?

    package init(_ error: TransportError, redirected: Box<APIRequest>? = nil) {
        self.error = error
        self.redirected = redirected
    }
}
