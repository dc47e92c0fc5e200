import Foundation

/// Reads one request after the other from a connection (RFC 9112).
struct RequestReader {
    private static let headLimit = 64 << 10

    private let socket: Socket
    private let connection: Int
    private let bodyLimit: Int
    private let keepsBodies: Bool
    private let patience: Int?
    private var bytes: ByteReader

    /// - Parameter patience: The seconds within which a request has to come, from the previous response on.
    init(_ socket: Socket, connection: Int, bodyLimit: Int, keepsBodies: Bool, patience: Int?) {
        self.socket = socket
        self.connection = connection
        self.bodyLimit = bodyLimit
        self.keepsBodies = keepsBodies
        self.patience = patience
        bytes = ByteReader(socket)
    }

    /// The next request, body included.
    mutating func next() throws -> LoopbackRequest {
        bytes.deadline = patience.map(Socket.deadline(seconds:))
        var allowance = Self.headLimit
        var line = try bytes.line(allowance: &allowance)
        while line.isEmpty { line = try bytes.line(allowance: &allowance) }
        let (method, target, version) = try HeadParser.requestLine(line)
        let headers = try fields(allowance: &allowance)
        let isOld = version == "HTTP/1.0"
        let hosts = headers.values(of: "Host").count
        guard hosts == 1 || (isOld && hosts == 0) else {
            throw Rejection(400, "exactly one Host is needed, not \(hosts)")
        }
        let framing = try Framing(headers, isOld: isOld)
        if case .length(let count) = framing, count > bodyLimit { throw tooLarge }
        try meetExpectation(headers, framing: framing, isOld: isOld)
        var body = ReceivedBody(isKept: keepsBodies)
        var trailers: [HeadParser.Field] = []
        switch framing {
        case .length(let count):
            try bytes.take(count) { body.append($0) }
        case .chunked:
            trailers = try readChunks(into: &body)
        }
        return LoopbackRequest(
            method: method, target: target, version: version, headers: headers, body: body.data,
            bodyCount: body.count, bodyIsPattern: body.isPattern, trailers: trailers, connection: connection)
    }

    private mutating func fields(allowance: inout Int) throws -> [HeadParser.Field] {
        var fields: [HeadParser.Field] = []
        while true {
            let line = try bytes.line(allowance: &allowance)
            guard !line.isEmpty else { return fields }
            fields.append(try HeadParser.field(line))
        }
    }

    private func meetExpectation(_ headers: [HeadParser.Field], framing: Framing, isOld: Bool) throws {
        let expectations = headers.tokens(of: "Expect")
        guard !expectations.isEmpty, !isOld else { return }
        guard expectations == ["100-continue"] else {
            throw Rejection(417, "only 100-continue can be expected")
        }
        if case .length(0) = framing { return }
        let sent = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8).withUnsafeBytes { socket.sendAll($0) }
        guard sent else { throw Disconnected() }
    }

    /// Reads chunks up to the last one, then the trailer fields.
    private mutating func readChunks(into body: inout ReceivedBody) throws -> [HeadParser.Field] {
        while true {
            var allowance = Self.headLimit
            let count = try chunkSize(bytes.line(allowance: &allowance))
            guard count > 0 else {
                var allowance = Self.headLimit
                return try fields(allowance: &allowance)
            }
            guard count <= bodyLimit - body.count else { throw tooLarge }
            try bytes.take(count) { body.append($0) }
            var end: [UInt8] = []
            try bytes.take(2) { end += $0 }
            guard end.elementsEqual("\r\n".utf8) else {
                throw Rejection(400, "a chunk is not as long as it says")
            }
        }
    }

    /// The size from a chunk's first line, of which extensions are ignored.
    private func chunkSize(_ line: [UInt8]) throws -> Int {
        var digits = line.prefix { $0 != UInt8(ascii: ";") }
        if digits.count < line.count {
            while let byte = digits.last, byte == 0x20 || byte == 0x09 { digits.removeLast() }
        }
        guard !digits.isEmpty, digits.allSatisfy({ Percent.hex($0) != nil }) else {
            throw Rejection(400, "a chunk size is malformed")
        }
        guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { throw tooLarge }
        return size
    }

    private var tooLarge: Rejection {
        Rejection(413, "the body is larger than \(bodyLimit) bytes")
    }
}

/// How the end of a request's body is found (RFC 9112, section 6).
private enum Framing {
    case length(Int)
    case chunked

    init(_ headers: [HeadParser.Field], isOld: Bool) throws {
        let lengths = headers.values(of: "Content-Length")
        let codings = headers.tokens(of: "Transfer-Encoding")
        if !headers.values(of: "Transfer-Encoding").isEmpty {
            guard lengths.isEmpty, !isOld else {
                throw Rejection(400, "Transfer-Encoding does not go with Content-Length or HTTP/1.0")
            }
            guard codings.allSatisfy({ $0 == "chunked" }) else {
                throw Rejection(501, "of the transfer codings only chunked is known")
            }
            guard codings.count == 1 else {
                throw Rejection(400, "chunked must be applied once")
            }
            self = .chunked
            return
        }
        guard let length = lengths.first else {
            self = .length(0)
            return
        }
        guard !length.isEmpty, length.utf8.allSatisfy(HeadParser.isDigit),
            lengths.allSatisfy({ $0 == length })
        else {
            throw Rejection(400, "the Content-Length is malformed or contradicts itself")
        }
        guard let length = Int(length) else {
            throw Rejection(413, "the body is larger than \(Int.max) bytes")
        }
        self = .length(length)
    }
}
