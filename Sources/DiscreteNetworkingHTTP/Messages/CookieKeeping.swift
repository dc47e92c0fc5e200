package import Foundation

/// Provides the cookies of a request and stores the cookies of its response (RFC 6265).
package protocol CookieKeeping: Sendable {
    /// Returns the value of the `Cookie` header for a URL; `nil` if no cookie matches.
    func header(for url: URL) -> String?
    /// Stores the cookies of a response's `Set-Cookie` headers.
    func keep(_ lines: [String], from url: URL)
}
