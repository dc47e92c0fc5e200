/// A state with parts that depend on each other.
///
/// ```swift
/// private struct State: SelfChecking {
///     var waiters: [Int] = []
///     var hasEnded = false
///
///     func checkInvariants() {
///         assert(!hasEnded || waiters.isEmpty, "an ended call has waiters")
///     }
/// }
/// ```
/// In a ``Locked``, it is checked after each change in debug builds.
package protocol SelfChecking {
    /// Checks the invariants with `assert`, in constant time or in the time of the change.
    func checkInvariants()
}

extension Locked where Value: SelfChecking {
    /// Reads and modifies the value atomically, and checks it in debug builds.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withLock { value throws(Failure) in
            #if DEBUG
                defer { value.checkInvariants() }
            #endif
            return try body(&value)
        }
    }
}
