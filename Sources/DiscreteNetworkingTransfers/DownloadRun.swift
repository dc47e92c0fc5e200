import DiscreteNetworkingCore
import Foundation

/// One attempt to download a response body to a file, resuming an earlier one if possible.
struct DownloadRun: Sendable {
    let transfer: Transfer
    let request: APIRequest
    let destination: URL
    /// The queue for all file access, because a disk may stall.
    let disk = DiskQueue("Download")

    private var pending: PendingCall { transfer.pending }
    private var attempt: Attempt { transfer.attempt }
    private var call: APICall { attempt.call }

    /// Runs the attempt.
    /// - Returns: The response with the file.
    func run() async throws(CallFailure) -> APIResponse {
        do {
            let isPrivate = call.overrides.download?.isTemporary ?? false
            let file = try await disk.run { [destination, pending] () throws(TransferFailure) in
                try PartialFileRegistry.open(destination, isPrivate: isPrivate, for: pending)
            }
            let result: Result<APIResponse, any Error>
            do {
                result = .success(try await bring(file))
            } catch {
                result = .failure(error)
            }
            await disk.run {
                // A partial file that cannot be resumed is of no use.
                if file.resumePoint == nil { file.discard() } else { file.close() }
                PartialFileRegistry.forget(file)
            }
            return try result.get()
        } catch {
            throw CallFailure(reading: error)
        }
    }

    private func bring(_ file: PartialFile) async throws -> APIResponse {
        let (response, resumed) = try await fill(file)
        return try await saying(response) {
            try await check(file)
            if pending.hasEnded { throw CancellationError() }
            var received = attempt.response(Box(response.head))
            let (url, count) = try await disk.run { [received] () throws(TransferFailure) in
                let url = try call.overrides.download?.destination(for: received) ?? destination
                let count = file.size
                try file.finish(at: url)
                return (url, count)
            }
            received.output = DownloadedFile(url: url, byteCount: count, resumedByteCount: resumed)
            return received
        }
    }

