public import Foundation

/// A form with files: `multipart/form-data` (RFC 7578).
///
/// ```swift
/// override var encoding: (any ParamEncoding)? {
///     .multipart([
///         .text("在庭院里", named: "caption"),
///         .file(photo, named: "photo", contentType: "image/jpeg"),
///     ])
/// }
/// ```
///
/// Files and streams are read while they are sent, and again if the body is sent again.
public struct MultipartForm: Sendable {
    /// The parts in order; sent after the params.
    public var parts: [Part]
    /// The boundary between parts: 1 to 70 characters (RFC 2046 section 5.1.1) that occur in no part.
    public var boundary: String

    /// Creates a form with a random boundary.
    public init(_ parts: [Part] = []) { self.init(parts, boundary: Self.randomBoundary()) }

    /// Creates a form with a fixed boundary, for tests.
    public init(_ parts: [Part], boundary: String) {
        self.parts = parts
        self.boundary = boundary
    }

    /// A part of a form.
    public struct Part: Sendable {
        /// The name of the field.
        public var name: String
        /// The file name; servers treat a part with a file name as a file.
        public var fileName: String?
        /// The media type; `nil` for UTF-8 text (RFC 7578 section 4.4).
        public var contentType: String?
        /// The value of the field.
        public var body: RequestBody

        /// Creates a part. See also ``text(_:named:)``, ``data(_:named:fileName:contentType:)`` and others.
        public init(name: String, fileName: String? = nil, contentType: String? = nil, body: RequestBody) {
            self.name = name
            self.fileName = fileName
            self.contentType = contentType
            self.body = body
        }
    }

    private static func randomBoundary() -> String {
        "DiscreteNetworking-" + String(UInt64.random(in: .min ... .max), radix: 36)
            + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}

extension MultipartForm: ExpressibleByArrayLiteral {
    /// Creates a form with a random boundary.
    public init(arrayLiteral parts: Part...) { self.init(parts) }
}

extension MultipartForm.Part {
    /// Creates a part with UTF-8 text.
    public static func text(_ text: String, named name: String) -> Self {
        Self(name: name, body: .data(Data(text.utf8)))
    }

    /// Creates a part with data in memory.
    public static func data(
        _ data: Data, named name: String, fileName: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> Self {
        Self(name: name, fileName: fileName, contentType: contentType, body: .data(data))
    }

    /// Creates a part with the content of a file. Default of `fileName`: the name of the file.
    public static func file(
        _ url: URL, named name: String, fileName: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> Self {
        Self(
            name: name, fileName: fileName ?? url.lastPathComponent, contentType: contentType,
            body: .file(url))
    }

    /// Creates a file part from any body. Its filename is the name of the file, or the name of the field for other
    /// bodies.
    public static func content(
        _ body: RequestBody, named name: String, contentType: String = "application/octet-stream"
    ) -> Self {
        let fileName = if case .file(let url) = body { url.lastPathComponent } else { name }
        return Self(name: name, fileName: fileName, contentType: contentType, body: body)
    }

    /// Creates a part with the content of a stream; see ``RequestBody/stream(length:_:)``.
    public static func stream(
        length: Int64?, named name: String, fileName: String? = nil,
        contentType: String = "application/octet-stream",
        _ make: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>
    ) -> Self {
        Self(
            name: name, fileName: fileName, contentType: contentType,
            body: .stream(length: length, make))
    }
}

extension MultipartForm: SecretBearing {
    /// The parts, without their content.
    public var description: String { "a form of \(parts)" }
}

extension MultipartForm.Part: SecretBearing {
    /// The name and the size; never the content.
    public var description: String { "\(name): \(body)" }
}

extension MultipartForm {
    /// The media type of the body, with its boundary.
    package var contentType: String {
        "multipart/form-data; boundary=" + (HTTPToken.isValid(boundary) ? boundary : "\"\(boundary)\"")
    }

    /// Returns the body: data if all parts are in memory, otherwise a stream.
    /// - Throws: ``InvalidRequestError`` for a file that cannot be sent, an invalid length, boundary or media type.
    package func body() throws(InvalidRequestError) -> RequestBody {
        try validate()
        var segments: [RequestBody] = []
        var length = Length()
        for (index, part) in parts.enumerated() {
            let head = Data(((index == 0 ? "" : "\r\n") + head(of: part)).utf8)
            segments += [.data(head), part.body]
            try length.add(Int64(head.count))
            try length.add(try part.body.length)
        }
        let end = Data("\(parts.isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)
        segments.append(.data(end))
        try length.add(Int64(end.count))
        let inMemory = segments.compactMap(\.data)
        if inMemory.count == segments.count { return .data(Data(inMemory.joined())) }
        return .stream(length: length.bytes) { [segments] in
            let reader = SegmentReader(segments)
            return AsyncThrowingStream { try await reader.next() }
        }
    }

    /// The sum of the lengths of segments.
    private struct Length {
        /// `nil` if a length is unknown.
        private(set) var bytes: Int64? = 0

        mutating func add(_ more: Int64?) throws(InvalidRequestError) {
            guard let old = bytes, let more else {
                bytes = nil
                return
            }
            let (sum, overflows) = old.addingReportingOverflow(more)
            guard !overflows else {
                throw InvalidRequestError(
                    "The parts of a form have more bytes than a length can say (\(Int64.max)); leave the length out if it is unknown."
                )
            }
            bytes = sum
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

    /// Escapes a name as specified by the HTML standard ("multipart/form-data encoding algorithm"): line
    /// breaks in names, but not in file names, are normalized to CR LF first.
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

    private func validate() throws(InvalidRequestError) {
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
            throw InvalidRequestError(
                "Invalid multipart boundary (RFC 2046 section 5.1.1); omit it to use a random one.")
        }
        for type in parts.compactMap(\.contentType) {
            guard type.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw InvalidRequestError(
                    "The content type of a form part contains a control character; remove it.")
            }
        }
    }
}

/// Reads several bodies in sequence.
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
    /// The data if it is in memory.
    fileprivate var data: Data? {
        switch self {
        case .none: Data()
        case .data(let data): data
        case .file, .stream: nil
        }
    }
}
