// A queue may be used from any thread, which its declaration does not say everywhere.
@preconcurrency import Dispatch

/// Where work waits for a disk: one job after the other, on a thread of its own while there is one.
///
/// ```swift
/// let bytes = try await queue.run { () throws(CredentialStoreError) in try store.read(key) }
/// ```
/// Swift's own threads are as many as there are cores, and are meant never to block: a disk that stalls there would
/// hold up every call of the app. Whatever can stall by itself, such as a cache's folder or one download's file, has
/// a queue of its own, so that it holds up nobody but those who need it.
package struct DiskQueue: Sendable {
    private let queue: DispatchQueue

    /// - Parameter label: shown in crash logs and debuggers.
    package init(_ label: String, qos: DispatchQoS = .userInitiated) {
        queue = DispatchQueue(label: "DiscreteNetworking.\(label)", qos: qos)
    }

    /// Does something after all that was asked for before, and waits for it without blocking a thread.
    ///
    /// A cancelled task waits all the same: work on a disk that has begun comes to its end.
    package nonisolated(nonsending) func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Does something after all that was asked for before; nobody waits for it.
    package func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
