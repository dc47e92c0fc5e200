/// Remembers what was made of what, for things that are asked for again and again and always come out the same.
///
/// It forgets everything when it is full, so that it stays small whatever it is asked for.
package final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline let limit: Int
    @usableFromInline let values = Locked<[Key: Value]>([:])

    /// - Parameter limit: how many values are remembered at most.
    @inlinable
    package init(limit: Int = 512) { self.limit = limit }

    /// The value of a key, made where it is not remembered. What cannot be made is not remembered.
    @inlinable
    package func value<Failure: Error>(
        for key: Key, make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let value = values.withLock({ $0[key] }) { return value }
        let value = try make()
        values.withLock { values in
            if values.count >= limit { values.removeAll(keepingCapacity: true) }
            values[key] = value
        }
        return value
    }
}
