import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// A refresh or a login and the calls that waited for it name each other in the archive.
@MainActor
final class RenewalLinkTests: XCTestCase {
    private let recorder = TrafficRecorder()

    private func page(
        _ manager: some APIManagerChild, of archive: JSONValue? = nil
    ) throws -> JSONValue {
        let pages = (archive ?? recorder.archive())["log"]?["pages"]?.array ?? []
        let path = JSONValue.string(manager.methodName)
        return try XCTUnwrap(pages.first { $0["_methodName"] == path }, "\(path) in \(pages)")
    }

    private func number(_ page: JSONValue) throws -> JSONValue { try XCTUnwrap(page["_requestID"]) }

    func testARefreshAndTheCallsThatWaitedForItNameEachOther() async throws {
        let gate = Gate()
        let stack = SessionStack { request, desk in
            if request.url.path.hasSuffix("/token") { await gate.pass() }
            return desk.answer(request)
        }
        stack.stack.proxy.addObserver(recorder)
        let before = stack.manager("before")
        _ = try await before.load()
        stack.desk.expire()
        // One that needs the refresh, and one that starts meanwhile.
        let (first, second) = (stack.manager("first"), stack.manager("second"))
        let calls = [first, second].map { manager in
            Task {
                if manager === second { await gate.arrival() }
                return await failure(manager)
            }
        }
        await until { stack.session.waiting == 2 }
        gate.open()
        for call in calls { _ = await call.value }

        let refresh = try page(RefreshManager())
        XCTAssertEqual(HARSchema.problems(of: recorder.archive()), [])
        for manager in [first, second] {
            let page = try page(manager)
            XCTAssertEqual(page["_state"], "succeeded")
            XCTAssertEqual(page["_waitedFor"], [try number(refresh)])
            let step = page["_steps"]?.array?.first { $0["name"] == "waitingForRefresh" }
            XCTAssertEqual(step?["waitedFor"], [try number(refresh)])
        }
        XCTAssertEqual(refresh["_awaitedBy"], [try number(page(first)), try number(page(second))])
        XCTAssertNil(refresh["_waitedFor"])
        XCTAssertNil(try page(before)["_waitedFor"])
        // A part of the calls names the others all the same.
        let id = try XCTUnwrap(number(refresh).uint64)
        XCTAssertEqual(
            try page(RefreshManager(), of: recorder.archive(of: [id]))["_awaitedBy"], refresh["_awaitedBy"])
    }

    func testEachRefreshIsLinkedToItsOwnCalls() async throws {
        let stack = SessionStack()
        stack.stack.proxy.addObserver(recorder)
        let managers = [stack.manager("first"), stack.manager("second")]
        for manager in managers {
            stack.desk.expire()
            _ = try await manager.load()
        }
        let refreshes = recorder.archive()["log"]?["pages"]?.array?.filter { $0["_isRenewal"] == true } ?? []
        XCTAssertEqual(refreshes.count, 2)
        for (refresh, manager) in zip(refreshes, managers) {
            XCTAssertEqual(refresh["_awaitedBy"], [try number(page(manager))])
            XCTAssertEqual(try page(manager)["_waitedFor"], [try number(refresh)])
        }
    }

    func testALoginIsLinkedToo() async throws {
        let stack = SessionStack(TokenSession(login: LoginStub { _ in .cancelled }))
        let login = LoginStub { [stack] _ in
            let manager = RefreshManager()
            manager.proxy = stack.stack.proxy
            guard let tokens = try? await manager.load() else { return .cancelled }
            return .loggedIn(SessionTokens(tokens))
        }
        stack.session.login = login
        stack.stack.proxy.addObserver(recorder)
        stack.desk.revoke()
        let manager = stack.manager()
        _ = try await manager.load()

        let part = try page(RefreshManager())
        XCTAssertEqual(part["_awaitedBy"], [try number(page(manager))])
        XCTAssertEqual(try page(manager)["_waitedFor"], [try number(part)])
        let step = try page(manager)["_steps"]?.array?.first { $0["name"] == "waitingForLogin" }
        XCTAssertEqual(step?["waitedFor"], [try number(part)])
    }

    /// A refresh without a call of a manager, such as one by a library of the backend.
    func testARenewalWithoutCallsIsNotNamed() async throws {
        let desk = Locked<TokenDesk?>(nil)
        let stack = SessionStack(TokenSession(refresh: { _, _ in desk.current!.tokens() }))
        desk.current = stack.desk
        stack.stack.proxy.addObserver(recorder)
        stack.desk.expire()
        let manager = stack.manager()
        _ = try await manager.load()
        XCTAssertNil(try page(manager)["_waitedFor"])
    }
}
