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
    public func manager(_ manager: BaseAPIManager, didReceive response: APIResponse) {}
    public func manager(_ manager: BaseAPIManager, beforeSuccessWith response: APIResponse) -> Bool { true }
    public func manager(_ manager: BaseAPIManager, afterSuccessWith response: APIResponse) {}
    public func manager(_ manager: BaseAPIManager, beforeFailureWith error: APIError) -> Bool { true }
    public func manager(_ manager: BaseAPIManager, afterFailureWith error: APIError) {}
}
