import Foundation

/// Broadcasts values to any number of `AsyncStream`s.
package final class Broadcaster<Element: Sendable>: Sendable {
    private let limit: Int
    private let continuations = Locked<[UUID: AsyncStream<Element>.Continuation]>([:])

    /// - Parameter limit: The number of latest values that a stream buffers for a slow reader.
    package init(bufferingNewest limit: Int) { self.limit = limit }

    deinit { for continuation in continuations.current.values { continuation.finish() } }

    /// The number of streams.
    package var count: Int { continuations.withLock { $0.count } }

    /// Returns a stream of the values from now on.
    /// - Parameter first: The first value of the stream; `nil` for none.
    package func stream(first: Element? = nil) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(limit))
        let id = UUID()
        if let first { continuation.yield(first) }
        continuations.withLock { $0[id] = continuation }
        continuation.onTermination = { [weak self] _ in
            _ = self?.continuations.withLock { $0.removeValue(forKey: id) }
        }
        return stream
    }

    package func send(_ element: Element) {
        for continuation in continuations.current.values { continuation.yield(element) }
    }
}
