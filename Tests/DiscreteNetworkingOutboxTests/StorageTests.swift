import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// Files of entries, also those that another version, another process or a broken disk has left.
@MainActor
final class StorageTests: XCTestCase {
    private func record(_ params: StoredParams = .plain(#"{"id":7}"#), failed: Bool = false)
        -> EntryRecord
    {
        var record = EntryRecord(
            id: UUID(uuidString: "8e03978e-40d5-43dd-bc93-6894a57f9324")!, number: 0xabc, manager: "like",
            version: 1, lane: "like", identity: CallIdentity(user: "安", environment: "live"),
            key: "k", created: Date(timeIntervalSince1970: 1_795_000_000.25), params: params)
        if failed {
            record.failure = OutboxFailure(.rejected, "no", at: Date(timeIntervalSince1970: 1))
            record.next = Date(timeIntervalSince1970: 2)
        }
        return record
    }

    func testFilesAreReadAsTheyWereWritten() throws {
        for record in [record(), record(failed: true), record(.sealed(Data([0, 10, 255])))] {
            let file = try EntryFile.encode(record)
            XCTAssertEqual(EntryFile.decode(file, name: record.fileName), .entry(record))
        }
        XCTAssertEqual(
            record().fileName, "0000000000000abc-8e03978e-40d5-43dd-bc93-6894a57f9324.entry")
    }

    func testADamagedFileIsNeverAnEntry() throws {
        let record = record()
        let file = try EntryFile.encode(record)
        for count in 0..<file.count {
            XCTAssertEqual(EntryFile.decode(file.prefix(count), name: record.fileName), .damaged, "\(count)")
        }
        for index in file.indices {
            for bit in [UInt8(1), 0x20, 0x80] {
                var broken = file
                broken[index] ^= bit
                if case .entry = EntryFile.decode(broken, name: record.fileName) {
                    XCTFail("byte \(index) may change")
                }
            }
        }
        XCTAssertEqual(EntryFile.decode(file, name: "other.entry"), .damaged, "under another name")
        XCTAssertEqual(EntryFile.decode(file + Data([10]), name: record.fileName), .damaged)
    }

    func testOddFilesInTheFolderDoNotStopTheOutbox() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let outbox = try desk.start()
        try await outbox.send(LikeManager.self, with: ["id": 1])
        try await outbox.drain()
        func place(_ number: Int) -> String {
            desk.folder.appendingPathComponent(
                "000000000000000\(number)-\(UUID().uuidString.lowercased()).entry"
            ).path
        }
        XCTAssertEqual(mkfifo(place(1), 0o600), 0)
        XCTAssertEqual(symlink("/etc/hosts", place(2)), 0)
        XCTAssertEqual(mkdir(place(3), 0o700), 0)
        _ = FileManager.default.createFile(
            atPath: place(4), contents: Data("x".utf8), attributes: [.posixPermissions: 0o666])
        var count = 4
        #if os(Linux)
            XCTAssertEqual(mknod(place(5), S_IFSOCK | 0o600, 0), 0)
            count += 1
        #endif
        let next = try await desk.restart(after: outbox)
        desk.network.set(true)
        await next.wait { next.entries.count == count && next.failures.count == count }
        XCTAssertEqual(transport.texts.last, "1")
        XCTAssertEqual(next.failures, Array(repeating: .damaged, count: count))
        let messages = next.states.compactMap {
            if case .dead(let failure) = $0 { failure.message } else { nil }
        }
        XCTAssertTrue(messages[0].contains("is not a regular file"), "\(messages)")
        XCTAssertTrue(messages[1].contains("symbolic link"), "\(messages)")
        XCTAssertTrue(messages[3].contains("accessible to other users"), "\(messages)")
        for message in messages.dropFirst(4) {
            XCTAssertTrue(message.contains("is not a regular file"), message)
        }
    }

    func testDamagedAndNewerFilesAreKeptAndNamed() async throws {
        let desk = try Desk(self, ScriptedTransport())
        let outbox = try desk.start()
        desk.network.set(false)
        try await outbox.send(LikeManager.self, with: ["id": 1])
        try await outbox.send(LikeManager.self, with: ["id": 2])
        try await outbox.send(LikeManager.self, with: ["id": 3])
        try await outbox.drain()
        let files = desk.files.map { desk.folder.appendingPathComponent($0) }
        try Data("half".utf8).write(to: files[0])
        // A later version keeps the first two lines.
        var later = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
        later = later.replacingOccurrences(of: "outbox 1", with: "outbox 2")
        let json = later.split(separator: "\n")[2]
        let name = files[1].lastPathComponent
        let checksum = MessageDigest(
            .sha256, of: Data("1 2 \(name.utf8.count) \(name) \(json)".utf8)
        ).hexadecimal
        try Data("DiscreteNetworking outbox 2\n\(checksum)\n\(json)".utf8).write(to: files[1])
        release(outbox)
        desk.network.set(true)
        let next = try desk.start()
        try await next.load()
        await next.wait { next.entries.count == 2 }
        guard case .dead(let failure)? = next.states.first else { return XCTFail("\(next.states)") }
        XCTAssertEqual(failure.reason, .damaged)
        XCTAssertTrue(failure.message.contains(files[0].lastPathComponent), failure.message)
        XCTAssertEqual(next.states.last, .waiting(.newerVersion))
        XCTAssertEqual(desk.files, files[0...1].map(\.lastPathComponent))
        try await next.discard(next.entries[0].id)
        XCTAssertEqual(desk.files, [files[1].lastPathComponent])
    }

    func testAnEntryOfAnUnknownManagerIsKept() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let outbox = try desk.start()
        try await outbox.send(LikeManager.self, with: ["id": 7])
        try await outbox.drain()
        release(outbox)
        desk.network.set(true)
        let without = try desk.start([desk.managers[0]])
        try await without.load()
        try await without.drain()
        XCTAssertEqual(without.states, [.waiting(.manager)])
        XCTAssertEqual(without.entries[0].params, ["id": 7])
        release(without)
        let with = try desk.start()
        try await with.load()
        await with.wait { with.entries.isEmpty }
        XCTAssertEqual(transport.texts, ["7"])
    }

