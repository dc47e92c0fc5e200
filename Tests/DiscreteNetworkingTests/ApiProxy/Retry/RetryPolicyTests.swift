import Foundation
import XCTest

@testable import DiscreteNetworkingCore

final class RetryPolicyTests: XCTestCase {
    private static let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT

    // MARK: How long

    func testTheWaitIsARandomPartOfAnExponentiallyGrowingTimeUpToTheCap() {
        let policy = RetryPolicy(attempts: .max, base: 0.5, cap: 3, total: .infinity)
        let most = (1...5).map { Self.delay(policy, attempt: $0, random: 1) }
        XCTAssertEqual(most, [0.5, 1, 2, 3, 3])
        XCTAssertEqual((1...5).map { Self.delay(policy, attempt: $0, random: 0) }, [0, 0, 0, 0, 0])
        XCTAssertEqual(
            (1...5).map { Self.delay(policy, attempt: $0, random: 0.5) }, [0.25, 0.5, 1, 1.5, 1.5])
        XCTAssertEqual(Self.delay(policy, attempt: 1_000_000, random: 1), 3)
    }

    func testAttemptsAreLimited() {
        XCTAssertNotNil(Self.delay(.standard, attempt: 1))
        XCTAssertNotNil(Self.delay(.standard, attempt: 2))
        XCTAssertNil(Self.delay(.standard, attempt: 3))
        XCTAssertNil(Self.delay(.never, attempt: 1))
        XCTAssertNil(Self.delay(RetryPolicy(attempts: -1), attempt: 1))
    }

    func testNoAttemptBeginsAfterTheTotalTime() {
        let policy = RetryPolicy(attempts: 9, base: 4, cap: 4, total: 10)
        XCTAssertEqual(Self.delay(policy, elapsed: 6, random: 1), 4)
        XCTAssertNil(Self.delay(policy, elapsed: 6.001, random: 1))
        XCTAssertEqual(Self.delay(policy, elapsed: 6.001, random: 0.5), 2)
    }

    func testNonsenseInThePolicyMakesNoNonsenseOfTheWait() {
        for value in [-1, -.infinity, .nan, 0] as [TimeInterval] {
            XCTAssertEqual(Self.delay(RetryPolicy(base: value), random: 1), 0, "\(value)")
            XCTAssertEqual(Self.delay(RetryPolicy(cap: value), random: 1), 0, "\(value)")
        }
        XCTAssertEqual(Self.delay(RetryPolicy(base: .infinity), random: 1), 30)
        XCTAssertNil(Self.delay(RetryPolicy(total: .nan)))
        XCTAssertEqual(Self.delay(.standard, random: 7), 0.5)
    }

    // MARK: Retry-After

    func testRetryAfterInSecondsIsTheLeastWait() {
        XCTAssertEqual(Self.delay(after: "7"), 7)
        XCTAssertEqual(Self.delay(after: " 7 ", random: 1), 7.5, "not with others that were told the same")
        XCTAssertEqual(Self.delay(after: "0", random: 1), 0.5)
        XCTAssertEqual(Self.delay(after: "45", random: 1), 45.5, "more than the cap")
        XCTAssertEqual(Self.delay(after: "60", random: 1), 60, "no longer than the total")
    }

    func testRetryAfterAsADateIsTheLeastWait() {
        XCTAssertEqual(Self.delay(after: "Sun, 06 Nov 1994 08:49:57 GMT"), 20)
        XCTAssertEqual(Self.delay(after: "Sun, 06 Nov 1994 08:49:17 GMT", random: 1), 0.5, "in the past")
    }

    func testARetryAfterThatDoesNotFitIsNotShortened() {
        XCTAssertEqual(Self.delay(after: "60"), 60)
        XCTAssertNil(Self.delay(after: "61"))
        XCTAssertNil(Self.delay(after: "60", elapsed: 1))
        XCTAssertNil(Self.delay(after: String(repeating: "9", count: 400)))
        XCTAssertNil(Self.delay(after: "Sun, 06 Nov 2094 08:49:37 GMT"))
    }

    func testAServerCannotKeepACallWithoutATotalForEver() {
        let endless = RetryPolicy(total: .infinity)
        XCTAssertEqual(Self.delay(after: "86400", endless), 86_400)
        for text in [
            "86401", "315360000", String(repeating: "9", count: 400), "Sun, 06 Nov 2094 08:49:37 GMT",
        ] {
            XCTAssertNil(Self.delay(after: text, endless), text)
        }
    }

