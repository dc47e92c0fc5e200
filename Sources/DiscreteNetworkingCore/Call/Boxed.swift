/// A value behind one reference, for large values that are copied often: a copy is one retain.
package final class Box<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}

/// Stores an optional property in a ``Box``, so that copies of its owner are small.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    private var box: Box<Value>?

    init(wrappedValue: Value?) { box = if let wrappedValue { Box(wrappedValue) } else { nil } }

    /// The box, to hand on without a copy of the value.
    var projectedValue: Box<Value>? { box }

    var wrappedValue: Value? {
        get { box?.value }
        set { self = Boxed(wrappedValue: newValue) }
    }
}
