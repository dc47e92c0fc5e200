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

    @inlinable @inline(__always)
    package init(wrappedValue: Value?) {
        box = if let wrappedValue { Box(wrappedValue) } else { nil }
    }

    @inlinable
    package var wrappedValue: Value? {
        @inline(__always) get { box?.value }
        @inline(__always) set { self = Boxed(wrappedValue: newValue) }
    }
}
