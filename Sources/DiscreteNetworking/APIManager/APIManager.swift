/// One endpoint: subclass it, name its service, method and HTTP method, and call it.
///
/// ```swift
/// final class ProductManager: APIManager<Product> {
///     let serviceIdentifier = ServiceIdentifier.storefront
///     let methodName = "products/detail"
///     let requestType = HTTPMethod.get
/// }
/// let product = try await ProductManager().load(with: ["id": 7])
/// ```
///
/// A class and a protocol in one, so that leaving one of the three out is a compile error.
public typealias APIManager<Output: Decodable & Sendable> = TypedAPIManager<Output> & APIManagerChild

/// What every manager has to say about its endpoint.
@MainActor
public protocol APIManagerChild: AnyObject {
    /// The service that the endpoint belongs to.
    var serviceIdentifier: ServiceIdentifier { get }
    /// The endpoint, below the service's URL; may have places for params: `"users/{id}/orders"`.
    var methodName: String { get }
    /// The HTTP method.
    var requestType: HTTPMethod { get }
}
