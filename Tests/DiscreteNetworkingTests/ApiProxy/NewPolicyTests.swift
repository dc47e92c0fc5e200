// Without `@testable`: a module above the core sees no more.
import DiscreteNetworkingCore
import DiscreteNetworkingTesting
import Foundation
import XCTest

/// A policy of another module is in force without a line in the core: two that are written as CONTRIBUTING says.
@MainActor
final class NewPolicyTests: XCTestCase {
    func testAStepStandsAtItsPlace() async throws {
        let clock = TestClock()
        let stack = PolicyStack(clock) { $0.closingTime = ClosingTime(at: clock.now + 10) }
        try await stack.load()
        clock.advance(by: 10)
        await stack.assertRefused("closed")
        XCTAssertEqual(stack.transport.requests.count, 1)
    }

    func testAStateOutlivesTheCall() async throws {
        let stack = PolicyStack { $0.budget = CallBudget(2) }
        for _ in 1...2 { try await stack.load() }
        await stack.assertRefused("spent")
        XCTAssertEqual(stack.transport.requests.count, 2)
    }

    func testAConfigurationHasOnePolicyOfAType() async throws {
        let stack = PolicyStack {
            $0.budget = CallBudget(0)
            $0.closingTime = ClosingTime(at: .distantFuture)
            $0.budget = CallBudget(1)
            XCTAssertEqual($0.budget, CallBudget(1))
        }
        try await stack.load()
        await stack.assertRefused("spent")
        var configuration = ServiceConfiguration()
        configuration.budget = CallBudget(1)
        configuration.budget = nil
        XCTAssertNil(configuration.budget)
    }
}

// MARK: A policy that is nothing but a step

/// No call goes out from a date on.
private struct ClosingTime: Policy, Hashable {
    let date: Date
    let machinery = Machinery(
        StepMaker<Self> { policy, pending in ClosingTimeStep(pending: pending, date: policy.date) })

    init(at date: Date) { self.date = date }
}

extension ServiceConfiguration {
    fileprivate var closingTime: ClosingTime? {
        get { self[ClosingTime.self] }
        set { self[ClosingTime.self] = newValue }
    }
}

private struct ClosingTimeStep: CallStep {
    static let place = StepPlace.admission
    let pending: PendingCall
    let date: Date

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard pending.proxy.clock.now < date else {
            throw .refused(pending.proxy.error(.vetoed, of: attempt.call, hint: "It is closed."))
        }
        return try await rest(&attempt)
    }
}

// MARK: A policy with a state that outlives the call

/// How many calls a proxy may send.
private struct CallBudget: Policy, Hashable {
    let calls: Int
    let machinery = Machinery(
        StepMaker<Self> { policy, pending in BudgetStep(pending: pending, calls: policy.calls) })

    init(_ calls: Int) { self.calls = calls }
}

extension ServiceConfiguration {
    fileprivate var budget: CallBudget? {
        get { self[CallBudget.self] }
        set { self[CallBudget.self] = newValue }
    }
}

private final class SentCalls: ProxyState {
    private let count = Locked(0)

    /// - Returns: Whether another call may be sent.
    func add(upTo limit: Int) -> Bool {
        count.withLock { count in
            count += 1
            return count <= limit
        }
    }
}

private struct BudgetStep: CallStep {
    static let place = StepPlace.admission
    let pending: PendingCall
    let calls: Int

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard pending.proxy.state({ SentCalls() }).add(upTo: calls) else {
            throw .refused(pending.proxy.error(.vetoed, of: attempt.call, hint: "The budget is spent."))
        }
        return try await rest(&attempt)
    }
}

// MARK: Their service

private final class PolicyService: Service {
    let baseURL = URL(string: "https://api.example.com")!
    let configuration: ServiceConfiguration

    init(_ configuration: ServiceConfiguration) { self.configuration = configuration }
    convenience init() { self.init(ServiceConfiguration()) }
}

private final class OpenManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier(rawValue: "policies")
    let methodName = "open"
    let requestType = HTTPMethod.get
}

@MainActor
private struct PolicyStack {
    let transport = ClosureTransport(json: "{}")
    private let proxy: ApiProxy

    init(_ clock: TestClock = TestClock(), _ change: (inout ServiceConfiguration) -> Void) {
        var configuration = ServiceConfiguration()
        change(&configuration)
        let (services, service) = (ServiceFactory(), PolicyService(configuration))
        services.register([ServiceIdentifier(rawValue: "policies"): { service }])
        proxy = ApiProxy(transport: transport, services: services, clock: clock)
    }

    func load() async throws(APIError) {
        let manager = OpenManager()
        manager.proxy = proxy
        _ = try await manager.load()
    }

    func assertRefused(_ word: String, line: UInt = #line) async {
        do throws(APIError) {
            try await load()
            XCTFail("The call was sent.", line: line)
        } catch {
            XCTAssertTrue(error.description.contains(word), error.description, line: line)
        }
    }
}
