import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

/// Tells its delegate twice.
private final class DoublingManager: APIManager<Product>, APIManagerInterceptor {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "products/7"
    let requestType = HTTPMethod.get
    var isLate = false

    func manager(_ manager: BaseAPIManager, afterSuccessWith response: APIResponse) {
        if isLate {
            Task { delegate?.managerDidSucceed(self) }
        } else {
            delegate?.managerDidSucceed(self)
        }
    }
}

@MainActor
private final class Strict: APIManagerInterceptor, APIManagerDelegate, APIManagerProgressDelegate {
    var mayCall = true
    var told = 0
    var steps = 0
    func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool { mayCall }
    func managerDidSucceed(_ manager: BaseAPIManager) { told += 1 }
    func managerDidFail(_ manager: BaseAPIManager) { told += 1 }
    func manager(_ manager: BaseAPIManager, didMake progress: TransferProgress) { steps += 1 }
}

@MainActor
final class ManagerRecorderTests: XCTestCase {
    private func stack() -> ShopStack {
        let stack = ShopStack()
        stack.stubs.on(.any, answer: ShopStack.teapot)
        return stack
    }

    func testTheOrderOfASuccess() async {
        let manager = stack().product()
        let recorder = ManagerRecorder(manager)
        await assertSucceeds(manager, with: ["id": 7])
        recorder.assertEvents([.shouldCall, .didCall, .didReceive, .beforeSuccess, .succeeded, .afterSuccess])
        recorder.assertOneOutcome()
        await assertOneOutcome(manager, with: ["id": 7])
        await assertOneOutcome(manager, with: ["id": ""])
    }

    func testTheOrderOfAFailureWithTheValidator() async {
        let stack = stack()
        stack.stubs.on(.any, answer: .json(["code": 1001]))
        let manager = stack.product()
        let recorder = ManagerRecorder(manager, .all)
        await assertFails(manager, with: ["id": 7], .business(code: 1001))
        recorder.assertEvents([
            .shouldCall, .validateParams, .didCall, .didReceive, .beforeFailure, .failed, .afterFailure,
        ])
        recorder.clear()
        // The manager is its own validator, and still is.
        await assertFails(manager, with: ["id": ""], .invalidParams("no id"))
        recorder.assertEvents([.shouldCall, .validateParams, .beforeFailure, .failed, .afterFailure])
    }

    func testAnotherOrderIsCaught() async {
        let manager = stack().product()
        let recorder = ManagerRecorder(manager)
        await assertSucceeds(manager, with: ["id": 7])
        await assertCaught(
            """
            The manager's events are others (- expected, + actual):
                .shouldCall
                .didCall
                .didReceive
              - .beforeFailure
              - .failed
              + .beforeSuccess
              + .succeeded
              + .afterSuccess
            """
        ) {
            recorder.assertEvents([.shouldCall, .didCall, .didReceive, .beforeFailure, .failed])
        }
    }

    func testADoubledCallbackIsCaught() async {
        for isLate in [false, true] {
            let manager = DoublingManager()
            manager.isLate = isLate
            manager.proxy = stack().proxy
            await assertCaught(
                "The delegate of DoublingManager should have received one outcome, but received 2: .succeeded, .succeeded."
            ) {
                await assertOneOutcome(manager)
            }
        }
        let manager = DoublingManager()
        manager.proxy = stack().proxy
        let recorder = ManagerRecorder(manager)
        await assertSucceeds(manager)
        await assertCaught("but received 2: .succeeded, .succeeded.") { recorder.assertOneOutcome() }
        await assertCaught("  + .succeeded") {
            recorder.assertEvents([
                .shouldCall, .didCall, .didReceive, .beforeSuccess, .succeeded, .afterSuccess,
            ])
        }
    }

    func testNoOutcomeIsCaught() async {
        let recorder = ManagerRecorder(stack().product())
        await assertCaught("but received none.") { recorder.assertOneOutcome() }
    }

    func testWhoeverHadTheRolesKeepsThem() async {
        let strict = Strict()
        let manager = stack().product()
        manager.delegate = strict
        manager.interceptor = strict
        let recorder = ManagerRecorder(manager)
        await assertSucceeds(manager, with: ["id": 7])
        XCTAssertEqual(strict.told, 1)
        XCTAssertTrue(manager.progressDelegate === strict)
        strict.mayCall = false
        recorder.clear()
        await assertFails(manager, with: ["id": 7], .vetoed)
        recorder.assertEvents([.shouldCall, .beforeFailure, .afterFailure])
        await assertOneOutcome(manager, with: ["id": 7])
        XCTAssertEqual(strict.told, 1)
    }

    func testSessionEventsAreRecorded() async throws {
        let stack = stack()
        let session = try XCTUnwrap(stack.service.configuration.session)
        let recorder = ManagerRecorder(stack.product(), session: session)
        session.adopt(SessionTokens(accessToken: "a"))
        try await session.logOut()
        await recorder.waitForEvents(2)
        recorder.assertEvents([.session(.loggedIn), .session(.loggedOut)])
    }
}
