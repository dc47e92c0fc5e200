import Foundation

/// Responds to one call with its manager's sample.
struct SampleTransport: Transport {
    private let sample: ActiveSample
    private let params: Params
    private let clock: any APIClock

    init(_ sample: ActiveSample, params: Params, clock: any APIClock) {
        self.sample = sample
        self.params = params
        self.clock = clock
    }

    func send(_ request: APIRequest) async throws -> TransportResponse {
        switch sample.mode {
        case .off, .immediate, .forbidden: break
        case .delayed(let seconds): try await clock.sleep(for: seconds)
        case .never:
            // Ends with the task only.
            let (silence, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in silence {}
            continuation.finish()
            throw CancellationError()
        }
        let body: Data
        do {
            body = try sample.response.body(params)
        } catch {
            throw TransportError(
                .badResponse,
                message: "The manager's sample could not be made: it threw a \(type(of: error)).")
        }
        return TransportResponse(
            url: request.url, status: sample.response.status, headers: sample.response.headers,
            body: Self.body(body, for: request.destination))
    }

    private static func body(_ data: Data, for destination: ResponseDestination) -> ResponseBody {
        guard case .memory = destination else {
            return .stream(
                AsyncThrowingStream { continuation in
                    continuation.yield(data)
                    continuation.finish()
                })
        }
        return .data(data)
    }
}
