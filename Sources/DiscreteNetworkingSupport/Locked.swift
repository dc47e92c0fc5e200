import Foundation

/// A value protected by a lock, for the mutable state of a service.
///
/// ```swift
/// final class StorefrontService: Service {
///     let token = Locked<String?>(nil)
/// }
/// service.token.current = "…"
/// let old = service.token.withLock { token in defer { token = nil }; return token }
/// ```
///
/// The lock is not recursive: do not access the same `Locked` inside ``withLock(_:)``, or release an object
/// there whose `deinit` does. Return such a value instead; setting ``current`` releases the old value
/// outside the lock.
///
/// `@unchecked Sendable`, because the compiler cannot verify that `value` is accessed only under the lock.
/// `Synchronization.Mutex` can, but requires iOS 18, and Thread Sanitizer does not see its synchronization on Linux.
public final class Locked<Value: Sendable>: @unchecked Sendable {
    #if canImport(Darwin)
        @usableFromInline let lock = NSLock()
    #else
        /// A pointer, because a mutex must not move. An `NSLock` takes three allocations on Linux.
        @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    #endif
    @usableFromInline var value: Value

    /// Creates a lock with an initial value.
    @inlinable
    public init(_ value: Value) {
        self.value = value
        #if !canImport(Darwin)
            mutex = .allocate(capacity: 1)
            pthread_mutex_init(mutex, nil)
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        #endif
    }

    /// The current value. Reading and writing are atomic individually; use ``withLock(_:)`` for a read
    /// followed by a write.
    @inlinable
    public var current: Value {
        get { withLock { $0 } }
        set {
            // The old value is released outside the lock: its `deinit` may access the value.
            var value = newValue
            withLock { swap(&$0, &value) }
        }
    }

    /// Reads and modifies the value atomically.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if canImport(Darwin)
            lock.lock()
            defer { lock.unlock() }
        #else
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
        #endif
        return try body(&value)
    }
}

extension Locked: CustomReflectable {
    /// Empty, so that `dump` of a service shows no token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
