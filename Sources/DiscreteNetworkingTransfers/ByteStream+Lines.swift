import DiscreteNetworkingCore
import Foundation

extension ByteStream {
    /// The lines of the body as UTF-8 text, without their terminators: LF, CR LF or CR. A line is available
    /// as soon as its terminator has arrived. Invalid UTF-8 becomes U+FFFD; text after the last terminator
    /// is a line. A line longer than ``lineLimit`` throws ``TransferFailure/lineTooLong(limit:)``.
    public var lines: Lines { Lines(pieces: pieces, limit: lineLimit) }

    /// The lines of a stream; see ``ByteStream/lines-swift.property``.
    public struct Lines: AsyncSequence, Sendable {
        public typealias Element = String
        let pieces: BodyPieces
        let limit: Int

        public func makeAsyncIterator() -> Iterator { Iterator(lines: LineReader(pieces, limit: limit)) }

        /// Reads the lines one after the other.
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

    /// - Parameter orRest: Whether to return an unterminated last line.
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

    /// Returns a transfer failure as an error of the call.
    func error(_ failure: TransferFailure) -> APIError { pieces.error(.transfer(failure)) }
}