    func testARetryAfterThatIsNoneIsNotHeeded() {
        for text in [
            "", " ", "-7", "+7", "7.5", "0x10", "1e3", "soon", "٧", "inf", "nan", "Sun, 06 Nov 1994",
        ] {
            XCTAssertEqual(Self.delay(after: text, random: 1), 0.5, text)
        }
    }

    func testOfSeveralRetryAfterTheLongestCounts() {
        let headers = HTTPFields([
            .init(name: "Retry-After", value: "2"), .init(name: "retry-after", value: "9"),
            .init(name: "Retry-After", value: "?"),
        ])
        XCTAssertEqual(RetryAfter.seconds(in: headers, now: Self.now), 9)
        XCTAssertNil(RetryAfter.seconds(in: nil, now: Self.now))
    }

    // MARK: Which

    func testOnlyIdempotentMethodsAreSentAgainUnlessThePolicySaysOtherwise() {
        let unsafe = RetryPolicy(retriesUnsafeMethods: true)
        for method: HTTPMethod in [.get, .head, .options, .put, .delete, "TRACE"] {
            XCTAssertNotNil(Self.delay(.standard, method: method), "\(method)")
        }
        for method: HTTPMethod in [.post, .patch, "REPORT", "get"] {
            XCTAssertNil(Self.delay(.standard, method: method), "\(method)")
            XCTAssertNotNil(Self.delay(unsafe, method: method), "\(method)")
        }
    }

    func testTheStatusesAreThePolicys() {
        let tried = (100..<600).filter { Self.delay(.standard, .http(status: $0)) != nil }
        XCTAssertEqual(tried, [408, 429, 500, 502, 503, 504])
        XCTAssertNil(Self.delay(RetryPolicy(statuses: [418]), .http(status: 503)))
        XCTAssertNotNil(Self.delay(RetryPolicy(statuses: [418]), .http(status: 418)))
    }

    func testTransientFailuresAreRetried() {
        for kind in [APIError.Kind.timedOut, .notReachable] {
            XCTAssertNotNil(Self.delay(.standard, kind), "\(kind)")
        }
        let kinds: [TransportError.Kind] = [
            .cannotFindHost, .cannotConnect, .connectionLost, .secureConnectionFailed, .timedOut,
        ]
        for kind in kinds {
            XCTAssertNotNil(Self.delay(.standard, .transport(TransportError(kind, message: ""))), "\(kind)")
        }
    }

    func testPermanentFailuresAreReported() {
        let kinds: [APIError.Kind] = [
            .vetoed, .invalidParams(reason: ""), .serviceNotRegistered, .degraded(until: nil),
            .invalidRequest(reason: ""), .cancelled, .transfer(.destinationInUse),
            .business(code: 1, message: nil), .decoding(.init(path: [], reason: "")),
            .invalidResponse(reason: ""), .loginRequired, .loginCancelled, .swallowed,
        ]
        for kind in kinds { XCTAssertNil(Self.delay(.standard, kind), "\(kind)") }
        let wire: [TransportError.Kind] = [
            .cancelled, .serverCertificateUntrusted, .publicKeyNotPinned, .clientCertificateRejected,
            .bodyUnavailable, .badResponse, .responseTooLarge(limit: 1), .redirectRefused, .plainHTTPRefused,
            .unsupported, .unknown,
        ]
        for kind in wire {
            XCTAssertNil(Self.delay(.standard, .transport(TransportError(kind, message: ""))), "\(kind)")
        }
    }

    // MARK: Support

    private static func delay(
        _ policy: RetryPolicy, _ kind: APIError.Kind = .timedOut, method: HTTPMethod = .get, attempt: Int = 1,
        elapsed: TimeInterval = 0, random: Double = 0
    ) -> TimeInterval? {
        policy.delay(
            after: error(kind), isIdempotent: method.isIdempotent, attempt: attempt, elapsed: elapsed,
            now: now,
            random: { random })
    }

    private static func delay(
        after text: String, _ policy: RetryPolicy = .standard, elapsed: TimeInterval = 0, random: Double = 0
    ) -> TimeInterval? {
        policy.delay(
            after: error(.http(status: 503), ["Retry-After": text]), isIdempotent: true, attempt: 1,
            elapsed: elapsed, now: now, random: { random })
    }

    private static func error(_ kind: APIError.Kind, _ headers: HTTPFields = [:]) -> APIError {
        let call = APICall.stub()
        let response = TransportResponse(
            url: URL(string: "https://api.example.com")!, status: 503, headers: headers, body: .data(Data()))
        return APIError(
            kind, call: call, response: APIResponse(requestID: call.requestID, response: response),
            redaction: .standard)
    }
}
