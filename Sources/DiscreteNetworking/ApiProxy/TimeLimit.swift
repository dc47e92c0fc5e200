import Foundation

/// The code of the app took longer than an attempt may take.
struct TimeLimitExceeded: Error {}

extension ApiProxy {
    /// Runs code of the app with a time limit in seconds.
    ///
    /// Returns as soon as the limit is exceeded or the task is canceled, and leaves the code behind: it may heed no
    /// cancellation.
    func within<Value: Sendable>(
        _ seconds: TimeInterval, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let promise = Promise<Result<Value, any Error>>()
        let task = Task { @concurrent in
            do {
                promise.fulfil(.success(try await work()))
            } catch {
                promise.fulfil(.failure(error))
            }
        }
        let deadline =
            seconds.isFinite
            ? Deadlines.shared.schedule(after: seconds) {
                promise.fulfil(.failure(TimeLimitExceeded()))
                task.cancel()
            } : nil
        defer { if let deadline { Deadlines.shared.cancel(deadline) } }
        return try await withTaskCancellationHandler {
            await promise.value
        } onCancel: {
            promise.fulfil(.failure(CancellationError()))
            task.cancel()
        }.get()
    }
}

extension CallPipeline {
    /// Runs an operation with a time limit in seconds.
    /// - Returns: `nil` if the time limit was exceeded. The call then continues without this task, because
    ///   the transport may ignore cancellation.
    func within<Value: Sendable>(
        _ seconds: TimeInterval, _ context: CallContext, _ work: () async -> Value
    ) async -> Value? {
        guard seconds.isFinite else { return await work() }
        let deadline = Deadlines.shared.schedule(after: seconds) {
            pending.goOn { await proceed(context, after: proxy.error(.timedOut, of: context.call)) }
        }
        let value = await work()
        return Deadlines.shared.cancel(deadline) ? value : nil
    }
}
