/// A page that is a JSON array, of a backend that names the next page in the header `Link` (RFC 8288).
///
/// ```swift
/// final class RepositoryListManager: PagedAPIManager<ArrayPage<Repository>> {
///     let serviceIdentifier = ServiceIdentifier.forge
///     let methodName = "user/repos"
///     let requestType = HTTPMethod.get
///     let paging = Paging.number(size: 100, sizeName: "per_page")
/// }
/// ```
///
/// With ``Paging/cursor(size:name:sizeName:previousName:)``, the cursor is the param of that name in the URL of the next
/// page. Without the header, a page with fewer items than requested is the last.
public struct ArrayPage<Item: Decodable & Sendable>: APIPage, LinkedPage {
    public var items: [Item]
    public var hasMore: Bool? { link.map { $0.next != nil } }
    var link: PageLink?

    /// Creates a page without a header.
    public init(items: [Item]) { self.items = items }

    public init(from decoder: any Decoder) throws { items = try [Item](from: decoder) }
}