    func testParamsOfAnOlderVersionAreMigrated() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let outbox = try desk.start()
        try await outbox.send(LikeManager.self, with: ["product": 7])
        try await outbox.send(LikeManager.self, with: ["nonsense": 7])
        try await outbox.drain()
        release(outbox)
        desk.network.set(true)
        struct Missing: Error {}
        let newer = OutboxManager(
            "like", LikeManager.self, version: 2,
            migrate: { params, version in
                XCTAssertEqual(version, 1)
                guard let product = params["product"] else { throw Missing() }
                return ["id": product]
            }, make: { _ in LikeManager() })
        let next = try desk.start([newer])
        try await next.load()
        await next.wait { next.entries.count == 1 }
        XCTAssertEqual(transport.texts, ["7"])
        XCTAssertEqual(next.failures, [.params])
        XCTAssertEqual(desk.files.count, 1)

        // An app that was downgraded leaves the entry to the newer one.
        try await next.retry(next.entries[0].id, with: ["id": 8])
        await next.wait { next.entries.isEmpty }
        XCTAssertEqual(transport.texts, ["7", "8"])
    }

    func testSealedParamsAreNotOnTheDisk() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let flip: @Sendable (Data) throws -> Data = { Data($0.map { $0 ^ 0x5a }) }
        let sealed = OutboxManager("like", LikeManager.self, seal: OutboxSeal(seal: flip, open: flip)) { _ in
            LikeManager()
        }
        let outbox = try desk.start([sealed])
        try await outbox.send(LikeManager.self, with: ["id": 7, "password": "s3cr3t"])
        try await outbox.drain()
        let file = try Data(contentsOf: desk.folder.appendingPathComponent(desk.files[0]))
        XCTAssertFalse(String(decoding: file, as: UTF8.self).contains("s3cr3t"))
        release(outbox)
        desk.network.set(true)
        let next = try desk.start([sealed])
        try await next.load()
        await next.wait { next.entries.isEmpty }
        XCTAssertEqual(transport.requests.map { $0.text("password") }, ["s3cr3t"])
    }

    func testFilesAreForTheirOwnerOnly() async throws {
        let desk = try Desk(self, ScriptedTransport())
        desk.network.set(false)
        let outbox = try desk.start()
        try await outbox.send(LikeManager.self)
        for path in [desk.folder.path, desk.folder.appendingPathComponent(desk.files[0]).path] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            XCTAssertEqual(mode.map { $0 & 0o077 }, 0, path)
        }
    }

    // MARK: Several outboxes

    func testOnlyOneOutboxOfAFolderSendsAndAnotherTakesOver() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        let first = try desk.start()
        try await first.load()
        let second = try desk.start()
        try await second.send(LikeManager.self, with: ["id": 1])
        try await second.drain()
        XCTAssertEqual(second.states, [.waiting(.turn)])
        XCTAssertEqual(transport.requests.count, 0)
        // The app becomes active.
        try await first.refresh()
        await first.wait { first.entries.isEmpty }
        XCTAssertEqual(transport.texts, ["1"])
        try await second.refresh()
        XCTAssertEqual(second.entries, [], "the other one has sent it")
        try await second.send(LikeManager.self, with: ["id": 2])
        release(first)
        try await second.refresh()
        await second.wait { second.entries.isEmpty }
        XCTAssertEqual(transport.texts, ["1", "2"])
    }

    /// The one that sends may be sending it.
    func testAnOutboxThatDoesNotSendChangesNoEntry() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let first = try desk.start()
        let entry = try await first.send(LikeManager.self, with: ["id": 1])
        try await first.drain()
        let second = try desk.start()
        try await second.load()
        XCTAssertEqual(second.entries.map(\.id), [entry.id])
        await assertThrows(.sentByAnotherProcess) {
            try await second.retry(entry.id, with: ["id": 2])
        }
        await assertThrows(.sentByAnotherProcess) { try await second.discard(entry.id) }
        desk.network.set(true)
        await first.wait { first.entries.isEmpty }
        XCTAssertEqual(transport.texts, ["1"])
        XCTAssertEqual(desk.files, [])
    }

    func testTheOutboxThatSendsFindsEntriesByTheClock() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.policy.checkInterval = 5
        let first = try desk.start()
        try await first.load()
        desk.policy.checkInterval = 0
        let second = try desk.start()
        try await second.send(LikeManager.self, with: ["id": 1])
        await desk.clock.waitForSleepers(1)
        let events = first.events
        desk.clock.advance(by: 5)
        for await event in events { if case .sent = event { break } }
        XCTAssertEqual(transport.texts, ["1"])
    }

    func testAnOutboxTakesOverByTheClock() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        let first = try desk.start()
        try await first.load()
        desk.policy.checkInterval = 5
        let second = try desk.start()
        try await second.send(LikeManager.self, with: ["id": 1])
        release(first)
        await desk.clock.waitForSleepers(1)
        let events = second.events
        desk.clock.advance(by: 5)
        for await event in events { if case .sent = event { break } }
        XCTAssertEqual(transport.texts, ["1"])
    }

    private func release(_ outbox: Outbox) {
        outbox.lock?.release()
        outbox.lock = nil
    }
}
