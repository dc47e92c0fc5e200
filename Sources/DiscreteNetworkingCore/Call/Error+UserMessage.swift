import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Error {
    /// One or two sentences for the user of the app, in their language, for any error of a `do` block. An ``APIError``
    /// has its own message. Other errors have a short text of ``UserMessages/standard``.
    ///
    /// ```swift
    /// do {
    ///     let file = try await ReportManager().load()
    ///     try FileManager.default.copyItem(at: file.url, to: destination)
    /// } catch {
    ///     show(error.userMessage)
    /// }
    /// ```
    // Disfavored, so that a member of the same name in an app or in another package is not ambiguous.
    @_disfavoredOverload
    public var userMessage: String {
        if let error = self as? APIError { return error.userMessage }
        return UserMessages.standard.text(
            for: UserMessages.Situation(of: self), in: Locale.preferredLanguages)
    }
}

extension UserMessages.Situation {
    /// What an error other than an ``APIError`` means to the user of an app.
    private init(system error: NSError) {
        switch error.domain {
        case NSURLErrorDomain: self.init(APIError.Kind(TransportError(system: error)))
        // The codes of files in FoundationErrors.h.
        case NSCocoaErrorDomain where 0...1023 ~= error.code: self = .file
        default: self = .other
        }
    }

    /// Generic, and not of `any Error`: the type check for Apple platforms crashes where `Self` becomes an existential.
    fileprivate init<Failure: Error>(of error: Failure) {
        if error is CancellationError {
            self = .cancelled
        } else if let error = error as? TransportError {
            self.init(APIError.Kind(error))
        } else if let failure = error as? TransferFailure {
            self.init(.transfer(failure))
        } else if let failure = error as? RefreshFailure {
            self.init(.refreshFailed(failure))
        } else if let error = error as? URLError {
            self.init(system: NSError(domain: NSURLErrorDomain, code: error.errorCode))
        } else if let error = error as? CocoaError {
            self.init(system: NSError(domain: NSCocoaErrorDomain, code: error.errorCode))
        } else {
            self = .other
        }
    }
}
