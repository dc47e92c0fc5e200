import Foundation

/// Collects what goes out, so that a small response leaves in one piece, and stops at a given byte.
struct Outlet {
    /// Thrown when everything that may be sent has been sent.
    struct AllowanceUsed: Error {}

    private static let capacity = 64 << 10

    let socket: Socket
    private var allowance: Int?
    private var pending: [UInt8] = []

    /// With an allowance, no byte beyond it leaves.
    init(_ socket: Socket, allowance: Int?) {
        self.socket = socket
        self.allowance = allowance
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

    mutating func flush() throws {
        guard !pending.isEmpty else { return }
        let sent = pending.withUnsafeBytes { socket.sendAll($0) }
        pending.removeAll(keepingCapacity: true)
        guard sent else { throw Disconnected() }
    }

    private mutating func pass(_ bytes: UnsafeRawBufferPointer) throws {
        if pending.count + bytes.count > Self.capacity { try flush() }
        if bytes.count >= Self.capacity {
            guard socket.sendAll(bytes) else { throw Disconnected() }
        } else {
            pending.append(contentsOf: bytes)
        }
    }
}
