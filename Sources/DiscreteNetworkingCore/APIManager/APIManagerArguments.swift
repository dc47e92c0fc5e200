/// A type of arguments that converts itself to params.
public protocol ParamsConvertible: Sendable {
    /// The arguments as params.
    var params: Params { get }
}

/// A manager with typed arguments: omitting or misspelling one where they are created is a compile-time error.
///
/// ```swift
/// final class ProductManager: APIManager<Product>, APIManagerArguments {
///     let serviceIdentifier = ServiceIdentifier.storefront
///     let methodName = "products/{id}"
///     let requestType = HTTPMethod.get
///
///     nonisolated struct Arguments: ParamsConvertible {
///         var id: Int
///         var params: Params { ["id": id] }
///     }
/// }
/// let product = try await ProductManager().load(with: .init(id: 7))
/// ```
/// Calls with ``Params``, or without arguments, still compile: for a param source, and for params that the type lacks.
@MainActor
public protocol APIManagerArguments: AnyObject {
    /// What the calls of the manager need.
    associatedtype Arguments: ParamsConvertible
}

extension APIManagerArguments {
    /// Calls and returns the output; see ``TypedAPIManager/load(with:ignoringCache:)->Output``.
    public func load<Output>(
        with arguments: Arguments, ignoringCache: Bool = false
    ) async throws(APIError) -> Output where Self: TypedAPIManager<Output> {
        try await load(with: arguments.params, ignoringCache: ignoringCache)
    }

    /// Calls and waits for the end; see ``TypedAPIManager/load(with:ignoringCache:)->Output``.
    @discardableResult
    public func load(
        with arguments: Arguments, ignoringCache: Bool = false
    ) async throws(APIError) -> NoContent where Self: TypedAPIManager<NoContent> {
        try await load(with: arguments.params, ignoringCache: ignoringCache)
    }

    /// Starts a call. The delegate receives the outcome; see ``BaseAPIManager/loadData(with:ignoringCache:)``.
    @discardableResult
    public func loadData(with arguments: Arguments, ignoringCache: Bool = false) -> RequestID
    where Self: BaseAPIManager {
        loadData(with: arguments.params, ignoringCache: ignoringCache)
    }

    /// Starts a call with a completion handler; see
    /// ``TypedAPIManager/loadData(with:ignoringCache:completion:)``.
    @discardableResult
    public func loadData<Output>(
        with arguments: Arguments, ignoringCache: Bool = false,
        completion: @escaping @MainActor @Sendable (Result<Output, APIError>) -> Void
    ) -> RequestID where Self: TypedAPIManager<Output> {
        loadData(with: arguments.params, ignoringCache: ignoringCache, completion: completion)
    }

    /// Calls once, retaining the manager until the call ends; see
    /// ``TypedAPIManager/loadOnce(with:ignoringCache:completion:)``.
    @discardableResult
    public func loadOnce<Output>(
        with arguments: Arguments, ignoringCache: Bool = false,
        completion: (@MainActor @Sendable (Result<Output, APIError>) -> Void)? = nil
    ) -> RequestID where Self: TypedAPIManager<Output> {
        loadOnce(with: arguments.params, ignoringCache: ignoringCache, completion: completion)
    }
}
