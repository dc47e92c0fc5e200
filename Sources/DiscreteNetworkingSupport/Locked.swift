public import Foundation

/// A value protected by a lock, for the mutable state of a service.
///
/// ```swift
/// final class StorefrontService: Service {
///     let baseURL = URL(string: "https://api.example.com")!
///     let token = Locked<String?>(nil)
/// }
/// service.token.current = "…"
/// let old = service.token.withLock { token in
///     defer { token = nil }
///     return token
/// }
/// ```
///
/// Copies share the value and its lock, as copies of `OSAllocatedUnfairLock` do. The lock is not recursive: inside
/// ``withLock(_:)``, do not access the same `Locked`, and do not release an object that accesses it in its `deinit`.
/// Return such an object instead; setting ``current`` releases the old value outside the lock.
///
/// `@unchecked Sendable`, because the compiler cannot verify that the value is accessed only under the lock.
/// `Synchronization.Mutex` can, but requires iOS 18, and Thread Sanitizer does not see its synchronization on Linux.
@frozen
public struct Locked<Value: Sendable>: @unchecked Sendable {
    @usableFromInline let storage: LockedStorage<Value>

    /// Creates a lock with an initial value.
    @inlinable
    public init(_ value: Value, fileID: StaticString = #fileID) { storage = .make(value, fileID) }

    /// The current value. Reading and writing are atomic individually; use ``withLock(_:)`` for a read
    /// followed by a write.
    @inlinable
    public var current: Value {
        get { withLock { $0 } }
        nonmutating set {
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
        try storage.withLock(body)
    }
}

extension Locked {
    /// The same for all copies.
    package var id: ObjectIdentifier { ObjectIdentifier(storage) }
}

extension Locked: CustomReflectable {
    /// Empty, so that `dump` of a service shows no token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

#if canImport(Darwin)
    @usableFromInline typealias PlatformMutex = NSLock
#else
    /// An `NSLock` takes three allocations on Linux.
    @usableFromInline typealias PlatformMutex = pthread_mutex_t
#endif

/// The head in front of the value. The mutex is first, so that it has the address of the head.
@frozen @usableFromInline
struct LockHead {
    @usableFromInline var mutex = PlatformMutex()
    #if DEBUG
        /// Where the lock was created; see ``LockOrder``.
        @usableFromInline let fileID: StaticString
    #endif

    @inlinable
    init(_ fileID: StaticString) {
        #if DEBUG
            self.fileID = fileID
        #endif
    }
}

/// A mutex and the value that it protects, in one allocation that does not move.
@usableFromInline
final class LockedStorage<Value>: ManagedBuffer<LockHead, Value> {
    @inlinable
    static func make(_ value: Value, _ fileID: StaticString) -> LockedStorage {
        let storage = unsafeDowncast(
            create(minimumCapacity: 1) { _ in LockHead(fileID) }, to: LockedStorage.self)
        storage.withUnsafeMutablePointers { head, place in
            #if !canImport(Darwin)
                pthread_mutex_init(mutex(in: head), nil)
            #endif
            place.initialize(to: value)
        }
        return storage
    }

    #if !canImport(Darwin)
        /// A pointer that stays valid as long as the storage, because the mutex is a stored property at its start.
        @inlinable
        static func mutex(in head: UnsafeMutablePointer<LockHead>) -> UnsafeMutablePointer<PlatformMutex> {
            UnsafeMutableRawPointer(head).assumingMemoryBound(to: PlatformMutex.self)
        }
    #endif

    deinit {
        withUnsafeMutablePointers { head, place in
            #if !canImport(Darwin)
                pthread_mutex_destroy(Self.mutex(in: head))
            #endif
            _ = place.deinitialize(count: 1)
        }
    }

    @inlinable
    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeMutablePointers { head, place throws(Failure) in
            #if DEBUG
                LockOrder.willTake(head.pointee.fileID, Value.self)
                defer { LockOrder.didRelease() }
            #endif
            #if canImport(Darwin)
                head.pointee.mutex.lock()
                defer { head.pointee.mutex.unlock() }
            #else
                let mutex = Self.mutex(in: head)
                pthread_mutex_lock(mutex)
                defer { pthread_mutex_unlock(mutex) }
            #endif
            return try body(&place.pointee)
        }
    }
}
