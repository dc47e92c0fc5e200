import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// A test on the desk of a developer who has used the app.
@MainActor
class DeskCase: XCTestCase {
    let stubs = StubTransport()
    var before: [String: String] = [:]

    /// What the developer did with the app before: the files and the choice of an environment.
    override func setUp() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        DeveloperDesk.folder.current = folder
        addTeardownBlock {
            try? FileManager.default.removeItem(at: folder)
            DeveloperDesk.defaults.removePersistentDomain(forName: DeveloperDesk.suite)
        }
        let app = ServiceFactory()
        app.register([.desk: DeskService.self, .staged: StagedService.self])
        let desk = try XCTUnwrap(app.service(for: .desk) as? DeskService)
        desk.tokens.adopt(DeveloperDesk.sara)
        desk.spare.adopt(DeveloperDesk.sara)
        try await desk.tokens.save()
        try await desk.spare.save()
        let turn = await desk.jar.machinery.turn(for: desk.tokens.loadedSnapshot, of: desk.tokens)
        turn.keep(["visit=sara; Max-Age=3600"], from: desk.baseURL)
        try await desk.jar.save()
        try desk.device.write(Data("phone".utf8), for: "device")
        let staged = try XCTUnwrap(app.service(for: .staged) as? StagedService)
        staged.use(.sara, rememberedIn: DeveloperDesk.defaults)
        app.configuration(for: .staged)?.session?.adopt(DeveloperDesk.sara)
        try await app.configuration(for: .staged)?.session?.save()
        before = DeveloperDesk.files
        XCTAssertGreaterThanOrEqual(before.count, 5, "\(before.keys)")
    }

    func assertUntouched(file: StaticString = #filePath, line: UInt = #line) {
        let now = DeveloperDesk.files
        XCTAssertEqual(Set(now.keys), Set(before.keys), file: file, line: line)
        for (name, content) in before { XCTAssertEqual(now[name], content, name, file: file, line: line) }
        XCTAssertEqual(StagedService().environment.current, .sara, file: file, line: line)
    }

    /// Whatever a test does with a service.
    func use(_ proxy: ApiProxy) async throws {
        let desk = try XCTUnwrap(proxy.services.service(for: .desk) as? DeskService)
        desk.jar.removeAll()
        try await desk.jar.save()
        try await desk.tokens.logOut()
        desk.tokens.adopt(SessionTokens(accessToken: "of-the-test", user: "test"))
        try await desk.tokens.save()
        desk.responses.remove(.all)
        let key = await DeskManager().cacheKey(over: proxy)
        desk.responses.store(
            CachedResponse(
                url: desk.baseURL, status: 200, headers: [:], body: Data("{}".utf8), storedAt: Date(),
                version: ""), for: key)
        XCTAssertNotNil(desk.responses.response(for: key), "it is a cache all the same")
        let staged = try XCTUnwrap(proxy.services.service(for: .staged) as? StagedService)
        staged.use(.live, rememberedIn: DeveloperDesk.defaults)
        try await proxy.services.configuration(for: .staged)?.session?.logOut()
        staged.environment.current = .sara
        staged.useRememberedEnvironment(in: DeveloperDesk.defaults)
        XCTAssertEqual(staged.environment.current, .live, "it remembers the choice of the test")
    }

    func assertNothingOfTheDeveloper(
        _ request: APIRequest?, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let request = try XCTUnwrap(request, file: file, line: line)
        XCTAssertNil(request.headers["Authorization"], file: file, line: line)
        XCTAssertNil(request.headers["Cookie"], file: file, line: line)
        XCTAssertEqual(request.headers["X-Spare"], "none", file: file, line: line)
        XCTAssertNil(request.headers["X-Device"], file: file, line: line)
        XCTAssertNil(request.headers["X-Again"], file: file, line: line)
    }
}

extension DeskManager {
    func cacheKey(over proxy: ApiProxy) async -> CacheKey {
        self.proxy = proxy
        return await proxy.cacheKey(of: call([:]))!
    }
}
