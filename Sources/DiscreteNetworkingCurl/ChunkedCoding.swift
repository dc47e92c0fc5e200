import Foundation

/// Decodes the chunked transfer coding (RFC 9112 section 7.1).
///
/// libcurl accepts what others read differently, such as `0x5` for the last chunk. It only finds the end of the body;
/// the coding is decoded here, strictly.
struct ChunkedCoding {
    private enum State {
        case size
        /// After the digits of a size and a blank.
        case blank
        case extensions
        case sizeEnd
        case data
        case dataEnd
        case dataLineFeed
        case trailer
        case complete
    }

    private var state = State.size
    /// The size of the chunk, then the number of its bytes that are missing.
    private var left: UInt64 = 0
    /// The number of bytes of the current line.
    private var lineSize = 0
    /// The number of trailer bytes that are still accepted.
    private var trailerRoom: Int

    /// The maximum number of bytes of a chunk's first line.
    private static let lineLimit = 16 * 1024

    /// - Parameter trailerLimit: The maximum size of the trailers in bytes.
    init(trailerLimit: Int) { trailerRoom = trailerLimit }

    /// Whether the last chunk and the trailers were received.
    var isComplete: Bool { state == .complete }

    /// Returns the next bytes of content, and removes what it has read from the input.
    /// - Returns: `nil` if the input is empty or the body is complete; what is left does not belong to the body.
    /// - Throws: ``TransportError`` of kind `.badResponse` if the coding is malformed or a line is too long.
    mutating func next(in input: inout UnsafeRawBufferPointer) throws(TransportError)
        -> UnsafeRawBufferPointer?
    {
        while let byte = input.first {
            switch state {
            case .complete: return nil
            case .data:
                let count = left < UInt64(input.count) ? Int(left) : input.count
                let content = UnsafeRawBufferPointer(rebasing: input[..<count])
                input = UnsafeRawBufferPointer(rebasing: input[count...])
                left -= UInt64(count)
                if left == 0 { state = .dataEnd }
                return content
            default:
                try take(byte)
                input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
            }
        }
        return nil
    }

    /// Takes a byte that is not content.
    private mutating func take(_ byte: UInt8) throws(TransportError) {
        switch state {
        case .size:
            if let digit = Self.hexadecimal(byte) {
                guard left >> 60 == 0 else { throw Self.malformed }
                left = left << 4 | UInt64(digit)
            } else {
                guard lineSize > 0 else { throw Self.malformed }
                try takeAfterSize(byte)
            }
            try countLine()
        case .blank:
            try takeAfterSize(byte)
            try countLine()
        case .extensions:
            guard byte != Self.lineFeed else { throw Self.malformed }
            if byte == Self.carriageReturn { state = .sizeEnd }
            try countLine()
        case .sizeEnd:
            guard byte == Self.lineFeed else { throw Self.malformed }
            lineSize = 0
            state = left == 0 ? .trailer : .data
        case .dataEnd:
            guard byte == Self.carriageReturn else { throw Self.malformed }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == Self.lineFeed else { throw Self.malformed }
            state = .size
        case .trailer:
            guard trailerRoom > 0 else {
                throw TransportError(.badResponse, message: "The response has too many trailer lines.")
            }
            trailerRoom -= 1
            // A line may end in LF alone (RFC 9112 section 2.2).
            if byte == Self.lineFeed {
                if lineSize == 0 { state = .complete }
                lineSize = 0
            } else if byte != Self.carriageReturn {
                lineSize += 1
            }
        case .data, .complete: assertionFailure("There is no such byte in \(state).")
        }
    }

    private mutating func takeAfterSize(_ byte: UInt8) throws(TransportError) {
        switch byte {
        case Self.carriageReturn: state = .sizeEnd
        case UInt8(ascii: ";"): state = .extensions
        case 0x20, 0x09: state = .blank
        default: throw Self.malformed
        }
    }

    private mutating func countLine() throws(TransportError) {
        lineSize += 1
        guard lineSize <= Self.lineLimit else { throw Self.malformed }
    }

    private static let (carriageReturn, lineFeed): (UInt8, UInt8) = (0x0D, 0x0A)

    private static let malformed = TransportError(
        .badResponse, message: "The response's chunked transfer coding is malformed.")

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
