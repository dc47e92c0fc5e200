import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// What background transfers write down, a disk that fails, and what a task that has ended leaves in memory.
@MainActor
final class BackgroundStorageTests: XCTestCase {
    func testNothingSecretOfAURLIsWrittenDown() throws {
        let url = try XCTUnwrap(URL(string: "https://ann:pass@chat.example.com/messages?token=1#part"))
        let sent = TransferRecord.SentRequest(APIRequest(url: url), task: UUID())
        XCTAssertEqual(sent.url.absoluteString, "https://chat.example.com/messages")
    }

    func testAFolderThatCannotBeReadIsAnEventAndAnError() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try BackgroundTransfers(
            identifier: desk.identifier, folder: desk.desk.folder, proxy: desk.desk.proxy(),
            managers: desk.managers, session: desk.daemon.session)
        desk.running = transfers
        let events = transfers.events
        // Before it is read, which needs the main actor.
        try FileManager.default.removeItem(at: desk.desk.folder)
        try Data().write(to: desk.desk.folder)
        do {
            try await transfers.load()
            XCTFail("no error")
        } catch {
            guard case .storage(let problem) = error else { return XCTFail("\(error)") }
            for await event in events {
                guard case .storageFailed(let other) = event else { continue }
                XCTAssertEqual(other, problem)
                break
            }
        }
        do {
            try await transfers.cancelAll(of: "ann")
            XCTFail("canceled what nobody knows")
        } catch {
            guard case .storage = error else { return XCTFail("\(error)") }
        }
    }

    /// Otherwise the system would send it, and nobody would know its outcome.
    func testATaskThatCannotBeWrittenDownIsCanceled() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        let folder = desk.desk.folder
        desk.daemon.onMake {
            try? FileManager.default.removeItem(at: folder)
            try? Data().write(to: folder)
        }
        try await transfers.start(MessageManager.self)
        while desk.daemon.cancelled.isEmpty { await Task.yield() }
        XCTAssertEqual(desk.daemon.cancelled, desk.daemon.orders.map(\.order.description))
        XCTAssertEqual(desk.daemon.resumed, [])
    }

    func testTheObserverOfATaskThatHasEndedIsReleased() async throws {
        final class Bar: Sendable { let value = 0 }
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        let name = TaskName(transfer: UUID(), task: UUID())
        var bar: Bar? = Bar()
        weak let weakBar = bar
        transfers.receiver.observe(name.task) { [bar] _ in withExtendedLifetime(bar) {} }
        bar = nil
        XCTAssertNotNil(weakBar)
        transfers.receiver.ended(
            name.text, BackgroundEnding(head: nil, body: Data(), errorCode: nil, resumeData: nil))
        XCTAssertNil(weakBar)
    }
}
