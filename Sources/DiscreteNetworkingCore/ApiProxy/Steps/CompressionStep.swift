import Foundation

/// Sends a request once more, uncompressed, if the server does not accept its compressed body, and remembers the host. In the
/// list only if bodies are compressed; see ``RequestCompression``.
struct CompressionStep: CallStep {
    static let place = StepPlace.coding
    static var uses: [any AttemptState.Type] { [UncompressedBody.self] }
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        let (host, failure): (URL, APIError)
        do throws(Interruption) {
            return try await rest(&attempt)
        } catch {
            guard case .failed(let refusal) = error, let url = refusingHost(refusal, attempt) else {
                throw error
            }
            (host, failure) = (url, refusal)
            pending.emit(.repeated(after: 0, refusal), of: attempt.call)
        }
        attempt[UncompressedBody.self] = UncompressedBody()
        pending.advance(&attempt, after: failure)
        do throws(Interruption) {
            let response = try await rest(&attempt)
            pending.proxy.compressionRefusals.note(host)
            return response
        } catch {
            // 415 again: it is the media type that the server does not accept.
            if let status = error.error?.response?.status, status != 415 {
                pending.proxy.compressionRefusals.note(host)
            }
            throw error
        }
    }

    /// Returns the URL of a request that may have failed because of its coding; `nil` for other failures.
    private func refusingHost(_ failure: APIError, _ attempt: Attempt) -> URL? {
        guard let response = failure.response, response.status == 415, !Task.isCancelled,
            let request = attempt.request?.value, request.isCompressed,
            !Self.acceptsGzip(response.headers)
        else { return nil }
        return request.url
    }

    /// Whether a 415 says that gzip is accepted, so that it has another reason (RFC 9110 section 12.5.3).
    private static func acceptsGzip(_ headers: HTTPFields) -> Bool {
        headers.values(of: "Accept-Encoding").joined(separator: ",").lowercased().split(separator: ",")
            .contains {
                let parts = $0.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
                let isRefused = parts.dropFirst().contains {
                    $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0
                }
                return ["gzip", "x-gzip", "*"].contains(parts.first) && !isRefused
            }
    }
}

/// Says that a server did not accept the compressed body.
struct UncompressedBody: AttemptState {
    static let lifetime = SlotLifetime.call
}

extension Attempt {
    /// The size from which on the body is compressed; `nil` if it is not.
    var compressionSize: Int? { self[UncompressedBody.self] == nil ? self.plan.compressionSize : nil }
}
