import Foundation

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingContracts
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Files that others may have written to, or that were cut off.
extension FuzzTarget {
    private static let key = CacheFileKey(CacheKey(service: "fuzz", methodName: "m", parts: ["p"]))

    private static func response(in file: Data, for key: CacheFileKey) -> CachedResponse? {
        let beginning = file.prefix(CacheFile.beginningSize)
        guard let lengths = CacheFile.lengths(beginning, fileSize: Int64(file.count)) else { return nil }
        let rest = file.dropFirst(CacheFile.beginningSize)
        return CacheFile.decode(
            beginning: beginning, head: rest.prefix(lengths.head), body: rest.dropFirst(lengths.head),
            for: key)
    }

    /// The bytes as a file, as a head whose checksum is right, and as what a response is made of.
    static let cacheFile = FuzzTarget(name: "cacheFile") { data in
        _ = response(in: data, for: key)

        let parts = data.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        var headers = HTTPFields()
        for part in parts {
            guard let name = try? HTTPFields.Name(validating: part) else { continue }
            headers.append(name, String(part.reversed()))
        }
        let stored = CachedResponse(
            url: URL(string: "https://example.com/a?b=c")!, status: data.count, headers: headers, body: data,
            storedAt: Date(timeIntervalSinceReferenceDate: Double(data.count) / 3), version: parts[0])
        guard let front = CacheFile.encode(stored, for: key) else { return }
        var file = front + data
        try expect(response(in: file, for: key) == stored, "did not come back")
        try expect(
            response(in: file, for: CacheFileKey(CacheKey(service: "fuzz", methodName: "m", parts: [])))
                == nil,
            "other key")

        var crafted = front.prefix(12)
        withUnsafeBytes(of: UInt32(data.count).littleEndian) { crafted += $0 }
        withUnsafeBytes(of: UInt64(0)) { crafted += $0 }
        let checksum = [Data(key.entry.utf8), crafted.dropFirst(12), data, Data()].reduce(0) { before, part in
            part.withUnsafeBytes { XXHash64.hash($0, seed: before) }
        }
        withUnsafeBytes(of: UInt64(checksum).littleEndian) { crafted += $0 }
        _ = response(in: crafted + data, for: key)

        let place = Int(data.first ?? 0) * 31 % file.count
        file[place] ^= 1 << ((data.last ?? 0) % 8)
        try expect(response(in: file, for: key) == nil, "damage at \(place) is not seen")
    }

    /// A credential comes back, and one flipped bit is seen.
    static let credential = FuzzTarget(name: "credential") { data in
        _ = CredentialFile.decode(data, key: "key")
        var file = CredentialFile.encode(data, key: "key")
        try expect(CredentialFile.decode(file, key: "key") == .credential(data), "did not come back")
        try expect(CredentialFile.decode(file, key: "other") == .damaged, "another key's")
        let place = Int(data.first ?? 0) * 31 % file.count
        file[place] ^= 1 << ((data.last ?? 0) % 8)
        try expect(CredentialFile.decode(file, key: "key") == .damaged, "damage at \(place) is not seen")
    }

    /// The note beside a partial file; what of it goes into a header has been checked.
    static let resumePoint = FuzzTarget(name: "resumePoint") { data in
        guard let point = try? JSONDecoder().decode(ResumePoint.self, from: data) else { return }
        let request = APIRequest(url: URL(string: "https://example.com/file")!)
        guard point.fits(request) else { return }
        try HTTPFields([.init(name: "If-Range", value: point.validator)]).validate()
        _ = ContentRange("bytes 1-2/3").map { point.continues(with: $0, ["ETag": point.validator]) }
    }

    /// What a cassette has is written and read as the same.
    static let cassette = FuzzTarget(name: "cassette") { data in
        do throws(ContractError) {
            let entries = try CassetteFile.entries(parsing: data)
            let again = try CassetteFile.entries(parsing: Data(CassetteFile.text(entries).utf8))
            guard entries == again else { preconditionFailure("\(entries) became \(again)") }
            let request = APIRequest(url: URL(string: "https://example.com/file")!)
            for entry in entries { _ = try? entry.response(to: request) }
        } catch {
            try expect(!error.message.isEmpty, "no message")
        }
    }

    /// The same for a contract; and comparing with it ends.
    static let contract = FuzzTarget(name: "contract") { data in
        do throws(ContractError) {
            let file = try ContractFile(parsing: data)
            let again = try ContractFile(parsing: Data(file.text.utf8))
            guard file == again else { preconditionFailure("\(file) became \(again)") }
            _ = file.contract.compare(["a": [1, nil, "x"], "content": ["state": "packed", "tags": []]])
        } catch {
            try expect(!error.message.isEmpty, "no message")
        }
        guard let sample = try? JSONValue(parsing: data) else { return }
        let contract = Contract(recording: [sample])
        try expect(contract.compare(sample) == [], "a contract refuses what it was recorded from: \(sample)")
        let file = ContractFile(name: "n", contract: contract)
        try expect(try ContractFile(parsing: Data(file.text.utf8)) == file, "did not come back: \(file.text)")
    }
}
