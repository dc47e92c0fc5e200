/// One field of a request that is not as expected.
struct FieldDifference: Sendable {
    let field: String
    let expected: String
    let actual: String

    /// Expected above actual, so that the eye finds where they part.
    var text: String { "  \(field)\n    expected  \(expected)\n    actual    \(actual)" }
}
