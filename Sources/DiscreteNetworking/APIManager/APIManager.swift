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
///
/// The output is decoded off the main actor. In a module whose default isolation is the main actor, as in a new project
/// of Xcode 26, declare it `nonisolated struct Product: Decodable, Sendable`. Otherwise its conformance belongs to the
/// main actor, which the compiler reports as "main actor-isolated conformance of 'Product' to 'Decodable' cannot satisfy
/// conformance requirement for a 'Sendable' type parameter", and of the manager that it "has no accessible initializers".
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
