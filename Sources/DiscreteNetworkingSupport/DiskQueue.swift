// `@preconcurrency`: dispatch queues are thread-safe, but not declared `Sendable` everywhere.
@preconcurrency package import Dispatch

/// A serial queue for blocking disk access.
///
/// ```swift
/// let bytes = try await queue.run { () throws(CredentialStoreError) in
///     try store.read(key)
/// }
/// ```
///
/// Swift's cooperative threads must not block: a stalled disk would stall every call of the app. Each
/// resource that can stall independently, such as a cache directory or a download's file, has its own
/// queue.
package struct DiskQueue: Sendable {
    private let queue: DispatchQueue

    /// - Parameter label: The label shown in crash logs and debuggers.
    package init(_ label: String, qos: DispatchQoS = .userInitiated) {
        queue = DispatchQueue(label: "DiscreteNetworking.\(label)", qos: qos)
    }

    /// Runs work after all previous work, and waits for it without blocking a thread.
    ///
    /// Cancellation does not end the wait: disk access that has started is completed.
    package nonisolated(nonsending) func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Runs work after all previous work, without waiting.
    package func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
