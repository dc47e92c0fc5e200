import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The body of a response, between a task and its single reader.
///
/// The task is suspended while the reader is behind. Not on Linux, where a resumed task sends its request
/// again: there the data is buffered in memory.
final class URLSessionBody: Sendable {
    private let pipe: BodyPipe
    private let brake: Brake

    init(of task: URLSessionTask, onAbandoned: @escaping @Sendable () -> Void) {
        let brake = Brake(task)
        self.brake = brake
        pipe = BodyPipe(onRoom: { brake.release() }, onAbandoned: onAbandoned)
    }

    func push(_ data: Data) {
        brake.pull(unless: { data.withUnsafeBytes { pipe.push($0) } })
        pipe.flush()
    }

    func finish(_ error: TransportError?) { pipe.finish(error) }

    func stream() -> AsyncThrowingStream<Data, any Error> { pipe.stream() }
}

#if canImport(FoundationNetworking)
    private struct Brake: Sendable {
        init(_ task: URLSessionTask) {}
        func pull(unless shouldContinue: () -> Bool) { _ = shouldContinue() }
        func release() {}
    }
#else
    /// Suspends and resumes a task.
    ///
    /// Pushing happens under the same lock, so that a concurrent request to resume is processed after the
    /// suspension.
    private final class Brake: Sendable {
        private let task: URLSessionTask
        private let isOn = Locked(false)

        init(_ task: URLSessionTask) { self.task = task }

        func pull(unless shouldContinue: () -> Bool) {
            isOn.withLock { isOn in
                guard !shouldContinue(), !isOn else { return }
                isOn = true
                task.suspend()
            }
        }

        func release() {
            isOn.withLock { isOn in
                guard isOn else { return }
                isOn = false
                task.resume()
            }
        }
    }
#endif
