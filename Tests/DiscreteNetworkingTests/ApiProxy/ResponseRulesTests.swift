import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// What a manager says about its responses in place of its service, and what a response says about itself.
@MainActor
final class ResponseRulesTests: XCTestCase {
    private static let wrapped = #"{"code":0,"msg":"fine","content":\#(teapot)}"#
    private static let envelope = Envelope(code: "code", message: "msg", payload: "content")

    private func manager(
        _ json: String, status: Int = 200, _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> ProductManager {
        Stack(ClosureTransport(json: json, status: status), change).manager(ProductManager())
    }

    func testAnEndpointWithoutTheEnvelopeOfItsService() async throws {
        let bare = manager(teapot) { $0.envelope = Self.envelope }
        bare.ownResponseRules.envelope = .bare
        let product = try await bare.load()
        XCTAssertEqual(product.id, 7)
        XCTAssertNil(bare.response?.businessCode)
    }

    func testAnEndpointWithAnEnvelopeOfItsOwn() async throws {
        let own = manager(#"{"ok":true,"data":\#(teapot)}"#) { $0.envelope = Self.envelope }
        own.ownResponseRules.envelope = Envelope(code: "ok", success: [true], payload: "data")
        let product = try await own.load()
        XCTAssertEqual(product.id, 7)
        let without = manager(Self.wrapped)
        without.ownResponseRules.envelope = Self.envelope
        _ = try await without.load()
    }

    func testADecoderOfItsOwn() async throws {
        let stack = Stack(ClosureTransport(json: #"{"name_of_it":"a"}"#))
        struct Named: Decodable, Sendable { let nameOfIt: String }
        let own = stack.manager(TestManager<Named>())
        let before = await failure(own)
        guard case .decoding? = before?.kind else { return XCTFail("\(String(describing: before))") }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        own.ownResponseRules.jsonDecoder = decoder
        let output = try await own.load()
        XCTAssertEqual(output.nameOfIt, "a")
    }

    func testStatusesOfItsOwn() async throws {
        let own = manager(teapot, status: 404)
        let refused = await failure(own)
        XCTAssertEqual(refused?.kind, .http(status: 404))
        own.ownResponseRules.statuses = [200, 404]
        _ = try await own.load()
        XCTAssertEqual(own.response?.status, 404)
        own.ownResponseRules.statuses = [201]
        let other = await failure(own)
        XCTAssertEqual(other?.kind, .http(status: 404))
    }

    /// Over real sockets: one manager follows, another of the same service does not.
    func testARedirectPolicyOfItsOwn() async throws {
        let server = try LoopbackServer(routes: [
            .get("/products/detail") { _ in .init(status: 302, headers: [("Location", "/there")]) },
            .get("/there") { _ in .json(teapot) },
        ])
        defer { server.stop() }
        let stack = Stack(StandardTransport.make()) { $0.baseURL = server.baseURL }
        let follows = stack.manager(ProductManager())
        _ = try await follows.load()
        let stays = stack.manager(ProductManager())
        stays.ownResponseRules.redirects = .refuse
        let error = await failure(stays)
        XCTAssertEqual(error?.kind, .http(status: 302))
    }

    func testASuccessSaysItsCodeItsMessageAndItsCall() async throws {
        let own = manager(Self.wrapped) { $0.envelope = Self.envelope }
        let requestID = own.loadData(with: ["id": 7])
        await until { !own.isLoading }
        XCTAssertEqual(own.response?.businessCode, 0)
        XCTAssertEqual(own.response?.businessMessage, "fine")
        XCTAssertEqual(own.response?.params, ["id": 7])
        XCTAssertEqual(own.response?.requestID, requestID)
    }

    /// A code of success is no failure's: the error that the validator makes of it has none.
    func testTheErrorAfterASuccessHasNoBusinessCode() async throws {
        let own = manager(Self.wrapped) { $0.envelope = Self.envelope }
        let strict = Strict()
        own.validator = strict
        let error = await failure(own)
        XCTAssertEqual(error?.kind, .invalidResponse(reason: "no"))
        XCTAssertNil(error?.businessCode)
        XCTAssertEqual(error?.response?.businessCode, 0)
    }

    final class Strict: APIManagerValidator {
        func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult {
            .invalid(reason: "no")
        }
    }

    func testCodesAsIntegers() async throws {
        for (code, expected) in [("0", nil), (#""0""#, nil), ("5", 5), (#""5""#, 5), (#""x""#, "x")]
            as [(String, JSONValue?)]
        {
            let own = manager(#"{"code":\#(code),"content":\#(teapot)}"#) {
                $0.envelope = Envelope(code: "code", payload: "content", codes: .integers)
            }
            let error = await failure(own)
            XCTAssertEqual(error?.businessCode, expected, code)
        }
        let exact = manager(#"{"code":"0","content":\#(teapot)}"#) { $0.envelope = Self.envelope }
        let error = await failure(exact)
        XCTAssertEqual(error?.businessCode, "0", "as it is written, unless the envelope says otherwise")
    }

    func testTheOuterMessageStandsForTheInnerCode() async throws {
        let envelope = Envelope(code: "code", message: "msg", payload: "content")
            .containing(Envelope(code: "code", payload: "re"))
        let inner = manager(#"{"code":0,"msg":"sold out","content":{"code":9,"re":null}}"#) {
            $0.envelope = envelope
        }
        let error = await failure(inner)
        XCTAssertEqual(error?.kind, .business(code: 9, message: "sold out"))
        let outer = manager(#"{"code":3,"msg":"bad sign"}"#) { $0.envelope = envelope }
        let outerError = await failure(outer)
        XCTAssertEqual(outerError?.kind, .business(code: 3, message: "bad sign"))
        let fine = manager(#"{"code":0,"msg":"ok","content":{"code":0,"re":\#(teapot)}}"#) {
            $0.envelope = envelope
        }
        let product = try await fine.load()
        XCTAssertEqual(product.id, 7)
    }

    func testTheHooksKnowTheNumberOfTheCall() async throws {
        final class Hooked: APIManager<Product>, APIManagerInterceptor {
            let serviceIdentifier = ServiceIdentifier.test
            let methodName = "products/detail"
            let requestType = HTTPMethod.get
            var calls: [(RequestID, Params)] = []
            func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {
                calls.append((requestID, params))
            }
        }
        final class Outside: APIManagerInterceptor {
            var calls: [RequestID] = []
            func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {
                calls.append(requestID)
            }
        }
        let hooked = Stack(ClosureTransport(json: teapot)).manager(Hooked())
        let outside = Outside()
        hooked.interceptor = outside
        let requestID = hooked.loadData(with: ["id": 7])
        XCTAssertEqual(hooked.calls.map(\.0), [requestID])
        XCTAssertEqual(hooked.calls.map(\.1), [["id": 7]])
        XCTAssertEqual(outside.calls, [requestID])
        hooked.cancelAllRequests()
    }

    func testCancellingAListOfCalls() async throws {
        let gate = Gate()
        let stack = Stack(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: teapot)
            })
        let own = stack.manager(ProductManager())
        let requestIDs = (0..<4).map { own.loadData(with: ["id": $0]) }
        own.cancelRequests(requestIDs[0...1])
        XCTAssertEqual(stack.proxy.requestIDs, Array(requestIDs[2...3]))
        stack.proxy.cancelRequests([requestIDs[3], requestIDs[3]])
        XCTAssertEqual(stack.proxy.requestIDs, [requestIDs[2]])
        gate.open()
        await until { !own.isLoading }
        XCTAssertEqual(own.response?.requestID, requestIDs[2])
    }
}
