#if os(Linux)
    import Foundation

    /// A response as the loop has it: a body in memory still has its content codings.
    ///
    /// They are undone in the caller's task. However much a few bytes stand for, the exchanges of others go on.
    struct CurlAnswer: Sendable {
        var response: TransportResponse
        var codings: [Int32] = []

        func decoded(for request: APIRequest) async throws(TransportError) -> TransportResponse {
            guard !codings.isEmpty, case .memory(let limit) = request.destination,
                case .data(let body) = response.body, !body.isEmpty
            else { return response }
            var response = response
            response.body = .data(try await ContentCoding.decode(body, codings, limit: limit))
            return response
        }
    }

    /// One request on its way, as both sides of the loop see it.
    final class CurlExchange: Sendable {
        let request: APIRequest
        let outcome = Promise<Result<CurlAnswer, TransportError>>()

        init(_ request: APIRequest) { self.request = request }
    }

    /// What the loop is asked for.
    enum CurlCommand: Sendable {
        case start(CurlExchange)
        case cancel(CurlExchange)
        /// The reader of the body has caught up.
        case goOnReceiving(CurlExchange)
        /// There is more of the body to send.
        case goOnSending(CurlExchange)
        /// Ends the thread as soon as nothing is in flight.
        case stop
    }
#endif
