import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// The compare-and-set of each store.
final class CredentialReplaceTests: XCTestCase {
    /// A store of an app, without a `replace` of its own.
    private struct Plain: CredentialStore {
        let memory = MemoryCredentialStore()
        func read(_ key: String) -> Data? { memory.read(key) }
        func write(_ data: Data, for key: String) { memory.write(data, for: key) }
        func remove(_ key: String) { memory.remove(key) }
    }

    private func stores() throws -> [any CredentialStore] {
        [
            MemoryCredentialStore(), Plain(),
            FileCredentialStore(folder: try CredentialFixture.folder(for: self)),
        ]
    }

    func testDataIsReplacedOnlyIfItIsWhatWasRead() throws {
        let (a, b) = (Data([1]), Data([2]))
        for store in try stores() {
            XCTAssertTrue(try store.replace(nil, with: nil, for: "key"))
            XCTAssertFalse(try store.replace(a, with: b, for: "key"), "\(store)")
            XCTAssertNil(try store.read("key"))
            XCTAssertTrue(try store.replace(nil, with: a, for: "key"))
            XCTAssertFalse(try store.replace(nil, with: b, for: "key"), "\(store)")
            XCTAssertFalse(try store.replace(b, with: nil, for: "key"), "\(store)")
            XCTAssertFalse(try store.replace(nil, with: nil, for: "key"), "\(store)")
            XCTAssertEqual(try store.read("key"), a)
            XCTAssertTrue(try store.replace(a, with: b, for: "key"))
            XCTAssertEqual(try store.read("key"), b)
            XCTAssertTrue(try store.replace(b, with: nil, for: "key"))
            XCTAssertNil(try store.read("key"))
        }
    }

    func testADamagedFileIsReplaced() throws {
        let folder = try CredentialFixture.folder(for: self)
        let store = FileCredentialStore(folder: folder)
        try store.write(Data([1]), for: "key")
        let file = folder.appendingPathComponent(CredentialFile.name(of: "key"))
        try Data([7]).write(to: file)
        XCTAssertTrue(try store.replace(Data([1]), with: Data([2]), for: "key"))
        XCTAssertEqual(try store.read("key"), Data([2]))
    }

    func testStoresOfOneFolderLoseNoIncrement() throws {
        let folder = try CredentialFixture.folder(for: self)
        let (threads, rounds) = (4, FullLength.rounds(25, of: 250))
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            let store = FileCredentialStore(folder: folder)
            do {
                for _ in 0..<rounds {
                    while true {
                        let old = try store.read("key")
                        let count = old.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                        if try store.replace(old, with: Data("\(count + 1)".utf8), for: "key") { break }
                    }
                }
            } catch { XCTFail("\(error)") }
        }
        let count = try FileCredentialStore(folder: folder).read("key")
        XCTAssertEqual(count, Data("\(threads * rounds)".utf8))
    }
}
