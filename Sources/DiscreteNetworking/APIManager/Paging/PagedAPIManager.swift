/// A list that is loaded page by page, as short to write as an ``APIManager``.
///
/// ```swift
/// final class ProductListManager: PagedAPIManager<ProductPage> {
///     let serviceIdentifier = ServiceIdentifier.storefront
///     let methodName = "products/list"
///     let requestType = HTTPMethod.get
///     let paging = Paging.number(size: 20)
/// }
///
/// manager.loadFirstPage(with: ["q": "tea"])
/// manager.loadNextPage()          // as the user scrolls; as often as you like
/// manager.refresh()               // pull to refresh
/// show(manager.items)
///
/// for try await product in ProductListManager().allItems() { print(product.name) }
/// ```
/// A class and a protocol in one, so that leaving one of the four out is a compile error.
public typealias PagedAPIManager<Page: APIPage> = TypedPagedAPIManager<Page> & PagedAPIManagerChild

/// What every paged manager has to say about its endpoint.
@MainActor
public protocol PagedAPIManagerChild: APIManagerChild {
    /// How pages are asked for.
    var paging: Paging { get }
}
