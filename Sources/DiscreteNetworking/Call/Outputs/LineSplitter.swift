import Foundation

/// Cuts bytes into lines that end with LF, CR LF or CR, wherever the pieces they come in are cut.
struct LineSplitter {
    struct TooLong: Error {}

    let limit: Int
    private var buffer: [UInt8] = []
    private var position = 0
    private var line: [UInt8] = []
    private var followsCR = false

    init(limit: Int) { self.limit = limit }

    /// Adds bytes behind those that ``next()`` has used up.
    mutating func append(_ piece: Data) {
        buffer = Array(piece)
        position = 0
    }

    /// The next whole line, without its end; `nil` where more bytes are needed.
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
        // The line is told now; should a LF come later, it belongs to this end.
        followsCR = buffer[end] == UInt8(ascii: "\r")
        defer { line = [] }
        return line
    }

    /// What stands behind the last line's end.
    mutating func rest() -> [UInt8]? {
        defer { line = [] }
        return line.isEmpty ? nil : line
    }
}
