#if os(Linux)
    import Foundation

    /// A response from the loop. Its head is not parsed, and a body in memory is still encoded.
    ///
    /// Both are done in the caller's task: they delay no other exchange, not even a decompression bomb does.
    struct CurlAnswer: Sendable {
        var head: CurlHead
        var codings: [Int32]
        var body: ResponseBody
        var metrics: TransportMetrics?

        func response(to request: APIRequest) async throws(TransportError) -> TransportResponse {
            var body = body
            if !codings.isEmpty, case .memory(let limit) = request.destination,
                case .data(let data) = body, !data.isEmpty
            {
                body = .data(try await ContentCoding.decode(data, codings, limit: limit))
            }
            return TransportResponse(
                url: request.url, status: head.status, headers: head.headers, body: body, metrics: metrics)
        }
    }

    /// A request in flight, shared by the caller and the loop.
    ///
    /// The caller's task creates it and finds out what the loop has to know about the request.
    final class CurlExchange: Sendable {
        typealias Outcome = Result<CurlAnswer, TransportError>

        let request: APIRequest
        let url: String
        /// The scheme, host and port.
        let origin: String
        let host: String
        let isSecure: Bool
        /// ``APIRequest/isOpenEnded``. Asked of the request by the loop, it would copy all of it.
        let isOpenEnded: Bool
        /// Whether the host has to be looked up.
        let needsLookup: Bool
        /// The addresses of the host, if the app resolves it.
        let resolved: ResolvedHost?
        let outcome = Promise<Outcome>()
        /// Whether a body that streams is sent no further; `nil` for other bodies. Known before the loop gets to the command to
        /// cancel: a stream that ends in between would make a whole request of one that its caller knows to be canceled.
        private let isSendingOver: Locked<Bool>?

        /// - Throws: ``TransportError`` if the URL or the method is invalid, or the request is one that libcurl
        ///   cannot send.
        init(_ request: consuming APIRequest, _ resolved: ResolvedHost? = nil) throws(TransportError) {
            do { (host, isSecure) = try request.validateTarget() } catch { throw TransportError(error) }
            if request.method == .head {
                guard case .none = request.body else {
                    throw TransportError(
                        .unsupported,
                        message: "A HEAD request cannot have a body; encode the params in the query.")
                }
            }
            if case .file = request.destination {
                throw TransportError(
                    .unsupported,
                    message: "A transport does not write files; request a stream, or use ApiProxy.")
            }
            if case .stream = request.body { isSendingOver = Locked(false) } else { isSendingOver = nil }
            isOpenEnded = request.isOpenEnded
            url = request.url.absoluteString
            origin = Self.origin(of: url)
            needsLookup = !Self.isAddress(host) && resolved?.addresses.isEmpty != false
            self.resolved = resolved
            // The last use, which moves it.
            self.request = request
        }

        /// Returns the scheme, host and port of a URL, as written.
        private static func origin(of url: String) -> String {
            var slashes = 0
            let end = url.utf8.firstIndex { byte in
                if byte == UInt8(ascii: "/") { slashes += 1 }
                return slashes == 3 || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            }
            return String(url[..<(end ?? url.endIndex)])
        }

        /// Whether a host is an IP address (RFC 3986 section 3.2.2), which needs no lookup.
        private static func isAddress(_ host: String) -> Bool {
            host.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2E } || host.utf8.contains(0x3A)
        }

        var isCancelled: Bool { isSendingOver?.current ?? false }

        /// Tells the caller. The loop receives a command besides.
        func cancel() {
            isSendingOver?.current = true
            fulfil(.failure(.exchangeCancelled))
        }

        /// Sets the outcome. Only the first one counts.
        func fulfil(_ outcome: Outcome) { self.outcome.fulfil(outcome) }
    }

    /// A command to the loop.
    enum CurlCommand: Sendable {
        case start(CurlExchange)
        case cancel(CurlExchange)
        /// The reader of the body has caught up.
        case goOnReceiving(CurlExchange)
        /// There is more of the body to send.
        case continueSending(CurlExchange)
        /// Ends the thread as soon as nothing is in flight.
        case stop
    }
#endif
