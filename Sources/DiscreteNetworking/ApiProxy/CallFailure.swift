/// Why an attempt failed: the part of an ``APIError`` that is independent of the call.
struct CallFailure: Error {
    private struct Fields: Sendable {
        let kind: APIError.Kind
        let response: APIResponse?
    }

    private let fields: Box<Fields>

    var kind: APIError.Kind { fields.value.kind }
    /// The response; `nil` if none was received.
    var response: APIResponse? { fields.value.response }

    init(kind: APIError.Kind, response: APIResponse? = nil) {
        fields = Box(Fields(kind: kind, response: response))
    }

    init(_ error: TransportError) { self.init(kind: APIError.Kind(error)) }

    /// Creates a failure from an error of reading a body, file or stream.
    init(reading error: any Error) {
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
