import DiscreteNetworkingCore
import Foundation

/// Passes a body through and reports its content when it ends or the reader stops.
final class StreamTap: Sendable {
    private struct State {
        var data = Data()
        var isTold = false
    }

    /// Referenced only by the stream, so it is released with the last reader.
    private final class Reader: Sendable {
        let tap: StreamTap
        init(_ tap: StreamTap) { self.tap = tap }
        deinit { try? tap.end(isWhole: false) }
    }

    private let state = Locked(State())
    private let tell: @Sendable (_ data: Data, _ isWhole: Bool) throws -> Void

    init(tell: @escaping @Sendable (_ data: Data, _ isWhole: Bool) throws -> Void) { self.tell = tell }

    /// The data so far.
    var data: Data { state.withLock { $0.data } }

    func stream(of source: AsyncThrowingStream<Data, any Error>) -> AsyncThrowingStream<Data, any Error> {
        let reader = Reader(self)
        return AsyncThrowingStream {
            // All iterators of a stream share its state.
            var iterator = source.makeAsyncIterator()
            do {
                if let piece = try await iterator.next() {
                    reader.tap.state.withLock { $0.data += piece }
                    return piece
                }
            } catch {
                try reader.tap.end(isWhole: false)
                throw error
            }
            try reader.tap.end(isWhole: !Task.isCancelled)
            return nil
        }
    }

    private func end(isWhole: Bool) throws {
        let data = state.withLock { state -> Data? in
            defer { state.isTold = true }
            return state.isTold ? nil : state.data
        }
        if let data { try tell(data, isWhole) }
    }
}

extension RequestBody {
    /// Returns all data of the body.
    func bytes() async throws -> Data {
        switch self {
        case .none: return Data()
        case .data(let data): return data
        case .file(let url):
            do {
                return try Data(contentsOf: url)
            } catch {
                throw TransportError(
                    .bodyUnavailable, message: "The file \(url.lastPathComponent) cannot be read.")
            }
        case .stream(_, let make):
            var data = Data()
            for try await piece in make() { data += piece }
            return data
        }
    }
}
