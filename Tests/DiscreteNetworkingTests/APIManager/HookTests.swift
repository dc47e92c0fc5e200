import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What a subclass and an outside interceptor see, and what they can stop.
@MainActor
final class HookTests: XCTestCase {
    @MainActor
    final class Recorder {
        var events: [String] = []
    }

    final class HookedManager: APIManager<Product>, APIManagerParamSource, APIManagerValidator, Recording {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "products/detail"
        let requestType = HTTPMethod.get
        let recorder: Recorder
        var refused: String?
        init(_ recorder: Recorder) { self.recorder = recorder }

        func record(_ event: String) -> Bool {
            recorder.events.append("own \(event)")
            return event != refused
        }
        func params(for manager: BaseAPIManager) -> Params { ["id": 7] }
        override func reform(_ params: Params) -> Params { params.merging(["page": 1]) }
        func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult {
            record("params \(params.canonical)") ? .valid : .invalid(reason: "no")
        }
        func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult {
            record("validate \((response.output as? Product)?.id ?? 0)")
                ? .valid : .invalid(reason: "too cheap")
        }
    }

    @MainActor
    final class Outside: Recording, APIManagerDelegate {
        let recorder: Recorder
        var refused: String?
        init(_ recorder: Recorder) { self.recorder = recorder }
        func record(_ event: String) -> Bool {
            recorder.events.append(event)
            return event != refused
        }
        func managerDidSucceed(_ manager: BaseAPIManager) { _ = record("delegate success") }
        func managerDidFail(_ manager: BaseAPIManager) { _ = record("delegate failure") }
    }

    let recorder = Recorder()

    private func make(status: Int = 200) -> (HookedManager, Outside, ClosureTransport) {
        let transport = ClosureTransport(json: teapot, status: status)
        let manager = Stack(transport).manager(HookedManager(recorder))
        let outside = Outside(recorder)
        manager.interceptor = outside
        manager.delegate = outside
        return (manager, outside, transport)
    }

    private static let start = [
        "own should", "should", #"own params {"id":7,"page":1}"#, "own did", "did",
    ]

    func testEveryHookOfASuccessInOrderTheOwnOneFirst() async throws {
        let (manager, outside, _) = make()
        _ = try await manager.load()
        XCTAssertEqual(
            recorder.events,
            Self.start + [
                "own validate 7", "own receive", "receive", "own before success", "before success",
                "delegate success", "own after success", "after success",
            ])
        withExtendedLifetime(outside) {}
    }

    func testEveryHookOfAFailureInOrder() async {
        let (manager, outside, _) = make(status: 404)
        _ = await failure(manager)
        XCTAssertEqual(
            recorder.events,
            Self.start + [
                "own receive", "receive", "own before failure", "before failure", "delegate failure",
                "own after failure", "after failure",
            ])
        withExtendedLifetime(outside) {}
    }

    func testAVetoFromEitherSideSendsNothingAndLeavesTheDelegateAlone() async {
        for isOwn in [true, false] {
            recorder.events = []
            let (manager, outside, transport) = make()
            if isOwn { manager.refused = "should" } else { outside.refused = "should" }
            let error = await failure(manager)
            XCTAssertEqual(error?.kind, .vetoed)
            XCTAssertEqual(transport.requests.count, 0)
            XCTAssertFalse(recorder.events.contains("delegate failure"))
            XCTAssertEqual(recorder.events.contains("should"), !isOwn)
            XCTAssertFalse(manager.isLoading)
        }
    }

