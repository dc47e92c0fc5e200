import Foundation

/// A request body for the transport: pausable, checked against its declared length, and recording
/// why it could not be read, because the transport may not report it.
struct UploadBody: Sendable {
    let body: RequestBody
    let failure: Locked<TransferFailure?>

    /// - Throws: ``InvalidRequestError`` for a file that cannot be sent.
    init(_ original: RequestBody, gate: TransferGate) throws(InvalidRequestError) {
        let failure = Locked<TransferFailure?>(nil)
        let length = try original.length
        self.failure = failure
        body = .stream(length: length) {
            let reader = Reader(original.pieces, length: length, gate: gate, failure: failure)
            return AsyncThrowingStream { try await reader.next() }
        }
    }

    private actor Reader {
        private let pieces: AsyncThrowingStream<Data, any Error>
        private let length: Int64?
        private let gate: TransferGate
        private let failure: Locked<TransferFailure?>
        private var count: Int64 = 0

        init(
            _ pieces: AsyncThrowingStream<Data, any Error>, length: Int64?, gate: TransferGate,
            failure: Locked<TransferFailure?>
        ) {
            self.pieces = pieces
            self.length = length
            self.gate = gate
            self.failure = failure
        }

        func next() async throws -> Data? {
            try await gate.pass()
            do {
                let piece = try await pieces.next()
                count += Int64(piece?.count ?? 0)
                if let length, count > length || piece == nil && count < length {
                    throw TransferFailure.unreadable(
                        reason:
                            "The body has \(count) bytes \(piece == nil ? "" : "or more ")instead of \(length)."
                    )
                }
                return piece
            } catch let error as CancellationError {
                throw error
            } catch {
                // The text of an unknown error may contain secrets.
                let cause =
                    error as? TransferFailure
                    ?? .unreadable(reason: "The stream threw a \(type(of: error)).")
                failure.withLock { $0 = $0 ?? cause }
                throw cause
            }
        }
    }
}
