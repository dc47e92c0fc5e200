/// The manager of one endpoint: subclass it and name its service, method name and HTTP method.
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
/// Composed of a class and a protocol, so that omitting one of the three is a compile error.
///
/// The output is decoded off the main actor. In a module with main-actor default isolation, as in a new
/// Xcode 26 project, declare it `nonisolated struct Product: Decodable, Sendable`. Otherwise the compiler
/// reports "main actor-isolated conformance of 'Product' to 'Decodable' cannot satisfy conformance
/// requirement for a 'Sendable' type parameter", and that the manager "has no accessible initializers".
public typealias APIManager<Output: Decodable & Sendable> = TypedAPIManager<Output> & APIManagerChild

/// The requirements of every manager: the service, the method name and the HTTP method.
///
/// ```swift
/// final class OrdersManager: APIManager<JSONValue> {
///     let serviceIdentifier = ServiceIdentifier.storefront
///     let methodName = "users/{id}/orders"
///     let requestType = HTTPMethod.get
/// }
/// let orders = try await OrdersManager().load(with: ["id": 7, "page": 1])
/// // GET …/users/7/orders?page=1
/// ```
@MainActor
public protocol APIManagerChild: AnyObject {
    /// The identifier of the endpoint's service.
    var serviceIdentifier: ServiceIdentifier { get }
    /// The path of the endpoint below the service's URL, optionally with placeholders for params:
    /// `"users/{id}/orders"`. A query, as in `"index.php?c=user"`, is params of every call.
    var methodName: String { get }
    /// The HTTP method.
    var requestType: HTTPMethod { get }
}
