import Foundation

/// One attempt to bring the body of a response into a file, from where an earlier one had to stop.
struct DownloadRun: Sendable {
    let pipeline: CallPipeline
    let call: APICall
    let service: any Service
    let request: APIRequest
    let destination: URL

    private var pending: PendingCall { pipeline.pending }

    /// - Returns: the response with the file; `nil` where the call goes on without this attempt.
    func run() async throws(CallFailure) -> APIResponse? {
        do {
            let file = try PartialFiles.open(destination, for: pending)
            defer {
                // What cannot be gone on with is of no use.
                if file.resumePoint == nil { file.discard() } else { file.close() }
                PartialFiles.forget(file)
            }
            guard let (response, resumed) = try await fill(file) else { return nil }
            return try await saying(response) {
                try await check(file)
                if pending.hasEnded { throw CancellationError() }
                let count = file.size
                try file.finish()
                var received = APIResponse(requestID: call.requestID, response: response.head)
                received.output = DownloadedFile(
                    url: destination, byteCount: count, resumedByteCount: resumed)
                return received
            }
        } catch {
            throw CallFailure(reading: error)
        }
    }

    /// Has an error say which response it came after.
    private func saying<Value>(
        _ response: TransportResponse, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            let received = APIResponse(requestID: call.requestID, response: response.head)
            throw CallFailure(kind: CallFailure(reading: error).kind, response: received)
        }
    }

    private func check(_ file: PartialFile) async throws {
        guard let checksum = call.overrides.download?.checksum else { return }
        let actual = try await file.digest(checksum.algorithm)
        guard actual != checksum.text else { return }
        file.discard()
        throw TransferFailure.checksumMismatch(expected: checksum.text, actual: actual)
    }

    // MARK: Exchanges

    /// Asks until the file is whole.
    /// - Returns: the last response, and how many bytes were there before it; `nil` where the call goes on
    ///   without this attempt.
    private func fill(_ file: PartialFile) async throws -> (TransportResponse, Int64)? {
        var pauses = pending.gate.closings
        while true {
            // A connection that is lost in a pause is made anew after it.
            try await pending.gate.pass()
            let point = canResume ? file.resumePoint.flatMap { $0.fits(request) ? $0 : nil } : nil
            let offset = point == nil ? 0 : file.size
            guard let response = try await head(point, offset) else { return nil }
            let end: Int64?
            let total: Int64?
            var resumed = offset
            switch DownloadAnswer(response, to: point, at: offset, isPartWanted: wantsPart) {
            case .complete: return (response, offset)
            case .again:
                try file.start(nil)
                continue
            case .part(let range, let whole):
                end = range.upperBound + 1
                total = whole
            case .whole:
                try file.start(canResume ? ResumePoint(request, response) : nil)
                end = response.contentLength
                total = end
                resumed = 0
            case .broken(let error): throw error
            }
            do {
                try await saying(response) {
                    try await copy(response.body.pieces, to: file, until: end, of: total)
                }
            } catch let failure as CallFailure
                where Self.isLostConnection(failure.kind) && pending.gate.closings > pauses
                && file.resumePoint != nil
            {
                pauses = pending.gate.closings
                continue
            }
            // A server may send less than the rest at once.
            if let total, file.size < total { continue }
            return (response, resumed)
        }
    }

    /// Whether the request is one that can be asked for the rest (RFC 9110 section 14.2).
    private var canResume: Bool { request.method == .get && !wantsPart }

    /// Whether the manager itself asks for a part; that part is the file then.
    private var wantsPart: Bool { request.headers["Range"] != nil }

    /// Whether the wire is to blame, however the transport calls it.
    private static func isLostConnection(_ kind: APIError.Kind) -> Bool {
        switch kind {
        case .transport, .timedOut, .notReachable: true
        default: false
        }
    }

    /// Sends the request and waits for the head of its response.
    /// - Throws: ``CallFailure`` for a status that is no success, with its body in memory.
    private func head(_ point: ResumePoint?, _ offset: Int64) async throws -> TransportResponse? {
        var asked = request
        asked.destination = .stream
        asked.headers["Accept-Encoding"] = "identity"
        if let point {
            asked.headers["Range"] = "bytes=\(offset)-"
            asked.headers["If-Range"] = point.validator
        }
        let isTotal = call.overrides.timeout != nil
        asked.timeout = .infinity
        let limit = isTotal ? .infinity : request.timeout
        let answer = await pipeline.within(limit, call, service) { [asked] in
            await self.answer(to: asked, isResumed: point != nil)
        }
        return try answer?.get()
    }

    private func answer(to asked: APIRequest, isResumed: Bool) async -> Result<TransportResponse, CallFailure>
    {
        pending.events.emit(.sent(asked), of: call)
        switch await pipeline.send(asked) {
        case .failure(let failure): return .failure(failure)
        case .success(let response):
            let isFile = 200..<300 ~= response.status && service.accepts(status: response.status, for: call)
            guard isFile || isResumed && response.status == 416 else {
                return .failure(await pipeline.refusal(of: response, call, service))
            }
            pipeline.received(response.head, of: call)
            return .success(response)
        }
    }

    // MARK: Bytes

    private func copy(
        _ body: AsyncThrowingStream<Data, any Error>, to file: PartialFile, until end: Int64?,
        of total: Int64?
    ) async throws {
        var count = file.size
        pending.progress?.report(received: count, of: total)
        let gate = pending.gate
        while true {
            try await gate.pass()
            guard let piece = try await body.next() else { break }
            guard count + Int64(piece.count) <= end ?? .max else {
                try file.start(nil)
                throw TransportError(.badResponse, message: "The body is longer than the response says.")
            }
            try file.append(piece)
            count += Int64(piece.count)
            pending.progress?.report(received: count, of: total)
        }
        guard count == end ?? count else {
            throw TransportError(.connectionLost, message: "The body ended too early.")
        }
    }
}
