import Foundation

@testable import DiscreteNetworkingOutbox

extension FuzzTarget {
    /// The bytes as the file of an entry, and as an entry in a file whose checksum is right.
    static let outboxEntry = FuzzTarget(name: "outboxEntry") { data in
        let record = try? JSONDecoder().decode(EntryRecord.self, from: data)
        let name = record?.fileName ?? "0000000000000abc-8e03978e-40d5-43dd-bc93-6894a57f9324.entry"
        if case .entry(let other) = EntryFile.decode(data, name: name) {
            try expect(other.fileName == name, "another file's")
        }
        var file =
            Data("DiscreteNetworking outbox 1\n\(EntryFile.checksum("1", name, data))\n".utf8) + data
        let content = EntryFile.decode(file, name: name)
        if let record {
            try expect(content == .entry(record), "a right file is refused")
            let again = EntryFile.decode(try EntryFile.encode(record), name: name)
            try expect(again == .entry(record), "\(record) became \(again)")
        } else {
            try expect(content == .damaged, "\(content)")
        }
        try expect(EntryFile.decode(file, name: "other.entry") == .damaged, "under another name")
        let place = Int(data.first ?? 0) * 31 % file.count
        file[place] ^= 1 << ((data.last ?? 0) % 8)
        try expect(EntryFile.decode(file, name: name) == .damaged, "damage at \(place) is not seen")
    }
}
