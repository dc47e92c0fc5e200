import DiscreteNetworking
import Foundation
import XCTest

@testable import StorefrontKit

@MainActor
final class RedeemCardManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: RedeemCardManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = RedeemCardManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testTheBodyIsWrappedAndSigned() async throws {
        let card = try await manager.load(with: ["code": "SPRING"])

        XCTAssertEqual(card.value, 10_000)
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.path, "/wallet/cards/redeem")
        XCTAssertEqual(
            String(decoding: request.body, as: UTF8.self),
            #"{"data":"\#(Data(#"{"code":"SPRING"}"#.utf8).base64EncodedString())"}"#)
        XCTAssertEqual(
            request.header("X-Sign"),
            MessageDigest.hmac(.sha256, of: request.body, key: Data("a-wallet-key-of-thirty-two-bytes".utf8))
                .hexadecimal, "of the wrapped body")
    }

    func testACardIsRedeemedOnce() async throws {
        _ = try await manager.load(with: ["code": "SPRING"])
        let kind = await failure(of: manager, with: ["code": "SPRING"])

        XCTAssertEqual(kind, .http(status: 409))
        XCTAssertEqual(manager.error?.businessCode, ShopCode.usedCard)
        XCTAssertEqual(manager.error?.userMessage(in: ["en"]), "礼品卡已使用")
    }

    /// The refusal of a wrong signature is not wrapped.
    func testResponseToAWrongSignatureIsADecodingFailure() async {
        let wallet = stack.services.service(for: .wallet) as? WalletService
        wallet?.key.current = SigningKey("another-key-of-thirty-two-bytes!")

        let kind = await failure(of: manager, with: ["code": "SPRING"])

        guard case .decoding? = kind else { return XCTFail("\(String(describing: kind))") }
        XCTAssertTrue(manager.error?.localizedDescription.contains("WrappedBodies") == true)
    }
}
