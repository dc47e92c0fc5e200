import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

/// What a stubbed case costs is measured by running this with a stopwatch; here it only has to come to an end.
@MainActor
final class CostTests: XCTestCase {
    func testManyCasesOneAfterTheOther() async {
        for _ in 0..<FullLength.rounds(200, of: 1000) { await Self.oneCase() }
    }

    func testCasesInParallelDoNotDisturbEachOther() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { await Self.oneCase() } }
        }
    }

    private static func oneCase() async {
        let stack = ShopStack()
        stack.stubs.on(ProductManager.self, answers: [.status(500), ShopStack.teapot])
        let manager = stack.product()
        let recorder = ManagerRecorder(manager)
        await assertFails(manager, with: ["id": 7], .http(status: 500))
        await assertSucceeds(manager, with: ["id": 7]) { XCTAssertEqual($0.name, "茶壶") }
        XCTAssertEqual(recorder.events.filter { $0 == .failed || $0 == .succeeded }, [.failed, .succeeded])
        stack.stubs.verifyAllUsed()
    }
}
