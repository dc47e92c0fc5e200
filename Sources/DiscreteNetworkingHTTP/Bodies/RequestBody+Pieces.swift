import Foundation

extension RequestBody {
    /// How many bytes there are; `nil` where that shows only at the end.
    /// - Throws: ``InvalidRequest`` for a file that cannot be sent.
    package var length: Int64? {
        get throws(InvalidRequest) {
            switch self {
            case .none: 0
            case .data(let data): Int64(data.count)
            case .file(let url): try FileReader.length(of: url)
            case .stream(let length, _): length
            }
        }
    }

    /// The bytes from the beginning, piece by piece, made as they are asked for.
    package var pieces: AsyncThrowingStream<Data, any Error> {
        switch self {
        case .none: return AsyncThrowingStream { nil }
        case .data(let data):
            let rest = Locked<Data?>(data.isEmpty ? nil : data)
            return AsyncThrowingStream {
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            }
        case .file(let url):
            let reader = FileReader(url)
            return AsyncThrowingStream { try await reader.next() }
        case .stream(_, let make): return make()
        }
    }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
    /// The next element. All iterators of such a stream share one place in it, so one can be made for
    /// each step, and none has to be kept where it cannot be `Sendable`.
    ///
    /// A stream ends silently when the task that waits for it is cancelled; here that is an error, so that
    /// nobody takes half a body for a whole one.
    package func next() async throws -> Element? {
        var iterator = makeAsyncIterator()
        if let element = try await iterator.next() { return element }
        try Task.checkCancellation()
        return nil
    }
}
