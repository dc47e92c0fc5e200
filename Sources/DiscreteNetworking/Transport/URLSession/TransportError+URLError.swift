import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// What a `URLSession` reports. Its text is not taken over: it may hold the URL.
    init(_ error: any Error) {
        let error = error as NSError
        guard error.domain == NSURLErrorDomain else {
            self.init(.unknown, message: "The transport failed (\(error.domain)).", code: error.code)
            return
        }
        let (kind, message) = Self.meaning(of: error.code)
        self.init(kind, message: message, code: error.code)
    }

    private static func meaning(of code: Int) -> (Kind, String) {
        switch code {
        case NSURLErrorNotConnectedToInternet, NSURLErrorInternationalRoamingOff, NSURLErrorDataNotAllowed:
            (.notConnectedToInternet, "There is no connection to the Internet.")
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed:
            (.cannotFindHost, "The host was not found; check the service's base URL.")
        case NSURLErrorCannotConnectToHost:
            (
                .cannotConnect,
                "The host does not accept the connection; check host and port, and that the server runs."
            )
        case NSURLErrorNetworkConnectionLost:
            (.connectionLost, "The connection was lost before the answer was complete.")
        case NSURLErrorTimedOut: (.timedOut, "The answer did not come in time.")
        case NSURLErrorCancelled: (.cancelled, "The exchange was cancelled.")
        case NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateHasBadDate,
            NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasUnknownRoot,
            NSURLErrorServerCertificateNotYetValid, NSURLErrorClientCertificateRejected,
            NSURLErrorClientCertificateRequired:
            (
                .secureConnectionFailed,
                "The secure connection could not be made; check the server's certificate."
            )
        case NSURLErrorBadServerResponse, NSURLErrorCannotDecodeContentData, NSURLErrorCannotDecodeRawData,
            NSURLErrorCannotParseResponse:
            (.badResponse, "The server's answer is malformed or missing.")
        case NSURLErrorUnsupportedURL: (.unsupported, "The URL is of a kind that cannot be loaded.")
        default: (.unknown, "The exchange failed.")
        }
    }
}
