import Dispatch
import Foundation

/// Sends a request and follows redirects, over any transport. An object, because every attempt has one.
package final class RedirectFollower: Sendable {
    static let limit = 20

    let transport: any Transport
    /// Defines secret headers in addition to the standard ones.
    let redaction: Redaction
    /// Whether the transport itself ends an exchange at ``APIRequest/timeout``.
    let keepsTimeouts: Bool
    /// Where redirects away from the service go; `nil` if ``transport`` sends all of them.
    let outside: Outside?

    init(transport: any Transport, redaction: Redaction, outside: Outside? = nil) {
        self.transport = transport
        self.redaction = redaction
        self.outside = outside
        keepsTimeouts = transport is any TimeKeepingTransport && (outside?.keepsTimeouts ?? true)
    }

    /// The rest of the world, as seen by a service with a transport of its own: its pins and its client certificate
    /// are not for other hosts.
    struct Outside: Sendable {
        let transport: any Transport
        /// The base URLs of the service.
        let hosts: [URL]

        fileprivate var keepsTimeouts: Bool { transport is any TimeKeepingTransport }
    }

    /// Sends a request, and follows redirects.
    package func outcome(of request: APIRequest) async -> Result<TransportResponse, ExchangeFailure> {
        await outcome(of: Box(request)).map(\.value)
    }

    /// The same without copies in the async frame, which stays as long as the exchange takes.
    func outcome(of request: Box<APIRequest>) async -> Result<Box<TransportResponse>, ExchangeFailure> {
        let start = DispatchTime.now()
        do {
            // Not every transport follows a cancellation.
            try Task.checkCancellation()
            let response = Box(try await transport.send(request.value))
            guard let hop = try redirect(after: response, to: request) else { return .success(response) }
            return .success(try await follow(hop, from: request.value.url, since: start))
        } catch {
            return .failure(Self.failure(error))
        }
    }

    private static func failure(_ error: any Error) -> ExchangeFailure {
        switch error {
        case let failure as ExchangeFailure: failure
        case let error as TransportError: ExchangeFailure(error)
        case is CancellationError: ExchangeFailure(.exchangeCancelled)
        // The error's text is omitted: it may contain the URL and thereby a secret.
        default:
            ExchangeFailure(TransportError(.unknown, message: "The transport threw a \(type(of: error))."))
        }
    }

    /// Follows redirects after the first one.
    ///
    /// An error names the request that failed.
    /// - Parameters:
    ///   - hop: The first redirect.
    ///   - start: The URL of the service that redirected.
    ///   - time: When the request was sent that was redirected: all of them have one timeout.
    private func follow(
        _ hop: Box<RedirectHop>, from start: URL, since time: DispatchTime
    ) async throws -> Box<TransportResponse> {
        let limit = hop.value.next.timeout
        var (request, hops) = (hop.value.next, [hop.value])
        do {
            return Box(try await follow(&request, &hops, from: start, within: limit, since: time))
        } catch var error as TransportError {
            error.isAfterRedirect = true
            request.timeout = limit
            throw ExchangeFailure(error, redirected: Box(request))
        }
    }

    private func follow(
        _ request: inout APIRequest, _ hops: inout [RedirectHop], from start: URL,
        within limit: TimeInterval, since time: DispatchTime
    ) async throws -> TransportResponse {
        for _ in 1...Self.limit {
            try Task.checkCancellation()
            request.timeout = limit - Self.seconds(since: time)
            guard request.timeout > 0 else {
                throw TransportError(.timedOut, message: "The request timed out, after a redirect.")
            }
            var response = try await transport(for: request.url, from: start).send(request)
            guard let hop = try redirect(after: Box(response), to: Box(request)) else {
                response.redirects = hops
                return response
            }
            hops.append(hop.value)
            request = hop.value.next
        }
        throw TransportError(
            .redirectRefused, message: "The server redirected more than \(Self.limit) times.")
    }

    private static func seconds(since time: DispatchTime) -> TimeInterval {
        TimeInterval(DispatchTime.now().uptimeNanoseconds - time.uptimeNanoseconds) / 1e9
    }

    private func transport(for url: URL, from start: URL) -> any Transport {
        guard let outside else { return transport }
        let host = HostName.normal(url.host ?? "")
        let isOwn = ([start] + outside.hosts).contains { HostName.normal($0.host ?? "") == host }
        return isOwn ? transport : outside.transport
    }

    /// Keeps the cookies of a response and checks it.
    ///
    /// - Returns: The redirect; `nil` if the response is final.
    private func redirect(
        after response: Box<TransportResponse>, to request: Box<APIRequest>
    ) throws(TransportError) -> Box<RedirectHop>? {
        request.value.notes.cookies?.keep(
            response.value.headers.values(of: "Set-Cookie"), from: request.value.url)
        if Self.statuses.contains(response.value.status),
            let next = try next(after: response.value, to: request.value)
        {
            return Box(RedirectHop(response: response.value.head, next: next))
        }
        // An unrequested partial response (RFC 9110 section 15.3.7) would be taken and stored as the whole.
        guard response.value.status != 206 || request.value.headers["Range"] != nil else {
            throw TransportError(
                .badResponse,
                message: "The server sent partial content (206) for a request without a Range header.")
        }
        return nil
    }

    /// Returns the next request; `nil` if the response is final.
    func next(after response: TransportResponse, to request: APIRequest) throws(TransportError) -> APIRequest?
    {
        guard Self.statuses.contains(response.status), let location = response.headers["Location"] else {
            return nil
        }
        if case .refuse = request.notes.redirectPolicy { return nil }
        var next = request
        next.url = try target(location, from: request.url)
        do {
            try request.notes.plainHTTP.check(next.url)
        } catch {
            throw TransportError(.plainHTTPRefused, message: "The server redirected. \(error.reason)")
        }
        if response.status == 303 && request.method != .head
            || (response.status == 301 || response.status == 302) && request.method == .post
        {
            next.method = .get
            next.body = .none
            next.notes.bodyParams = [:]
            next.notes.uncompressed = nil
            let names: [HTTPFields.Name] = [
                "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location",
            ]
            for name in names {
                next.headers[name] = nil
            }
            if let name = request.notes.csrf?.header { next.headers[name] = nil }
        }
        let isSameOrigin = request.url.isSameOrigin(as: next.url)
        if !isSameOrigin {
            next.headers = HTTPFields(next.headers.filter { mayLeave($0.name) })
            next.credential = nil
        }
        if let cookies = request.notes.cookies { next.headers["Cookie"] = cookies.header(for: next.url) }
        if case .decide(let follows) = request.notes.redirectPolicy {
            return follows(Redirect(status: response.status, source: request.url, request: next)) ? next : nil
        }
        guard isSameOrigin || !holdsSecret(next) else {
            throw TransportError(
                .redirectRefused,
                message:
                    "The server redirected a body with a secret to another origin, \(next.url.host ?? ""); it was not sent. To allow this, use RedirectPolicy.decide."
            )
        }
        return next
    }

    private static let statuses: Set = [301, 302, 303, 307, 308]

    /// Headers that do not identify the client: content negotiation, ranges and preconditions (RFC 9110).
    private static let harmlessHeaders: Set<HTTPFields.Name> = [
        "Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Encoding",
        "Content-Language",
        "Content-Type", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range", "If-Unmodified-Since",
        "Range",
        "User-Agent",
    ]

    private func mayLeave(_ header: HTTPFields.Name) -> Bool {
        Self.harmlessHeaders.contains(header) && !redaction.isSecret(header: header.rawName)
    }

    /// Whether the body contains a value with a secret name, as far as it can be inspected.
    private func holdsSecret(_ request: APIRequest) -> Bool {
        var texts = [Array(JSONValue.object(request.notes.bodyParams).canonicalText.utf8)]
        switch request.uncompressed.body {
        case .none: return false
        case .data(let data):
            texts.append([UInt8](data.searchable(as: request.headers["Content-Type"]) ?? data))
        case .file, .stream: break
        }
        return texts.contains { text in
            [Redaction.standard, redaction].contains { $0.redacted(bytes: text) != text }
        }
    }

    private func target(_ location: String, from source: URL) throws(TransportError) -> URL {
        guard let url = URL(string: location, relativeTo: source)?.absoluteURL, let host = url.host,
            !host.isEmpty,
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https"
        else {
            throw TransportError(
                .redirectRefused, message: "The server redirected to a location that is not an HTTP URL.")
        }
        // A transport would make credentials of it. That of the request itself stays with its origin.
        guard
            url.user == nil && url.password == nil
                || source.isSameOrigin(as: url) && url.user == source.user
                    && url.password == source.password
        else {
            throw TransportError(
                .redirectRefused,
                message:
                    "The server redirected to a URL with a user in front of the host, \(host), which may deceive about where it leads (RFC 9110 section 4.2.4); it was not followed."
            )
        }
        guard scheme == "https" || source.scheme?.lowercased() == "http" else {
            throw TransportError(
                .plainHTTPRefused,
                message:
                    "The server redirected from HTTPS to cleartext HTTP; the redirect was not followed."
            )
        }
        guard url.fragment == nil, let fragment = source.fragment else { return url }
        return URL(string: "#" + fragment, relativeTo: url)?.absoluteURL ?? url
    }
}
