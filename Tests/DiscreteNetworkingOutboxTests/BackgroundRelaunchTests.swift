import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// What an app finds when it is started again.
@MainActor
final class BackgroundRelaunchTests: XCTestCase {
    private let answer = #"{"number":7}"#

    func testAnOutcomeIsDeliveredOnceAfterARelaunch() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        try await desk.handOver(MessageManager.self, ["room": 7])
        desk.stop()
        desk.daemon.end(200, answer)
        let transfers = try await desk.launch()
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
        XCTAssertEqual(desk.daemon.orders.count, 1)
        XCTAssertEqual(desk.leftovers, [])
        try await desk.launch()
        XCTAssertEqual(desk.witness.told, ["message 7"])
    }

    func testAResultThatWasWrittenDownIsDeliveredByTheNextStart() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await desk.handOver(VideoManager.self, ["id": 4])
        // The process ends after the callbacks, and before the delegate is told.
        transfers.isClosed = true
        desk.daemon.end(200, file: Data("film".utf8))
        XCTAssertEqual(desk.names(".download").count, 1)
        XCTAssertEqual(desk.names(".result").count, 1)
        let next = try await desk.launch()
        await next.wait { next.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["video 4"])
        XCTAssertEqual(
            try Data(contentsOf: desk.files.appendingPathComponent("video.mp4")), Data("film".utf8))
    }

    func testARequestThatWasSentIsNotMadeAgain() async throws {
        let desk = try BackgroundDesk(self)
        let photo = desk.files.appendingPathComponent("photo.jpg")
        try Data("image".utf8).write(to: photo)
        try await desk.launch()
        try await desk.handOver(PhotoManager.self)
        // What it was made of is gone.
        try FileManager.default.removeItem(at: photo)
        let transfers = try await desk.launch()
        desk.daemon.end(200, answer)
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["photo 7"])
        XCTAssertEqual(desk.daemon.orders.count, 1)
    }

    func testATransferThatWasNotHandedOverBeginsAgain() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await transfers.start(MessageManager.self, with: ["room": 7])
        // The process ends before its request is made.
        desk.stop()
        let next = try await desk.launch()
        await next.wait { !desk.daemon.resumed.isEmpty }
        desk.daemon.end(200, answer)
        await next.wait { next.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
    }

    func testASuspendedTaskOfARecordIsStarted() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        let transfer = try await desk.handOver(MessageManager.self)
        desk.stop()
        let name = try XCTUnwrap(desk.daemon.tasks.first)
        desk.daemon.suspend(name)
        let next = try await desk.launch()
        XCTAssertEqual(desk.daemon.resumed, [name, name])
        XCTAssertEqual(next.transfers.map(\.id), [transfer.id])
        XCTAssertEqual(next.transfers.map(\.state), [.transferring])
    }

    func testATaskWithoutARecordIsCanceled() async throws {
        let desk = try BackgroundDesk(self)
        let stray = TaskName(transfer: UUID(), task: UUID()).text
        desk.daemon.add(stray)
        desk.daemon.add("another part of the app")
        desk.daemon.add(nil)
        try await desk.launch()
        XCTAssertEqual(desk.daemon.cancelled, [stray])
    }

    func testAnOlderTaskOfATransferIsCanceled() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        let transfer = try await desk.handOver(MessageManager.self)
        desk.stop()
        let older = TaskName(transfer: transfer.id, task: UUID()).text
        desk.daemon.add(older)
        let next = try await desk.launch()
        XCTAssertEqual(desk.daemon.cancelled, [older])
        desk.daemon.end(200, answer)
        await next.wait { next.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
    }

    func testADuplicateOfAnOutcomeIsNotDelivered() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await desk.handOver(MessageManager.self)
        let name = try XCTUnwrap(desk.daemon.tasks.first)
        desk.daemon.end(200, answer)
        desk.daemon.end(200, answer, task: name)
        await transfers.wait { transfers.transfers.isEmpty }
        desk.daemon.end(200, answer, task: name)
        let next = try await desk.launch()
        try await next.load()
        XCTAssertEqual(desk.witness.told, ["message 7"])
        XCTAssertEqual(desk.leftovers, [])
    }

    func testAnOutcomeIsKeptWhileTheRecordsCannotBeRead() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        try await desk.handOver(MessageManager.self)
        desk.stop()
        let transfers = try BackgroundTransfers(
            identifier: desk.identifier, folder: desk.desk.folder, proxy: desk.desk.proxy(),
            managers: desk.managers, session: desk.daemon.session)
        desk.running = transfers
        let record = try XCTUnwrap(desk.names(".transfer").first)
        let path = desk.desk.folder.appendingPathComponent(record).path
        // A file that others can write is refused.
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        do {
            try await transfers.load()
            XCTFail("read")
        } catch {
            guard case .storage = error else { return XCTFail("\(error)") }
        }
        desk.daemon.end(200, answer)
        desk.daemon.finishEvents()
        transfers.handleEvents(identifier: desk.identifier) {}
        await transfers.waitUntilRead()
        XCTAssertEqual(desk.names(".result").count, 1)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        // One that has begun before may be joined.
        do { try await transfers.load() } catch { try await transfers.load() }
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
    }

    // MARK: Losses

    func testATransferThatTheSystemHasLostIsTold() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        let transfer = try await desk.handOver(MessageManager.self)
        desk.stop()
        desk.daemon.loseAll()
        let next = try await desk.launch()
        let events = next.events
        XCTAssertEqual(desk.witness.told, [], "the system may report it yet")
        await desk.desk.clock.waitForSleepers()
        desk.desk.clock.advance(by: 10)
        var lost: [UUID] = []
        for await event in events {
            if case .lost(let transfer) = event { lost.append(transfer.id) }
            if case .failed = event { break }
        }
        XCTAssertEqual(lost, [transfer.id])
        XCTAssertEqual(desk.witness.told, ["failed"])
        guard case .transport(let error)? = desk.witness.errors.first?.kind else { return XCTFail() }
        XCTAssertEqual(error.kind, .connectionLost)
        XCTAssertEqual(desk.leftovers, [])
    }

    func testAnOutcomeThatTheSystemReportsLateIsNotLost() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        try await desk.handOver(MessageManager.self)
        let name = try XCTUnwrap(desk.daemon.tasks.first)
        desk.stop()
        desk.daemon.loseAll()
        let next = try await desk.launch()
        desk.daemon.end(200, answer, task: name)
        desk.daemon.finishEvents()
        await next.wait { next.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
    }

    // MARK: Versions

    func testATransferOfAnUnknownManagerIsKeptAndNamed() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        try await desk.handOver(MessageManager.self, ["room": 7])
        desk.stop()
        let without = try await desk.launch([
            BackgroundTransferManager("video", VideoManager.self) { VideoManager() }
        ])
        XCTAssertEqual(without.transfers.map(\.manager), ["message"])
        XCTAssertEqual(without.transfers.map(\.state), [.waiting(.manager)])
        XCTAssertEqual(desk.daemon.cancelled, [])
        desk.daemon.end(200, answer)
        desk.daemon.finishEvents()
        var isHandled = false
        without.handleEvents(identifier: desk.identifier) { isHandled = true }
        await without.waitUntilRead()
        XCTAssertTrue(isHandled)
        let next = try await desk.launch()
        await next.wait { next.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
    }

    func testARecordOfANewerVersionAndItsTaskAreKept() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        let transfer = try await desk.handOver(MessageManager.self)
        desk.stop()
        let name = TransferRecord.fileName(transfer.id)
        let json = Data("{}".utf8)
        let checksum = RecordFile<TransferRecord>.checksum("2", name, json)
        let file = Data("\(TransferRecord.title)2\n\(checksum)\n".utf8) + json
        try file.write(to: desk.desk.folder.appendingPathComponent(name))
        let next = try await desk.launch()
        XCTAssertEqual(next.transfers.map(\.id), [transfer.id])
        XCTAssertEqual(next.transfers.map(\.state), [.waiting(.newerVersion)])
        XCTAssertEqual(desk.daemon.cancelled, [])
        desk.daemon.end(200, answer)
        desk.daemon.finishEvents()
        next.handleEvents(identifier: desk.identifier) {}
        await next.waitUntilRead()
        XCTAssertEqual(desk.names(".result").count, 1, "what that version needs")
        try await desk.launch()
        XCTAssertEqual(desk.names(".result").count, 1)
        XCTAssertEqual(desk.names(".transfer"), [name])
    }

    func testADamagedRecordIsNamedAndKeptUntilItIsCanceled() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        let transfer = try await desk.handOver(MessageManager.self)
        desk.stop()
        let place = desk.desk.folder.appendingPathComponent(TransferRecord.fileName(transfer.id))
        try Data(contentsOf: place).dropLast(3).write(to: place)
        let next = try await desk.launch()
        guard case .unreadable(let failure)? = next.transfers.first?.state else { return XCTFail() }
        XCTAssertEqual(failure.reason, .damaged)
        try await next.cancel(transfer.id)
        XCTAssertEqual(next.transfers, [])
        try await desk.launch()
        XCTAssertEqual(desk.leftovers, [])
        XCTAssertEqual(desk.daemon.tasks, [])
    }

    func testOlderParamsAreMigrated() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await transfers.start(MessageManager.self, with: ["room": 7])
        desk.stop()
        let next = try await desk.launch([
            BackgroundTransferManager(
                "message", MessageManager.self, version: 2,
                migrate: { params, version -> Params in
                    ["place": params["room"] ?? .null, "since": version]
                }
            ) { desk.make(MessageManager()) }
        ])
        XCTAssertEqual(next.transfers.map(\.params), [["place": 7, "since": 1]])
    }
}
