/// Why an attempt failed, before it is known to whom: what ``APIError`` says beside the call.
struct CallFailure: Error {
    let kind: APIError.Kind
    /// The response, where one came.
    var response: APIResponse?

    init(kind: APIError.Kind, response: APIResponse? = nil) {
        self.kind = kind
        self.response = response
    }

    init(_ error: TransportError) { self.init(kind: APIError.Kind(error)) }

    /// What reading a body, a file or a stream throws.
    init(reading error: any Error) {
        switch error {
        case let failure as CallFailure: self = failure
        case let error as TransportError: self.init(error)
        case let failure as TransferFailure: self.init(kind: .transfer(failure))
        case is CancellationError: self.init(kind: .cancelled)
        default:
            // Its text is not shown: it may hold the URL, and with it a secret.
            let message = "The transport's stream threw a \(type(of: error))."
            self.init(TransportError(.unknown, message: message))
        }
    }
}
