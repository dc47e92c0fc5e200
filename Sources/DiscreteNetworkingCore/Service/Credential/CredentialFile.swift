import Foundation

/// The file format of a credential: a line with the version, a line with a checksum, and the credential.
///
///     DiscreteNetworking credential 1
///     ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
///     …
///
/// The SHA-256 checksum covers the version, the key and the credential. It detects a file that is truncated, damaged or
/// stored under another key. Later versions must keep the first two lines, so that an older version of the app reports
/// the file instead of overwriting it.
enum CredentialFile {
    /// The maximum size of a credential, in bytes.
    static let limit = 1024 * 1024
    /// The maximum size of a file, in bytes.
    static let fileLimit = limit + 128

    enum Content: Equatable {
        case credential(Data)
        case newerVersion
        case damaged
    }

    private static let version = "1"
    private static let title = "DiscreteNetworking credential "

    static func encode(_ credential: Data, key: String) -> Data {
        let checksum = checksum(version: version, key: key, credential)
        return Data("\(title)\(version)\n\(checksum)\n".utf8) + credential
    }

    static func decode(_ file: Data, key: String) -> Content {
        let lines = file.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, let head = String(data: lines[0], encoding: .utf8), head.hasPrefix(title)
        else {
            return .damaged
        }
        let version = String(head.dropFirst(title.count))
        let credential = Data(lines[2])
        guard Data(checksum(version: version, key: key, credential).utf8) == Data(lines[1]) else {
            return .damaged
        }
        return version == Self.version ? .credential(credential) : .newerVersion
    }

    /// Returns the file name for a key: a digest, so that the name does not reveal the key.
    static func name(of key: String) -> String {
        MessageDigest(.sha256, of: key).hexadecimal + ".credential"
    }

    private static func checksum(version: String, key: String, _ credential: Data) -> String {
        // Length prefixes keep the parts unambiguous.
        MessageDigest(
            .sha256, of: Data("\(version.utf8.count) \(version) \(key.utf8.count) \(key) ".utf8) + credential
        ).hexadecimal
    }
}
