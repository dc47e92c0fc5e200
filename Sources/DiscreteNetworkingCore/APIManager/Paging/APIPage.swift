/// One page of a list, as the backend sends it.
///
/// ```swift
/// nonisolated struct ProductPage: APIPage {
///     // Product is Identifiable: no product appears twice.
///     let items: [Product]
///     let total: Int?
/// }
/// ```
///
/// Only ``items`` is required. ``total``, ``hasMore`` and the cursors determine which page is the last. Declare the
/// properties that the backend sends, as an optional, or as the value itself where the backend always sends it:
/// `let total: Int`. A property that has one of these names and another type, such as `let total: String`, fails the page
/// with ``APIError/Kind/invalidResponse(reason:)``. The reason names the property.
public protocol APIPage: Decodable, Sendable {
    /// The type of the items.
    associatedtype Item: Sendable
    /// The type of ``total``: `Int?`, `Int` or another integer.
    associatedtype Total: Sendable = Int?
    /// The type of ``hasMore``: `Bool?` or `Bool`.
    associatedtype HasMore: Sendable = Bool?
    /// The type of ``nextCursor``: `String?` or `String`.
    associatedtype NextCursor: Sendable = String?
    /// The type of ``previousCursor``: `String?` or `String`.
    associatedtype PreviousCursor: Sendable = String?

    /// The items of this page, in order.
    var items: [Item] { get }
    /// The total number of items of all pages. Default: `nil`, unknown.
    var total: Total { get }
    /// Whether another page follows; takes precedence over ``APIPage/total``. Default: `nil`, unknown.
    ///
    /// If both are unknown, a page with fewer items than requested is the last.
    var hasMore: HasMore { get }
    /// The cursor of the next page, for ``Paging/cursor(size:name:sizeName:previousName:)``; `nil` or
    /// empty on the last page. Default: `nil`.
    var nextCursor: NextCursor { get }
    /// The cursor of the previous page; `nil` or empty on the first page. Default: `nil`.
    var previousCursor: PreviousCursor { get }

    /// Returns the identity of an item. A list contains each identity once, at its first position, even if
    /// pages shift while they are loaded. Default: the `id` of `Identifiable` items; otherwise `nil`,
    /// always distinct.
    ///
    /// ```swift
    /// nonisolated struct ProductPage: APIPage {
    ///     let items: [Product]
    ///
    ///     static func key(of item: Product) -> (any Hashable & Sendable)? {
    ///         item.sku
    ///     }
    /// }
    /// ```
    static func key(of item: Item) -> (any Hashable & Sendable)?
}

extension APIPage {
    /// Unknown.
    public var total: Int? { nil }
    /// Unknown.
    public var hasMore: Bool? { nil }
    /// No next page is known.
    public var nextCursor: String? { nil }
    /// No previous page is known.
    public var previousCursor: String? { nil }
    /// Items without an identity: all are distinct.
    public static func key(of item: Item) -> (any Hashable & Sendable)? { nil }
}

extension APIPage where Item: Identifiable, Item.ID: Sendable {
    /// The `id` of the item.
    public static func key(of item: Item) -> (any Hashable & Sendable)? { item.id }
}

/// What a page says of its list, whether its members are optionals or not.
struct PageFacts {
    let total: Int?
    let hasMore: Bool?
    let nextCursor: String?
    let previousCursor: String?
    /// Which member has a type that cannot be read; `nil` if all are fine.
    private(set) var misfit: String?

    init(_ page: some APIPage) {
        total = (page.total as? any BinaryInteger).map { Int(clamping: $0) }
        hasMore = page.hasMore as? Bool
        nextCursor = page.nextCursor as? String
        previousCursor = page.previousCursor as? String
        check("total", page.total, total, in: page)
        check("hasMore", page.hasMore, hasMore, in: page)
        check("nextCursor", page.nextCursor, nextCursor, in: page)
        check("previousCursor", page.previousCursor, previousCursor, in: page)
    }

    private mutating func check<Value>(
        _ name: String, _ value: some Sendable, _ read: Value?, in page: some APIPage
    ) {
        // Only a nil can be cast to an optional of a type without values.
        guard read == nil, value as? Never? == nil else { return }
        misfit =
            "\(name) of \(type(of: page)) is \(type(of: value)), which is not read; declare it as \(Value.self) or \(Value.self)?."
    }
}

/// A `Sendable` replacement for `AnyHashable`.
struct ItemKey: Hashable, Sendable {
    private let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) { self.value = value }

    static func == (left: ItemKey, right: ItemKey) -> Bool {
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    func hash(into hasher: inout Hasher) { AnyHashable(value).hash(into: &hasher) }
}
