import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Folders for tests of credentials.
enum CredentialFixture {
    /// The place of a folder that is not there yet, and is removed after the test.
    static func folder(for test: XCTestCase) throws -> URL {
        let parent = FileManager.default.temporaryDirectory
            .appendingPathComponent("credentials-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        test.addTeardownBlock { try? FileManager.default.removeItem(at: parent) }
        return parent.appendingPathComponent("store")
    }

    static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}

final class FileCredentialStoreTests: XCTestCase {
    private var folder: URL!
    private var store: FileCredentialStore!

    override func setUpWithError() throws {
        folder = try CredentialFixture.folder(for: self)
        store = FileCredentialStore(folder: folder)
    }

    private var names: [String] { CredentialFixture.names(in: folder) }

    private func file(_ key: String) -> URL { folder.appendingPathComponent(CredentialFile.name(of: key)) }

    private func error<Result>(
        _ body: () throws -> Result, file: StaticString = #filePath, line: UInt = #line
    ) -> CredentialStoreError? {
        do {
            XCTFail("no error, but \(try body())", file: file, line: line)
            return nil
        } catch {
            return error as? CredentialStoreError
        }
    }

    // MARK: What is written is read

    func testWriteReadReplaceRemove() throws {
        XCTAssertNil(try store.read("key"))
        try store.remove("key")
        XCTAssertEqual(names, [], "neither reading nor removing makes a folder")
        for value in [Data("s3cr3t".utf8), Data(), Data([0, 10, 13, 255]), Data(count: 1024 * 1024)] {
            try store.write(value, for: "key")
            XCTAssertEqual(try store.read("key"), value)
            XCTAssertEqual(try FileCredentialStore(folder: folder).read("key"), value)
        }
        try store.remove("key")
        XCTAssertNil(try store.read("key"))
        XCTAssertEqual(names, ["lock"])
    }

    func testEveryKeyHasAFileOfItsOwnAndNoNameShowsIt() throws {
        let keys = [
            "", "a", "A", "a/b", "../up", "茶", "k\0ey", String(repeating: "long", count: 200), "lock",
        ]
        for key in keys { try store.write(Data(key.utf8), for: key) }
        for key in keys { XCTAssertEqual(try store.read(key), Data(key.utf8)) }
        XCTAssertEqual(names.count, keys.count + 1)
        for name in names where name != "lock" {
            XCTAssertTrue(name.hasSuffix(".credential") && name.utf8.count == 75, name)
        }
        XCTAssertEqual(CredentialFixture.names(in: folder.deletingLastPathComponent()), ["store"])
    }

    func testTheFormatIsKnownToOthers() throws {
        // printf '1 1 3 key s3cr3t' | sha256sum
        let checksum = "07afc6d7c18411bb656a319567b4fb0b60ebaa1b071def0910997f71e2eef4db"
        try store.write(Data("s3cr3t".utf8), for: "key")
        XCTAssertEqual(
            try String(contentsOf: file("key"), encoding: .utf8),
            "DiscreteNetworking credential 1\n\(checksum)\ns3cr3t")
    }

    func testTooLargeValueIsNotStored() throws {
        XCTAssertEqual(error { try store.write(Data(count: 1024 * 1024 + 1), for: "key") }?.kind, .tooLarge)
        XCTAssertEqual(names, [])
    }

    // MARK: What was damaged

    private func spoil(_ bytes: Data) throws {
        try bytes.write(to: file("key"))
        XCTAssertEqual(chmod(file("key").path, 0o600), 0)
    }

    private func expectDamage(_ bytes: Data, _ what: String) throws {
        try spoil(bytes)
        let before = names.filter { $0.contains("damaged") }
        let damage = error { try store.read("key") }
        XCTAssertEqual(damage?.kind, .damaged, what)
        XCTAssertTrue(damage?.message.contains(file("key").path) == true, "\(String(describing: damage))")
        XCTAssertNil(try store.read("key"), "reported once")
        let aside = try XCTUnwrap(names.first { $0.contains("damaged") && !before.contains($0) }, what)
        XCTAssertEqual(try Data(contentsOf: folder.appendingPathComponent(aside)), bytes, "kept as it was")
        try FileManager.default.removeItem(at: folder.appendingPathComponent(aside))
    }

