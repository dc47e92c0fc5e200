#if canImport(CCurl)
    import CCurl
    import Foundation

    /// One exchange on the loop's thread: what has come of it so far.
    final class CurlTransfer {
        enum Reception {
            case taken
            /// The reader is behind: keep the bytes, and stop.
            case later
            case refused
        }

        let exchange: CurlExchange
        let url: String
        let origin: String
        var request: APIRequest { exchange.request }
        let upload: CurlUpload?
        var place = CurlOrigins.Place.none
        /// `nil` while the exchange waits for a connection of its origin.
        var handle: CurlHandle?
        /// When the exchange must be over, or its head there; in nanoseconds, like all times here.
        private let end: UInt64
        private let idleTime: UInt64
        private(set) var lastActivity: UInt64
        /// Whether the reader is behind.
        private var isHeldUp = false
        /// The body to send is not there yet: the silence is this side's.
        private var isStarving = false

        private var head = CurlHead()
        private var body = Data()
        private var codings: [ContentCoding] = []
        private var pipe: BodyPipe?
        private var isAnswered = false
        /// Why the exchange was broken off on this side.
        private(set) var failure: TransportError?
        private var sendings = 0
        private var progress = TransferProgress()
        private let turn: CurlTurn
        private let onCommand: @Sendable (CurlLoop.Command) -> Void

        init(
            _ exchange: CurlExchange, idleTimeout: TimeInterval, turn: CurlTurn,
            onCommand: @escaping @Sendable (CurlLoop.Command) -> Void
        ) throws(TransportError) {
            self.exchange = exchange
            url = exchange.request.url.absoluteString
            origin = CurlOrigins.name(of: url)
            self.onCommand = onCommand
            let request = exchange.request
            do { try request.validateTarget() } catch { throw TransportError(error) }
            self.turn = turn
            lastActivity = turn.now
            end = turn.time(after: request.timeout)
            idleTime = turn.time(after: idleTimeout) - turn.now
            switch request.body {
            case .none:
                // RFC 9110 section 8.6: methods that mean something by a body say that there is none.
                upload = [.post, .put, .patch].contains(request.method) ? CurlUpload(Data()) : nil
            case .data(let data): upload = CurlUpload(data)
            case .file(let file): upload = try CurlUpload(file: file)
            case .stream(let length, let make):
                upload = CurlUpload(length: length, make) { onCommand(.goOnSending(exchange)) }
            }
            if request.method == .head, upload != nil {
                throw TransportError(
                    .unsupported, message: "A HEAD request has no body; encode the params in the query.")
            }
            if case .file = request.destination {
                throw TransportError(
                    .unsupported, message: "A transport brings bodies into memory or as a stream.")
            }
        }

        var isStream: Bool { if case .stream = request.destination { true } else { false } }

        private var limit: Int { if case .memory(let limit) = request.destination { limit } else { .max } }

        // MARK: Time

        /// When to look again whether the exchange has taken too long.
        var deadline: UInt64 {
            // An endless idle time passes the end of the clock's range.
            let (silence, isEndless) = lastActivity.addingReportingOverflow(idleTime)
            let idle = handle == nil || isHeldUp || isStarving || isEndless ? .max : silence
            return min(isStream && isAnswered ? .max : end, idle)
        }

        func touch() { lastActivity = turn.now }

        /// Why the exchange has taken too long, where it has.
        func lateness(at now: UInt64) -> TransportError? {
            guard deadline <= now else { return nil }
            return TransportError(
                .timedOut,
                message: end <= now
                    ? "The answer did not come in time." : "Nothing came for longer than the idle timeout.")
        }

        // MARK: Sending

        /// A request may go out once on each of two connections, the second only because the first was a kept
        /// one that turned out to be closed; not when that might have it carried out twice.
        func mayBeSent() -> Bool {
            sendings += 1
            return sendings == 1 || sendings == 2 && request.method.isIdempotent
        }

        func send(into room: UnsafeMutableRawBufferPointer) -> CurlUpload.Piece {
            guard let upload else { return .bytes(0) }
            touch()
            let piece = upload.read(into: room)
            switch piece {
            case .bytes: isStarving = false
            case .later: isStarving = true
            case .failed(let error): failure = error
            }
            return piece
        }

        // MARK: Receiving

        func receive(headerLine line: UnsafeRawBufferPointer) {
            touch()
            sendings = 0
            let wasComplete = head.isComplete
            head.append(line)
            if head.isComplete, !wasComplete { begin() }
        }

        /// The head is complete.
        private func begin() {
            body = Data()
            codings = []
            if let length = head.headers["Content-Length"].flatMap({ Int($0) }), codings.isEmpty, !isStream,
                request.method != .head
            {
                guard length <= limit else { return refuse(Self.tooLarge(limit)) }
                body.reserveCapacity(min(length, 16 << 20))
            }
            // With a credential for Digest a 401 may not be the answer yet.
            if isStream, request.credential == nil || head.status != 401 { answerWithStream() }
        }

        private func refuse(_ error: TransportError) { if failure == nil { failure = error } }

        private static func tooLarge(_ limit: Int) -> TransportError {
            TransportError(
                .responseTooLarge(limit: limit),
                message: "The response has more than the \(limit) bytes allowed.")
        }

        func receive(body bytes: UnsafeRawBufferPointer) -> Reception {
            guard failure == nil else { return .refused }
            if isHeldUp { return .later }
            touch()
            do {
                if isStream {
                    answerWithStream()
                    isHeldUp = pipe?.push(bytes) == false
                    turn.willFlush(self)
                } else {
                    try keep(bytes)
                }
                return .taken
            } catch let error as TransportError {
                refuse(error)
            } catch {
                refuse(TransportError(.unknown, message: "The body could not be kept."))
            }
            return .refused
        }

        private func keep(_ bytes: UnsafeRawBufferPointer) throws {
            if codings.isEmpty, body.isEmpty {
                for kind in ContentCoding.kinds(of: head.headers) { codings.append(try ContentCoding(kind)) }
            }
            try decode(bytes, codings[...])
        }

        private func decode(_ bytes: UnsafeRawBufferPointer, _ codings: ArraySlice<ContentCoding>) throws {
            guard let first = codings.first else {
                guard body.count + bytes.count <= limit else { throw Self.tooLarge(limit) }
                if let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) {
                    body.append(start, count: bytes.count)
                }
                return
            }
            try first.decode(bytes) { try decode($0, codings.dropFirst()) }
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
            request.onProgress?(next)
        }

        /// The reader has caught up. The time it took is not the server's.
        func goOnReceiving() {
            isHeldUp = false
            touch()
        }

        /// Hands what has come in this turn of the loop to the reader.
        func flush() { pipe?.flush() }

        // MARK: The outcome

        private func answerWithStream() {
            guard !isAnswered else { return }
            isAnswered = true
            let command = onCommand
            let exchange = exchange
            let pipe = BodyPipe(
                onRoom: { command(.goOnReceiving(exchange)) }, onAbandoned: { command(.cancel(exchange)) })
            self.pipe = pipe
            do {
                var source = pipe.reader()
                for kind in ContentCoding.kinds(of: head.headers) {
                    source = try DecodedBody(source, kind: kind)
                }
                answer(.stream(source.stream()))
            } catch {
                refuse(error)
                exchange.outcome.fulfil(.failure(error))
            }
        }

        private func answer(_ body: ResponseBody) {
            exchange.outcome.fulfil(
                .success(
                    TransportResponse(
                        url: request.url, status: head.status, headers: head.headers, body: body,
                        metrics: handle?.metrics)))
        }

        /// The exchange is over: with an error of libcurl, or this side's own, or well.
        func finish(code: Int32) {
            if let failure { return fail(failure) }
            guard code == Int32(CCURLE_OK) else {
                return fail(TransportError(curl: code, detail: handle?.text ?? ""))
            }
            guard head.isComplete else {
                return fail(
                    TransportError(.badResponse, message: "The server's answer is malformed or missing."))
            }
            if isStream {
                answerWithStream()
                pipe?.finish()
                return
            }
            do {
                for coding in codings { try coding.finish() }
                answer(.data(body))
            } catch {
                fail(error)
            }
        }

        func fail(_ error: TransportError) {
            if let pipe { pipe.finish(error) } else { exchange.outcome.fulfil(.failure(error)) }
        }
    }
#endif
