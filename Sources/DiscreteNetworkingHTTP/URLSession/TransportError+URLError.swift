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
        let (kind, message) = Self.meaning(of: Self.code(of: error))
        self.init(kind, message: message, code: error.code)
    }

    #if canImport(FoundationNetworking)
        /// On Linux much has the code "unknown", and only libcurl's text says what it was.
        private static func code(of error: NSError) -> Int {
            guard error.code == NSURLErrorUnknown else { return error.code }
            let text = error.localizedDescription.lowercased()
            func says(_ words: String...) -> Bool { words.contains { text.contains($0) } }
            if says("certificate") {
                return says("alert")
                    ? NSURLErrorClientCertificateRejected : NSURLErrorServerCertificateUntrusted
            }
            if says("ssl", "tls") { return NSURLErrorSecureConnectionFailed }
            if says("transfer closed", "reset by peer", "recv failure", "send failure") {
                return NSURLErrorNetworkConnectionLost
            }
            return error.code
        }
    #else
        private static func code(of error: NSError) -> Int { error.code }
    #endif

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
        case NSURLErrorSecureConnectionFailed:
            (
                .secureConnectionFailed,
                "The secure connection could not be made; check the TLS versions of both sides."
            )
        case NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateUntrusted,
            NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid:
            (.serverCertificateUntrusted, "The server's certificate is not one to trust for this host.")
        case NSURLErrorClientCertificateRejected, NSURLErrorClientCertificateRequired:
            (
                .clientCertificateRejected,
                "The server does not take the client without a certificate it trusts."
            )
        case NSURLErrorFileDoesNotExist, NSURLErrorFileIsDirectory, NSURLErrorNoPermissionsToReadFile:
            (.bodyUnavailable, "The file to be sent cannot be read, or is no regular file.")
        case NSURLErrorAppTransportSecurityRequiresSecureConnection:
            (
                .unsupported,
                "App Transport Security forbids plain http; use https, or add an exception to Info.plist."
            )
        case NSURLErrorBadServerResponse, NSURLErrorCannotDecodeContentData, NSURLErrorCannotDecodeRawData,
            NSURLErrorCannotParseResponse:
            (.badResponse, "The server's answer is malformed or missing.")
        case NSURLErrorUnsupportedURL: (.unsupported, "The URL is of a kind that cannot be loaded.")
        default: (.unknown, "The exchange failed.")
        }
    }
}
