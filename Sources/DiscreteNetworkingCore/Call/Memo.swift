/// A text that equals only a text of the same bytes: to a server, canonically equivalent strings are different.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }
}

/// Caches the results of a pure function by its argument. Removes all results when it is full.
final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Locked<[Key: Value]>([:])

    /// - Parameter limit: the maximum number of results.
    init(limit: Int = 512) { self.limit = limit }

    /// Returns the result for a key, computed if it is not cached. Errors are not cached.
    func value<Failure: Error>(for key: Key, make: () throws(Failure) -> Value) throws(Failure) -> Value {
        if let value = values.withLock({ $0[key] }) { return value }
        let value = try make()
        values.withLock { values in
            if values.count >= limit { values.removeAll(keepingCapacity: true) }
            values[key] = value
        }
        return value
    }
}
