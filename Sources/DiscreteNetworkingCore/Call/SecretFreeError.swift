/// An error of a module of this package. Its text has no secret, unlike the text of the app's own errors.
package protocol SecretFreeError: Error {
    /// What happened and what to do about it, for developers.
    var reason: String { get }
}
