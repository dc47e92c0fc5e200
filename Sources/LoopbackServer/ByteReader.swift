import Foundation

/// Thrown when the client has disconnected.
struct Disconnected: Error {}

/// Thrown when a request is invalid; the connection is closed after the response.
struct Rejection: Error {
    let status: Int
    let explanation: String

    init(_ status: Int, _ explanation: String) {
        self.status = status
        self.explanation = explanation
    }
}

/// Reads a socket through a buffer.
struct ByteReader {
    private let socket: Socket
    private var storage = [UInt8](repeating: 0, count: 16 << 10)
    private var start = 0
    private var end = 0
    /// When to give up, as the system's uptime in nanoseconds; `nil` for never.
    var deadline: UInt64?

    init(_ socket: Socket) {
        self.socket = socket
    }

    /// The next line without its CRLF. What it takes is subtracted from `allowance`.
    mutating func line(allowance: inout Int) throws -> [UInt8] {
        var scanned = start
        while true {
            if let feed = storage[scanned..<end].firstIndex(of: UInt8(ascii: "\n")) {
                allowance -= feed + 1 - start
                guard allowance >= 0 else { throw Rejection(431, "the head is too large") }
                guard feed > start, storage[feed - 1] == UInt8(ascii: "\r") else {
                    throw Rejection(400, "a line does not end in CRLF")
                }
                let line = Array(storage[start..<feed - 1])
                start = feed + 1
                return line
            }
            guard end - start <= allowance else { throw Rejection(431, "the head is too large") }
            let offset = end - start
            try fill()
            scanned = start + offset
        }
    }

    /// Takes exactly so many bytes, in as many pieces as they come.
    mutating func take(_ count: Int, _ receive: (UnsafeRawBufferPointer) -> Void) throws {
        var missing = count
        while true {
            let piece = start..<start + min(missing, end - start)
            storage.withUnsafeBytes { receive(UnsafeRawBufferPointer(rebasing: $0[piece])) }
            start = piece.upperBound
            missing -= piece.count
            guard missing > 0 else { return }
            if missing > 64 << 10, storage.count < 256 << 10 {
                storage = [UInt8](repeating: 0, count: 256 << 10)
                start = 0
                end = 0
            }
            try fill()
        }
    }

    /// Receives once, appending to unread data.
    private mutating func fill() throws {
        if start > 0 {
            // In place: a slice of `storage` would share it and have all of it copied.
            let unread = start..<end
            storage.withUnsafeMutableBytes { bytes in
                bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[unread]))
            }
            start = 0
            end = unread.count
        }
        if end == storage.count {
            storage.append(contentsOf: repeatElement(0, count: storage.count))
        }
        if let deadline, !socket.awaitBytes(until: deadline) { throw Disconnected() }
        let count = storage.withUnsafeMutableBytes {
            socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: $0[end...]))
        }
        guard count > 0 else { throw Disconnected() }
        end += count
    }
}
