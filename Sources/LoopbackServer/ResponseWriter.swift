import Foundation

/// Sends the response to one request.
struct ResponseWriter {
    /// What becomes of the connection afterwards.
    enum Ending {
        case keep
        case close
        case reset
    }

    private let response: LoopbackResponse
    private let isHead: Bool
    private let isOld: Bool
    private let keepsConnection: Bool
    private var outlet: Outlet

    /// `request` is nil when it could not be read to its end.
    init(_ response: LoopbackResponse, to request: LoopbackRequest?, on socket: Socket, ledger: Ledger) {
        self.response = response
        isHead = request?.method == "HEAD"
        isOld = request?.version == "HTTP/1.0"
        keepsConnection = request.map(response.keepsConnection(after:)) ?? false
        outlet = Outlet(socket, allowance: response.fault?.allowance, ledger: ledger)
    }

    mutating func send() -> Ending {
        if let gate = response.delay, !gate.hold(outlet.socket) { return .close }
        do {
            if let replacement = response.fault?.replacement {
                try outlet.write(replacement)
            } else if case .flood(let part, let bytes) = response.fault {
                try writeFlood(part.flood, bytes)
            } else {
                try writeInterim()
                try writeHead()
                if !isHead, !response.isBodiless { try writeBody() }
            }
            try outlet.flush()
        } catch is Outlet.AllowanceUsed {
            // The fault determines how the connection ends.
        } catch {
            return .close
        }
        switch response.fault {
        case nil:
            return keepsConnection ? .keep : .close
        case .reset, .abort:
            awaitDelivery()
            return .reset
        case .stall:
            _ = outlet.socket.hold()
            return .close
        case .close, .cut, .malformedHead, .raw, .flood:
            return .close
        }
    }

    /// Waits for delivery: a reset discards data that the peer's system has not received.
    private func awaitDelivery() {
        while outlet.socket.unacknowledged > 0, outlet.socket.hold(seconds: 0.001) == .elapsed {}
    }

    private mutating func writeFlood(_ flood: (start: String, drop: String, end: String), _ bytes: Int) throws
    {
        let drop = Data(flood.drop.utf8)
        try outlet.write(flood.start)
        for _ in 0..<(max(0, bytes) / drop.count) { try outlet.write(drop) }
        try outlet.write(flood.end)
    }

    // MARK: Head

    private mutating func writeInterim() throws {
        guard !isOld else { return }
        for status in response.interim {
            try outlet.write("HTTP/1.1 \(status) \(StatusText.phrase(for: status))\r\n\r\n")
        }
    }

    private mutating func writeHead() throws {
        let reason = response.reason ?? StatusText.phrase(for: response.status)
        var head = "HTTP/1.1 \(response.status) \(reason)\r\n"
        for (name, value) in response.headers {
            head += "\(name): \(value)\r\n"
        }
        if !response.isBodiless, !response.namesFraming {
            if let length = response.body.length {
                head += "Content-Length: \(length)\r\n"
            } else if response.body.isChunked, !isOld {
                head += "Transfer-Encoding: chunked\r\n"
            }
        }
        if response.headers.values(of: "Connection").isEmpty {
            if !keepsConnection {
                head += "Connection: close\r\n"
            } else if isOld {
                head += "Connection: keep-alive\r\n"
            }
        }
        try outlet.write(head)
        try outlet.write(response.rawHeaders)
        try outlet.write("\r\n")
    }

    // MARK: Body

    private mutating func writeBody() throws {
        switch response.body {
        case .data(let data), .untilClose(let data):
            try outlet.write(data)
        case .chunks(let pieces, let trailers):
            for piece in pieces { try writeChunk(piece) }
            try writeLastChunk(trailers)
        case .stream(let steps):
            for step in steps {
                switch step {
                case .chunk(let data): try writeChunk(data)
                case .wait(let gate): try wait(for: gate)
                case .pause(let seconds): try pause(seconds)
                }
            }
            try writeLastChunk([])
        case .produced(let produce):
            var writer = LoopbackBodyWriter(outlet, isChunked: !isOld)
            defer { outlet = writer.outlet }
            try produce(&writer)
            try writer.end()
        case .generated(let count):
            try writePattern(count)
        case .gated(let gate, let data):
            try wait(for: gate)
            try outlet.write(data)
        case .slow(let data, let bytesPerPiece, let interval):
            var rest = data[...]
            while !rest.isEmpty {
                try pause(interval)
                try outlet.write(rest.prefix(max(1, bytesPerPiece)))
                rest = rest.dropFirst(max(1, bytesPerPiece))
            }
        }
    }

    private mutating func writeChunk(_ data: Data) throws { try outlet.writeChunk(data, isChunked: !isOld) }

    private mutating func writeLastChunk(_ trailers: [(name: String, value: String)]) throws {
        guard !isOld else { return }
        try outlet.write("0\r\n" + trailers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n")
    }

    private mutating func writePattern(_ count: Int) throws {
        var left = count
        while left > 0 {
            let piece = min(left, BytePattern.block.count)
            try BytePattern.block.withUnsafeBytes {
                try outlet.write(UnsafeRawBufferPointer(rebasing: $0[..<piece]))
            }
            left -= piece
        }
    }

    private mutating func wait(for gate: LoopbackGate) throws {
        try outlet.flush()
        guard gate.hold(outlet.socket) else { throw Disconnected() }
    }

    private mutating func pause(_ seconds: TimeInterval) throws {
        try outlet.flush()
        guard outlet.socket.hold(seconds: seconds) == .elapsed else { throw Disconnected() }
    }
}
