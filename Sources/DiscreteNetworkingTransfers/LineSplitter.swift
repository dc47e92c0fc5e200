import DiscreteNetworkingCore
import Foundation

/// Splits bytes into lines that end with LF, CR LF or CR, regardless of chunk boundaries.
struct LineSplitter {
    struct TooLong: Error {}

    let limit: Int
    private var buffer: [UInt8] = []
    private var position = 0
    private var line: [UInt8] = []
    private var followsCR = false

    init(limit: Int) { self.limit = limit }

    /// Appends bytes after ``next()`` has returned `nil`.
    mutating func append(_ piece: Data) {
        buffer = Array(piece)
        position = 0
    }

    /// Returns the next complete line, without its terminator; `nil` if more bytes are needed.
    mutating func next() throws(TooLong) -> [UInt8]? {
        if followsCR, position < buffer.count {
            if buffer[position] == UInt8(ascii: "\n") { position += 1 }
            followsCR = false
        }
        let rest = buffer[position...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let part = rest[..<(end ?? rest.endIndex)]
        guard line.count + part.count <= limit else { throw TooLong() }
        line += part
        position = end.map { $0 + 1 } ?? buffer.count
        guard let end else { return nil }
        // The line is returned now; a following LF belongs to its terminator.
        followsCR = buffer[end] == UInt8(ascii: "\r")
        defer { line = [] }
        return line
    }

    /// Returns the text after the last terminator.
    mutating func rest() -> [UInt8]? {
        defer { line = [] }
        return line.isEmpty ? nil : line
    }
}
