public import Foundation

/// Writes the body of a response while it arises; see ``LoopbackResponse/Body/produced(_:)``.
///
/// ```swift
/// LoopbackRoute.get("/ticks") { _ in
///     LoopbackResponse(body: .produced { writer in
///         for number in 1... {
///             try writer.send(Data("\(number)\n".utf8))
///             try writer.wait(seconds: 1)
///         }
///     })
/// }
/// ```
///
/// Its methods throw when the client has left or the server has stopped; let the error through.
public struct LoopbackBodyWriter {
    var outlet: Outlet
    private let isChunked: Bool

    init(_ outlet: Outlet, isChunked: Bool) {
        self.outlet = outlet
        self.isChunked = isChunked
    }

    /// Sends data. Blocks while the client does not read.
    public mutating func send(_ data: Data) throws {
        try outlet.writeChunk(data, isChunked: isChunked)
        try outlet.flush()
    }

    /// Waits for a number of seconds.
    public mutating func wait(seconds: TimeInterval) throws {
        try outlet.flush()
        guard outlet.socket.hold(seconds: seconds) == .elapsed else { throw Disconnected() }
    }

    mutating func end() throws { if isChunked { try outlet.write("0\r\n\r\n") } }
}
