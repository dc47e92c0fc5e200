/// A field of a request that changes from call to call. A snapshot contains its rule instead of its value.
///
/// ```swift
/// let volatile: [VolatileField] = [
///     .header("X-Nonce", .uuid), .query("t", .timestamp), .body("device.id"),
/// ]
/// ```
public struct VolatileField: Sendable {
    enum Place: Sendable { case header, query, body }

    let place: Place
    let name: String
    let rule: FieldRule

    /// A header field, case-insensitive.
    public static func header(_ name: String, _ rule: FieldRule = .any) -> VolatileField {
        VolatileField(place: .header, name: name, rule: rule)
    }

    /// A query item.
    public static func query(_ name: String, _ rule: FieldRule = .any) -> VolatileField {
        VolatileField(place: .query, name: name, rule: rule)
    }

    /// A form field, or a member of a JSON body by its path: `"device.id"`, `"items.0.at"`.
    public static func body(_ path: String, _ rule: FieldRule = .any) -> VolatileField {
        VolatileField(place: .body, name: path, rule: rule)
    }

    /// Fields that depend on the machine.
    static let standard: [VolatileField] = [.header("User-Agent"), .header("Accept-Language")]
}
