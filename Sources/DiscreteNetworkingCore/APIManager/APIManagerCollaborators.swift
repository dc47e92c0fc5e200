/// Provides the arguments of a manager's calls; usually a view controller or screen model.
///
/// Called for every `loadData()` and `load()` without explicit params. A manager that conforms is its own
/// source unless another one is assigned.
@MainActor
public protocol APIManagerParamSource: AnyObject {
    /// Returns the params of the call about to start. One source may serve several managers.
    func params(for manager: BaseAPIManager) -> Params
}

/// The result of validating params or a response.
public enum ValidationResult: Sendable, Hashable {
    /// Valid.
    case valid
    /// Invalid, with the reason for the developer who reads the error.
    case invalid(reason: String)
}

/// Validates params and responses. A manager that conforms is its own validator unless another one is
/// assigned.
///
/// ```swift
/// final class AmountValidator: APIManagerValidator {
///     func validate(
///         params: Params, for manager: BaseAPIManager
///     ) -> ValidationResult {
///         params["amount"]?.int ?? 0 > 0
///             ? .valid : .invalid(reason: "amount has to be positive")
///     }
/// }
/// ```
@MainActor
public protocol APIManagerValidator: AnyObject {
    /// Validates params before a request is sent. Invalid params end the call with
    /// ``APIError/Kind/invalidParams(reason:)``.
    func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult

    /// Validates a decoded response. Its ``APIResponse/output`` has the manager's output type. An invalid response
    /// fails with ``APIError/Kind/invalidResponse(reason:)``.
    func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult
}

extension APIManagerValidator {
    public func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult { .valid }
    public func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult { .valid }
}

/// Called at the steps of the calls of managers, and may stop them.
///
/// ```swift
/// final class OrderManager: APIManager<Order>, APIManagerInterceptor {
///     let serviceIdentifier = ServiceIdentifier.storefront
///     let methodName = "order"
///     let requestType = HTTPMethod.post
///
///     func manager(
///         _ manager: BaseAPIManager, shouldCallWith params: Params
///     ) -> Bool { params["cart"] != nil }
/// }
/// ```
///
/// A manager that conforms is called at the steps of its own calls, before its ``BaseAPIManager/interceptor``, which may watch
/// several managers. All methods have default implementations that let everything through. A class that conforms has to
/// implement a method itself if its subclasses override it.
@MainActor
public protocol APIManagerInterceptor: AnyObject {
    /// Returns whether the call may start. `false` ends it with ``APIError/Kind/vetoed``; the delegate is
    /// not called.
    func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool
    /// Called after a call has started.
    func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params)
    /// Called when a response was received, before its outcome is delivered.
    func manager(_ manager: BaseAPIManager, didReceive response: APIResponse)
    /// Called before a success is delivered. Return `false` to withhold it: the delegate is not called; a
    /// closure and `await` receive ``APIError/Kind/swallowed``.
    func manager(_ manager: BaseAPIManager, beforeSuccessWith response: APIResponse) -> Bool
    /// Called after a success was delivered or withheld.
    func manager(_ manager: BaseAPIManager, afterSuccessWith response: APIResponse)
    /// Called before a failure is delivered. Return `false` to withhold it, as above.
    func manager(_ manager: BaseAPIManager, beforeFailureWith error: APIError) -> Bool
    /// Called after a failure was delivered or withheld.
    func manager(_ manager: BaseAPIManager, afterFailureWith error: APIError)
}

extension APIManagerInterceptor {
    public func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool { true }
    public func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {}
    public func manager(_ manager: BaseAPIManager, didReceive response: APIResponse) {}
    public func manager(_ manager: BaseAPIManager, beforeSuccessWith response: APIResponse) -> Bool { true }
    public func manager(_ manager: BaseAPIManager, afterSuccessWith response: APIResponse) {}
    public func manager(_ manager: BaseAPIManager, beforeFailureWith error: APIError) -> Bool { true }
    public func manager(_ manager: BaseAPIManager, afterFailureWith error: APIError) {}
}

/// Receives the outcome of a manager's calls, however they were started.
///
/// One delegate may serve several managers:
///
/// ```swift
/// final class ShopModel: APIManagerDelegate {
///     let search = SearchManager()
///     let cart = CartManager()
///
///     func managerDidSucceed(_ manager: BaseAPIManager) {
///         switch manager {
///         case search: show(search.output)
///         case cart: show(cart.output)
///         default: break
///         }
///     }
///
///     func managerDidFail(_ manager: BaseAPIManager) {
///         show(manager.error?.userMessage)
///     }
/// }
/// ```
@MainActor
public protocol APIManagerDelegate: AnyObject {
    /// Called after a success. ``TypedAPIManager/output`` and ``BaseAPIManager/response`` are set.
    func managerDidSucceed(_ manager: BaseAPIManager)
    /// Called after a failure or a cancellation. ``BaseAPIManager/error`` is set. Not called for a vetoed
    /// call or a failure that the service swallowed.
    func managerDidFail(_ manager: BaseAPIManager)
}

/// Receives progress updates of a manager's calls.
@MainActor
public protocol APIManagerProgressDelegate: AnyObject {
    /// Called with the latest progress. Intermediate values are dropped if the main actor is busy; the last
    /// value is always delivered, before the outcome.
    func manager(_ manager: BaseAPIManager, didMake progress: TransferProgress)
}

/// Converts a manager's output to the form that a view needs.
///
/// ```swift
/// struct PriceTag: APIManagerReformer {
///     func reform(_ manager: BaseAPIManager) -> String {
///         switch manager {
///         case let manager as ProductManager:
///             manager.output.map { "\($0.price) 元" } ?? ""
///         case let manager as CartManager:
///             manager.output.map { "共 \($0.total) 元" } ?? ""
///         default: ""
///         }
///     }
/// }
/// label.text = manager.fetchData(with: PriceTag())
/// ```
@MainActor
public protocol APIManagerReformer<Reformed> {
    /// The converted form.
    associatedtype Reformed
    /// Returns the converted output. One reformer may serve managers of several classes.
    func reform(_ manager: BaseAPIManager) -> Reformed
}

/// Cached responses that a call makes stale; see ``BaseAPIManager/invalidates(with:)``.
@MainActor
public struct StaleOutput {
    /// Returns what makes the responses stale at the end of a call.
    let ending: @MainActor (ApiProxy) -> PendingCall.Ending

    package init(_ ending: @escaping @MainActor (ApiProxy) -> PendingCall.Ending) { self.ending = ending }
}
