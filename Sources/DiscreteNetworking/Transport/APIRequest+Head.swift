extension APIRequest {
    /// What must not go on the wire, because it would be another request than it seems, or none: a line break
    /// in a header, a method that is no token, a scheme that is not HTTP. ``RequestGenerator`` says so earlier; a
    /// transport says it to those who use it directly.
    func checkHead() throws(TransportError) {
        do {
            try headers.validate()
        } catch {
            throw TransportError(.unsupported, message: error.reason)
        }
    }

    /// The same for method and scheme.
    func checkTarget() throws(TransportError) {
        guard HTTPToken.isValid(method.rawValue) else {
            throw TransportError(.unsupported, message: "The method is not a token (RFC 9110 section 9.1).")
        }
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", url.host?.isEmpty == false else {
            throw TransportError(.unsupported, message: "The URL needs the scheme http or https and a host.")
        }
    }
}
