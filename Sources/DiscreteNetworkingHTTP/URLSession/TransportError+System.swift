import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the errors of the layers below `URLSession` mean, which it passes on as they are, or as underlying errors.
extension TransportError {
    typealias Meaning = (kind: Kind, message: String)

    /// `NSURLErrorCallIsActive`, which Foundation has on Apple platforms only.
    static let callIsActive = -1019

    /// Returns why the system refuses the network, if the error says so.
    static func meaning(ofUserInfo error: NSError) -> Meaning? {
        // The keys of NSURLError.h, and one that Apple TN3179 names.
        if let path = error.userInfo["_NSURLErrorNWPathKey"],
            String(describing: path).contains("Local network prohibited")
        {
            return (
                .unsupported,
                "The user has not allowed this app to use the local network; see Settings, Privacy & Security, Local Network, and add NSLocalNetworkUsageDescription to Info.plist."
            )
        }
        switch error.userInfo["NSURLErrorNetworkUnavailableReasonKey"] as? Int {
        case 0:
            return (
                .notConnectedToInternet,
                "The request may not use the cellular network, and there is no other; connect to Wi-Fi, or allow cellular access in Settings or in the configuration."
            )
        case 1:
            return (
                .notConnectedToInternet,
                "The request may not use an expensive network, such as a personal hotspot, and there is no other; see allowsExpensiveNetworkAccess."
            )
        case 2:
            return (
                .notConnectedToInternet,
                "The request may not use a network in Low Data Mode, and there is no other; see allowsConstrainedNetworkAccess."
            )
        default: return nil
        }
    }

    /// Returns the meaning of an error of POSIX or CFNetwork; `nil` for other domains and codes.
    static func meaning(ofSystem error: NSError) -> Meaning? {
        switch error.domain {
        case NSPOSIXErrorDomain: meaning(ofPOSIX: error.code)
        case "kCFErrorDomainCFNetwork": meaning(ofCFNetwork: error.code)
        default: nil
        }
    }

    private static func meaning(ofPOSIX code: Int) -> Meaning? {
        switch Int32(truncatingIfNeeded: code) {
        // iOS also ends connections of an app that was suspended with ECONNABORTED, and HTTP/3 with ENODATA.
        case ECONNABORTED, ECONNRESET, ENODATA, ENOTCONN, EPIPE:
            (.connectionLost, "The connection was lost before the response was complete.")
        case ECONNREFUSED:
            (.cannotConnect, "The host refused the connection; check that the server is running.")
        case EHOSTDOWN, EHOSTUNREACH:
            (.cannotConnect, "There is no route to the host; check its name and the network.")
        case ENETDOWN, ENETUNREACH: (.notConnectedToInternet, "There is no connection to the Internet.")
        case ETIMEDOUT: (.timedOut, "The request timed out.")
        case EMFILE, ENFILE:
            (.unknown, "The process has too many open files; close some, or make fewer calls at once.")
        case ENOSPC: (.unknown, "The disk is full.")
        default: nil
        }
    }

    /// The codes of CFNetworkErrors.h. Negative codes are codes of `URLError`.
    private static func meaning(ofCFNetwork code: Int) -> Meaning? {
        switch code {
        case 1, 2: (.cannotFindHost, "The host was not found; check the service's base URL.")
        case 303: (.badResponse, "The server's response is malformed or missing.")
        case 306: (.cannotConnect, "The proxy rejected its user name or password; see Settings, Wi-Fi.")
        case 310, 311: (.cannotConnect, "The proxy could not connect to the host; check the proxy.")
        default: code < 0 ? meaning(of: code) : nil
        }
    }
}