    func testRefusedParamsSendNothingAndTellTheDelegate() async {
        let (manager, outside, transport) = make()
        manager.refused = #"params {"id":7,"page":1}"#
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .invalidParams(reason: "no"))
        XCTAssertEqual(transport.requests.count, 0)
        XCTAssertTrue(recorder.events.contains("delegate failure"))
        withExtendedLifetime(outside) {}
    }

    func testARefusedResponseIsAFailureThatTheServiceMayIntercept() async {
        let asked = Locked<[APIError.Kind]>([])
        let stack = Stack(ClosureTransport(json: teapot)) { rules in
            rules.intercept = { failure in
                asked.withLock { $0.append(failure.error.kind) }
                return .report
            }
        }
        let manager = stack.manager(HookedManager(recorder))
        manager.refused = "validate 7"
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .invalidResponse(reason: "too cheap"))
        XCTAssertEqual(error?.response?.status, 200)
        XCTAssertEqual(asked.current, [.invalidResponse(reason: "too cheap")])
        XCTAssertNil(manager.output)
    }

    func testAResultHeldBackIsInterceptedForTheCallerAndKeptInTheManager() async {
        for isOwn in [true, false] {
            recorder.events = []
            let (manager, outside, _) = make()
            if isOwn { manager.refused = "before success" } else { outside.refused = "before success" }
            let error = await failure(manager)
            XCTAssertEqual(error?.kind, .swallowed)
            XCTAssertNil(error?.underlying)
            XCTAssertEqual(error?.response?.status, 200)
            XCTAssertFalse(recorder.events.contains("delegate success"))
            XCTAssertTrue(recorder.events.contains("after success"))
            XCTAssertEqual(manager.output?.id, 7)
            XCTAssertNil(manager.error)
        }
    }

    func testAFailureHeldBackIsInterceptedWithItsCause() async {
        let (manager, outside, _) = make(status: 500)
        outside.refused = "before failure"
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .swallowed)
        XCTAssertEqual(error?.underlying?.kind, .http(status: 500))
        XCTAssertEqual(manager.error?.kind, .http(status: 500))
        XCTAssertFalse(recorder.events.contains("delegate failure"))
    }

    func testAnAssignedCollaboratorReplacesTheManagerItself() async throws {
        let (manager, outside, transport) = make()
        let screen = Screen()
        screen.params = ["id": 9]
        manager.paramSource = screen
        _ = try await manager.load()
        XCTAssertEqual(transport.requests.last?.url.query, "id=9&page=1")
        manager.paramSource = nil
        _ = try await manager.load()
        XCTAssertEqual(transport.requests.last?.url.query, "id=7&page=1")
        withExtendedLifetime(outside) {}
    }

    func testAManagerThatIsItsOwnInterceptorIsAskedOnceBeforeTheOutsideOne() async throws {
        final class Own: APIManager<Product>, APIManagerInterceptor {
            let serviceIdentifier = ServiceIdentifier.test
            let methodName = "a"
            let requestType = HTTPMethod.get
            var asked = 0
            func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool {
                asked += 1
                return true
            }
        }
        let manager = Stack(ClosureTransport(json: teapot)).manager(Own())
        manager.interceptor = manager
        _ = try await manager.load()
        XCTAssertEqual(manager.asked, 1)
        let outside = Outside(recorder)
        manager.interceptor = outside
        _ = try await manager.load()
        XCTAssertEqual(manager.asked, 2)
        XCTAssertTrue(recorder.events.contains("should"))
    }

    func testAnInterceptorThatAHookSetsIsAskedAboutTheCallAtOnce() async {
        final class Late: APIManager<Product>, APIManagerInterceptor {
            let serviceIdentifier = ServiceIdentifier.test
            let methodName = "a"
            let requestType = HTTPMethod.get
            var late: (any APIManagerInterceptor)?
            func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool {
                interceptor = late
                return true
            }
        }
        final class Refusing: APIManagerInterceptor {
            func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool { false }
        }
        let transport = ClosureTransport(json: teapot)
        let manager = Stack(transport).manager(Late())
        manager.late = Refusing()
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .vetoed)
        XCTAssertTrue(transport.requests.isEmpty)
    }

    func testOneReformerServesSeveralManagers() async throws {
        struct Label: APIManagerReformer {
            func reform(_ manager: BaseAPIManager) -> String {
                switch manager {
                case let manager as ProductManager: manager.output?.name ?? ""
                case let manager as TestManager<JSONValue>: "#\(manager.output?["id"]?.int ?? 0)"
                default: "?"
                }
            }
        }
        let stack = Stack(ClosureTransport(json: teapot))
        let typed = stack.manager(ProductManager())
        let untyped = stack.manager(TestManager<JSONValue>())
        _ = try await typed.load()
        _ = try await untyped.load()
        XCTAssertEqual(typed.fetchData(with: Label()), "青花瓷茶壶")
        XCTAssertEqual(untyped.fetchData(with: Label()), "#7")
    }
}

/// Records each step of a call.
@MainActor
private protocol Recording: APIManagerInterceptor {
    /// - Returns: Whether the call may go on.
    func record(_ event: String) -> Bool
}

extension Recording {
    func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool { record("should") }
    func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {
        _ = record("did")
    }
    func manager(_ manager: BaseAPIManager, didReceive response: APIResponse) { _ = record("receive") }
    func manager(_ manager: BaseAPIManager, beforeSuccessWith response: APIResponse) -> Bool {
        record("before success")
    }
    func manager(_ manager: BaseAPIManager, afterSuccessWith response: APIResponse) {
        _ = record("after success")
    }
    func manager(_ manager: BaseAPIManager, beforeFailureWith error: APIError) -> Bool {
        record("before failure")
    }
    func manager(_ manager: BaseAPIManager, afterFailureWith error: APIError) {
        _ = record("after failure")
    }
}
