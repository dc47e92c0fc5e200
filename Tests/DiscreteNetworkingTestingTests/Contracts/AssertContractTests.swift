import DiscreteNetworking
import DiscreteNetworkingContracts
import DiscreteNetworkingTesting
import XCTest

@MainActor
final class AssertContractTests: XCTestCase {
    private var folder: URL!
    private let teapot = Data(#"{"code":0,"msg":"","content":{"id":7,"name":"茶壶","stock":3}}"#.utf8)

    override func setUp() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("kit-\(UUID().uuidString)")
    }

    override func tearDown() async throws { try? FileManager.default.removeItem(at: folder) }

    private func change(_ old: String, _ new: String) -> Data {
        Data(String(decoding: teapot, as: UTF8.self).replacingOccurrences(of: old, with: new).utf8)
    }

    private func record() async {
        _ = await collectFailures {
            await assertContract(of: ShopStack().product(), response: teapot, in: folder)
        }
    }

    func testTheFirstRunRecordsAndSaysSo() async {
        await assertCaught("There was no contract. Recorded ", "ProductManager.json. Look at it") {
            await assertContract(of: ShopStack().product(), response: teapot, in: folder)
        }
        await assertContract(of: ShopStack().product(), response: teapot, in: folder)
    }

    func testALiveAnswerIsCompared() async {
        await record()
        let stack = ShopStack()
        stack.stubs.on(
            .any, answer: .json(["code": 0, "msg": "", "content": ["id": "7", "name": "茶壶", "stock": 3]]))
        await assertCaught(
            "ProductManager (shop, GET products/{id}): breaking\n  breaking content.id: type changed from integer to string. The output cannot be made: at content.id: expected Int."
        ) {
            await assertContract(of: stack.product(), with: ["id": 7], in: folder)
        }
    }

    func testARemovedFieldIsBreakingOrAWarning() async {
        await record()
        let manager = ShopStack().product()
        await assertCaught("breaking content.name: removed (was string). The output cannot be made") {
            await assertContract(
                of: manager, response: change(#""name":"茶壶","#, ""), in: folder, allowing: .warning)
        }
        await assertCaught("warning content.stock: removed (was integer)") {
            await assertContract(of: manager, response: change(#","stock":3"#, ""), in: folder)
        }
        await assertContract(
            of: manager, response: change(#","stock":3"#, ""), in: folder, allowing: .warning)
    }

    func testAddedFieldPassesTheAssertion() async {
        await record()
        await assertContract(
            of: ShopStack().product(), response: change(#""id":7"#, #""id":7,"new":1"#), in: folder)
    }

    func testNoAnswerIsCaught() async {
        await record()
        let stack = ShopStack()
        stack.stubs.on(.any, answer: .status(500))
        await assertCaught(
            "failed\n  The server responded to GET https://api.example.com/v3/products/7 with status 500"
        ) {
            await assertContract(of: stack.product(), with: ["id": 7], in: folder)
        }
    }

    func testContractIsCheckedAgainstACassette() async throws {
        let file = folder.appendingPathComponent("tape.json")
        let stack = ShopStack()
        stack.stubs.on(.any, answer: ShopStack.teapot)
        let manager = stack.product()
        // The nonce is another one for each call.
        let matching = CassetteMatching(
            ignoredHeaders: CassetteMatching.standardHeaders.union(["X-Nonce"]))
        func proxy(_ mode: CassetteTransport.Mode) -> CassetteTransport {
            let cassette = CassetteTransport(at: file, mode: mode, matching: matching)
            manager.proxy = ApiProxy(transport: cassette, services: stack.proxy.services)
            return cassette
        }
        let recorder = proxy(.record(over: stack.stubs))
        _ = try await manager.load(with: ["id": 7])
        assertPlayed(recorder)

        let same = proxy(.replayExactly)
        await assertCaught(
            "tape.json: request 1, GET https://api.example.com/v3/products/7?cid=000001, was recorded and not sent."
        ) {
            assertPlayed(same)
        }
        _ = try await manager.load(with: ["id": 7])
        assertPlayed(same)

        let other = proxy(.replay)
        _ = try? await manager.load(with: ["id": 8])
        await assertCaught("path: recorded /v3/products/7, now /v3/products/8") { assertPlayed(other) }
    }
}
