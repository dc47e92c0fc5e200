public import DiscreteNetworkingCore
public import Foundation

extension Download {
    /// Creates a download to a file.
    public init(to destination: URL, checksum: Checksum? = nil) {
        self.init(destination: destination, checksum: checksum, isTemporary: false, choose: nil)
    }

    /// Creates a download to a new file in the temporary directory, readable only by the current user. The
    /// caller moves or deletes it.
    public init(checksum: Checksum? = nil) {
        self.init(destination: Self.temporaryFile(), checksum: checksum, isTemporary: true, choose: nil)
    }

    /// Creates a download to a file that is chosen by its response.
    ///
    /// ```swift
    /// override var download: Download? {
    ///     Download { [folder] response in
    ///         folder.appendingPathComponent(response.suggestedFilename)
    ///     }
    /// }
    /// ```
    ///
    /// The data is collected in a temporary file, which is moved when it is complete, and is readable only by the current
    /// user. Attempts of one call resume one another; a later call begins again, because it does not know yet which file it
    /// would go on with. An existing file is replaced.
    /// - Parameter choose: Returns the URL of the file, in an existing directory. Called once, when the data is complete and
    ///   has the right checksum. If it throws, the call fails with ``TransferFailure/unwritable(reason:)``.
    public init(checksum: Checksum? = nil, to choose: @escaping @Sendable (APIResponse) throws -> URL) {
        self.init(destination: Self.temporaryFile(), checksum: checksum, isTemporary: true, choose: choose)
    }

    private static func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("DiscreteNetworking-\(UUID().uuidString)")
    }

    /// Returns where the complete file of a response goes.
    func destination(for response: APIResponse) throws(TransferFailure) -> URL {
        guard let choose else { return destination }
        do {
            return try choose(response)
        } catch {
            // The error's text is omitted: it may contain a secret of the response.
            throw .unwritable(reason: "The closure that chooses the file threw a \(type(of: error)).")
        }
    }
}

extension Checksum {
    /// Creates an MD5 checksum.
    /// - Parameter text: Hexadecimal digits, as printed by `md5sum`.
    public static func md5(_ text: String) -> Checksum { Checksum(.md5, text) }
    /// Creates a SHA-1 checksum.
    /// - Parameter text: Hexadecimal digits, as printed by `sha1sum`.
    public static func sha1(_ text: String) -> Checksum { Checksum(.sha1, text) }
    /// Creates a SHA-256 checksum.
    /// - Parameter text: Hexadecimal digits, as printed by `sha256sum`.
    public static func sha256(_ text: String) -> Checksum { Checksum(.sha256, text) }
}

extension DownloadedFile: Decodable, PayloadDecodable, TransferredOutput {
    package static var isStream: Bool { false }
    package static var standardDownload: Download? { Download() }
    package static var machinery: any PolicyMachinery {
        TransferMaker { pending, isCarried in
            if isCarried { CarriedDownloadStep(pending: pending) } else { DownloadStep(pending: pending) }
        }
    }

    /// Always throws: a file is not decoded.
    public init(from decoder: any Decoder) throws { throw Self.isNoFile }

    /// Always throws: the response has an accepted status but no file.
    public static func decode(_ payload: Data, of response: APIResponse) throws -> DownloadedFile {
        throw isNoFile
    }

    private static var isNoFile: DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "The response contains no file."))
    }
}
