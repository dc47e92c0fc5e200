/// An acquired lock of a credential; see ``CredentialStore/tryLock(_:)``. Released by ``release()`` or when
/// deallocated.
public final class CredentialLock: Sendable {
    private let end: Locked<(@Sendable () -> Void)?>

    /// Creates a lock.
    /// - Parameter release: The closure that releases the lock, called once.
    public init(release: @escaping @Sendable () -> Void) { end = Locked(release) }

    deinit { release() }

    /// Releases the lock. Has no effect the second time.
    public func release() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
