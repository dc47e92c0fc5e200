/// Who is told how the calls of a manager ended, whichever way they were made.
@MainActor
public protocol APIManagerDelegate: AnyObject {
    /// ``TypedAPIManager/output`` and ``BaseAPIManager/response`` are there.
    func managerDidSucceed(_ manager: BaseAPIManager)
    /// ``BaseAPIManager/error`` is there. Also told of a cancellation; not of a veto, nor of a failure
    /// that the service swallowed.
    func managerDidFail(_ manager: BaseAPIManager)
}
