/// Where the arguments of a manager come from: a screen, usually.
///
/// Asked on every `loadData()` and `load()` that is not given params. A manager that conforms itself is
/// its own source until another one is assigned.
@MainActor
public protocol APIManagerParamSource: AnyObject {
    /// The arguments of the call about to be made. One source may serve several managers.
    func params(for manager: BaseAPIManager) -> Params
}

/// Whether params or a response are right.
public enum ValidationResult: Sendable, Hashable {
    case valid
    /// The reason, for the developer who reads the error.
    case invalid(reason: String)
}

/// Checks what goes out and what comes back. A manager that conforms itself is its own validator until
/// another one is assigned.
@MainActor
public protocol APIManagerValidator: AnyObject {
    /// Called before anything is sent; a refusal ends the call with ``APIError/Kind/invalidParams(reason:)``.
    func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult

    /// Called with every response that was decoded: ``APIResponse/output`` is of the manager's type. A
    /// refusal is ``APIError/Kind/invalidResponse(reason:)``.
    func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult
}

extension APIManagerValidator {
    public func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult { .valid }
    public func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult { .valid }
}

/// Looks into the calls of managers from outside, and may stop them.
///
/// The manager's own hooks of the same names come first, then this. Every method has a default that does
/// nothing and lets everything through.
@MainActor
public protocol APIManagerInterceptor: AnyObject {
    /// Whether the call may go out. `false` ends it with ``APIError/Kind/vetoed``; the delegate is not told.
    func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool
    /// The call is on its way.
    func manager(_ manager: BaseAPIManager, didCallWith params: Params)
    /// The call is on its way, under this number. Default: ``manager(_:didCallWith:)``.
    func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params)
    /// A response came; whether it is a success is about to be told.
    func manager(_ manager: BaseAPIManager, didReceive response: APIResponse)
    /// Before success is told. `false` holds it back: the delegate is not told, a closure and `await` get
    /// ``APIError/Kind/intercepted``.
    func manager(_ manager: BaseAPIManager, beforeSuccessWith response: APIResponse) -> Bool
    /// After success was told, or held back.
    func manager(_ manager: BaseAPIManager, afterSuccessWith response: APIResponse)
    /// Before a failure is told. `false` holds it back, as above.
    func manager(_ manager: BaseAPIManager, beforeFailureWith error: APIError) -> Bool
    /// After a failure was told, or held back.
    func manager(_ manager: BaseAPIManager, afterFailureWith error: APIError)
}

extension APIManagerInterceptor {
    public func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool { true }
    public func manager(_ manager: BaseAPIManager, didCallWith params: Params) {}
    public func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {
        self.manager(manager, didCallWith: params)
    }
    public func manager(_ manager: BaseAPIManager, didReceive response: APIResponse) {}
    public func manager(_ manager: BaseAPIManager, beforeSuccessWith response: APIResponse) -> Bool { true }
    public func manager(_ manager: BaseAPIManager, afterSuccessWith response: APIResponse) {}
    public func manager(_ manager: BaseAPIManager, beforeFailureWith error: APIError) -> Bool { true }
    public func manager(_ manager: BaseAPIManager, afterFailureWith error: APIError) {}
}

/// Who is told how the calls of a manager ended, whichever way they were made.
///
/// One delegate may serve several managers, and tell them apart:
/// ```swift
/// func managerDidSucceed(_ manager: BaseAPIManager) {
///     switch manager {
///     case search: show(search.output)
///     case cart: show(cart.output)
///     default: break
///     }
/// }
/// ```
@MainActor
public protocol APIManagerDelegate: AnyObject {
    /// ``TypedAPIManager/output`` and ``BaseAPIManager/response`` are there.
    func managerDidSucceed(_ manager: BaseAPIManager)
    /// ``BaseAPIManager/error`` is there. Also told of a cancellation; not of a veto, nor of a failure
    /// that the service swallowed.
    func managerDidFail(_ manager: BaseAPIManager)
}

/// Who is told how far the calls of a manager have come.
@MainActor
public protocol APIManagerProgressDelegate: AnyObject {
    /// Called often, but never faster than the main actor can follow: values in between are left out, the
    /// last one is not, and it comes before the outcome.
    func manager(_ manager: BaseAPIManager, didMake progress: TransferProgress)
}

/// Turns what a manager fetched into what a view shows.
///
/// ```swift
/// struct PriceTag: APIManagerReformer {
///     func reform(_ manager: BaseAPIManager) -> String {
///         switch manager {
///         case let manager as ProductManager: manager.output.map { "\($0.price) 元" } ?? ""
///         case let manager as CartManager: manager.output.map { "共 \($0.total) 元" } ?? ""
///         default: ""
///         }
///     }
/// }
/// label.text = manager.fetchData(with: PriceTag())
/// ```
@MainActor
public protocol APIManagerReformer<Reformed> {
    associatedtype Reformed
    /// One reformer may serve several managers, and tell them apart by their class.
    func reform(_ manager: BaseAPIManager) -> Reformed
}
