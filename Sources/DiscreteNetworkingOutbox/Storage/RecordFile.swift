import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import Foundation

/// What is kept in a file of its own.
protocol StoredRecord: Codable, Sendable {
    /// The beginning of its files, which names the kind of the record.
    static var title: String { get }
    /// The name of its manager, for errors.
    var manager: String { get }
    var fileName: String { get }
}

/// The file of an entry of an outbox.
typealias EntryFile = RecordFile<EntryRecord>

/// The file format of a record: a line with the version, a line with a checksum, and the record as JSON.
///
///     DiscreteNetworking outbox 1
///     ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
///     {"id":"…","manager":"like","params":{"plain":{"id":7}},…}
///
/// The SHA-256 checksum covers the version, the name of the file and the JSON. Later versions must keep the first two lines, so
/// that an older version of the app leaves the file alone.
enum RecordFile<Record: StoredRecord> {
    /// The maximum size of a file, in bytes.
    static var limit: Int { 64 * 1024 * 1024 }

    enum Content {
        case entry(Record)
        case newerVersion
        case damaged
    }

    private static var version: String { "1" }
    private static var title: String { Record.title }

    static func encode(_ record: Record) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(record)
        return Data("\(title)\(version)\n\(checksum(version, record.fileName, json))\n".utf8) + json
    }

    /// Returns the file of an entry, if it may be kept.
    static func checked(_ record: Record) throws(CredentialStoreError) -> Data {
        let data: Data
        do {
            data = try encode(record)
        } catch {
            throw CredentialStoreError(
                .unavailable, message: "The record of \(record.manager) cannot be encoded: \(error)")
        }
        guard data.count <= limit else {
            throw CredentialStoreError(
                .tooLarge, message: "The params of \(record.manager) have more than \(limit) bytes.")
        }
        return data
    }

    static func decode(_ file: Data, name: String) -> Content {
        let lines = file.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, let head = String(data: lines[0], encoding: .utf8), head.hasPrefix(title)
        else { return .damaged }
        let version = String(head.dropFirst(title.count))
        let json = Data(lines[2])
        guard Data(checksum(version, name, json).utf8) == Data(lines[1]) else { return .damaged }
        guard version == Self.version else { return .newerVersion }
        guard let record = try? JSONDecoder().decode(Record.self, fromUntrusted: json),
            record.fileName == name
        else { return .damaged }
        return .entry(record)
    }

    static func checksum(_ version: String, _ name: String, _ json: Data) -> String {
        // Length prefixes keep the parts unambiguous.
        MessageDigest(
            .sha256, of: Data("\(version.utf8.count) \(version) \(name.utf8.count) \(name) ".utf8) + json
        ).hexadecimal
    }
}

extension RecordFile.Content: Equatable where Record: Equatable {}
