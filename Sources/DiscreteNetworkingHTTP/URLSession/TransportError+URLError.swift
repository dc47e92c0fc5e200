package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// Creates an error from an error of `URLSession`. Its text is omitted: it may contain the URL.
    init(_ error: any Error) { self.init(system: error as NSError) }

    /// The same for a Foundation error of any domain.
    package init(system error: NSError) {
        let meaning: Meaning? =
            switch error.domain {
            case NSURLErrorDomain:
                Self.meaning(ofUserInfo: error) ?? Self.meaning(of: Self.code(of: error))
                    ?? (error.userInfo[NSUnderlyingErrorKey] as? NSError).flatMap(Self.meaning(ofSystem:))
                    ?? (.unknown, "The exchange failed.")
            default: Self.meaning(ofSystem: error)
            }
        let (kind, message) = meaning ?? (.unknown, "The transport failed (\(error.domain)).")
        self.init(kind, message: message, code: error.code)
    }

    #if canImport(FoundationNetworking)
        /// On Linux, many errors have the code "unknown" and differ only in libcurl's text.
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
            if says("content-length", "chunked", "weird server reply") {
                return NSURLErrorCannotParseResponse
            }
            return error.code
        }
    #else
        private static func code(of error: NSError) -> Int { error.code }
    #endif

    static func meaning(of code: Int) -> Meaning? {
        switch code {
        case NSURLErrorNotConnectedToInternet:
            (.notConnectedToInternet, "There is no connection to the Internet.")
        case NSURLErrorInternationalRoamingOff:
            (.notConnectedToInternet, "Data roaming is off; connect to Wi-Fi, or turn it on in Settings.")
        case NSURLErrorDataNotAllowed:
            (
                .notConnectedToInternet,
                "The cellular network does not allow data; connect to Wi-Fi, or try later."
            )
        case callIsActive:
            (.notConnectedToInternet, "A phone call uses the network; try again when it has ended.")
        case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed:
            (.cannotFindHost, "The host was not found; check the service's base URL.")
        case NSURLErrorCannotConnectToHost:
            (
                .cannotConnect,
                "Could not connect to the host; check its name and port, and that the server is running."
            )
        case NSURLErrorNetworkConnectionLost:
            (.connectionLost, "The connection was lost before the response was complete.")
        case NSURLErrorTimedOut: (.timedOut, "The request timed out.")
        case NSURLErrorCancelled: (.cancelled, "The exchange was canceled.")
        case NSURLErrorSecureConnectionFailed:
            (
                .secureConnectionFailed,
                "The TLS handshake failed; check the TLS versions of both sides."
            )
        case NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateUntrusted,
            NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid:
            (.serverCertificateUntrusted, "The server's certificate is not trusted for this host.")
        case NSURLErrorClientCertificateRejected, NSURLErrorClientCertificateRequired:
            (
                .clientCertificateRejected,
                "The server requires a client certificate that it trusts."
            )
        case NSURLErrorFileDoesNotExist, NSURLErrorFileIsDirectory, NSURLErrorNoPermissionsToReadFile:
            (.bodyUnavailable, "The file to send is unreadable or not a regular file.")
        case NSURLErrorAppTransportSecurityRequiresSecureConnection:
            (
                .unsupported,
                "App Transport Security blocks cleartext HTTP; use https, or add an exception to Info.plist."
            )
        case NSURLErrorBadServerResponse, NSURLErrorCannotDecodeContentData, NSURLErrorCannotDecodeRawData,
            NSURLErrorCannotParseResponse:
            (.badResponse, "The server's response is malformed or missing.")
        case NSURLErrorUnsupportedURL: (.unsupported, "The URL scheme is not supported.")
        default: nil
        }
    }
}
