import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One task of a `URLSession` and what has come of it so far.
final class URLSessionExchange: Sendable {
    private struct State: Sendable {
        var response: HTTPURLResponse?
        var body = Data()
        var isOver = false
    }

    /// Where tasks are ended. On Linux that waits for the session's own queue, so it must not happen on it,
    /// nor inside a cancellation handler; and one at a time, or each would take a thread of the pool.
    static let endings = DispatchQueue(label: "DiscreteNetworking.URLSessionExchange.endings")

    let outcome = Promise<Result<TransportResponse, TransportError>>()
    let task: URLSessionTask
    private let limit: Int
    private let onProgress: (@Sendable (TransferProgress) -> Void)?
    private let state = Locked(State())

    init(_ task: URLSessionTask, limit: Int, onProgress: (@Sendable (TransferProgress) -> Void)?) {
        self.task = task
        self.limit = limit
        self.onProgress = onProgress
    }

    func cancel() { giveUp(TransportError(.cancelled, message: "The exchange was cancelled.")) }

    private func giveUp(_ error: TransportError) {
        let wasOver = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver
        }
        guard !wasOver else { return }
        Self.endings.async { [task] in task.cancel() }
        outcome.fulfil(.failure(error))
    }

    func receive(_ response: URLResponse) {
        // 1xx is not the answer yet.
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200 else { return }
        state.withLock { state in
            state.response = response
            // Of an earlier answer, which the session met with a credential.
            state.body = Data()
        }
    }

    func receive(_ data: Data) {
        let count = state.withLock { state -> Int? in
            guard !state.isOver else { return 0 }
            guard data.count <= limit - state.body.count else { return nil }
            state.body.append(data)
            return state.body.count
        }
        guard let count else {
            giveUp(
                TransportError(
                    .responseTooLarge(limit: limit),
                    message: "The response has more than \(limit) bytes; see Service.responseSizeLimit."))
            return
        }
        report { progress in
            progress.received = Int64(count)
            let expected = task.countOfBytesExpectedToReceive
            progress.expectedToReceive = expected > 0 ? expected : nil
        }
    }

    func sent(_ count: Int64, of expected: Int64) {
        report { progress in
            progress.sent = count
            progress.expectedToSend = expected > 0 ? expected : nil
        }
    }

    /// A redirect is the response; the proxy follows it.
    ///
    /// The lock keeps the answer and a cancellation apart: on Linux an answer after a cancellation stops
    /// the process.
    func receive(redirect response: HTTPURLResponse, answer: () -> Void) {
        state.withLock { state in
            state.response = response
            if !state.isOver { answer() }
        }
    }

    func complete(_ error: (any Error)?) {
        let state = state.withLock { state in
            defer {
                state.isOver = true
                state.body = Data()
            }
            return state
        }
        guard !state.isOver else { return }
        // On Linux the delegate does not hear of a redirect that leads nowhere; the task knows it.
        let response = state.response ?? task.response as? HTTPURLResponse
        if let error {
            outcome.fulfil(.failure(TransportError(error)))
        } else if let response, let url = response.url {
            outcome.fulfil(
                .success(
                    TransportResponse(
                        url: url, status: response.statusCode, headers: HTTPFields(response),
                        body: .data(state.body))))
        } else {
            outcome.fulfil(
                .failure(TransportError(.badResponse, message: "The server's answer is not HTTP.")))
        }
    }

    private func report(_ change: (inout TransferProgress) -> Void) {
        guard let onProgress else { return }
        var progress = TransferProgress()
        change(&progress)
        onProgress(progress)
    }
}

extension HTTPFields {
    /// `URLSession` keeps no order: fields go by their names.
    fileprivate init(_ response: HTTPURLResponse) {
        self.init(
            response.allHeaderFields.compactMap { name, value in
                (name as? String).map { Field(name: $0, value: value as? String ?? "\(value)") }
            }.sorted { $0.name < $1.name })
    }
}
