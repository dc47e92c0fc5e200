extension ApiProxy {
    /// Cancels the calls of all managers with a delegate, such as those of a screen that the user leaves.
    ///
    /// ```swift
    /// override func viewDidDisappear(_ animated: Bool) {
    ///     super.viewDidDisappear(animated)
    ///     ApiProxy.shared.cancelRequests(for: self)
    /// }
    /// ```
    ///
    /// Each call ends with ``APIError/Kind/cancelled``. Managers of other delegates, and those without one, go on.
    @MainActor
    public func cancelRequests(for delegate: any APIManagerDelegate) {
        for pending in pendingCalls {
            guard let manager = pending.manager as? BaseAPIManager, manager.delegate === delegate else {
                continue
            }
            pending.cancel()
        }
    }
}
