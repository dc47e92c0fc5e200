/// A difference between the expected and the actual value of a field.
struct FieldDifference: Sendable {
    let field: String
    let expected: String
    let actual: String

    /// The field with both values below each other.
    var text: String { "  \(field)\n    expected  \(expected)\n    actual    \(actual)" }
}
