/// The arguments of a call as a type of their own.
public protocol ParamsConvertible: Sendable {
    /// The arguments by name.
    var params: Params { get }
}

/// A manager whose arguments have a type: one that is forgotten or misspelt is a compile error.
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
/// ``Params`` serve as ever: for a param source, and for what the type does not know.
@MainActor
public protocol APIManagerArguments: AnyObject {
    associatedtype Arguments: ParamsConvertible
}

extension APIManagerArguments {
    /// Calls, and waits for the output; see ``TypedAPIManager/load(with:ignoringCache:)``.
    public func load<Output>(
        with arguments: Arguments, ignoringCache: Bool = false
    ) async throws(APIError) -> Output where Self: TypedAPIManager<Output> {
        try await load(with: arguments.params, ignoringCache: ignoringCache)
    }

    /// Starts a call; the delegate is told how it ends. See ``BaseAPIManager/loadData(with:ignoringCache:)``.
    @discardableResult
    public func loadData(with arguments: Arguments, ignoringCache: Bool = false) -> RequestID
    where Self: BaseAPIManager {
        loadData(with: arguments.params, ignoringCache: ignoringCache)
    }

    /// Calls, and tells a closure how it ended; see ``TypedAPIManager/loadData(with:ignoringCache:completion:)``.
    @discardableResult
    public func loadData<Output>(
        with arguments: Arguments, ignoringCache: Bool = false,
        completion: @escaping @MainActor @Sendable (Result<Output, APIError>) -> Void
    ) -> RequestID where Self: TypedAPIManager<Output> {
        loadData(with: arguments.params, ignoringCache: ignoringCache, completion: completion)
    }

    /// Calls once, and holds the manager until the call has ended; see
    /// ``TypedAPIManager/loadOnce(with:ignoringCache:completion:)``.
    @discardableResult
    public func loadOnce<Output>(
        with arguments: Arguments, ignoringCache: Bool = false,
        completion: (@MainActor @Sendable (Result<Output, APIError>) -> Void)? = nil
    ) -> RequestID where Self: TypedAPIManager<Output> {
        loadOnce(with: arguments.params, ignoringCache: ignoringCache, completion: completion)
    }
}
