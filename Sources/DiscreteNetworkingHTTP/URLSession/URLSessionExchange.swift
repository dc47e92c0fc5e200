import Dispatch
package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A task of a `URLSession` and its state.
final class URLSessionExchange: Sendable {
    private struct State: Sendable {
        var response: HTTPURLResponse?
        /// Its fields; `nil` for a response that the delegate has not received.
        var headers: HTTPFields?
        /// The body in memory.
        var data = Data()
        /// The body as a stream, after the response head.
        var body: URLSessionBody?
        var progress = TransferProgress()
        var metrics: TransportMetrics?
        var isOver = false
    }

    /// The queue for canceling tasks. On Linux, canceling waits for the session's queue, so it must not run
    /// there or in a cancellation handler; serial, to use a single thread.
    static let endings = DispatchQueue(label: "DiscreteNetworking.URLSessionExchange.endings")

    let outcome = Promise<Result<TransportResponse, TransportError>>()
    let task: URLSessionTask
    /// The credential for an authentication challenge.
    let credential: HTTPCredential?
    /// The name of the host, if the URL of the task has an address in its place.
    let hostName: String?
    /// The URL of the request.
    private let url: URL
    private let destination: ResponseDestination
    private let file: RequestFile?
    private let onProgress: (@Sendable (TransferProgress) -> Void)?
    private let state = Locked(State())

    init(_ task: URLSessionTask, for request: APIRequest, file: RequestFile?, hostName: String? = nil) {
        self.task = task
        self.hostName = hostName
        url = request.url
        self.file = file
        credential = request.credential
        destination = request.destination
        onProgress = request.onProgress
    }

    /// Whether the head of a streamed response was delivered.
    var isStreaming: Bool { state.withLock { $0.body != nil } }

    /// Returns the URL of a response, with the name of the host.
    private func url(of response: HTTPURLResponse) -> URL? { hostName == nil ? response.url : url }

    // MARK: Ending

    func cancel() { giveUp(.exchangeCancelled) }

    /// Ends the exchange and cancels its task.
    func giveUp(_ error: TransportError) {
        guard let state = end() else { return }
        Self.endings.async { [task] in task.cancel() }
        fail(error, state)
    }

    func complete(_ error: (any Error)?) {
        guard let state = end() else { return }
        // On Linux, the delegate is not called for an invalid redirect; the task has its response.
        let response = state.response ?? task.response as? HTTPURLResponse
        if let error {
            let error = TransportError(error)
            fail(file?.failure ?? (state.progress.sent > 0 ? error.afterSending : error), state)
        } else if let body = state.body {
            body.finish(nil)
        } else if let response, let url = url(of: response) {
            // The delegate is not called for each response, such as one to HEAD.
            let headers: HTTPFields
            do throws(TransportError) {
                headers = if let known = state.headers { known } else { try response.checkedFields() }
            } catch { return fail(error, state) }
            outcome.fulfil(
                .success(
                    TransportResponse(
                        url: url, status: response.statusCode, headers: headers,
                        body: destination == .stream ? .stream(.finished) : .data(state.data),
                        metrics: state.metrics)))
        } else {
            fail(TransportError(.badResponse, message: "The server's response is not HTTP."), state)
        }
    }

    /// Marks the exchange as ended and returns its state; returns `nil` if it already was.
    private func end() -> State? {
        let before = state.withLock { state in
            defer {
                state.isOver = true
                state.data = Data()
            }
            return state
        }
        guard !before.isOver else { return nil }
        file?.remove()
        return before
    }

    private func fail(_ error: TransportError, _ state: State) {
        // If the head was delivered, the error is thrown while reading the body.
        if !outcome.fulfil(.failure(error)) { state.body?.finish(error) }
    }

    // MARK: Delegate events

    func receive(_ response: URLResponse) {
        // Informational responses (1xx) are ignored.
        guard let response = response as? HTTPURLResponse, response.statusCode >= 200,
            let url = url(of: response)
        else { return }
        let headers: HTTPFields
        do throws(TransportError) { headers = try response.checkedFields() } catch { return giveUp(error) }
        let body = state.withLock { state -> URLSessionBody? in
            (state.response, state.headers) = (response, headers)
            // Discards the body of an earlier response, such as a 401 that the session answered with a
            // credential.
            state.data = Data()
            if onProgress != nil {
                state.progress.received = 0
                state.progress.expectedToReceive = response.length
            }
            guard destination == .stream, !state.isOver, state.body == nil else { return nil }
            let body = URLSessionBody(of: task, onAbandoned: { [weak self] in self?.cancel() })
            state.body = body
            return body
        }
        guard let body else { return }
        outcome.fulfil(
            .success(
                TransportResponse(
                    url: url, status: response.statusCode, headers: headers,
                    body: .stream(body.stream()))))
    }

