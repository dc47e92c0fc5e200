import Foundation

/// A form with files in it: `multipart/form-data` (RFC 7578).
///
/// ```swift
/// override var encoding: (any ParamEncoding)? {
///     .multipart([
///         .text("在庭院里", named: "caption"),
///         .file(photo, named: "photo", contentType: "image/jpeg"),
///     ])
/// }
/// ```
/// Files and streams are read while they are sent, and anew where the body has to go out again.
public struct MultipartForm: Sendable {
    /// The parts, in the order they are sent, after the params.
    public var parts: [Part]
    /// What stands between the parts: 1 to 70 characters (RFC 2046 section 5.1.1) that no part holds.
    public var boundary: String

    /// A form with a boundary that nobody can guess.
    public init(_ parts: [Part] = []) { self.init(parts, boundary: Self.randomBoundary()) }

    /// A form that is the same each time, for tests.
    public init(_ parts: [Part], boundary: String) {
        self.parts = parts
        self.boundary = boundary
    }

    /// One field of the form.
    public struct Part: Sendable {
        public var name: String
        /// With a file name servers take a part for a file.
        public var fileName: String?
        /// The media type. Without one it is text in UTF-8 (RFC 7578 section 4.4).
        public var contentType: String?
        public var body: RequestBody

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
    public init(arrayLiteral parts: Part...) { self.init(parts) }
}

extension MultipartForm.Part {
    /// A field of text, sent as it is, in UTF-8.
    public static func text(_ text: String, named name: String) -> Self {
        Self(name: name, body: .data(Data(text.utf8)))
    }

    /// Bytes in memory; a file for the server where they have a file name.
    public static func data(
        _ data: Data, named name: String, fileName: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> Self {
        Self(name: name, fileName: fileName, contentType: contentType, body: .data(data))
    }

    /// A file, under its own name where no other is given.
    public static func file(
        _ url: URL, named name: String, fileName: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> Self {
        Self(
            name: name, fileName: fileName ?? url.lastPathComponent, contentType: contentType,
            body: .file(url))
    }

    /// Bytes made while they are sent; see ``RequestBody/stream(length:_:)``.
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
