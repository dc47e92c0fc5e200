#if os(Linux)
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
        let origin: CurlOrigin
        /// The host's name; empty where there is none.
        let host: String
        var request: APIRequest { exchange.request }
        let upload: CurlUpload?
        var place = CurlOrigin.Place.none
        var lookup = CurlLookups.Place.none
        /// On which the request went out last.
        var connection: CurlConnection?
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
        /// Bytes of all heads and trailers so far.
        private var headSize = 0
        private var body = Data()
        private var codings: [Int32] = []
        private var pipe: BodyPipe?
        private var isAnswered = false
        /// Why the exchange was broken off on this side.
        private(set) var failure: TransportError?
        private var sendings = 0
        /// When the request last went out.
        private var sentTime: UInt64 = 0
        private var progress = TransferProgress()
        private let iteration: CurlLoopIteration
        private let onCommand: @Sendable (CurlCommand) -> Void

        init(
            _ exchange: CurlExchange, url: String, origin: CurlOrigin, idleTimeout: TimeInterval,
            iteration: CurlLoopIteration, onCommand: @escaping @Sendable (CurlCommand) -> Void
        ) throws(TransportError) {
            self.exchange = exchange
            self.url = url
            self.origin = origin
            host = exchange.request.url.host ?? ""
            self.onCommand = onCommand
            let request = exchange.request
            do { try request.validateTarget() } catch { throw TransportError(error) }
            self.iteration = iteration
            lastActivity = iteration.now
            end = iteration.time(after: request.timeout)
            idleTime = iteration.time(after: idleTimeout) - iteration.now
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

        func touch() { lastActivity = iteration.now }

        /// Something of an answer came.
        private func noteAnswer() {
            touch()
            nameWasFound()
            connection?.noteAnswer(at: iteration.now)
        }

        /// Why the exchange has taken too long, where it has.
        func lateness(at now: UInt64) -> TransportError? {
            guard deadline <= now else { return nil }
            return TransportError(
                .timedOut,
                message: end <= now
                    ? "The answer did not come in time." : "Nothing came for longer than the idle timeout.")
        }

        /// The exchange is given up: whether its connection is dead by all that is known.
        ///
        /// A caller who loses interest has nothing to say about the connection, but for one who has waited long:
        /// a time limit further up is a cancellation here.
        func isAbandonedByItsConnection(isLate: Bool) -> Bool {
            guard connection != nil, isLate || iteration.now - sentTime >= Self.longWait else { return false }
            return origin.giveUp(self, since: sentTime)
        }

        private static let longWait: UInt64 = 1_000_000_000

        // MARK: Sending

        /// A request may go out once on each of two connections, the second only because the first was a kept
        /// one that turned out to be closed; not when that might have it carried out twice.
        func mayBeSent(from port: Int32) -> Bool {
            nameWasFound()
            sendings += 1
            sentTime = iteration.now
            origin.connect(self, port: port)
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

        func nameWasFound() { if lookup == .running { iteration.noteFound(exchange) } }

        // MARK: Receiving

        /// The most bytes of header lines in one exchange: interim responses, head and trailers together.
        private static let headLimit = 512 * 1024

        /// - Returns: `false` where the exchange is broken off.
        func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
            noteAnswer()
            sendings = 0
            headSize += line.count
            guard headSize <= Self.headLimit else {
                refuse(
                    TransportError(
                        .badResponse,
                        message: "The server's answer has more than 512 KB of header and trailer lines."))
                return false
            }
            let wasComplete = head.isComplete
            head.append(line)
            if head.isComplete, !wasComplete { begin() }
            return failure == nil
        }

        /// The head is complete.
        private func begin() {
            body = Data()
            do throws(TransportError) {
                let length = try head.contentLength()
                codings = request.method == .head ? [] : try ContentCoding.kinds(of: head.headers)
                if let length, !isStream, request.method != .head {
                    guard length <= wireLimit else { throw .tooLarge(limit) }
                    body.reserveCapacity(min(length, 16 << 20))
                }
            } catch {
                return refuse(error)
            }
            // With a credential for Digest a 401 may not be the answer yet.
            if isStream, request.credential == nil || head.status != 401 { answerWithStream() }
        }

        private func refuse(_ error: TransportError) { if failure == nil { failure = error } }

        /// How many bytes of the body may come, its codings included.
        private var wireLimit: Int { codings.isEmpty ? limit : ContentCoding.codedLimit(limit) }

        func receive(body bytes: UnsafeRawBufferPointer) -> Reception {
            guard failure == nil else { return .refused }
            if isHeldUp { return .later }
            noteAnswer()
            if isStream {
                answerWithStream()
                if let pipe {
                    isHeldUp = !pipe.push(bytes)
                    iteration.willFlush(pipe)
                }
            } else {
                guard bytes.count <= wireLimit - body.count else {
                    refuse(.tooLarge(limit))
                    return .refused
                }
                if let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) {
                    body.append(start, count: bytes.count)
                }
            }
            return .taken
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
                for kind in codings { source = try DecodedBody(source, kind: kind) }
                answer(.stream(source.stream()))
            } catch {
                refuse(error)
                exchange.outcome.fulfil(.failure(error))
            }
        }

        private func answer(_ body: ResponseBody) {
            exchange.outcome.fulfil(
                .success(
                    CurlAnswer(
                        response: TransportResponse(
                            url: request.url, status: head.status, headers: head.headers, body: body,
                            metrics: handle?.metrics),
                        codings: codings)))
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
            } else {
                answer(.data(body))
            }
        }

        func fail(_ error: TransportError) {
            if let pipe { pipe.finish(error) } else { exchange.outcome.fulfil(.failure(error)) }
        }
    }
#endif
