import DiscreteNetworkingCore
import Foundation

extension StubAnswer {
    /// Performs the exchange as a transport does.
    func send(_ request: APIRequest, sent: Int) async throws -> TransportResponse {
        var progress = TransferProgress()
        if sent > 0 {
            progress.sent = Int64(sent)
            progress.expectedToSend = Int64(sent)
            request.onProgress?(progress)
        }
        try await wait?()
        switch ending {
        case .response: break
        case .failure(let error): throw error
        case .never:
            let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in nothing {}
            withExtendedLifetime(continuation) {}
            throw CancellationError()
        case .mistake(let reason): throw TransportError(.unsupported, message: reason)
        }
        progress.expectedToReceive = Int64(body.count)
        let pieces = StubPieces(answer: self, progress: progress, tell: request.onProgress)
        var response = TransportResponse(url: request.url, status: status, headers: headers)
        switch request.destination {
        case .stream, .file:
            response.body = .stream(AsyncThrowingStream { try await pieces.next() })
        case .memory(let limit):
            var whole = Data()
            while let piece = try await pieces.next() {
                whole += piece
                guard whole.count <= limit else {
                    throw TransportError(
                        .responseTooLarge(limit: limit),
                        message: "The stub's body has more than \(limit) bytes.")
                }
            }
            response.body = .data(whole)
        }
        return response
    }
}

/// Provides the body of an answer in chunks, with its delays and its premature end.
private final class StubPieces: Sendable {
    private let answer: StubAnswer
    private let tell: (@Sendable (TransferProgress) -> Void)?
    private let state: Locked<(offset: Int, progress: TransferProgress)>

    init(answer: StubAnswer, progress: TransferProgress, tell: (@Sendable (TransferProgress) -> Void)?) {
        self.answer = answer
        self.tell = tell
        state = Locked((0, progress))
    }

    func next() async throws -> Data? {
        let end = min(answer.breakOff?.after ?? .max, answer.body.count)
        let start = state.current.offset
        guard start < end else {
            if let breakOff = answer.breakOff { throw breakOff.error }
            return nil
        }
        if start > 0 { try await answer.pause?() }
        try Task.checkCancellation()
        let stop = min(answer.pieces.end(from: start), end)
        let progress = state.withLock { state in
            state.offset = stop
            state.progress.received = Int64(stop)
            return state.progress
        }
        tell?(progress)
        return answer.body[start..<stop]
    }
}
