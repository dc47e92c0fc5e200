import Foundation

/// Where a download goes, and how to tell that it is right.
///
/// ```swift
/// final class MapManager: APIManager<DownloadedFile> {
///     …
///     override var download: Download? {
///         Download(to: maps.appendingPathComponent("shanghai.map"), checksum: .sha256("ba7816bf…"))
///     }
/// }
/// let file = try await MapManager().load(with: ["city": "shanghai"])
/// ```
/// The file is there whole or not at all: until then it is called `shanghai.map.partial`, with what is
/// needed to go on in `shanghai.map.partial.json`. When the connection is lost both stay, and the next
/// attempt, be it a retry of the service, another `load()` or another run of the program, goes on from there
/// where the server can (RFC 9110 sections 13.1.5 and 14): it has to name a strong `ETag` or a
/// `Last-Modified`. An existing file is replaced in the end.
///
/// Where the service has an ``Envelope`` and the answer is one that reports a failure, at most 64 KiB long, the call
/// fails with ``APIError/Kind/business(code:message:)``, and no file is touched.
public struct Download: Sendable, Hashable {
    /// The file. Its folder has to exist.
    public var destination: URL
    /// What the whole file has to have.
    public var checksum: Checksum?
    /// Whether what is left of a failed download goes away with its call.
    let isTemporary: Bool

    public init(to destination: URL, checksum: Checksum? = nil) {
        self.destination = destination
        self.checksum = checksum
        isTemporary = false
    }

    /// To a new file in the temporary folder, which is the caller's to move or delete. Only this user may read it.
    public init(checksum: Checksum? = nil) {
        destination = FileManager.default.temporaryDirectory
            .appendingPathComponent("DiscreteNetworking-\(UUID().uuidString)")
        self.checksum = checksum
        isTemporary = true
    }
}

/// What the bytes of a file are expected to be, in short.
public struct Checksum: Sendable, Hashable {
    public let algorithm: DigestAlgorithm
    /// In hexadecimal, lower case.
    public let text: String

    /// - Parameter text: hexadecimal in either case, as `md5sum` prints it.
    public static func md5(_ text: String) -> Checksum { Checksum(.md5, text) }
    /// - Parameter text: hexadecimal in either case, as `sha1sum` prints it.
    public static func sha1(_ text: String) -> Checksum { Checksum(.sha1, text) }
    /// - Parameter text: hexadecimal in either case, as `sha256sum` prints it.
    public static func sha256(_ text: String) -> Checksum { Checksum(.sha256, text) }

    private init(_ algorithm: DigestAlgorithm, _ text: String) {
        self.algorithm = algorithm
        self.text = text.lowercased()
    }

    func validate() throws(InvalidRequest) {
        let digits = algorithm.byteCount * 2
        guard text.utf8.count == digits, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
            throw InvalidRequest(
                "The checksum of the download has to be \(digits) hexadecimal digits for \(algorithm).")
        }
    }
}

/// The output of an endpoint whose body goes to a file; see ``Download``.
public struct DownloadedFile: Sendable, Hashable {
    /// Where it is.
    public let url: URL
    /// How many bytes it has.
    public let byteCount: Int64
    /// How many of them were there already when the last connection was made; 0 where that brought all.
    public let resumedByteCount: Int64
}

extension DownloadedFile: Decodable, PayloadDecodable {
    /// Always throws: a file comes from the wire.
    public init(from decoder: any Decoder) throws { throw Self.isNoFile }

    /// Always throws: a status that the service accepts, but that brings no file.
    public static func decode(_ payload: Data, of response: APIResponse) throws -> DownloadedFile {
        throw isNoFile
    }

    private static var isNoFile: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "The response brings no file."))
    }
}
