import DiscreteNetworkingCore
import Foundation

/// Sends the request over a ``CallCarrier``, which brings the whole file, and puts the file where the manager wants it.
struct CarriedDownloadStep: CallStep {
    static let place = StepPlace.transfer
    static var uses: [any AttemptState.Type] { [SentSlot.self, TemporaryPartialFile.self] }
    let pending: PendingCall
    private let disk = DiskQueue("CarriedDownload")

    init(pending: PendingCall) { self.pending = pending }

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard let request = attempt.request?.value, case .file(let destination) = request.destination else {
            throw .outdated
        }
        attempt.takeTemporaryFile()
        do {
            return try await bring(request, to: destination, attempt)
        } catch {
            throw pending.interruption(CallFailure(reading: error), attempt)
        }
    }

    private func bring(
        _ request: APIRequest, to destination: URL, _ attempt: Attempt
    ) async throws -> APIResponse {
        var request = request
        if let progress = pending.progress { request.onProgress = { progress.report($0) } }
        let transfer = Transfer(pending: pending, attempt: attempt)
        pending.emit(.sent(request), of: attempt.call)
        let response = try await attempt.follower.outcome(of: request)
            .mapError { CallFailure($0) }.get()
        guard 200..<300 ~= response.status, transfer.accepts(response), case .file(let file) = response.body
        else { throw await transfer.refusal(of: response) }
        transfer.received(response)
        _ = try await transfer.passingEnvelope(of: response)
        try await check(file, attempt.call.overrides.download?.checksum)
        if pending.hasEnded { throw CancellationError() }
        var received = attempt.response(Box(response.head))
        let download = attempt.call.overrides.download
        let (url, count) = try await disk.run { [received] () throws(TransferFailure) in
            let url = try download?.destination(for: received) ?? destination
            try PartialFile.check(url)
            // The carrier keeps the file until the outcome of its call is delivered.
            return (url, try PartialFile.put(file, at: url))
        }
        received.output = DownloadedFile(url: url, byteCount: count, resumedByteCount: 0)
        return received
    }

    private func check(_ file: URL, _ checksum: Checksum?) async throws {
        guard let checksum else { return }
        var digester = Digester(checksum.algorithm)
        let pieces = RequestBody.file(file).pieces
        while let piece = try await pieces.next() { digester.update(piece) }
        let actual = digester.finish().hexadecimal
        guard actual == checksum.text else {
            throw TransferFailure.checksumMismatch(expected: checksum.text, actual: actual)
        }
    }
}
