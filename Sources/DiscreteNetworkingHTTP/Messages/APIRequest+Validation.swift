/// What must not go on the wire, because it would be another request than it seems, or none. The generator asks
/// for every call; a transport asks again for those who use it directly.
extension APIRequest {
    /// The method is a token, and the URL one of HTTP with a host.
    package func validateTarget() throws(InvalidRequest) {
        guard HTTPToken.isValid(method.rawValue) else {
            throw InvalidRequest(
                "The method \(method.rawValue.debugDescription) is not a token (RFC 9110 section 9.1).")
        }
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", url.host?.isEmpty == false else {
            throw InvalidRequest(
                "The URL needs the scheme http or https and a host; see the service's URL rule.")
        }
    }
}

extension TransportError {
    /// A request that no transport sends.
    package init(_ error: InvalidRequest) { self.init(.unsupported, message: error.reason) }
}
