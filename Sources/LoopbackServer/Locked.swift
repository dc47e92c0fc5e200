import Foundation

/// A value that is only ever touched while its lock is held.
///
/// `@unchecked` because the compiler cannot see that `lock` guards `value`; nothing else reaches `value`,
/// and only `Sendable` values may be kept, so none can be carried out of the lock and shared unsafely.
final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
