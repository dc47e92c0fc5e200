import Foundation

/// Gives an exchange its cookies, and takes those that the server sets (RFC 6265).
package protocol CookieKeeping: Sendable {
    /// The value of the `Cookie` header for a URL; `nil` where there is no cookie for it.
    func header(for url: URL) -> String?
    /// Takes the values of `Set-Cookie` headers of a response.
    func keep(_ lines: [String], from url: URL)
}
