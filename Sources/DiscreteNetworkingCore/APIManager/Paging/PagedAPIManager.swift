/// The manager of a paged list.
///
/// ```swift
/// final class ProductListManager: PagedAPIManager<ProductPage> {
///     let serviceIdentifier = ServiceIdentifier.storefront
///     let methodName = "products/list"
///     let requestType = HTTPMethod.get
///     let paging = Paging.number(size: 20)
/// }
///
/// let manager = ProductListManager()
/// manager.loadFirstPage(with: ["q": "tea"])
/// manager.loadNextPage()  // while scrolling; repeated calls are joined
/// manager.refresh()  // pull to refresh
/// show(manager.items)
/// ```
///
/// In an asynchronous function, a loop loads one page after the other:
///
/// ```swift
/// for try await product in ProductListManager().allItems() {
///     print(product.name)
/// }
/// ```
///
/// Composed of a class and a protocol, so that omitting one of the four is a compile error.
public typealias PagedAPIManager<Page: APIPage> = TypedPagedAPIManager<Page> & PagedAPIManagerChild

/// The requirements of every paged manager.
@MainActor
public protocol PagedAPIManagerChild: APIManagerChild {
    /// How pages are requested.
    var paging: Paging { get }
}
