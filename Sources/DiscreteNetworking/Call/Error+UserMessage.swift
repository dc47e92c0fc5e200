import Foundation

extension Error {
    /// One or two sentences for the user of the app, in their language, for any error of a `do` block: that of an
    /// ``APIError``, otherwise a short text of ``UserMessages/standard``.
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

    fileprivate init(of error: any Error) {
        self =
            switch error {
            case is CancellationError: .cancelled
            case let error as TransportError: Self(APIError.Kind(error))
            case let failure as TransferFailure: Self(.transfer(failure))
            case let failure as RefreshFailure: Self(.refreshFailed(failure))
            default: Self(system: error as NSError)
            }
    }
}
