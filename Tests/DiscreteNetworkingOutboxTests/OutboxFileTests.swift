import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// Uploads whose files the outbox keeps.
@MainActor
final class OutboxFileTests: XCTestCase {
    private func source(_ text: String = "picture") throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: url)
        addTeardownBlock { try? FileManager.default.removeItem(at: url) }
        return url
    }

    private func manager(_ desk: Desk) -> OutboxManager {
        OutboxManager("picture", PictureManager.self) { files in PictureManager(files["picture"]) }
    }

    private func bodies(_ desk: Desk) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: desk.folder.path)) ?? [])
            .filter { $0.contains(".body") }.sorted()
    }

    /// What the files had when they were sent.
    private let sent = Locked<[String]>([])

    private func desk(isThere: Bool = true) throws -> Desk {
        let desk = try Desk(
            self,
            ScriptedTransport { [sent] request, _ in
                var data = Data()
                let pieces = request.body.pieces
                while let piece = try? await pieces.next() { data += piece }
                let text = String(decoding: data, as: UTF8.self)
                sent.withLock { $0.append(text) }
                return .init()
            })
        desk.network.set(isThere)
        return desk
    }

    func testTheAppMayRemoveItsFileAtOnce() async throws {
        let desk = try desk(isThere: false)
        let outbox = try desk.start([manager(desk)])
        let file = try source()
        let entry = try await outbox.send(PictureManager.self, with: ["id": 1], files: ["picture": file])
        try FileManager.default.removeItem(at: file)
        XCTAssertEqual(bodies(desk).count, 1)
        XCTAssertEqual(
            try entry.files["picture"].map { try String(contentsOf: $0, encoding: .utf8) }, "picture")
        desk.network.set(true)
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(sent.current, ["picture"])
        XCTAssertEqual(bodies(desk), [])
    }

    func testALaterStartOfTheAppSendsTheFile() async throws {
        let desk = try desk(isThere: false)
        let outbox = try desk.start([manager(desk)])
        try await outbox.send(PictureManager.self, with: ["id": 1], files: ["picture": source("later")])
        try await outbox.drain()
        let next = try await desk.restart(after: outbox, [manager(desk)])
        desk.network.set(true)
        await next.wait { next.entries.isEmpty }
        XCTAssertEqual(sent.current.last, "later")
        XCTAssertEqual(bodies(desk), [])
    }

    func testAnEntryOfARestoredBackupIsSent() async throws {
        let desk = try desk(isThere: false)
        let outbox = try desk.start([manager(desk)])
        try await outbox.send(PictureManager.self, with: ["id": 1], files: ["picture": source("restored")])
        try await outbox.drain()
        let paths = (desk.files + bodies(desk)).map { desk.folder.appendingPathComponent($0).path }
        XCTAssertEqual(paths.count, 2)
        for path in paths {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        }
        let next = try await desk.restart(after: outbox, [manager(desk)])
        for path in paths {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            XCTAssertEqual(mode, 0o600, path)
        }
        desk.network.set(true)
        await next.wait { next.entries.isEmpty }
        XCTAssertEqual(sent.current, ["restored"])
    }

    func testTheCopyIsPrivate() async throws {
        let desk = try desk(isThere: false)
        let outbox = try desk.start([manager(desk)])
        let file = try source()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
        let entry = try await outbox.send(PictureManager.self, files: ["picture": file])
        let path = try XCTUnwrap(entry.files["picture"]).path
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        XCTAssertEqual((permissions as? NSNumber)?.intValue, 0o600)
    }

    func testLargeFilesAreCopiedWhole() async throws {
        let desk = try desk(isThere: false)
        let outbox = try desk.start([manager(desk)])
        let file = try source()
        let data = Data((0..<1_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try data.write(to: file)
        let entry = try await outbox.send(PictureManager.self, files: ["picture": file])
        XCTAssertEqual(try Data(contentsOf: XCTUnwrap(entry.files["picture"])), data)
    }

    func testFilesThatCannotBeCopiedAreNamed() async throws {
        let desk = try desk()
        let outbox = try desk.start([manager(desk)])
        let missing = URL(fileURLWithPath: "/nonexistent/picture")
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        mkfifo(pipe.path, 0o600)
        defer { unlink(pipe.path) }
        for url in [missing, FileManager.default.temporaryDirectory, pipe] {
            do {
                try await outbox.send(PictureManager.self, files: ["a": source(), "picture": url])
                XCTFail("\(url.path) was taken")
            } catch {
                guard case OutboxError.file("picture", _) = error else { throw error }
                XCTAssertTrue(error.localizedDescription.contains(url.path), error.localizedDescription)
            }
        }
        XCTAssertEqual(bodies(desk), [], "the copies of the others are removed")
        XCTAssertEqual(desk.files, [])
        XCTAssertEqual(outbox.entries, [])
    }

    func testDiscardingRemovesTheFiles() async throws {
        let desk = try desk(isThere: false)
        let outbox = try desk.start([manager(desk)])
        let entry = try await outbox.send(PictureManager.self, files: ["picture": source()])
        try await outbox.drain()
        XCTAssertEqual(bodies(desk).count, 1)
        try await outbox.discard(entry.id)
        XCTAssertEqual(bodies(desk), [])
    }

    func testACopyThatIsGoneIsAFailure() async throws {
        let desk = try desk(isThere: false)
        let outbox = try desk.start([manager(desk)])
        let entry = try await outbox.send(PictureManager.self, files: ["picture": source()])
        try await outbox.drain()
        try FileManager.default.removeItem(at: XCTUnwrap(entry.files["picture"]))
        desk.network.set(true)
        await outbox.wait { !outbox.failures.isEmpty }
        XCTAssertEqual(outbox.failures, [.file])
        XCTAssertEqual(sent.current, [])
    }

    /// A killed process may leave copies without an entry; another process may be making some.
    func testOldCopiesWithoutAnEntryAreRemoved() async throws {
        let desk = try desk(isThere: false)
        let outbox = try desk.start([manager(desk)])
        try await outbox.send(PictureManager.self, files: ["picture": source()])
        try await outbox.drain()
        let kept = bodies(desk)
        let names = [
            "0000000000000001-a-0.body", "0000000000000001-a-1.body.new", "0000000000000002-b-0.body",
        ]
        for name in names + kept {
            let url = desk.folder.appendingPathComponent(name)
            if !kept.contains(name) { try Data("x".utf8).write(to: url) }
            let hours: Double = name.contains("-b-") ? 35 : 37
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -hours * 3600)], ofItemAtPath: url.path)
        }
        let next = try await desk.restart(after: outbox, [manager(desk)])
        XCTAssertEqual(bodies(desk), ["0000000000000002-b-0.body"] + kept)
        XCTAssertEqual(next.entries.count, 1)
    }

    func testTheOutboxInMemoryKeepsFilesToo() async throws {
        let desk = try desk(isThere: false)
        let outbox = try Outbox.inMemory(proxy: desk.proxy(), managers: [manager(desk)])
        let file = try source("in memory")
        let entry = try await outbox.send(PictureManager.self, files: ["picture": file])
        try FileManager.default.removeItem(at: file)
        let copy = try XCTUnwrap(entry.files["picture"])
        XCTAssertEqual(try String(contentsOf: copy, encoding: .utf8), "in memory")
        desk.network.set(true)
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(sent.current, ["in memory"])
        XCTAssertFalse(FileManager.default.fileExists(atPath: copy.path))
    }
}
