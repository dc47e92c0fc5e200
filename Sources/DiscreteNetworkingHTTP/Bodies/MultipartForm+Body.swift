import Foundation

extension MultipartForm {
    /// The media type of the body.
    package var contentType: String {
        "multipart/form-data; boundary=" + (HTTPToken.isValid(boundary) ? boundary : "\"\(boundary)\"")
    }

    /// The body: in memory where all parts are, else made while it is sent.
    /// - Throws: ``InvalidRequest`` for a file that cannot be sent, a boundary or a media type that is none.
    package func body() throws(InvalidRequest) -> RequestBody {
        try validate()
        var segments: [RequestBody] = []
        var length: Int64? = 0
        for (index, part) in parts.enumerated() {
            let head = Data(((index == 0 ? "" : "\r\n") + head(of: part)).utf8)
            segments += [.data(head), part.body]
            let size = try part.body.length
            length = length.flatMap { length in size.map { length + Int64(head.count) + $0 } }
        }
        let end = Data("\(parts.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)
        segments.append(.data(end))
        let inMemory = segments.compactMap(\.data)
        if inMemory.count == segments.count { return .data(Data(inMemory.joined())) }
        return .stream(length: length.map { $0 + Int64(end.count) }) { [segments] in
            let reader = SegmentReader(segments)
            return AsyncThrowingStream { try await reader.next() }
        }
    }

    private func head(of part: Part) -> String {
        var head =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(name: part.name))\""
        if let fileName = part.fileName { head += "; filename=\"\(Self.escaped(fileName.unicodeScalars))\"" }
        head += "\r\n"
        if let type = part.contentType { head += "Content-Type: \(type)\r\n" }
        return head + "\r\n"
    }

    /// The WHATWG form algorithm ("multipart/form-data encoding algorithm", HTML standard): in names, but
    /// not in file names, every line break becomes CR LF first.
    private static func escaped(name: String) -> String {
        var scalars = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in name.unicodeScalars {
            if scalar == "\n", last != "\r" { scalars.append("\r") }
            if last == "\r", scalar != "\n" { scalars.append("\n") }
            scalars.append(scalar)
            last = scalar
        }
        if last == "\r" { scalars.append("\n") }
        return escaped(scalars)
    }

    private static func escaped(_ scalars: String.UnicodeScalarView) -> String {
        scalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private func validate() throws(InvalidRequest) {
        let isBoundary =
            1...70 ~= boundary.utf8.count && !boundary.hasSuffix(" ")
            && boundary.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "'()+_,-./:=? ".utf8.contains(byte)
                }
            }
        guard isBoundary else {
            throw InvalidRequest(
                "The boundary of the multipart form is none (RFC 2046 section 5.1.1); leave it to the form.")
        }
        for type in parts.compactMap(\.contentType) {
            guard type.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw InvalidRequest(
                    "The content type of a part of the form has a control character; remove it.")
            }
        }
    }
}

/// Reads bodies one after the other.
private actor SegmentReader {
    private var rest: ArraySlice<RequestBody>
    private var current: AsyncThrowingStream<Data, any Error>?

    init(_ segments: [RequestBody]) { rest = segments[...] }

    func next() async throws -> Data? {
        while true {
            if let piece = try await current?.next() { return piece }
            guard let segment = rest.popFirst() else { return nil }
            current = segment.pieces
        }
    }
}

extension RequestBody {
    /// The bytes, where they are in memory.
    fileprivate var data: Data? {
        switch self {
        case .none: Data()
        case .data(let data): data
        case .file, .stream: nil
        }
    }
}
