import DiscreteNetworkingSigning
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Whole URLs, between the service's own server and another one: nothing that is secret goes to the other.
@MainActor
final class WholeURLTests: XCTestCase {
    private var own: LoopbackServer!
    private var other: LoopbackServer!
    private var stack: Stack!

    override func setUp() async throws {
        own = try LoopbackServer { _ in .json(#"{"code":0,"content":\#(teapot)}"#) }
        other = try LoopbackServer { _ in .json(teapot) }
        stack = Stack(StandardTransport.make()) { [own] in
            $0.baseURL = own!.baseURL
            $0.extraHeaders = ["X-Api-Key": "service-key", "X-App": "shop"]
            $0.extraParams = ["cid": "000001", "page": "1"]
            $0.envelope = Envelope(code: "code", payload: "content")
            $0.credential = nil
            $0.signer = FieldSigner(key: SigningKey("k"), place: .query("sign"))
            $0.session = TokenSession()
        }
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "the-token"))
    }

    override func tearDown() async throws {
        own.stop()
        other.stop()
    }

    private func manager() -> ProductManager {
        let manager = stack.manager(ProductManager())
        manager.ownHeaders = ["Authorization": "Basic bWluZQ==", "X-Kind": "tea"]
        return manager
    }

    func testTheServicesOwnHostGetsAllThatTheServiceHas() async throws {
        let manager = stack.manager(ProductManager())
        let url = try XCTUnwrap(URL(string: own.baseURL.absoluteString + "/next%2Fpage?page=2&x=%20"))
        let product = try await manager.load(at: url)
        XCTAssertEqual(product.id, 7, "opened by the service's envelope")
        let request = try XCTUnwrap(own.requests.last)
        XCTAssertTrue(request.target.hasPrefix("/next%2Fpage?page=2&x=%20&cid=000001&sign="), request.target)
        XCTAssertEqual(request.header("Authorization"), "Bearer the-token")
        XCTAssertEqual(request.header("X-Api-Key"), "service-key")
    }

    func testAnotherHostGetsNothingOfTheService() async throws {
        let manager = manager()
        manager.needsLogin = true
        let url = try XCTUnwrap(URL(string: other.baseURL.absoluteString + "/file?X-Signature=abc"))
        let product = try await manager.load(at: url)
        XCTAssertEqual(product.id, 7, "there is no envelope")
        let request = try XCTUnwrap(other.requests.last)
        XCTAssertEqual(request.target, "/file?X-Signature=abc")
        for name in ["Authorization", "X-Api-Key", "X-App", "Cookie"] {
            XCTAssertNil(request.header(name), name)
        }
        XCTAssertEqual(request.header("X-Kind"), "tea", "of the manager's own what is not secret")
        XCTAssertEqual(own.requests.count, 0)
    }

    /// Another port is another origin, another name for the same machine too.
    func testOriginsAreComparedAsAWhole() {
        let base = URL(string: "https://api.example.com/v1")!
        for (text, isSame) in [
            ("https://api.example.com/x", true), ("https://API.example.com:443", true),
            ("http://api.example.com/x", false), ("https://api.example.com:8443/x", false),
            ("https://example.com/x", false), ("https://api.example.com.evil.org/", false),
            ("https://api.example.com@evil.org/", false),
        ] {
            XCTAssertEqual(URL(string: text)?.isSameOrigin(as: base), isSame, text)
        }
    }

    func testAPresignedUploadToAnotherServer() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("a picture".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let manager = stack.manager(TestManager<NoContent>())
        manager.requestType = .put
        manager.ownEncoding = .file(file, contentType: "image/jpeg")
        let url = try XCTUnwrap(URL(string: other.baseURL.absoluteString + "/bucket/key?X-Amz-Signature=s"))
        _ = try await manager.load(at: url)
        let request = try XCTUnwrap(other.requests.last)
        XCTAssertEqual(request.method, "PUT")
        XCTAssertEqual(request.target, "/bucket/key?X-Amz-Signature=s")
        XCTAssertEqual(String(decoding: request.body, as: UTF8.self), "a picture")
        XCTAssertEqual(request.header("Content-Type"), "image/jpeg")
        XCTAssertNil(request.header("Authorization"))
    }

    func testOtherSchemesAndPlainHTTPAreRefused() async throws {
        for text in ["ftp://files.example.com/x", "http://files.example.com/x", "mailto:a@example.com"] {
            do throws(APIError) {
                _ = try await manager().load(at: URL(string: text)!)
                XCTFail(text)
            } catch {
                guard case .invalidRequest = error.kind else { return XCTFail("\(text): \(error)") }
            }
        }
    }

    /// Names that only begin or end like this machine's.
    func testPlainHTTPToAHostThatLooksLikeThisMachineIsRefused() async throws {
        for host in [
            "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1@evil.example",
            "127.0.0.1%00.evil.example",
            "localhost%00.evil.example", "[::1%2500.evil]", "127.1", "2130706433", "0x7f.0.0.1", "localhost.",
        ] {
            guard let url = URL(string: "http://\(host)/") else { continue }
            do throws(APIError) {
                _ = try await manager().load(at: url)
                XCTFail(host)
            } catch {
                guard case .invalidRequest = error.kind else {
                    XCTFail("\(host): \(error)")
                    continue
                }
            }
        }
    }

    func testThePathAndTheParamSourceAreNotAsked() async throws {
        let manager = manager()
        manager.methodName = "products/{missing}"
        let screen = Screen()
        manager.paramSource = screen
        manager.loadData(at: other.baseURL.appendingPathComponent("a"), with: ["q": 1])
        await until { !manager.isLoading }
        XCTAssertNil(manager.error)
        XCTAssertEqual(other.requests.last?.target, "/a?q=1")
        XCTAssertEqual(manager.response?.params, ["q": 1])
    }

    func testAFailedOneIsRepeatedWhereItWent() async throws {
        let manager = manager()
        other.stop()
        let url = other.baseURL.appendingPathComponent("a")
        do {
            _ = try await manager.load(at: url)
            XCTFail("the server is gone")
        } catch { XCTAssertEqual(error.requestID, manager.error?.requestID) }
        manager.repeatFailedCall()
        await until { !manager.isLoading }
        XCTAssertNotNil(manager.error)
        XCTAssertEqual(own.requests.count, 0, "never to the service's own host instead")
    }
}
