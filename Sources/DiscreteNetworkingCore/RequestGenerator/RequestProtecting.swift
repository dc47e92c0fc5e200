package import DiscreteNetworkingHTTP

/// A policy that adds to requests, once they have their cookies and before they are signed.
package protocol RequestProtecting: PolicyMachinery {
    /// - Parameter session: The tokens that the request has; `nil` for none.
    func protect(
        _ request: inout APIRequest, of call: APICall, _ configured: ConfiguredService,
        _ session: SessionSnapshot?
    ) async
}
