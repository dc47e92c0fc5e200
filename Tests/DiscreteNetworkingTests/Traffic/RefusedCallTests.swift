import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// Calls that end before they start are recorded, with the reason.
@MainActor
final class RefusedCallTests: XCTestCase {
    private let recorder = TrafficRecorder()
    private lazy var stack = Stack(ClosureTransport(json: teapot)).observed(by: recorder)

    private var pages: [JSONValue] { recorder.archive()["log"]?["pages"]?.array ?? [] }

    private final class PickyManager: APIManager<Product>, APIManagerValidator, APIManagerInterceptor {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "products/detail"
        let requestType = HTTPMethod.get
        var mayCall = true

        func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool { mayCall }
        func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult {
            params["id"] == nil ? .invalid(reason: "no id") : .valid
        }
        func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult { .valid }
    }

    private final class Turnstile: APIManagerInterceptor {
        func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool { false }
    }

    func testRefusedParamsAreRecordedWithTheReason() async {
        _ = await failure(stack.manager(PickyManager()))
        XCTAssertEqual(pages.count, 1)
        XCTAssertEqual(pages.first?["_state"], "failed")
        XCTAssertEqual(pages.first?["_errorKind"], "invalidParams")
        XCTAssertEqual(pages.first?["_error"]?.string?.contains("no id"), true)
        XCTAssertEqual(pages.first?["_steps"]?.array?.map { $0["name"] }, ["refused"])
        XCTAssertEqual(HARSchema.problems(of: recorder.archive()), [])
    }

    func testVetoedCallNamesWhoVetoed() async {
        let manager = stack.manager(PickyManager())
        let turnstile = Turnstile()
        manager.interceptor = turnstile
        _ = await failure(manager)
        manager.mayCall = false
        _ = await failure(manager)
        XCTAssertEqual(
            pages.map { $0["_error"] }, ["Turnstile vetoed the call.", "PickyManager vetoed the call."])
        XCTAssertEqual(pages.map { $0["_errorKind"] }, ["vetoed", "vetoed"])
    }

    func testCallWithoutAServiceIsRecorded() async {
        let manager = PickyManager()
        manager.proxy = ApiProxy(transport: StubTransport(), services: ServiceFactory())
        manager.proxy.addObserver(recorder)
        _ = await failure(manager, with: ["id": 7])
        XCTAssertEqual(pages.map { $0["_errorKind"] }, ["serviceNotRegistered"])
    }

    func testRefusedCallIsInTheOrderOfNumbers() async throws {
        let (refused, sent) = (stack.manager(PickyManager()), stack.manager(ProductManager()))
        // The end of the refused call is told of after the start of the other one.
        let first = refused.loadData()
        let second = sent.loadData(with: ["id": 7])
        XCTAssertLessThan(first, second)
        await until { self.pages.count == 2 && self.pages[1]["_state"] == "succeeded" }
        XCTAssertEqual(
            pages.compactMap { $0["_requestID"]?.uint64 }, [first.rawValue, second.rawValue])
        XCTAssertEqual(recorder.oldest, first)
    }

    func testDroppedCallDoesNotComeBack() async throws {
        let recorder = TrafficRecorder(limits: .init(calls: 1))
        stack.proxy.addObserver(recorder)
        _ = await failure(stack.manager(PickyManager()))
        _ = try await stack.manager(ProductManager()).load(with: ["id": 7])
        let kept = recorder.changes(since: 0, atMost: 10)
        XCTAssertEqual(kept.count, 1)
        XCTAssertNil(kept.first?.end?.error)
    }
}