    func receive(_ data: Data) {
        enum Place {
            case nowhere, memory
            case tooLarge(limit: Int)
            case stream(URLSessionBody)
        }
        let (place, progress) = state.withLock { state -> (Place, TransferProgress?) in
            guard !state.isOver else { return (.nowhere, nil) }
            if case .memory(let limit) = destination {
                guard data.count <= limit - state.data.count else { return (.tooLarge(limit: limit), nil) }
                state.data.append(data)
            }
            if onProgress != nil { state.progress.received += Int64(data.count) }
            return (state.body.map { .stream($0) } ?? .memory, onProgress == nil ? nil : state.progress)
        }
        switch place {
        case .nowhere: return
        case .memory: break
        case .stream(let body): body.push(data)
        case .tooLarge(let limit): giveUp(.tooLarge(limit))
        }
        if let progress { onProgress?(progress) }
    }

    func sent(_ count: Int64, of expected: Int64) {
        let progress = state.withLock { state -> TransferProgress? in
            guard !state.isOver else { return nil }
            state.progress.sent = count
            state.progress.expectedToSend = file?.length ?? (expected > 0 ? expected : nil)
            return state.progress
        }
        if let progress { onProgress?(progress) }
    }

    /// Stores the metrics, which arrive before the end, but too late for a streamed response.
    func receive(_ metrics: TransportMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    /// Stores a redirect as the response; the proxy follows it.
    ///
    /// The lock separates the completion handler from a cancellation: on Linux, calling it after a
    /// cancellation crashes.
    func receive(redirect response: HTTPURLResponse, answer: () -> Void) {
        state.withLock { state in
            (state.response, state.headers) = (response, nil)
            if !state.isOver { answer() }
        }
    }
}

extension TransportResponse {
    /// Creates a response without its body.
    package init(head response: HTTPURLResponse, of request: URL) {
        self.init(
            url: response.url ?? request, status: response.statusCode, headers: HTTPFields(response))
    }
}

extension HTTPFields {
    /// Creates fields sorted by name: `URLSession` does not preserve their order.
    fileprivate init(_ response: HTTPURLResponse) {
        var fields: [Field] = []
        for (name, value) in response.allHeaderFields {
            guard let text = name as? String, let name = try? Name(validating: text) else { continue }
            let value = value as? String ?? "\(value)"
            if name == "Set-Cookie" {
                fields += JoinedCookies.split(value).map { Field(name: name, value: $0) }
            } else {
                fields.append(Field(name: name, value: value))
            }
        }
        self.init(fields.sorted { $0.name.rawName < $1.name.rawName })
    }
}

extension HTTPURLResponse {
    /// Returns the fields. Checks what they say of the end of the body, since libcurl takes a malformed one for what it starts
    /// with.
    /// - Throws: ``TransportError`` of kind `.badResponse`; see ``ResponseFraming``.
    fileprivate func checkedFields() throws(TransportError) -> HTTPFields {
        let fields = HTTPFields(self)
        #if canImport(FoundationNetworking)
            let codings = fields.values(of: "Transfer-Encoding")
        #else
            // Apple's URLSession decodes them, and writes `Identity` there.
            let codings: [String] = []
        #endif
        _ = try ResponseFraming(
            lengths: fields.values(of: "Content-Length"), codings: codings, allowsCodings: true)
        return fields
    }

    /// The length of the body; `nil` if unknown or compressed.
    fileprivate var length: Int64? {
        guard expectedContentLength >= 0, value(forHTTPHeaderField: "Content-Encoding") == nil else {
            return nil
        }
        return expectedContentLength
    }
}

extension AsyncThrowingStream where Element == Data, Failure == any Error {
    /// An empty body.
    fileprivate static var finished: Self { Self { $0.finish() } }
}

#if !canImport(FoundationNetworking)
    extension TransportMetrics {
        /// Creates metrics from the last transaction of a task, which an authentication challenge may
        /// precede.
        init(_ metrics: URLSessionTaskMetrics) {
            self.init()
            guard let exchange = metrics.transactionMetrics.last else { return }
            func seconds(to date: Date?) -> TimeInterval? {
                date?.timeIntervalSince(metrics.taskInterval.start)
            }
            nameLookup = seconds(to: exchange.domainLookupEndDate)
            // `connectEndDate` includes TLS.
            connect = seconds(to: exchange.secureConnectionStartDate ?? exchange.connectEndDate)
            secureConnection = seconds(to: exchange.secureConnectionEndDate)
            requestStart = seconds(to: exchange.requestStartDate)
            requestEnd = seconds(to: exchange.requestEndDate)
            firstByte = seconds(to: exchange.responseStartDate)
            end = seconds(to: exchange.responseEndDate)
            bytesSent = exchange.countOfRequestHeaderBytesSent + exchange.countOfRequestBodyBytesSent
            bytesReceived =
                exchange.countOfResponseHeaderBytesReceived + exchange.countOfResponseBodyBytesReceived
            reusedConnection = exchange.isReusedConnection
            protocolVersion = exchange.networkProtocolName.map(Self.version)
        }

        /// Returns the HTTP version for an ALPN protocol name (RFC 7301).
        private static func version(_ name: String) -> String {
            switch name {
            case "h2": "HTTP/2"
            case "h3": "HTTP/3"
            default: name.uppercased()
            }
        }
    }
#endif
