/// The lock of a credential; see ``CredentialStore/tryLock(_:)``. It ends with ``release()``, and with the last
/// reference to it.
public final class CredentialLock: Sendable {
    private let end: Locked<(@Sendable () -> Void)?>

    /// - Parameter release: called once.
    public init(release: @escaping @Sendable () -> Void) { end = Locked(release) }

    deinit { release() }

    /// Gives the lock back. Nothing happens the second time.
    public func release() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }
}
