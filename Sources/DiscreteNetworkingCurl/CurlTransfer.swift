#if os(Linux)
    import CCurl
    import Foundation

    /// The state of an exchange on the loop's thread.
    final class CurlTransfer {
        enum Reception {
            case taken
            /// The reader is behind: keep the data and pause.
            case later
            case refused
        }

        let exchange: CurlExchange
        let origin: CurlOrigin
        var host: String { exchange.host }
        let upload: CurlUpload?
        var place = CurlOrigin.Place.none
        var lookup = CurlLookups.Place.none
        /// The connection on which the request was last sent.
        var connection: CurlConnection?
        /// `nil` while the exchange waits for a connection.
        var handle: CurlHandle?
        /// When the exchange, or its head for a stream, must be complete; in nanoseconds, like all times
        /// here.
        private let end: UInt64
        private let idleTime: UInt64
        private(set) var lastActivity: UInt64
        /// Whether the reader is behind.
        private var isReceivePaused = false
        /// Whether the body to send is not available yet, so that the idle timeout does not apply.
        private var isStarving = false

        private var response: IncomingResponse
        /// The body of a stream that was returned; `nil` before, and for other destinations.
        private var pipe: BodyPipe?
        /// Why the exchange was aborted locally.
        private(set) var failure: TransportError?
        private var sending = CurlSending()
        /// When the request was last sent.
        private var sentTime: UInt64 = 0
        private var progress = TransferProgress()
        private let iteration: CurlLoopIteration
        private let onCommand: @Sendable (CurlCommand) -> Void

        init(
            _ exchange: CurlExchange, origin: CurlOrigin, idleTimeout: TimeInterval,
            iteration: CurlLoopIteration, onCommand: @escaping @Sendable (CurlCommand) -> Void
        ) throws(TransportError) {
            self.exchange = exchange
            self.origin = origin
            self.onCommand = onCommand
            self.iteration = iteration
            response = IncomingResponse(to: exchange.request.method, exchange.request.destination)
            lastActivity = iteration.now
            end = iteration.time(after: exchange.request.timeout)
            idleTime = iteration.time(after: idleTimeout) - iteration.now
            switch exchange.request.body {
            case .none:
                // Methods whose content has a meaning declare an empty body (RFC 9110 section 8.6).
                let method = exchange.request.method
                upload = method == .post || method == .put || method == .patch ? CurlUpload(Data()) : nil
            case .data(let data): upload = CurlUpload(data)
            case .file(let file): upload = try CurlUpload(file: file)
            case .stream(let length, let make):
                upload = CurlUpload(length: length, make) { onCommand(.continueSending(exchange)) }
            }
            challenge =
                if case .digest(let user, let password)? = exchange.request.credential {
                    DigestChallenge(origin: exchange.origin, user: user, password: password)
                } else { nil }
        }

        /// The user and the server of a challenge; `nil` without Digest authentication.
        let challenge: DigestChallenge?
        /// Whether the exchange began with the nonce of an earlier challenge.
        var usesKnownNonce = false

        var isStream: Bool { exchange.request.destination == .stream }

        // MARK: Timeouts

        /// When to check for a timeout.
        var deadline: UInt64 {
            // An infinite idle timeout overflows.
            let (silence, isEndless) = lastActivity.addingReportingOverflow(idleTime)
            let idle = handle == nil || isReceivePaused || isStarving || isEndless ? .max : silence
            return min(pipe == nil ? end : .max, idle)
        }

        func touch() { lastActivity = iteration.now }

        /// Records that response data was received.
        private func noteAnswer() {
            touch()
            nameWasFound()
            connection?.noteAnswer(at: iteration.now)
        }

        /// Returns the timeout error if the exchange has taken too long.
        func timeoutError(at now: UInt64) -> TransportError? {
            guard deadline <= now else { return nil }
            return TransportError(
                .timedOut,
                message: end <= now
                    ? "The request timed out." : "No data was received within the idle timeout.")
        }

        /// Returns whether an abandoned exchange indicates a dead connection.
        ///
        /// A cancellation says nothing about the connection unless the caller has waited long: a timeout of
        /// a higher layer is a cancellation here.
        func isAbandonedByItsConnection(isLate: Bool) -> Bool {
            guard connection != nil, isLate || iteration.now - sentTime >= Self.longWait else { return false }
            return origin.giveUp(self, since: sentTime)
        }

        private static let longWait: UInt64 = 1_000_000_000

        // MARK: Sending

        /// Returns whether the request may be sent. A second time is allowed only if the server has not processed it, or if a
        /// reused connection was closed and the method is idempotent.
        func mayBeSent(from port: Int32) -> Bool {
            nameWasFound()
            if sending.count > 0 { handle?.noteRepeat() }
            if isUnprocessed { noteRefusal() }
            guard failure == nil else { return false }
            sending.begin()
            sentTime = iteration.now
            origin.connect(self, port: port)
            return sending.count == 1 || sending.count == 2 && exchange.request.method.isIdempotent
        }

        func note(_ report: CurlReport) {
            switch report {
            case .stream(let number):
                sending.stream = number
                // Another connection from the same port.
                if number == 1 { connection?.lastStream = nil }
            case .goAway(let last): connection?.lastStream = last
            case .refused: sending.isRefused = true
            }
        }

        private var isUnprocessed: Bool { sending.isUnprocessed(after: connection?.lastStream) }

        private func noteRefusal() {
            do throws(TransportError) { try sending.refuse() } catch { refuse(error) }
        }

        /// Prepares for another start if libcurl has given up a request that the server has not processed.
        /// - Returns: Whether there is one.
        func beginsAgain() -> Bool {
            guard failure == nil, pipe == nil else { return false }
            if usesKnownNonce, response.head.status == 401 {
                // A nonce that may be used once only, of a server that does not say so.
                usesKnownNonce = false
                handle?.forgetChallenge()
                response = IncomingResponse(to: exchange.request.method, exchange.request.destination)
            } else {
                guard isUnprocessed else { return false }
                noteRefusal()
                guard failure == nil else { return false }
            }
            origin.disconnect(self)
            upload?.rewind()
            isStarving = false
            return true
        }

        func send(into room: UnsafeMutableRawBufferPointer) -> CurlUpload.Piece {
            guard let upload else { return .bytes(0) }
            touch()
            let piece = upload.read(into: room)
            if exchange.isCancelled {
                failure = .exchangeCancelled
                return .failed(.exchangeCancelled)
            }
            switch piece {
            case .bytes: isStarving = false
            case .later: isStarving = true
            case .failed(let error): failure = error
            }
            return piece
        }

        func nameWasFound() { if lookup == .running { iteration.noteFound(exchange) } }

        // MARK: Receiving

        /// - Returns: `false` if the exchange is aborted.
        func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
            noteAnswer()
            sending.noteAnswer()
            do throws(TransportError) {
                // With a Digest credential, a 401 may not be final.
                if try response.append(headerLine: line), isStream,
                    exchange.request.credential == nil || response.head.status != 401
                {
                    answerWithStream()
                }
            } catch {
                refuse(error)
            }
            return failure == nil
        }

        private func refuse(_ error: TransportError) { if failure == nil { failure = error } }

        func receive(body bytes: UnsafeRawBufferPointer) -> Reception {
            guard failure == nil else { return .refused }
            if isReceivePaused { return .later }
            var rest = bytes
            do throws(TransportError) {
                while failure == nil, let content = try response.content(in: &rest) {
                    try receive(content: content)
                }
            } catch {
                refuse(error)
            }
            guard failure == nil else { return .refused }
            // What follows the body answers no request (RFC 9112 section 9.2).
            if !rest.isEmpty { handle?.closeConnection() }
            return .taken
        }

        /// Extensions of chunks and trailers are no content, so they do not count as activity.
        private func receive(content bytes: UnsafeRawBufferPointer) throws(TransportError) {
            noteAnswer()
            // See `beginsAgain()`.
            if usesKnownNonce, response.head.status == 401 { return }
            guard isStream else { return try response.keep(bytes) }
            let pipe = answerWithStream()
            if !pipe.push(bytes) { isReceivePaused = true }
            iteration.willFlush(pipe)
        }

        func tell(received: Int64, of toReceive: Int64, sent: Int64, of toSend: Int64) {
            var next = TransferProgress()
            next.received = received
            next.expectedToReceive = toReceive > 0 ? toReceive : nil
            next.sent = sent
            next.expectedToSend = toSend > 0 ? toSend : nil
            guard next != progress else { return }
            progress = next
            touch()
            exchange.request.onProgress?(next)
        }

        /// Resumes receiving. The idle timeout starts again.
        func goOnReceiving() {
            isReceivePaused = false
            touch()
        }

        /// Notes that there is more to send. The idle timeout starts again.
        func goOnSending() {
            isStarving = false
            touch()
        }

        // MARK: Outcome

        /// Returns the stream that the caller has, and returns it to the caller first.
        @discardableResult
        private func answerWithStream() -> BodyPipe {
            if let pipe { return pipe }
            let command = onCommand
            let exchange = exchange
            let pipe = BodyPipe(
                onRoom: { command(.goOnReceiving(exchange)) }, onAbandoned: { command(.cancel(exchange)) })
            self.pipe = pipe
            do {
                var source = pipe.reader()
                for kind in response.codings { source = try DecodedBody(source, kind: kind) }
                answer(.stream(source.stream()))
            } catch {
                refuse(error)
                iteration.willFulfil(exchange, .failure(error))
            }
            return pipe
        }

        private func answer(_ body: ResponseBody) {
            let isStream = if case .stream = body { true } else { false }
            let metrics = isStream ? handle?.metrics.ofHead : handle?.metrics
            iteration.willFulfil(
                exchange,
                .success(
                    CurlAnswer(
                        head: response.head, codings: response.codings, body: body, metrics: metrics)))
        }

        /// Ends the exchange with libcurl's error, a local error, or successfully.
        func finish(code: Int32) {
            if let failure { return fail(failure) }
            guard code == Int32(CCURLE_OK) else {
                let error = TransportError(curl: code, detail: handle?.text ?? "")
                return fail(sending.count > 0 ? error.afterSending : error)
            }
            if let error = response.incompleteness { return fail(error) }
            noteConnection(nil)
            if isStream { answerWithStream().finish() } else { answer(.data(response.takeBody())) }
        }

        /// Whether there is no connection yet to one of several addresses that the app has resolved.
        var triesAddresses: Bool {
            sentTime == 0 && handle != nil && exchange.resolved.map { $0.addresses.count > 1 } == true
        }

        /// Records how the exchange fared with the addresses that the app has resolved.
        private func noteConnection(_ error: TransportError.Kind?) {
            guard let resolved = exchange.resolved, let handle else { return }
            // Before the connection is made, libcurl may name the address that it tries.
            let isConnected = sentTime > 0 || handle.isConnected
            resolved.note(
                reached: isConnected ? handle.remoteAddress : nil, isNew: handle.isNewConnection, error: error
            )
        }

        func fail(_ error: TransportError) {
            noteConnection(error.kind)
            if let pipe { pipe.finish(error) } else { iteration.willFulfil(exchange, .failure(error)) }
        }
    }
#endif
