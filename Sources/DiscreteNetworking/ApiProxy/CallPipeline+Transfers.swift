import Foundation

/// Transfers: bodies that are files or streams.
extension CallPipeline {
    typealias Answer = Result<APIResponse, CallFailure>

    /// Performs a request whose response body is read as a stream.
    func stream(_ request: APIRequest, _ context: CallContext) async -> Answer? {
        var asked = request
        // The timeout applies until the response head and is not enforced by the transport: a stream may be
        // idle for long.
        asked.timeout = .infinity
        pending.events.emit(.sent(asked), of: context.call)
        return await within(request.timeout, context) { [asked] in
            switch await send(asked, context) {
            case .failure(let failure): return .failure(failure)
            case .success(let response):
                guard context.rules.accepts(status: response.status) else {
                    return .failure(await refusal(of: response, context))
                }
                var response = response
                if response.mayBeEnvelope {
                    do {
                        response = try await passingEnvelope(of: response, context)
                    } catch {
                        return .failure(CallFailure(reading: error))
                    }
                }
                var accepted = received(response.head, of: context.call)
                let (proxy, head) = (proxy, accepted)
                let pieces = BodyPieces(response.body.pieces) {
                    proxy.error($0, of: context.call, response: head)
                }
                accepted.output = ByteStream(response: head, pieces: pieces)
                return .success(accepted)
            }
        }
    }

    /// Performs a request whose response body is written to a file.
    func download(
        _ request: APIRequest, to destination: URL, _ context: CallContext
    ) async -> Answer? {
        let run = DownloadRun(
            pipeline: self, context: context, request: request, destination: destination)
        let limit = context.call.overrides.timeout == nil ? .infinity : request.timeout
        return await within(limit, context) { () async -> Answer? in
            do throws(CallFailure) {
                return try await run.run().map { .success($0) }
            } catch {
                return .failure(error)
            }
        } ?? nil
    }

    /// Reports a received response to the observers.
    @discardableResult
    func received(_ response: TransportResponse, of call: APICall) -> APIResponse {
        received(Box(response), of: call)
    }

    func received(_ response: Box<TransportResponse>, of call: APICall) -> APIResponse {
        var received = APIResponse(requestID: call.requestID, params: call.params, response: response)
        if call.overrides.hidesResponses { received.hidesBody = true }
        pending.events.emit(.received(received), of: call)
        return received
    }

    /// Returns the failure of a response with an unaccepted status, with its body in memory.
    func refusal(
        of response: TransportResponse, _ context: CallContext
    ) async -> CallFailure {
        var whole = response
        // If the body cannot be read, the status is reported.
        let body = try? await response.body.collect(limit: context.configuration.responseSizeLimit)
        whole.body = .data(body.flatMap { $0 } ?? Data())
        var received = APIResponse(
            requestID: context.call.requestID, params: context.call.params, response: whole)
        // What changes the response may make calls of the same service.
        releaseSlot(of: context)
        if let failure = await changed(&received, context) { return failure }
        do throws(CallFailure) {
            _ = try ResponseReader(context).read(received)
            return CallFailure(kind: .http(status: response.status), response: received)
        } catch {
            return CallFailure(kind: error.kind, response: error.response ?? received)
        }
    }

    /// Sends a request; a file or stream body is paused by the gate.
    func send(
        _ request: APIRequest, _ context: CallContext
    ) async -> Result<TransportResponse, CallFailure> {
        var request = request
        var failure: Locked<TransferFailure?>?
        if request.body.isTransfer {
            do throws(InvalidRequest) {
                let upload = try UploadBody(request.body, gate: pending.gate)
                request.body = upload.body
                failure = upload.failure
            } catch {
                return .failure(CallFailure(kind: .invalidRequest(reason: error.reason)))
            }
        }
        return await follower(context).outcome(of: request).mapError { error in
            failure?.current.map { CallFailure(kind: .transfer($0)) } ?? CallFailure(error)
        }
    }

    /// Adds a progress handler to a request if progress is observed.
    func listen(to request: inout APIRequest) {
        guard let progress = pending.progress else { return }
        let other = request.onProgress
        let isDownload = if case .file = request.destination { true } else { false }
        request.onProgress = { step in
            other?(step)
            // Progress of a download is measured as the file is written.
            if isDownload { progress.reportSent(step) } else { progress.report(step) }
        }
    }
}

extension RequestBody {
    /// Whether the body is read while it is sent.
    var isTransfer: Bool {
        switch self {
        case .none, .data: false
        case .file, .stream: true
        }
    }
}

extension APICall {
    /// Whether the response is a file or a stream.
    var isTransfer: Bool {
        overrides.download != nil || outputType is DownloadedFile.Type || outputType is ByteStream.Type
    }
}
