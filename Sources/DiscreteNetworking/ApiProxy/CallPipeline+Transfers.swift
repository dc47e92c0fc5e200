import Foundation

/// The ways of a body that does not go into memory.
extension CallPipeline {
    typealias Answer = Result<APIResponse, CallFailure>

    /// A response whose body the reader of the output gets while it arrives.
    func stream(_ request: APIRequest, _ context: CallContext) async -> Answer? {
        var asked = request
        // Up to the head, and the transport does not see it: a stream may be silent for long.
        asked.timeout = .infinity
        pending.events.emit(.sent(asked), of: context.call)
        return await within(request.timeout, context) { [asked] in
            switch await send(asked) {
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

    /// A response whose body goes to a file.
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

    /// Tells the observers of a response.
    @discardableResult
    func received(_ response: TransportResponse, of call: APICall) -> APIResponse {
        let received = APIResponse(requestID: call.requestID, params: call.params, response: response)
        pending.events.emit(.received(received), of: call)
        return received
    }

    /// What is wrong with a response that is no success, with its body in memory.
    func refusal(
        of response: TransportResponse, _ context: CallContext
    ) async -> CallFailure {
        var whole = response
        // The status says more than why its explanation could not be read.
        let body = try? await response.body.collect(limit: context.service.responseSizeLimit)
        whole.body = .data(body.flatMap { $0 } ?? Data())
        let received = received(whole, of: context.call)
        do throws(CallFailure) {
            _ = try ResponseReader(context).read(received)
            return CallFailure(kind: .http(status: response.status), response: received)
        } catch {
            return CallFailure(kind: error.kind, response: error.response ?? received)
        }
    }

    /// Puts a request on the wire; a body from a file or a stream by way of the gate.
    func send(_ request: APIRequest) async -> Result<TransportResponse, CallFailure> {
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
        return await proxy.follower.outcome(of: request).mapError { error in
            failure?.current.map { CallFailure(kind: .transfer($0)) } ?? CallFailure(error)
        }
    }

    /// Has the progress of a request reported, where anybody listens.
    func listen(to request: inout APIRequest) {
        guard let progress = pending.progress else { return }
        let other = request.onProgress
        let isDownload = if case .file = request.destination { true } else { false }
        request.onProgress = { step in
            other?(step)
            // What a file has is counted where it is written.
            if isDownload { progress.reportSent(step) } else { progress.report(step) }
        }
    }
}

extension RequestBody {
    /// Whether it is made while it is sent.
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
