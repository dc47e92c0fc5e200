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

/// By identity: a manager equals itself only.
extension BaseAPIManager: Hashable {
    nonisolated public static func == (left: BaseAPIManager, right: BaseAPIManager) -> Bool { left === right }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
