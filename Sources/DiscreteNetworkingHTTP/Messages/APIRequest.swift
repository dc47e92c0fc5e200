import Foundation

/// One HTTP request, ready for a transport.
public struct APIRequest: Sendable {
    public var url: URL
    public var method: HTTPMethod
    public var headers: HTTPFields
    public var body: RequestBody
    /// What answers a challenge of the server, where that cannot be a header.
    public var credential: HTTPCredential?
    /// Seconds the exchange may take in all; `.infinity` for no limit. ``ApiProxy`` enforces it.
    public var timeout: TimeInterval
    /// Where the response's body goes.
    public var destination: ResponseDestination
    /// What to do about a redirect.
    public var redirectPolicy: RedirectPolicy
    /// Told how far the transfer has come, on any thread.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// Who made the request, in a type of the module that did; ``origin`` reads it.
    package var context: (any Sendable)?
    /// The params that filled the path of the URL, so that those with secret names are hidden in it.
    package var pathParams: [String: JSONValue] = [:]
    /// Where it may go by plain HTTP, on a redirect too.
    package var plainHTTP = CleartextPolicy()
    /// What besides its fields says which request this is.
    package var terms = RequestIdentity.Terms()
    /// What of it changes from call to call without making another request.
    package var varyingFields: VaryingFields { terms.varying }
    /// What its encoding would make of a param in the body, for a signature that comes to be the only one.
    package var emptyBody: EmptyBody?

    package enum EmptyBody { case form, json }
    /// What its body was made of, so that one with a secret name among it stays with its origin.
    package var bodyParams: [String: JSONValue] = [:]

    public init(
        url: URL, method: HTTPMethod = .get, headers: HTTPFields = [:], body: RequestBody = .none,
        credential: HTTPCredential? = nil,
        timeout: TimeInterval = 20, destination: ResponseDestination = .memory(limit: 64 * 1024 * 1024),
        redirectPolicy: RedirectPolicy = .follow, onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.credential = credential
        self.timeout = timeout
        self.destination = destination
        self.redirectPolicy = redirectPolicy
        self.onProgress = onProgress
    }
}
