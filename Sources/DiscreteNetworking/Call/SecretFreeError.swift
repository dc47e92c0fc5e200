/// An error of a module of this package whose text has no secret, unlike those of the app's code.
package protocol SecretFreeError: Error {
    /// What happened and what to do about it, for developers.
    var reason: String { get }
}
