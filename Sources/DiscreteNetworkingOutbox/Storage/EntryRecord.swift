import DiscreteNetworkingCore
import Foundation

/// An entry as it is on disk.
struct EntryRecord: StoredRecord, Equatable {
    static let title = "DiscreteNetworking outbox "

    let id: UUID
    /// Its place in the order of all entries.
    let number: UInt64
    let manager: String
    var version: Int
    let lane: String
    let identity: CallIdentity
    var key: IdempotencyKey
    let created: Date
    var params: StoredParams
    /// The attempts that failed and may have reached the server.
    var attempts = 0
    /// The earliest time of the next attempt; `nil` for none.
    var next: Date?
    var failure: OutboxFailure?
    /// The names by which its manager knows its files; `nil` for none.
    var files: [String]?
    /// The name of a file that this version cannot read; `nil` if the record determines the name.
    var file: String?

    /// The name of its file. Sorted by name, the files are in the order of their entries.
    var fileName: String {
        if let file { return file }
        return stem + Self.suffix
    }

    private var stem: String {
        let hexadecimal = String(number, radix: 16)
        return String(repeating: "0", count: 16 - hexadecimal.count) + hexadecimal + "-"
            + id.uuidString.lowercased()
    }

    static let suffix = ".entry"

    // MARK: Files

    /// The copies of its files in the folder. Their names are made and not stored, so that a record names no other file.
    var bodyNames: [String] { (files ?? []).indices.map { "\(stem)-\($0)\(Self.bodySuffix)" } }

    static let bodySuffix = ".body"
    /// The part of the names of its files that all of them share, by the name of one.
    static func entryName(ofBody name: String) -> String? {
        guard name.hasSuffix(bodySuffix), let end = name.lastIndex(of: "-") else { return nil }
        return name[..<end] + suffix
    }
}
