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
/// `@unchecked Sendable`, because the compiler cannot verify that `value` is accessed only under `lock`.
/// `Synchronization.Mutex` could, but requires iOS 18.
public final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// Creates a lock with an initial value.
    public init(_ value: Value) { self.value = value }

    /// The current value. Reading and writing are atomic individually; use ``withLock(_:)`` for a read
    /// followed by a write.
    public var current: Value {
        get { withLock { $0 } }
        set {
            // The old value is released outside the lock: its `deinit` may access the value.
            var value = newValue
            withLock { swap(&$0, &value) }
        }
    }

    /// Reads and modifies the value atomically.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Locked: CustomReflectable {
    /// Empty, so that `dump` of a service shows no token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
