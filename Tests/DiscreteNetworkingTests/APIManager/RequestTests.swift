import DiscreteNetworkingSigning
import XCTest

@testable import DiscreteNetworkingCore

/// What a manager would send, without sending it; and that a request knows whose it is.
@MainActor
final class RequestTests: XCTestCase {
    private let transport = ClosureTransport(json: teapot)

    private func error(_ manager: BaseAPIManager, with params: Params? = nil) async -> APIError? {
        do throws(APIError) {
            _ = try await manager.request(with: params)
            return nil
        } catch {
            return error
        }
    }

    func testRequestEqualsTheOneThatALoadSends() async throws {
        let stack = Stack(transport) {
            $0.extraParams = ["cid": "1"]
            $0.extraHeaders = ["X-Client": "ios"]
            $0.session = TokenSession()
            $0.signer = FieldSigner(key: SigningKey("k"))
        }
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "abc"))
        let screen = Screen()
        let manager = stack.manager(ProductManager())
        manager.paramSource = screen
        manager.ownHeaders = ["X-Own": "1"]

        let request = try await manager.request()
        XCTAssertTrue(transport.requests.isEmpty)
        XCTAssertFalse(manager.isLoading)
        _ = try await manager.load()

        let sent = try XCTUnwrap(transport.requests.first)
        XCTAssertEqual(request.url, sent.url)
        XCTAssertEqual(request.headers, sent.headers)
        XCTAssertEqual(request.headers["Authorization"], "Bearer abc")
        XCTAssertTrue(request.url.query?.contains("sign=") ?? false)
    }

    func testRequestIsRefusedForTheReasonsOfALoad() async {
        let stack = Stack(transport) { $0.retryLimit = 1 }
        let manager = stack.manager(ProductManager())
        let hooks = Refusing()
        manager.interceptor = hooks
        manager.validator = hooks
        hooks.mayCall = false
        var kind = await error(manager)?.kind
        XCTAssertEqual(kind, .vetoed)
        hooks.mayCall = true
        kind = await error(manager, with: ["bad": true])?.kind
        XCTAssertEqual(kind, .invalidParams(reason: "bad"))
        manager.methodName = "products/{id}"
        kind = await error(manager)?.kind
        guard case .invalidRequest? = kind else { return XCTFail("\(String(describing: kind))") }
        manager.serviceIdentifier = .nobody
        let missing = await error(manager)
        XCTAssertEqual(missing?.kind, .serviceNotRegistered)
        XCTAssertEqual(missing?.serviceIdentifier, .nobody)
    }

    func testALoginIsNeededAsForALoad() async {
        let stack = Stack(transport)
        let manager = stack.manager(ProductManager())
        manager.needsLogin = true
        var kind = await error(manager)?.kind
        guard case .invalidRequest(let reason)? = kind else { return XCTFail("\(String(describing: kind))") }
        XCTAssertTrue(reason.contains("no session"), reason)
        stack.change { $0.session = TokenSession() }
        kind = await error(manager)?.kind
        XCTAssertEqual(kind, .loginRequired)
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "abc"))
        kind = await error(manager)?.kind
        XCTAssertNil(kind)
    }

    func testARequestKnowsItsCall() async throws {
        let failures = Locked(1)
        let seen = Locked<[APIRequest.Origin?]>([])
        let stack = Stack(
            ClosureTransport { request in
                seen.withLock { $0.append(request.origin) }
                let fails = failures.withLock { count in
                    defer { count -= 1 }
                    return count > 0
                }
                return TransportResponse(request, json: teapot, status: fails ? 503 : 200)
            }
        ) {
            $0.adapt = { request, _ in request = APIRequest(url: request.url) }
            $0.intercept = { _ in .retry }
        }
        let manager = stack.manager(ProductManager())
        manager.tag = "t"
        let id = manager.loadData()
        await until { !manager.isLoading }
        XCTAssertEqual(seen.current.map { $0?.attempt }, [1, 2])
        let origin = try XCTUnwrap(seen.current.first ?? nil)
        XCTAssertEqual(origin.requestID, id)
        XCTAssertEqual(origin.serviceIdentifier, .test)
        XCTAssertEqual(origin.methodName, "products/detail")
        XCTAssertEqual(origin.tag, "t")
        XCTAssertTrue(origin.managerType == ProductManager.self)
    }
}

private final class Refusing: APIManagerInterceptor, APIManagerValidator {
    var mayCall = true
    func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool { mayCall }
    func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult {
        params["bad"] == nil ? .valid : .invalid(reason: "bad")
    }
}
