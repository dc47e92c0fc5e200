import Foundation

/// Buffers output, so that a small response is sent at once, and stops at a given byte.
struct Outlet {
    /// Thrown when everything that may be sent has been sent.
    struct AllowanceUsed: Error {}

    private static let capacity = 64 << 10
    /// The time without room to send after which a client counts as stalled, in milliseconds.
    private static let stallTime: Int32 = 500

    let socket: Socket
    private let ledger: Ledger
    private var allowance: Int?
    private var pending: [UInt8] = []

    /// With an allowance, no byte beyond it leaves.
    init(_ socket: Socket, allowance: Int?, ledger: Ledger) {
        self.socket = socket
        self.allowance = allowance
        self.ledger = ledger
    }

    mutating func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    mutating func write(_ data: Data) throws {
        try data.withUnsafeBytes { try write($0) }
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
        let count = min(bytes.count, allowance ?? bytes.count)
        try pass(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        guard let left = allowance else { return }
        allowance = left - count
        if count < bytes.count {
            try flush()
            throw AllowanceUsed()
        }
    }

    /// Writes a chunk (RFC 9112 section 7.1), or for a client of HTTP/1.0 the data alone.
    mutating func writeChunk(_ data: Data, isChunked: Bool) throws {
        guard !data.isEmpty else { return }
        guard isChunked else { return try write(data) }
        try write(String(data.count, radix: 16) + "\r\n")
        try write(data)
        try write("\r\n")
    }

    mutating func flush() throws {
        guard !pending.isEmpty else { return }
        defer { pending.removeAll(keepingCapacity: true) }
        try pending.withUnsafeBytes(send)
    }

    private mutating func pass(_ bytes: UnsafeRawBufferPointer) throws {
        if pending.count + bytes.count > Self.capacity { try flush() }
        if bytes.count >= Self.capacity {
            try send(bytes)
        } else {
            pending.append(contentsOf: bytes)
        }
    }

    /// Sends everything, and tells the ledger how far that has come.
    private func send(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            guard let count = socket.sendSome(rest) else { throw Disconnected() }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if count > 0 { ledger.count(sent: count) }
            guard !rest.isEmpty, !socket.awaitRoom(milliseconds: Self.stallTime) else { continue }
            ledger.count(stalled: 1)
            defer { ledger.count(stalled: -1) }
            guard socket.awaitRoom(milliseconds: ledger.patience) else { throw Disconnected() }
        }
    }
}