    /// Adds the response to errors of an operation.
    private func saying<Value>(
        _ response: TransportResponse, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            throw CallFailure(
                kind: CallFailure(reading: error).kind, response: attempt.response(Box(response.head)))
        }
    }

    private func check(_ file: PartialFile) async throws {
        guard let checksum = call.overrides.download?.checksum else { return }
        let actual = try await digest(of: file, checksum.algorithm)
        guard actual != checksum.text else { return }
        await disk.run { file.discard() }
        throw TransferFailure.checksumMismatch(expected: checksum.text, actual: actual)
    }

    private func digest(of file: PartialFile, _ algorithm: DigestAlgorithm) async throws -> String {
        var digester = Digester(algorithm)
        var offset: Int64 = 0
        while true {
            try Task.checkCancellation()
            let piece = try await disk.run { [offset] () throws(TransferFailure) in
                try file.read(at: offset)
            }
            guard !piece.isEmpty else { return digester.finish().hexadecimal }
            digester.update(piece)
            offset += Int64(piece.count)
        }
    }

    // MARK: Exchange

    /// Sends requests until the file is complete.
    /// - Returns: The last response and the number of bytes present before it.
    private func fill(_ file: PartialFile) async throws -> (TransportResponse, Int64) {
        var pauses = pending.gate.closings
        var smallParts = 0
        while true {
            // A connection lost during a pause is replaced after it.
            try await pending.gate.pass()
            let left = await disk.run { (point: file.resumePoint, size: file.size) }
            let point = canResume ? left.point.flatMap { $0.fits(request) ? $0 : nil } : nil
            let offset = point == nil ? 0 : left.size
            var response = try await head(point, offset)
            let headTime = Uptime.seconds
            var body = response.body
            let end: Int64?
            let total: Int64?
            var resumed = offset
            var isPart = false
            switch RangeResponse(response, to: point, at: offset) {
            case .complete: return (response, offset)
            case .again:
                try await start(file, nil)
                continue
            case .part(let range, let whole):
                end = range.upperBound + 1
                total = whole
                isPart = true
            case .whole:
                body = try await transfer.passingEnvelope(of: response).body
                try await start(file, canResume ? ResumePoint(request, response) : nil)
                end = response.contentLength
                total = end
                resumed = 0
            }
            do {
                try await saying(response) {
                    try await copy(body.pieces, to: file, until: end, of: total)
                }
            } catch let failure as CallFailure
                where Self.isLostConnection(failure.kind) && pending.gate.closings > pauses
            {
                guard await disk.run({ file.resumePoint }) != nil else { throw failure }
                pauses = pending.gate.closings
                continue
            }
            // A server may send less than the requested range. If the total is unknown, the next response
            // shows whether the file is complete.
            let size = await disk.run { file.size }
            response.metrics?.addBody(of: size - (isPart ? offset : 0), after: Uptime.seconds - headTime)
            if total.map({ size >= $0 }) ?? !isPart { return (response, resumed) }
            if size - offset < Self.smallPart { smallParts += 1 }
            guard smallParts < Self.smallPartLimit else {
                return try await saying(response) {
                    throw TransferFailure.partsTooSmall(limit: Self.smallPartLimit)
                }
            }
        }
    }

    /// How many parts of less than so many bytes are taken: a server that sends one byte at a time would be asked
    /// for each.
    private static let (smallPartLimit, smallPart) = (100, Int64(64 << 10))

    private func start(_ file: PartialFile, _ point: ResumePoint?) async throws(TransferFailure) {
        try await disk.run { () throws(TransferFailure) in try file.start(point) }
    }

    /// Whether a range request is possible (RFC 9110 section 14.2).
    private var canResume: Bool { request.method == .get && !wantsPart }

    /// Whether the manager itself requests a range; the file is then that range.
    private var wantsPart: Bool { request.headers["Range"] != nil }

    /// Whether the connection was lost, however the transport reports it.
    private static func isLostConnection(_ kind: APIError.Kind) -> Bool {
        switch kind {
        case .transport, .timedOut, .notReachable: true
        default: false
        }
    }

    /// Sends the request and waits for the response head.
    /// - Throws: ``CallFailure`` for an unaccepted status, with its body in memory.
    private func head(_ point: ResumePoint?, _ offset: Int64) async throws -> TransportResponse {
        var asked = request
        asked.destination = .stream
        asked.notes.isDownload = true
        asked.headers["Accept-Encoding"] = "identity"
        if let point {
            asked.headers["Range"] = "bytes=\(offset)-"
            asked.headers["If-Range"] = point.validator
        }
        asked.timeout = .infinity
        let isTotal = call.overrides.timeout != nil
        do {
            return try await pending.proxy.within(isTotal ? .infinity : request.timeout) { [asked] in
                try await answer(to: asked, isResumed: point != nil)
            }
        } catch is TimeoutExceeded {
            throw CallFailure(kind: .timedOut)
        }
    }

    private func answer(to asked: APIRequest, isResumed: Bool) async throws -> TransportResponse {
        if attempt.hasLostUser { throw CallFailure(kind: .loginRequired) }
        pending.emit(.sent(asked), of: call)
        let response = try await transfer.send(asked).get()
        let isFile = 200..<300 ~= response.status && transfer.accepts(response)
        guard isFile || isResumed && response.status == 416 else {
            throw await transfer.refusal(of: response)
        }
        transfer.received(response)
        return response
    }

    // MARK: Body

    private func copy(
        _ body: AsyncThrowingStream<Data, any Error>, to file: PartialFile, until end: Int64?,
        of total: Int64?
    ) async throws {
        var count = await disk.run { file.size }
        pending.progress?.report(received: count, of: total)
        let gate = pending.gate
        while true {
            try await gate.pass()
            guard let piece = try await body.next() else { break }
            guard count + Int64(piece.count) <= end ?? .max else {
                try await start(file, nil)
                throw TransportError(.badResponse, message: "The body is longer than its declared length.")
            }
            try await disk.run { () throws(TransferFailure) in try file.append(piece) }
            count += Int64(piece.count)
            pending.progress?.report(received: count, of: total)
        }
        // For a canceled reader, an `AsyncThrowingStream` ends as if the body were complete.
        try Task.checkCancellation()
        guard count == end ?? count else {
            throw TransportError(.connectionLost, message: "The body ended before its declared length.")
        }
    }
}
