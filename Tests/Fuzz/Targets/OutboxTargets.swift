import DiscreteNetworkingHTTP
import Foundation

@testable import DiscreteNetworkingJSON
@testable import DiscreteNetworkingOutbox

extension FuzzTarget {
    static let outboxEntry = record(
        EntryRecord.self, "outboxEntry",
        otherwise: "0000000000000abc-8e03978e-40d5-43dd-bc93-6894a57f9324.entry")

    static let transferRecord = record(
        TransferRecord.self, "transferRecord", otherwise: "8e03978e-40d5-43dd-bc93-6894a57f9324.transfer"
    ) { record in
        guard let description = record.description else { return }
        try expect(TaskName(description)?.transfer == record.id, "\(description) names another transfer")
        _ = record.resumeName
        _ = record.request?.request
    }

    static let transferResult = record(
        TaskResult.self, "transferResult", otherwise: "8e03978e-40d5-43dd-bc93-6894a57f9324.result"
    ) { result in
        let url = URL(fileURLWithPath: "/fuzz")
        for destination in [ResponseDestination.memory(limit: 16), .file(url)] {
            var request = APIRequest(url: url)
            request.destination = destination
            let response = try? result.response(to: request, file: url.appendingPathComponent("missing"))
            if case .data(let body)? = response?.body {
                try expect(body == result.body ?? Data(), "another body")
                if case .memory = destination { try expect(body.count <= 16, "\(body.count) bytes") }
            }
        }
    }

    /// The bytes as the file of a record, and as a record in a file whose checksum is right.
    /// - Parameters:
    ///   - fileName: The name of the file, if the bytes are no record.
    ///   - check: What else has to hold of a record.
    private static func record<Record: StoredRecord & Equatable>(
        _ type: Record.Type, _ name: String, otherwise fileName: String,
        check: @escaping @Sendable (Record) throws -> Void = { _ in }
    ) -> FuzzTarget {
        typealias File = RecordFile<Record>
        return FuzzTarget(name: name) { data in
            // As a file is decoded, which refuses numbers that Foundation does not survive, and others of their length.
            let record = try? JSONDecoder().decode(Record.self, fromUntrusted: data)
            let name = record?.fileName ?? fileName
            if case .entry(let other) = File.decode(data, name: name) {
                try expect(other.fileName == name, "another file's")
            }
            var file = Data("\(Record.title)1\n\(File.checksum("1", name, data))\n".utf8) + data
            let content = File.decode(file, name: name)
            if let record {
                try expect(content == .entry(record), "a right file is refused")
                let again = File.decode(try File.encode(record), name: name)
                try expect(again == .entry(record), "\(record) became \(again)")
                try check(record)
            } else {
                try expect(content == .damaged, "\(content)")
            }
            try expect(File.decode(file, name: "other") == .damaged, "under another name")
            let place = Int(data.first ?? 0) * 31 % file.count
            file[place] ^= 1 << ((data.last ?? 0) % 8)
            try expect(File.decode(file, name: name) == .damaged, "damage at \(place) is not seen")
        }
    }
}
