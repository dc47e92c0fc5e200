import Foundation

extension ByteStream {
    /// The lines of the body as text in UTF-8, without their ends: LF, CR LF or CR. Each is there as soon
    /// as its end has arrived. What is no UTF-8 becomes U+FFFD; what stands behind the last end is a line
    /// too. A line longer than ``lineLimit`` ends the loop with ``TransferFailure/lineTooLong(limit:)``.
    public var lines: Lines { Lines(pieces: pieces, limit: lineLimit) }

    public struct Lines: AsyncSequence, Sendable {
        public typealias Element = String
        let pieces: BodyPieces
        let limit: Int

        public func makeAsyncIterator() -> Iterator { Iterator(lines: LineReader(pieces, limit: limit)) }

        public struct Iterator: AsyncIteratorProtocol {
            var lines: LineReader

            public mutating func next() async throws -> String? {
                try await lines.next(orRest: true).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }
}

/// Reads a body line by line.
struct LineReader {
    private let pieces: BodyPieces
    private var splitter: LineSplitter

    init(_ pieces: BodyPieces, limit: Int) {
        self.pieces = pieces
        splitter = LineSplitter(limit: limit)
    }

    /// - Parameter orRest: whether a last line without an end is one.
    mutating func next(orRest: Bool) async throws(APIError) -> [UInt8]? {
        do {
            while true {
                if let line = try splitter.next() { return line }
                guard let piece = try await pieces.next() else { return orRest ? splitter.rest() : nil }
                splitter.append(piece)
            }
        } catch let error as APIError {
            throw error
        } catch {
            throw self.error(.lineTooLong(limit: splitter.limit))
        }
    }

    /// A failure, as an error of the call that the body belongs to.
    func error(_ failure: TransferFailure) -> APIError { pieces.error(.transfer(failure)) }
}
