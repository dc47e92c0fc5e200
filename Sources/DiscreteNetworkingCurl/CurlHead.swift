import Foundation

/// The head of a response, parsed line by line. Interim responses (RFC 9110 section 15.2) and trailers are
/// skipped, folded lines (RFC 9112 section 5.2) unfolded.
struct CurlHead {
    private(set) var status = 0
    private(set) var headers = HTTPFields()
    /// Whether the head of the final response is complete.
    private(set) var isComplete = false
    /// Whether a head has started but not ended.
    private var isOpen = false
    private var last: HTTPFields.Field?

    /// Whether a status line is expected. Otherwise a line that looks like one is a field; after a complete
    /// response, only those that libcurl answers with another request are followed by another.
    private var mayBegin: Bool { !isOpen && (!isComplete || [401, 407, 417].contains(status)) }

    /// Parses a line, including its terminator.
    mutating func append(_ line: UnsafeRawBufferPointer) {
        var line = line[...]
        while let byte = line.last, byte == 0x0A || byte == 0x0D { line.removeLast() }
        if mayBegin, line.starts(with: "HTTP/".utf8) {
            self = CurlHead()
            isOpen = true
            status = Self.status(line)
        } else if isComplete {
            return
        } else if line.isEmpty {
            flush()
            isOpen = false
            if status >= 200 || status == 101 { isComplete = true }
        } else if line.first == 0x20 || line.first == 0x09 {
            last?.value += " " + Self.text(Self.trimmed(line))
        } else {
            flush()
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            // A line without a valid name is no field: nobody could ask for it.
            guard let valid = try? HTTPFields.Name(validating: Self.text(Self.trimmed(name))) else { return }
            last = HTTPFields.Field(
                name: valid, value: Self.text(Self.trimmed(line[name.endIndex...].dropFirst())))
        }
    }

    /// Returns the declared length of the body; `nil` if there is none.
    /// - Throws: ``TransportError`` for contradicting lengths (RFC 9110 section 8.6).
    func contentLength() throws(TransportError) -> Int? {
        var first: Int??
        for field in headers where field.name == Self.contentLength {
            for part in field.value.utf8.split(separator: UInt8(ascii: ",")) {
                let length = Int(Substring(Self.trimmed(part)))
                guard length == first ?? length else {
                    throw TransportError(
                        .badResponse, message: "The response has contradicting Content-Length values.")
                }
                first = .some(length)
            }
        }
        return first ?? nil
    }

    private mutating func flush() {
        guard let last else { return }
        if headers.isEmpty { headers.reserveCapacity(Self.usualCount) }
        headers.append(last.name, last.value)
        self.last = nil
    }

    private static let contentLength: HTTPFields.Name = "Content-Length"
    /// More fields than most responses have.
    private static let usualCount = 12

    private static func status(_ line: Slice<UnsafeRawBufferPointer>) -> Int {
        line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix(3).reduce(0) { value, digit in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit
                ? value * 10 + Int(digit - UInt8(ascii: "0")) : value
        }
    }

    private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes
    where Bytes.SubSequence == Bytes {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
        return bytes
    }

    /// Decodes UTF-8, otherwise ISO 8859-1, so that no byte is lost (RFC 9110 section 5.5).
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(bytes: bytes, encoding: .utf8)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
