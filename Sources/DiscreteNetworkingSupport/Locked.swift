import Foundation

/// A value behind a lock: where the mutable state of a service lives.
///
/// ```swift
/// final class StorefrontService: Service {
///     let token = Locked<String?>(nil)
/// }
/// service.token.current = "…"
/// let old = service.token.withLock { token in defer { token = nil }; return token }
/// ```
///
/// The lock is not recursive: do not touch the same `Locked` inside ``withLock(_:)``, nor drop there what
/// touches it in its `deinit`. Return such a value instead; setting ``current`` releases the old one after
/// the lock.
///
/// It is `@unchecked Sendable` because the compiler cannot see that `value` is only reached under
/// `lock`; `Synchronization.Mutex` would say so, but needs iOS 18.
public final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    public init(_ value: Value) { self.value = value }

    /// The value now. A read and a write are each atomic; a read followed by a write is not: use
    /// ``withLock(_:)`` for that.
    public var current: Value {
        get { withLock { $0 } }
        set {
            // What is replaced is released after the lock: its `deinit` may ask for the value.
            var value = newValue
            withLock { swap(&$0, &value) }
        }
    }

    /// Reads and changes the value in one atomic step.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

extension Locked: CustomReflectable {
    /// Empty, so that a `dump` of a service shows no token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
