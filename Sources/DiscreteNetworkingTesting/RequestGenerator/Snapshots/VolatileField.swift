/// A field of a request that changes from call to call: a snapshot holds what it has to look like instead.
///
/// ```swift
/// volatile: [.header("X-Nonce", .uuid), .query("t", .timestamp), .body("device.id")]
/// ```
public struct VolatileField: Sendable {
    enum Place: Sendable { case header, query, body }

    let place: Place
    let name: String
    let rule: FieldRule

    /// A header, whatever the case of its name.
    public static func header(_ name: String, _ rule: FieldRule = .any) -> VolatileField {
        VolatileField(place: .header, name: name, rule: rule)
    }

    /// An item of the query.
    public static func query(_ name: String, _ rule: FieldRule = .any) -> VolatileField {
        VolatileField(place: .query, name: name, rule: rule)
    }

    /// A field of a form, or a member of a JSON body by its path: `"device.id"`, `"items.0.at"`.
    public static func body(_ path: String, _ rule: FieldRule = .any) -> VolatileField {
        VolatileField(place: .body, name: path, rule: rule)
    }

    /// What every app sends that its tests cannot know: it depends on the machine.
    static let standard: [VolatileField] = [.header("User-Agent"), .header("Accept-Language")]
}
