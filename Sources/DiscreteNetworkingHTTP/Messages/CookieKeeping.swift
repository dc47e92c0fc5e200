package import Foundation

/// Provides the cookies of a request and stores the cookies of its response (RFC 6265).
package protocol CookieKeeping: Sendable {
    /// Returns the value of the `Cookie` header for a URL; `nil` if no cookie matches.
    func header(for url: URL) -> String?
    /// Where it keeps them. Requests with different places are not exchanged for one another.
    var place: CookiePlace { get }
    /// Stores the cookies of a response's `Set-Cookie` headers.
    func keep(_ lines: [String], from url: URL)
}

/// A jar, as far as it was not emptied since.
package struct CookiePlace: Sendable, Hashable {
    private let jar: ObjectIdentifier
    /// How often the jar was emptied; `nil` for an exchange that has no cookies.
    private let generation: Int?

    package init(jar: ObjectIdentifier, generation: Int?) { (self.jar, self.generation) = (jar, generation) }
}
