import DiscreteNetworkingTesting
import DiscreteNetworkingTransfers
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// What background transfers do not take, and say so.
@MainActor
final class BackgroundRefusalTests: XCTestCase {
    private func make(
        _ desk: BackgroundDesk, identifier: String? = nil, folder: URL? = nil,
        _ managers: [BackgroundTransferManager] = []
    ) throws(BackgroundTransferError) -> BackgroundTransfers {
        try BackgroundTransfers(
            identifier: identifier ?? desk.identifier, folder: folder ?? desk.desk.folder,
            proxy: desk.desk.proxy(), managers: managers, session: desk.daemon.session)
    }

    private func assertThrows(
        _ expected: BackgroundTransferError, line: UInt = #line,
        _ work: () async throws(BackgroundTransferError) -> Void
    ) async {
        do {
            try await work()
            XCTFail("taken", line: line)
        } catch {
            XCTAssertEqual(error, expected, line: line)
            XCTAssertFalse(error.localizedDescription.contains("The operation could"), line: line)
        }
    }

    private func reason(_ work: () async throws(BackgroundTransferError) -> Void) async -> String {
        do {
            try await work()
            return "taken"
        } catch {
            guard case .unsupportedManager(_, let reason) = error else { return "\(error)" }
            return reason
        }
    }

    func testAnIdentifierAndAFolderHaveOneUserAtATime() async throws {
        let desk = try BackgroundDesk(self)
        let first = try await desk.launch()
        let other = FileManager.default.temporaryDirectory.appendingPathComponent(
            "other-\(UUID().uuidString)")
        addTeardownBlock { try? FileManager.default.removeItem(at: other) }
        let identifier = desk.identifier
        await assertThrows(.alreadyInUse(identifier: identifier)) { () throws(BackgroundTransferError) in
            _ = try make(desk, folder: other)
        }
        await assertThrows(.alreadyInUse(identifier: "com.example.second")) {
            () throws(BackgroundTransferError) in
            _ = try make(desk, identifier: "com.example.second")
        }
        first.close()
        let next = try make(desk)
        next.close()
    }

    func testTwoManagersOfOneNameAreRefused() async throws {
        let desk = try BackgroundDesk(self)
        await assertThrows(.ambiguousManager("message")) { () throws(BackgroundTransferError) in
            _ = try make(
                desk,
                [
                    BackgroundTransferManager("message", MessageManager.self) { MessageManager() },
                    BackgroundTransferManager("message", LikeManager.self) { LikeManager() },
                ])
        }
    }

    func testAStreamIsRefused() async throws {
        let desk = try BackgroundDesk(self)
        let reason = await reason { () throws(BackgroundTransferError) in
            _ = try make(desk, [BackgroundTransferManager("feed", FeedManager.self) { FeedManager() }])
        }
        XCTAssertTrue(reason.contains("ByteStream"), reason)
    }

    func testASecretParamIsNotWrittenDown() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        await assertThrows(.secretParam("password")) { () throws(BackgroundTransferError) in
            try await transfers.start(MessageManager.self, with: ["password": "1"])
        }
        XCTAssertEqual(desk.leftovers, [])
    }

    func testAManagerThatIsNotListedIsRefused() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        await assertThrows(.unknownManager(ManagerType(LikeManager.self))) {
            () throws(BackgroundTransferError) in
            try await transfers.start(LikeManager.self)
        }
    }

    func testATransportWithItsOwnTrustIsNotReplaced() async throws {
        let desk = try BackgroundDesk(self)
        let services = ServiceFactory { _ in }
        services.register([.chat: { PinnedService() }])
        let own = try await desk.launch(nil, ApiProxy(transport: ScriptedTransport(), services: services))
        var text = await reason { () throws(BackgroundTransferError) in
            try await own.start(LikeManager.self)
        }
        XCTAssertTrue(text.contains("unknownManager"), text)
        text = await reason { () throws(BackgroundTransferError) in
            try await own.start(MessageManager.self)
        }
        XCTAssertTrue(text.contains("transport of its own"), text)
        var policy = TLSPolicy()
        policy.pinnedPublicKeys = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        let pinned = try await desk.launch(
            nil,
            ApiProxy(
                transport: URLSessionTransport(tls: policy), services: desk.desk.proxy().services))
        text = await reason { () throws(BackgroundTransferError) in
            try await pinned.start(MessageManager.self)
        }
        XCTAssertTrue(text.contains("TLSPolicy"), text)
        XCTAssertEqual(desk.leftovers, [])
    }

    func testARedirectPolicyThatTheSystemDoesNotKnowIsRefusedBeforeTheRequestIsSent() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await transfers.start(StrictManager.self)
        await transfers.wait { transfers.transfers.isEmpty }
        guard case .transport(let error)? = desk.witness.errors.first?.kind else { return XCTFail() }
        XCTAssertEqual(error.kind, .unsupported)
        XCTAssertTrue(error.message.contains("redirect"), error.message)
        XCTAssertEqual(desk.daemon.orders.count, 0)
        XCTAssertEqual(desk.leftovers, [])
    }

    func testAResponseThatIsNotAcceptedIsReadAsThatOfAnyCall() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await desk.handOver(MessageManager.self)
        desk.daemon.end(200, #"{"other":7}"#)
        await transfers.wait { transfers.transfers.isEmpty }
        guard case .decoding? = desk.witness.errors.first?.kind else {
            return XCTFail("\(desk.witness.errors)")
        }
    }

    func testAServiceInterceptsFailuresAndTheRequestIsANewTask() async throws {
        let desk = try BackgroundDesk(self)
        let services = ServiceFactory { _ in }
        services.register([.chat: { BusyService() }])
        let transfers = try await desk.launch(
            nil, ApiProxy(transport: ScriptedTransport(), services: services, clock: desk.desk.clock))
        let events = transfers.events
        try await transfers.start(MessageManager.self)
        var count = 0
        for await event in events {
            guard case .handedOver = event else { continue }
            count += 1
            if count == 2 { break }
            desk.daemon.end(409, "{}")
        }
        desk.daemon.end(200, #"{"number":7}"#)
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
    }

    #if os(Linux)
        func testLinuxHasNoBackgroundTransfers() async throws {
            let desk = try BackgroundDesk(self)
            await assertThrows(.unsupportedPlatform) { () throws(BackgroundTransferError) in
                _ = try BackgroundTransfers(
                    identifier: "com.example.photos", folder: desk.desk.folder, managers: [])
            }
        }
    #endif
}

private struct PinnedService: Service {
    let baseURL = URL(string: "https://chat.example.com")!
    let configuration = ServiceConfiguration(transport: ScriptedTransport())
}

private struct BusyService: Service {
    let baseURL = URL(string: "https://chat.example.com")!
    func intercept(_ failure: FailureContext) async -> FailureDisposition {
        failure.response?.status == 409 ? .retry(after: 0) : .report
    }
}
