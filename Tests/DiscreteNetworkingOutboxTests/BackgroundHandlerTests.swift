import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// The system's closure, which the app calls when it has taken all events.
@MainActor
final class BackgroundHandlerTests: XCTestCase {
    private let answer = #"{"number":7}"#

    func testTheHandlerIsCalledOnceAndLast() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        for room in 1...3 { try await desk.handOver(MessageManager.self, ["room": room]) }
        desk.stop()
        for name in desk.daemon.tasks { desk.daemon.end(200, answer, task: name) }
        desk.daemon.finishEvents()
        let transfers = try BackgroundTransfers(
            identifier: desk.identifier, folder: desk.desk.folder, proxy: desk.desk.proxy(),
            managers: desk.managers, session: desk.daemon.session)
        desk.running = transfers
        let witness = desk.witness
        let isTaken = transfers.handleEvents(identifier: desk.identifier) {
            MainActor.assumeIsolated { witness.note("handled") }
        }
        XCTAssertTrue(isTaken)
        await witness.wait(for: 4)
        XCTAssertEqual(witness.told, ["message 7", "message 7", "message 7", "handled"])
        desk.daemon.finishEvents()
        try await transfers.start(MessageManager.self)
        XCTAssertEqual(witness.told.filter { $0 == "handled" }.count, 1)
    }

    func testAHandlerOfAnotherIdentifierIsNotTaken() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        let isTaken = transfers.handleEvents(identifier: "another") { XCTFail("called") }
        XCTAssertFalse(isTaken)
        desk.daemon.finishEvents()
        transfers.handleEvents(identifier: desk.identifier) {}
        await transfers.waitUntilRead()
    }

    func testAHandlerIsNotCalledBeforeTheSystemHasReportedAll() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        var isHandled = false
        transfers.handleEvents(identifier: desk.identifier) { isHandled = true }
        try await desk.handOver(MessageManager.self)
        desk.daemon.end(200, answer)
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertFalse(isHandled)
    }
}

extension BackgroundTransfers {
    /// Returns when what was reported so far is taken: the handlers are called after it.
    func waitUntilRead() async {
        guard !handlers.isEmpty else { return }
        await withCheckedContinuation { continuation in handlers.append { continuation.resume() } }
    }
}
