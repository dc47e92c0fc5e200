#if os(Linux)
    import Foundation

    /// A response from the loop. A body in memory is still encoded.
    ///
    /// It is decoded in the caller's task, so that a decompression bomb does not block other exchanges.
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

    /// A request in flight, shared by the caller and the loop.
    final class CurlExchange: Sendable {
        let request: APIRequest
        let outcome = Promise<Result<CurlAnswer, TransportError>>()

        init(_ request: APIRequest) { self.request = request }
    }

    /// A command to the loop.
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