    func testFilesThatWereCutOff() throws {
        try store.write(Data("s3cr3t".utf8), for: "key")
        try store.write(Data("other".utf8), for: "other")
        let whole = try Data(contentsOf: file("key"))
        for length in 0..<whole.count { try expectDamage(whole.prefix(length), "\(length) bytes") }
        XCTAssertEqual(try store.read("other"), Data("other".utf8), "the good one is left alone")
    }

    func testEveryFlippedBitIsSeen() throws {
        try store.write(Data("s3cr3t".utf8), for: "key")
        let whole = try Data(contentsOf: file("key"))
        for bit in 0..<(whole.count * 8) {
            var flipped = whole
            flipped[bit / 8] ^= 1 << (bit % 8)
            XCTAssertEqual(CredentialFile.decode(flipped, key: "key"), .damaged, "bit \(bit)")
            if bit % 11 == 0 { try expectDamage(flipped, "bit \(bit)") }
        }
    }

    func testForeignFilesAreReportedAsDamaged() throws {
        try store.write(Data("other".utf8), for: "other")
        try store.write(Data("s3cr3t".utf8), for: "key")
        let other = try Data(contentsOf: file("other"))
        for bytes in [
            Data("{}".utf8), Data(count: 3_000_000), other, Data("\n\n\n".utf8), Data([0xFF, 0xFE]),
        ] {
            try expectDamage(bytes, "\(bytes.count) bytes")
        }
    }

    func testDamagedFilesHaveUniqueNamesAndAreRemovedWithTheirKey() throws {
        for number in 1...3 {
            try store.write(Data([1]), for: "key")
            try spoil(Data([UInt8(number)]))
            XCTAssertEqual(error { try store.read("key") }?.kind, .damaged)
        }
        XCTAssertEqual(names.filter { $0.contains("damaged-") }.count, 3)
        try store.remove("key")
        XCTAssertEqual(names, ["lock"])
    }

    func testAWriteKeepsADamagedFileAside() throws {
        try store.write(Data([1]), for: "key")
        try spoil(Data("not ours".utf8))
        try store.write(Data([2]), for: "key")
        XCTAssertEqual(try store.read("key"), Data([2]))
        let aside = folder.appendingPathComponent(file("key").lastPathComponent + ".damaged-1")
        XCTAssertEqual(try Data(contentsOf: aside), Data("not ours".utf8))
    }

    func testACredentialOfANewerVersionIsLeftAlone() throws {
        try store.write(Data([1]), for: "key")
        let checksum = "fdf6b51beccac406cc69540fb5aa50211e427c95a36a355cdbdfb7d84307e818"
        let bytes = Data("DiscreteNetworking credential 2\n\(checksum)\nnew".utf8)
        try spoil(bytes)
        XCTAssertEqual(error { try store.read("key") }?.kind, .newerVersion)
        XCTAssertEqual(error { try store.write(Data([2]), for: "key") }?.kind, .newerVersion)
        XCTAssertEqual(try Data(contentsOf: file("key")), bytes)
        try store.remove("key")
        XCTAssertNil(try store.read("key"))
    }

    func testNoTextShowsTheKeyOrTheCredential() throws {
        try store.write(Data("s3cr3t".utf8), for: "my-key")
        var bytes = try Data(contentsOf: file("my-key"))
        bytes.append(1)
        try bytes.write(to: file("my-key"))
        XCTAssertEqual(chmod(file("my-key").path, 0o600), 0)
        let damage = String(describing: error { try store.read("my-key") })
        XCTAssertFalse(damage.contains("s3cr3t") || damage.contains("my-key"), damage)
    }

    // MARK: Memory

    func testMemoryStoreKeepsValuesByKey() throws {
        let store: any CredentialStore = MemoryCredentialStore()
        XCTAssertNil(try store.read("key"))
        try store.write(Data([1]), for: "key")
        try store.write(Data([2]), for: "other")
        XCTAssertEqual(try store.read("key"), Data([1]))
        try store.remove("key")
        XCTAssertNil(try store.read("key"))
        XCTAssertEqual(try store.read("other"), Data([2]))
    }
}
