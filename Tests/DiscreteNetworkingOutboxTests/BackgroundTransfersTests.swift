import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

@MainActor
final class BackgroundTransfersTests: XCTestCase {
    private let answer = #"{"number":7}"#

    // MARK: In one start

    func testARequestIsWrittenDownBeforeItsTaskStarts() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        let folder = desk.desk.folder
        let atResume = Locked<[TransferRecord]>([])
        desk.daemon.onResume { _ in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in names where name.hasSuffix(".transfer") {
                guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)),
                    case .entry(let record) = RecordFile<TransferRecord>.decode(data, name: name)
                else { continue }
                atResume.withLock { $0.append(record) }
            }
        }
        let transfer = try await desk.handOver(MessageManager.self, ["room": 7, "text": "你好"])
        let order = try XCTUnwrap(desk.daemon.orders.first)
        XCTAssertEqual(atResume.current.map(\.description), [order.order.description])
        XCTAssertTrue(order.order.description.hasPrefix(transfer.id.uuidString.lowercased() + "/"))
        XCTAssertEqual(order.order.request.headers["Authorization"], "Bearer token-ann")
        XCTAssertEqual(
            try order.body.map { try JSONValue(parsing: $0) }, ["room": 7, "text": "你好"])
        XCTAssertEqual(transfers.transfers.map(\.state), [.transferring])
        for name in desk.leftovers {
            let path = folder.appendingPathComponent(name).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            XCTAssertEqual(mode, 0o600, name)
        }
        let record = try XCTUnwrap(atResume.current.first)
        let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        XCTAssertFalse(text.contains("token-ann"), "no token is stored in a record")
    }

    func testADelegateIsToldTheTypedOutputOnceAndNothingIsLeft() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await desk.handOver(MessageManager.self)
        desk.daemon.end(200, answer)
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
        XCTAssertEqual(desk.leftovers, [])
        try await desk.launch()
        XCTAssertEqual(desk.witness.told, ["message 7"])
    }

    func testAFormWithAFileIsSentFromOneFile() async throws {
        let desk = try BackgroundDesk(self)
        let photo = desk.files.appendingPathComponent("photo.jpg")
        try Data(repeating: 9, count: 700_000).write(to: photo)
        let transfers = try await desk.launch()
        try await desk.handOver(PhotoManager.self, ["album": 3])
        let order = try XCTUnwrap(desk.daemon.orders.first)
        let body = try XCTUnwrap(order.body)
        XCTAssertEqual(body.filter { $0 == 9 }.count, 700_000)
        XCTAssertTrue(body.range(of: Data("name=\"album\"".utf8)) != nil)
        XCTAssertEqual(order.order.request.headers["Content-Type"], "multipart/form-data; boundary=b")
        desk.daemon.end(200, answer)
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["photo 7"])
    }

    func testADownloadedFileIsMovedInsideTheCallback() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await desk.handOver(VideoManager.self, ["id": 4])
        XCTAssertEqual(desk.daemon.orders.first?.order.request.url.path, "/videos/4")
        desk.daemon.end(200, file: Data("film".utf8))
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["video 4"])
        let place = desk.files.appendingPathComponent("video.mp4")
        XCTAssertEqual(try Data(contentsOf: place), Data("film".utf8))
        XCTAssertEqual(desk.leftovers, [])
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: desk.files.path), ["video.mp4"])
    }

    /// The system downloads into a file what has no body to upload.
    func testAResponseInAFileIsDecoded() async throws {
        final class StatusManager: APIManager<Receipt> {
            let serviceIdentifier = ServiceIdentifier.chat
            let methodName = "status"
            let requestType = HTTPMethod.get
        }
        let desk = try BackgroundDesk(self)
        let manager = StatusManager()
        let transfers = try await desk.launch([
            BackgroundTransferManager("status", StatusManager.self) { manager }
        ])
        try await desk.handOver(StatusManager.self)
        desk.daemon.end(200, file: Data(answer.utf8))
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(manager.output?.number, 7)
    }

    func testProgressIsToldByTheOrdinaryDelegate() async throws {
        let desk = try BackgroundDesk(self)
        let witness = desk.witness
        let transfers = try await desk.launch([
            BackgroundTransferManager("message", MessageManager.self) {
                let manager = MessageManager()
                manager.delegate = witness
                manager.progressDelegate = witness
                return manager
            }
        ])
        try await desk.handOver(MessageManager.self)
        var progress = TransferProgress()
        (progress.sent, progress.expectedToSend) = (5, 10)
        desk.daemon.progress(progress)
        await witness.wait(for: 1)
        XCTAssertEqual(witness.progress.last?.sent, 5)
        desk.daemon.end(200, answer)
        await transfers.wait { transfers.transfers.isEmpty }
    }

    func testAFailureIsToldOnceWithItsStatus() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await desk.handOver(MessageManager.self)
        desk.daemon.end(422, #"{"message":"no"}"#)
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.errors.map(\.kind), [.http(status: 422)])
        XCTAssertEqual(desk.leftovers, [])
    }

    func testACanceledTransferEndsItsTask() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        let transfer = try await desk.handOver(MessageManager.self)
        try await transfers.cancel(transfer.id)
        XCTAssertEqual(desk.daemon.tasks, [])
        XCTAssertEqual(transfers.transfers, [])
        XCTAssertEqual(desk.leftovers, [])
        XCTAssertEqual(desk.witness.errors.map(\.kind), [.cancelled])
    }

    /// A transfer whose call has ended without an outcome.
    private func interrupted() async throws -> (BackgroundDesk, BackgroundTransfers) {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await desk.handOver(MessageManager.self)
        transfers.proxy.cancelAllRequests()
        await transfers.wait {
            if case .waiting(.retry)? = transfers.transfers.first?.state { true } else { false }
        }
        return (desk, transfers)
    }

    func testATransferThatWaitsIsTriedAgainAfterHalfAMinute() async throws {
        let (desk, transfers) = try await interrupted()
        desk.daemon.end(200, answer)
        await desk.desk.clock.waitForSleepers()
        desk.desk.clock.advance(by: 30)
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
    }

    func testACallThatEndsWithoutAnOutcomeIsMadeAgainAndTellsNobody() async throws {
        let (desk, transfers) = try await interrupted()
        XCTAssertEqual(desk.witness.told, [])
        desk.daemon.end(200, answer)
        transfers.wake()
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
        XCTAssertEqual(desk.daemon.orders.count, 1)
    }

    // MARK: Tokens

    func testAnExpiredTokenIsRefreshedAndTheRequestIsANewTask() async throws {
        let desk = try BackgroundDesk(self)
        let session = TokenSession(refresh: { _, _ in SessionTokens(accessToken: "new", user: "ann") })
        session.adopt(SessionTokens(accessToken: "old", user: "ann"))
        let services = ServiceFactory { _ in }
        services.register([
            .chat: { ChatService(URL(string: "https://chat.example.com")!, session) }
        ])
        let proxy = ApiProxy(
            transport: ScriptedTransport(), services: services, caches: CacheTiers(),
            reachability: desk.desk.network, clock: desk.desk.clock)
        let transfers = try await desk.launch(nil, proxy)
        let events = transfers.events
        try await desk.handOver(MessageManager.self)
        desk.daemon.end(401, "{}")
        var count = 0
        for await event in events {
            if case .handedOver = event { count += 1 }
            if count == 2 { break }
        }
        XCTAssertEqual(
            desk.daemon.orders.map { $0.order.request.headers["Authorization"] },
            ["Bearer old", "Bearer new"])
        XCTAssertEqual(
            Set(desk.daemon.orders.map(\.order.description)).count, 2, "each task has its own name")
        desk.daemon.end(200, answer)
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
        XCTAssertEqual(desk.leftovers, [])
    }

    // MARK: Users

    func testAnOutcomeWaitsForItsUserAndIsNotSentAsAnother() async throws {
        let desk = try BackgroundDesk(self)
        try await desk.launch()
        try await desk.handOver(MessageManager.self)
        desk.stop()
        desk.desk.logIn("bob")
        desk.daemon.end(200, answer)
        desk.daemon.finishEvents()
        let transfers = try await desk.launch()
        await transfers.wait { transfers.transfers.map(\.state) == [.waiting(.user)] }
        var isHandled = false
        transfers.handleEvents(identifier: desk.identifier) { isHandled = true }
        await transfers.waitUntilRead()
        XCTAssertTrue(isHandled, "what waits for a user does not keep the system waiting")
        XCTAssertEqual(desk.witness.told, [])
        desk.desk.logIn("ann")
        transfers.wake()
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
        XCTAssertEqual(
            Set(desk.daemon.orders.map { $0.order.request.headers["Authorization"] }), ["Bearer token-ann"])
    }

    func testALogoutTellsNobodyAndKeepsTheTransfer() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await desk.handOver(MessageManager.self)
        try await desk.desk.session.logOut()
        await transfers.wait { transfers.transfers.map(\.state) == [.waiting(.user)] }
        XCTAssertEqual(desk.witness.told, [])
        desk.daemon.end(200, answer)
        desk.desk.logIn("ann")
        transfers.wake()
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["message 7"])
        XCTAssertEqual(desk.daemon.orders.count, 1)
    }

    func testATransferOfALoggedOutUserIsNotTaken() async throws {
        let desk = try BackgroundDesk(self, user: nil)
        let transfers = try await desk.launch()
        do {
            try await transfers.start(MessageManager.self)
            XCTFail("taken")
        } catch {
            XCTAssertEqual(error, .loggedOut)
        }
        XCTAssertEqual(desk.leftovers, [])
    }

    // MARK: Resuming

    func testAFailedDownloadIsResumedByTheNextOneOfTheSameUser() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        try await desk.handOver(VideoManager.self, ["id": 4])
        let data = Data("resume".utf8)
        desk.daemon.end(error: NSURLErrorCannotConnectToHost, resumeData: data)
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told, ["failed"])
        try await desk.handOver(VideoManager.self, ["id": 4])
        guard case .resume(data)? = desk.daemon.orders.last?.order.content else {
            return XCTFail("not resumed")
        }
        desk.daemon.end(206, file: Data("film".utf8))
        await transfers.wait { transfers.transfers.isEmpty }
        XCTAssertEqual(desk.witness.told.last, "video 4")
        XCTAssertEqual(desk.leftovers, [])
    }

    func testADownloadIsNotResumedByAnotherUser() async throws {
        let desk = try BackgroundDesk(self)
        let transfers = try await desk.launch()
        let transfer = try await desk.handOver(VideoManager.self, ["id": 4])
        desk.daemon.setResumeData(Data("resume".utf8))
        try await transfers.cancel(transfer.id)
        XCTAssertEqual(desk.names(".resume").count, 1)
        desk.desk.logIn("bob")
        try await desk.handOver(VideoManager.self, ["id": 4])
        guard case .download? = desk.daemon.orders.last?.order.content else { return XCTFail("resumed") }
    }
}
