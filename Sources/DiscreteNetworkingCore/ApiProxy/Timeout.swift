package import Foundation

/// The code of the app took longer than an attempt may take.
package struct TimeoutExceeded: Error {}

extension ApiProxy {
    /// Runs code of the app with a timeout in seconds.
    ///
    /// Returns as soon as the limit is exceeded or the task is canceled, and leaves the code behind: it may ignore
    /// cancellation.
    package func within<Value: Sendable>(
        _ seconds: TimeInterval, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard seconds.isFinite else { return try await work() }
        let promise = Promise<Result<Value, any Error>>()
        let isLate = Locked(false)
        let task = Task { @concurrent in
            do {
                promise.fulfil(.success(try await work()))
            } catch {
                promise.fulfil(.failure(isLate.current ? TimeoutExceeded() : error))
            }
        }
        let deadline = Deadlines.shared.schedule(after: seconds) {
            // Canceled first: when this returns, what is left behind knows that it is.
            isLate.current = true
            task.cancel()
            promise.fulfil(.failure(TimeoutExceeded()))
        }
        defer { Deadlines.shared.cancel(deadline) }
        return try await withTaskCancellationHandler {
            await promise.value
        } onCancel: {
            promise.fulfil(.failure(CancellationError()))
            task.cancel()
        }.get()
    }
}
