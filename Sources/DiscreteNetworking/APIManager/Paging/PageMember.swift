/// A value that a page has of its list: an optional, or the value itself where the backend always sends it.
///
/// The members of ``APIPage`` are of such types, so that `let total: Int` counts as `let total: Int?` does.
public protocol PageMember: Sendable {
    /// The type without an optional.
    associatedtype Value: Sendable
    /// The value; `nil` if the backend did not send it.
    var pageValue: Value? { get }
}

extension Int: PageMember {
    public var pageValue: Int? { self }
}

extension Int32: PageMember {
    public var pageValue: Int? { Int(self) }
}

extension Int64: PageMember {
    public var pageValue: Int? { Int(clamping: self) }
}

extension Bool: PageMember {
    public var pageValue: Bool? { self }
}

extension String: PageMember {
    public var pageValue: String? { self }
}

extension Optional: PageMember where Wrapped: PageMember {
    public var pageValue: Wrapped.Value? { self?.pageValue ?? nil }
}

extension APIPage {
    /// The name of a stored property that should be a member of ``APIPage`` and has a type that none has; `nil` if
    /// all are fine. A default would take its place without a word.
    var ignoredMember: String? {
        let types: [String: Any.Type] = [
            "total": Total.self, "hasMore": HasMore.self, "nextCursor": NextCursor.self,
            "previousCursor": PreviousCursor.self,
        ]
        for (name, value) in Mirror(reflecting: self).children {
            guard let name, let type = types[name], Swift.type(of: value) != type else { continue }
            return
                "\(name) of \(Self.self) is \(Swift.type(of: value)), and is not read; declare it as \(type)."
        }
        return nil
    }
}
