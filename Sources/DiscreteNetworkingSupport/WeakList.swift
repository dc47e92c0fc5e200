/// Objects that others keep, in the order in which they were added.
///
/// ```swift
/// list.add { [weak holder] in holder }
/// ```
package final class WeakList<Element: Sendable>: Sendable {
    private let elements = Locked<[@Sendable () -> Element?]>([])

    package init() {}

    /// Adds an object, and forgets objects that are gone.
    /// - Parameter element: Returns the object; `nil` when it is gone.
    package func add(_ element: @escaping @Sendable () -> Element?) {
        // All others may release an object meanwhile. Its deinitializer takes locks, so not inside this one.
        let living = elements.withLock { elements in
            let living = elements.compactMap { element in element().map { (element, $0) } }
            elements = living.map(\.0) + [element]
            return living.map(\.1)
        }
        withExtendedLifetime(living) {}
    }

    /// The objects that are there.
    package var all: [Element] { elements.withLock { $0.compactMap { $0() } } }

    /// Forgets all objects.
    /// - Returns: The objects that were there.
    package func removeAll() -> [Element] {
        elements.withLock { elements in
            defer { elements = [] }
            return elements.compactMap { $0() }
        }
    }
}
