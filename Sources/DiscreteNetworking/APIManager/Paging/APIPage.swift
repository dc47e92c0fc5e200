/// One page of a list, as the backend sends it.
///
/// ```swift
/// nonisolated struct ProductPage: APIPage {
///     let items: [Product]          // Product is Identifiable: no product appears twice
///     let total: Int?
/// }
/// ```
/// Only ``items`` has to be there. What else a backend says, of ``total``, ``hasMore`` and the cursors, is
/// there to find out which page is the last.
public protocol APIPage: Decodable, Sendable {
    associatedtype Item: Sendable

    /// The items of this page, in the order of the list.
    var items: [Item] { get }
    /// How many items all pages have together. Default: `nil`, not known.
    var total: Int? { get }
    /// Whether a page follows; beats ``total``. Default: `nil`, not known.
    ///
    /// Where neither is known, a page with fewer items than asked for is the last.
    var hasMore: Bool? { get }
    /// What the next page is asked for by, with ``Paging/cursor(limit:name:limitName:previousName:)``; `nil`
    /// or empty after the last. Default: `nil`.
    var nextCursor: String? { get }
    /// What the page before this one is asked for by; `nil` or empty before the first. Default: `nil`.
    var previousCursor: String? { get }

    /// What makes an item the same as another one: a list has it once, where it was first, however the pages
    /// shift while they are loaded. Default: the `id` of `Identifiable` items, and `nil`, never the same, of
    /// others.
    ///
    /// ```swift
    /// static func key(of item: Product) -> (any Hashable & Sendable)? { item.sku }
    /// ```
    static func key(of item: Item) -> (any Hashable & Sendable)?
}

extension APIPage {
    public var total: Int? { nil }
    public var hasMore: Bool? { nil }
    public var nextCursor: String? { nil }
    public var previousCursor: String? { nil }
    public static func key(of item: Item) -> (any Hashable & Sendable)? { nil }
}

extension APIPage where Item: Identifiable, Item.ID: Sendable {
    public static func key(of item: Item) -> (any Hashable & Sendable)? { item.id }
}

/// A key that a set can hold: `AnyHashable` is not Sendable.
struct ItemKey: Hashable, Sendable {
    private let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) { self.value = value }

    static func == (left: ItemKey, right: ItemKey) -> Bool {
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
}
