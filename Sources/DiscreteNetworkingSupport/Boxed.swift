/// A value behind one reference, for large values that are copied often: a copy is one retain.
package final class Box<Value: Sendable>: Sendable {
    package let value: Value

    @inlinable
    package init(_ value: Value) { self.value = value }
}

/// Stores an optional property in a ``Box``, so that copies of its owner are small.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
    @usableFromInline package var box: Box<Value>?

    @inlinable
    package init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

    @inlinable
    package var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }
}
