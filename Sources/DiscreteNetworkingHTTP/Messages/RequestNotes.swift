package import Foundation

/// What the framework notes about a request, besides the HTTP that a transport sends.
///
/// The generator writes them, and the proxy reads them. They travel with the request because stubs and recordings, which
/// other transports may wrap, are asked about them too.
package struct RequestNotes: Sendable {
    /// The call that the request belongs to, in a type of the module that made it.
    package var origin: (any Sendable)?
    /// How redirects are handled.
    package var redirectPolicy = RedirectPolicy.follow
    /// The hosts that allow cleartext HTTP, also for redirects.
    package var plainHTTP = CleartextPolicy()
    /// Where cookies come from and go, on each redirect; `nil` where there are none.
    package var cookies: (any CookieKeeping)?
    /// The parts of the request's identity besides its fields.
    package var identity = RequestIdentity.Terms()
    /// Whether the stream is read to its end without a pause, as for a download.
    package var isDownload = false
    /// The body before it was compressed; `nil` if it is sent as it is.
    package var uncompressed: Data?
    /// How the encoding would write a param to an empty body, for a signature that is the only param.
    package var emptyBody: EmptyBody?

    // MARK: Secrets

    /// The params in the path of the URL, to redact those with secret names.
    package var pathParams: [String: JSONValue] = [:]
    /// The params in the body, to detect secret ones on a redirect to another origin.
    package var bodyParams: [String: JSONValue] = [:]
    /// The header with a CSRF token, which is secret under any name, and the number of the fetch, if the token was fetched; `nil`
    /// if there is none.
    package var csrf: (header: HTTPFields.Name, generation: Int?)?
    /// Whether the response is secret as a whole.
    package var hidesResponse = false

    package enum EmptyBody { case form, json }

    package init() {}
}

extension APIRequest {
    /// Restores the notes after the app's code has changed the request, or has assigned another one. What is noted of the
    /// params in its body stays if there is something: the app may have encoded others. What the body was before it was
    /// compressed belongs to the body that is there now.
    package mutating func restore(_ notes: RequestNotes) {
        let written = (
            uncompressed: self.notes.uncompressed, bodyParams: self.notes.bodyParams,
            emptyBody: self.notes.emptyBody
        )
        self.notes = notes
        self.notes.uncompressed = written.uncompressed
        if !written.bodyParams.isEmpty { self.notes.bodyParams = written.bodyParams }
        if let emptyBody = written.emptyBody { self.notes.emptyBody = emptyBody }
    }
}
