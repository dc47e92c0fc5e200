import DiscreteNetworkingContracts
import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A contract check and a sample neither read nor change what the app stores on this machine, nor does the creation of a service.
@MainActor
final class KeptInMemoryContractTests: DeskCase {
    func testARecordingThatAServiceBringsIsNotWritten() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let status = await ContractCheck(
            services: [.desk: { DeskService() }], managers: [.init(DeskManager())],
            transport: SilentTransport()
        ).run(["--contracts", folder.path], out: { _ in }, error: { _ in })
        XCTAssertEqual(status, 2)
        assertUntouched()
    }

    func testAContractCheckTouchesNothing() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        stubs.on(.path("/papers"), answers: [.json([:]), .json([:]), .status(500)])
        let lines = Locked<[String]>([])
        let status = await ContractCheck(
            services: [.desk: DeskService.self, .staged: StagedService.self],
            managers: [.init(DeskManager()), .init(StagedManager()), .init(DeskManager(), name: "again")],
            transport: stubs,
            prepare: { [self] proxy in
                let manager = DeskManager()
                manager.proxy = proxy
                await assertRequest(
                    of: manager, .get, "https://desk.example.com/papers",
                    headers: ["Authorization": nil, "Cookie": nil, "X-Device": nil, "X-Again": nil])
                try await use(proxy)
            }
        ).run(
            ["--record", "--contracts", folder.path], out: { line in lines.withLock { $0.append(line) } },
            error: { line in lines.withLock { $0.append(line) } })
        XCTAssertEqual(status, 2, "\(lines.current)")
        XCTAssertEqual(
            stubs.requests.map(\.url.host), ["desk.example.com", "live.example.com", "desk.example.com"])
        XCTAssertEqual(stubs.requests.first?.headers["Authorization"], "Bearer of-the-test")
        assertUntouched()
    }

    // MARK: Creation

    /// A damaged credential is moved aside when it is read.
    func testCreatingAServiceReadsNothing() throws {
        for file in before.keys where file.hasSuffix(".credential") {
            try Data("damaged".utf8).write(to: DeveloperDesk.folder.current.appendingPathComponent(file))
        }
        before = DeveloperDesk.files
        let app = ServiceFactory()
        app.register([.desk: DeskService.self, .staged: StagedService.self])
        XCTAssertNotNil(app.configuration(for: .desk)?.session)
        XCTAssertNotNil(app.configuration(for: .staged)?.session)
        assertUntouched()
    }

    // MARK: Samples

    final class SampledManager: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.desk
        let methodName = "sampled"
        let requestType = HTTPMethod.get
        var status = 200
        override var requiresLogin: Bool { true }
        override var sample: SampleResponse? {
            SampleResponse(status: status, headers: ["Set-Cookie": "sample=1; Max-Age=60"]) { _ in
                Data("{}".utf8)
            }
        }
    }

    func testASampleNeedsNoLoginAndTouchesNothing() async throws {
        let refreshes = Locked(0)
        let session = TokenSession(store: DeveloperDesk.credentials) { tokens, _ in
            refreshes.withLock { $0 += 1 }
            return tokens
        }
        let app = ServiceFactory()
        app.register([.desk: { SharedSessionService(session: session) }])
        let manager = SampledManager()
        manager.proxy = ApiProxy(transport: stubs, services: app)
        manager.sampleMode = .immediate
        _ = try await manager.load()
        XCTAssertFalse(session.isLoggedIn, "the store was not read")
        manager.status = 401
        await assertFails(manager, .http(status: 401))
        XCTAssertEqual(refreshes.current, 0)
        XCTAssertEqual(stubs.requests.count, 0)
        let preview = ServiceFactory()
        preview.register([.desk: DeskService.self])
        preview.keepInMemory()
        manager.proxy = ApiProxy(services: preview)
        manager.proxy.sampleMode = .immediate
        (manager.sampleMode, manager.status) = (nil, 200)
        _ = try await manager.load()
        let jar = try XCTUnwrap(preview.configuration(for: .desk)?.cookies)
        XCTAssertEqual(jar.cookies, [])
        assertUntouched()
    }
}
