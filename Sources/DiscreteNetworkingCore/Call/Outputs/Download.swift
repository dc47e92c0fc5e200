public import Foundation

/// The destination and checksum of a download.
///
/// ```swift
/// // In MapManager, an APIManager<DownloadedFile>.
/// override var download: Download? {
///     Download(
///         to: folder.appendingPathComponent("shanghai.map"),
///         checksum: .sha256("ba7816bf…"))
/// }
/// // Anywhere in the app.
/// let file = try await MapManager().load(with: ["city": "shanghai"])
/// ```
///
/// The file appears atomically when it is complete. Until then, the data is in `shanghai.map.partial` and
/// its metadata in `shanghai.map.partial.json`. If the connection is lost, both are kept, and the next
/// attempt, a later `load()` or another launch resumes the download if the server supports it (RFC 9110
/// sections 13.1.5 and 14): it has to send a strong `ETag` or a `Last-Modified`. An existing file is
/// replaced.
///
/// - Warning: Do not download into an app-group container on iOS. The partial file is locked until the call ends, and iOS
///   ends an app that is suspended while it locks a file there (`0xdead10cc`). Download into the app's own container, and
///   move the complete file.
///
/// If the service has an ``Envelope`` and the response is a failure in that envelope, of at most 64 KiB,
/// the call fails with ``APIError/Kind/business(code:message:)`` and the file is unchanged.
///
/// The initializers are in `DiscreteNetworkingTransfers`.
public struct Download: Sendable {
    /// The URL of the file, in an existing directory, which is not in an app-group container on iOS.
    public var destination: URL
    /// The expected checksum of the complete file.
    public var checksum: Checksum?
    /// Whether partial data is removed when the call ends.
    package let isTemporary: Bool
    /// Names the file once its response has come; `nil` if it has a name.
    package let choose: (@Sendable (APIResponse) throws -> URL)?

    package init(
        destination: URL, checksum: Checksum?, isTemporary: Bool,
        choose: (@Sendable (APIResponse) throws -> URL)?
    ) {
        self.destination = destination
        self.checksum = checksum
        self.isTemporary = isTemporary
        self.choose = choose
    }
}

extension Download: Hashable {
    /// Whether both are for the same file with the same checksum. Each temporary file is another one.
    public static func == (one: Download, other: Download) -> Bool {
        one.destination == other.destination && one.checksum == other.checksum
            && one.isTemporary == other.isTemporary
    }

    /// Hashes the file and the checksum.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(destination)
        hasher.combine(checksum)
    }
}

/// The expected digest of a file.
public struct Checksum: Sendable, Hashable {
    /// The digest algorithm.
    public let algorithm: DigestAlgorithm
    /// The digest in lowercase hexadecimal digits.
    public let text: String

    package init(_ algorithm: DigestAlgorithm, _ text: String) {
        self.algorithm = algorithm
        self.text = text.lowercased()
    }

    func validate() throws(InvalidRequestError) {
        let digits = algorithm.byteCount * 2
        guard text.utf8.count == digits, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
            throw InvalidRequestError(
                "Invalid checksum of the download: \(algorithm) has \(digits) hexadecimal digits.")
        }
    }
}

/// The output of a download: the file that the response body was written to; see ``Download``.
///
/// ```swift
/// let file = try await MapManager().load(with: ["city": "shanghai"])
/// print(file.byteCount, "bytes in", file.url.lastPathComponent)
/// ```
public struct DownloadedFile: Sendable, Hashable {
    /// The URL of the file.
    public let url: URL
    /// The size of the file, in bytes.
    public let byteCount: Int64
    /// The number of bytes present before the last connection; 0 if that one transferred the whole file.
    public let resumedByteCount: Int64

    package init(url: URL, byteCount: Int64, resumedByteCount: Int64) {
        self.url = url
        self.byteCount = byteCount
        self.resumedByteCount = resumedByteCount
    }
}

/// An output that is not made of a response in memory: a file or a stream. The type brings what receives it.
package protocol TransferredOutput: Decodable, Sendable {
    /// Whether the call ends with the head of its response.
    static var isStream: Bool { get }
    /// The destination where the manager has none; `nil` for a stream.
    static var standardDownload: Download? { get }
    /// The step that receives it.
    static var machinery: any PolicyMachinery { get }
}
