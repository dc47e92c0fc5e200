#if canImport(Darwin)
    import Foundation
#else
    import Synchronization
#endif

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
/// On Apple platforms it is `@unchecked Sendable`, because the compiler cannot verify that `value` is accessed only
/// under `lock`; `Synchronization.Mutex` can, but requires iOS 18. Elsewhere a `Mutex` is stored inline, where an
/// `NSLock` takes three allocations.
public final class Locked<Value: Sendable> {
    #if canImport(Darwin)
        @usableFromInline let lock = NSLock()
        @usableFromInline var value: Value
    #else
        @usableFromInline let mutex: Mutex<Value>
    #endif

    /// Creates a lock with an initial value.
    @inlinable
    public init(_ value: Value) {
        #if canImport(Darwin)
            self.value = value
        #else
            mutex = Mutex(value)
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
            return try body(&value)
        #else
            // `Mutex.withLock` requires a sending result, and `Result` need not be Sendable; a variable has no such limit.
            var result: Result?
            try mutex.withLock { value throws(Failure) in result = try body(&value) }
            return result!
        #endif
    }
}

#if canImport(Darwin)
    extension Locked: @unchecked Sendable {}
#else
    extension Locked: Sendable {}
#endif

extension Locked: CustomReflectable {
    /// Empty, so that `dump` of a service shows no token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
