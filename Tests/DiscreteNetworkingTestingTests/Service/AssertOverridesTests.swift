import DiscreteNetworking
import DiscreteNetworkingSigning
import Foundation
import XCTest

@testable import DiscreteNetworkingTesting

/// A method with a signature of its own is not one of a service, and a test can see that.
@MainActor
final class AssertOverridesTests: XCTestCase {
    /// Every member, as the protocol has it.
    final class Complete: Service {
        let baseURL = URL(string: "https://api.example.com")!
        let configuration = ServiceConfiguration(timeout: 5)
        let apiVersion: String? = "v3"
        func url(for call: APICall) throws -> URL { try call.url(baseURL: baseURL, apiVersion: apiVersion) }
        func extraParams(for call: APICall) -> Params { [:] }
        func extraHeaders(for call: APICall) -> [String: String] { [:] }
        func credential(for call: APICall) -> HTTPCredential? { nil }
        func encoding(for call: APICall) -> any ParamEncoding { .form }
        func adapt(_ request: inout APIRequest, for call: APICall) async throws { throw CancellationError() }
        func bodyTransform(for call: APICall) -> (any BodyTransform)? { nil }
        func signer(for call: APICall) -> (any RequestSigner)? { nil }
        func priority(for call: APICall) -> CallPriority { .normal }
        func redirectPolicy(for call: APICall) -> RedirectPolicy { .follow }
        func accepts(status: Int, for call: APICall) -> Bool { true }
        func envelope(for call: APICall) -> Envelope? { nil }
        func sessionProblem(in failure: FailureContext) -> SessionProblem? { nil }
        func intercept(_ failure: FailureContext) async -> FailureDisposition { .report }
        func userMessage(for error: APIError, languages: [String]) -> String { "" }
        func retryPolicy(for call: APICall) -> RetryPolicy { .never }
        func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy? { nil }
        func varyingFields(for call: APICall) -> VaryingFields { .none }
        func cacheIdentity(for call: APICall) -> String { "" }
    }

    struct Unchanged: BodyTransform {}

    /// None of them, in the way of a developer who believes otherwise.
    final class Mistyped: Service {
        var baseURL: URL { URL(string: "https://api.example.com")! }
        var configuration: ServiceConfiguration? { nil }
        var apiVersion: String { "v3" }
        func url(for call: APICall) throws -> URL? { nil }
        func extraParams(for call: APICall) -> [String: Int] { [:] }
        func extraHeaders(for call: APICall) -> HTTPFields { [:] }
        func credential(for call: APICall) -> HTTPCredential { .basic(user: "a", password: "b") }
        func encoding(call: APICall) -> any ParamEncoding { .form }
        func adapt(_ request: APIRequest, for call: APICall) async throws -> APIRequest { request }
        func bodyTransform(for call: APICall) -> Unchanged { Unchanged() }
        func signer(for call: APICall) -> HMACSigner? { nil }
        func priority(for call: APICall) -> CallPriority? { nil }
        func redirectPolicy(for call: APICall) -> RedirectPolicy? { nil }
        func accepts(_ status: Int, for call: APICall) -> Bool { true }
        func envelope(for call: APICall) -> Envelope { Envelope(code: "code") }
        func sessionProblem(in failure: FailureContext) async -> SessionProblem? { nil }
        func intercept(_ failure: FailureContext) async throws -> FailureDisposition { .report }
        func userMessage(for error: APIError, languages: String) -> String { "" }
        func retryPolicy(for call: APICall) -> RetryPolicy? { nil }
        func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy { CircuitBreakerPolicy() }
        func varyingFields(for call: APICall) -> VaryingFields? { nil }
        func cacheIdentity(for call: APICall) -> String? { nil }
    }

    func testTheListHasEveryMember() {
        XCTAssertEqual(Set(ServiceMember.all.map(\.member)), Set(ServiceDefault.allCases))
        XCTAssertEqual(ServiceMember.all.count, ServiceDefault.allCases.count)
    }

    func testOwnMembersPass() async {
        for member in ServiceMember.all { await assertOverrides(of: Complete.self, member) }
        await assertOverrides(of: Complete.self, .extraHeaders, .intercept)
    }

    func testEachMistypedMemberIsNamedWithItsDeclaration() async {
        for member in ServiceMember.all {
            await assertCaught(
                "Mistyped has no \(member.member.rawValue) of its own", "Write:\n  \(member.declaration)"
            ) {
                await assertOverrides(of: Mistyped.self, member)
            }
        }
    }

    func testSeveralMembersOfAServiceMadeByAClosure() async {
        let made = Locked(0)
        let failures = await collectFailures {
            await assertOverrides(
                of: Mistyped.self, .retryPolicy, .envelope, .circuitBreakerPolicy,
                madeBy: {
                    made.withLock { $0 += 1 }
                    return Mistyped()
                })
        }
        XCTAssertEqual(made.current, 1)
        XCTAssertEqual(failures.count, 3)
        XCTAssertTrue(failures[0].message.contains("func retryPolicy(for call: APICall) -> RetryPolicy {"))
    }

    // MARK: Environments

    final class Staged: EnvironmentService {
        let environment = EnvironmentSwitch(ServiceEnvironment.release)

        func endpoint(in environment: ServiceEnvironment) -> ServiceEndpoint {
            ServiceEndpoint(baseURL: URL(string: "https://api.example.com")!)
        }
    }

    func testTheDefaultsOfEnvironmentsAreDefaults() async {
        await assertCaught("Staged has no url of its own") { await assertOverrides(of: Staged.self, .url) }
        await assertCaught("Staged has no apiVersion of its own") {
            await assertOverrides(of: Staged.self, .apiVersion)
        }
    }

    // MARK: What members do

    final class Storing: Service {
        static let steps = Locked<[String]>([])
        let baseURL = URL(string: "https://api.example.com")!
        let store = DeveloperDesk.credentials
        func extraHeaders(for call: APICall) -> [String: String] {
            Self.steps.withLock { $0.append("\(call.methodName)\(call.params.names)") }
            try? store.write(Data(), for: "a")
            try? DeveloperDesk.credentials.write(Data(), for: "b")
            return [:]
        }
    }

    func testMembersAreCalledOnceAndStoreNothing() async {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("none-\(UUID())")
        DeveloperDesk.folder.current = folder
        await assertOverrides(of: Storing.self, .extraHeaders)
        XCTAssertEqual(Storing.steps.current, ["[]"])
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
    }
}
