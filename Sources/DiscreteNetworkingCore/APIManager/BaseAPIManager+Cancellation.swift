extension BaseAPIManager {
    /// Cancels a call of this manager. Has no effect if it has ended or belongs to another manager.
    public func cancelRequest(_ requestID: RequestID) { state.cancel(requestID) }

    /// Cancels some calls of this manager, as ``cancelRequest(_:)`` does.
    public func cancelRequests(_ requestIDs: some Sequence<RequestID>) {
        for requestID in requestIDs { cancelRequest(requestID) }
    }

    /// Cancels all calls of this manager.
    public func cancelAllRequests() { state.cancelAll() }
}

extension ApiProxy {
    /// Cancels the calls of all managers that have a given delegate, for example when the user leaves a screen.
    ///
    /// ```swift
    /// override func viewDidDisappear(_ animated: Bool) {
    ///     super.viewDidDisappear(animated)
    ///     ApiProxy.shared.cancelRequests(for: self)
    /// }
    /// ```
    ///
    /// Each call ends with ``APIError/Kind/cancelled``. Calls of other managers continue.
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
