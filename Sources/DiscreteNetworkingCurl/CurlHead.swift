import Foundation

/// The head of a response, received line by line. Interim responses (RFC 9110 section 15.2) and trailers are
/// skipped.
///
/// Receiving only copies the field lines, because the loop does it for all exchanges; ``headers`` parses them in
/// the caller's task.
struct CurlHead: Sendable {
    private(set) var status = 0
    /// Whether the head of the final response is complete.
    private(set) var isComplete = false
    /// Whether the version is HTTP/1.1, the only one with transfer codings.
    private var allowsTransferCodings = false
    /// Whether a head has started but not ended.
    private var isOpen = false
    /// Whether a status line was received.
    var hasBegun: Bool { isOpen || status != 0 }
    /// Whether a line has a carriage return that does not end it.
    private var hasBareReturn = false
    /// The field lines, each ended by a line feed.
    private var lines: [UInt8] = []

    /// Whether a status line is expected. Otherwise a line that looks like one is a field; after a complete
    /// response, a further response follows only where libcurl sends another request.
    private var mayBegin: Bool { !isOpen && (!isComplete || [401, 407, 417].contains(status)) }

    // MARK: Receiving

    /// Appends a line, including its terminator.
    mutating func append(_ line: UnsafeRawBufferPointer) {
        var line = line[...]
        while let byte = line.last, byte == 0x0A || byte == 0x0D { line.removeLast() }
        let bytes = UnsafeRawBufferPointer(rebasing: line).assumingMemoryBound(to: UInt8.self)
        if mayBegin, bytes.starts(with: Self.version) {
            self = CurlHead()
            isOpen = true
            status = Self.status(bytes)
            allowsTransferCodings = bytes.starts(with: Self.version11)
        } else if isComplete {
            return
        } else if bytes.isEmpty {
            isOpen = false
            if status >= 200 || status == 101 { isComplete = true }
        } else {
            if lines.isEmpty { lines.reserveCapacity(Self.usualSize) }
            lines.append(contentsOf: bytes)
            if let start = bytes.baseAddress, memchr(start, 0x0D, bytes.count) != nil { hasBareReturn = true }
            lines.append(0x0A)
        }
    }

    private static let version: [UInt8] = Array("HTTP/".utf8)
    private static let version11: [UInt8] = Array("HTTP/1.1".utf8)
    /// More bytes than most heads have.
    private static let usualSize = 512

    private static func status(_ line: UnsafeBufferPointer<UInt8>) -> Int {
        line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix(3).reduce(0) { value, digit in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit
                ? value * 10 + Int(digit - UInt8(ascii: "0")) : value
        }
    }

    // MARK: Fields

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// All fields.
    var headers: HTTPFields {
        var fields: [HTTPFields.Field] = []
        fields.reserveCapacity(Self.usualCount)
        parse(into: &fields) { _ in true }
        // Such a field is invalid (RFC 9112 section 2.2): whoever takes the CR for the end of a line would read another field.
        if hasBareReturn { fields.removeAll { $0.value.utf8.contains(0x0D) } }
        return HTTPFields(fields)
    }

    /// The fields that say how the body ends and how it is coded, found in one pass.
    var bodyFields: HTTPFields {
        var fields: [HTTPFields.Field] = []
        // Other lines differ in the length of their names or in their first letters, as a rule.
        parse(into: &fields) { line in
            let first = line.first.map { $0 | 0x20 }
            guard first == UInt8(ascii: "c") || first == UInt8(ascii: "t") else { return false }
            return Self.bodyNameSizes.contains { Self.isName(of: $0, in: line) }
        }
        fields.removeAll { !Self.bodyNames.contains($0.name) }
        return HTTPFields(fields)
    }

    private static let contentLength: HTTPFields.Name = "Content-Length"
    private static let transferEncoding: HTTPFields.Name = "Transfer-Encoding"
    private static let bodyNames = [contentLength, transferEncoding, "Content-Encoding"]
    private static let bodyNameSizes = bodyNames.map(\.rawName.utf8.count)

    /// Whether the name of a line ends after a number of bytes.
    private static func isName(of size: Int, in line: Bytes) -> Bool {
        guard line.count > size else { return line.count == size }
        let end = line[line.startIndex + size]
        return end == UInt8(ascii: ":") || end == 0x20 || end == 0x09
    }

    /// Parses the lines that may be wanted, and unfolds them (RFC 9112 section 5.2).
    private func parse(into fields: inout [HTTPFields.Field], _ mayBeWanted: (Bytes) -> Bool) {
        lines.withUnsafeBufferPointer { lines in
            var start = 0
            // Whether the line before was a field, which a folded line continues.
            var isInField = false
            while start < lines.count, let end = Self.index(of: 0x0A, in: lines[start...]) {
                let line = lines[start..<end]
                start = end + 1
                if line.first == 0x20 || line.first == 0x09 {
                    let more = Self.text(Self.trimmed(line))
                    if isInField, !more.isEmpty {
                        let value = fields[fields.count - 1].value
                        fields[fields.count - 1].value = value.isEmpty ? more : value + " " + more
                    }
                    continue
                }
                isInField = false
                guard mayBeWanted(line) else { continue }
                let colon = Self.index(of: UInt8(ascii: ":"), in: line) ?? end
                let name = UnsafeBufferPointer(rebasing: Self.trimmed(line[..<colon]))
                // A line without a valid name is no field: nobody could ask for it.
                guard let name = HTTPFields.Name(bytes: name) else { continue }
                isInField = true
                fields.append(
                    HTTPFields.Field(name: name, value: Self.text(Self.trimmed(line[colon...].dropFirst()))))
            }
        }
    }

    private static func index(of byte: UInt8, in bytes: Bytes) -> Int? {
        guard let start = UnsafeBufferPointer(rebasing: bytes).baseAddress,
            let found = memchr(start, Int32(byte), bytes.count)
        else { return nil }
        return bytes.startIndex + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
    }

    /// Returns how the end of the body is found.
    /// - Parameter fields: ``bodyFields``.
    /// - Throws: ``TransportError`` if the fields are malformed or contradict each other; see ``ResponseFraming``.
    func framing(_ fields: HTTPFields) throws(TransportError) -> ResponseFraming {
        try ResponseFraming(
            lengths: fields.values(of: Self.contentLength), codings: fields.values(of: Self.transferEncoding),
            allowsCodings: allowsTransferCodings)
    }

    /// More fields than most responses have.
    private static let usualCount = 12

    private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes
    where Bytes.SubSequence == Bytes {
        var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
        while let byte = bytes.last, byte == 0x20 || byte == 0x09 { bytes.removeLast() }
        return bytes
    }

    /// Decodes UTF-8, otherwise ISO 8859-1, so that no byte is lost (RFC 9110 section 5.5).
    private static func text(_ bytes: Bytes) -> String {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        if bytes.reduce(0, |) < 0x80 { return String(decoding: bytes, as: UTF8.self) }
        return String(bytes: bytes, encoding: .utf8)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
