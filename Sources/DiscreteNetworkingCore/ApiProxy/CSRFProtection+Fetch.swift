extension CSRFProtection {
    /// Sends a token that a closure fetches.
    ///
    /// ```swift
    /// // SAP: the response to a GET with "X-CSRF-Token: Fetch" has the token.
    /// CSRFProtection(header: "X-CSRF-Token") { proxy in
    ///     let manager = TokenManager()
    ///     manager.proxy = proxy
    ///     _ = try await manager.load()
    ///     return manager.response?.headers["X-CSRF-Token"] ?? ""
    /// }
    /// ```
    /// An unsafe call of the closure itself is sent without a token.
    /// - Parameters:
    ///   - header: The header.
    ///   - fetch: Returns the token. What it throws ends the calls that wait. Its parameter is the proxy of the call that needs
    ///     the token.
    public init(
        header: HTTPFields.Name,
        fetch: @escaping @MainActor @Sendable (_ proxy: ApiProxy) async throws -> String
    ) {
        self.init(header: header, place: .fetch) { _, dispatcher in
            let token = try await fetch(.of(dispatcher))
            guard Self.isValid(token) else { throw InvalidCSRFToken() }
            return token
        }
    }
}

/// The backend's token is empty, longer than 8 KiB, or has a character that a header may not have.
struct InvalidCSRFToken: Error, CustomStringConvertible {
    var description: String {
        "the token is empty, longer than 8192 bytes, or has a character that a header may not have."
    }
}
