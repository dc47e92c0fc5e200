import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// On Linux `URLSession` has no way to heed a policy.
    struct URLSessionTrust: Sendable {
        init(_ policy: TLSPolicy, _ configuration: URLSessionConfiguration) throws(TransportError) {
            guard policy != TLSPolicy() else { return }
            throw TransportError(
                .unsupported, message: "URLSession on Linux cannot heed a TLSPolicy; use CurlTransport.")
        }
    }
#endif
