/// Who is told how far the calls of a manager have come.
@MainActor
public protocol APIManagerProgressDelegate: AnyObject {
    /// Called often, but never faster than the main actor can follow: values in between are left out, the
    /// last one is not, and it comes before the outcome.
    func manager(_ manager: BaseAPIManager, didMake progress: TransferProgress)
}
