import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A service's own word: until when its endpoints are not called.
final class DegradationsTests: XCTestCase {
    private let degradations = Degradations()
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    func testAServiceMayDegradeOneEndpoint() {
        degrade("a", until: now + 50)
        XCTAssertEqual(seconds(.test, "a", at: 110), 40)
        XCTAssertNil(seconds(.test, "b", at: 110))
        XCTAssertNil(seconds(.other, "a", at: 110))
        XCTAssertNil(seconds(.test, "a", at: 150))
        XCTAssertTrue(degradations.isEmpty)
    }

    func testAServiceMayDegradeAllItsEndpoints() {
        degrade(nil, until: now + 50)
        degrade("a", until: now + 10)
        XCTAssertEqual(seconds(.test, "a", at: 100), 50, "the longer one counts")
        XCTAssertEqual(seconds(.test, "b", at: 100), 50)
        XCTAssertNil(seconds(.other, "a", at: 100))
    }

    func testAServiceMayDegradeOneEnvironment() {
        degradations.degrade(
            EndpointPlace(service: .test, environment: "staging"), until: now + 50, now: now, at: 100)
        XCTAssertNil(seconds(.test, "a", at: 100))
        let staged = EndpointPlace(service: .test, environment: "staging", methodName: "a")
        XCTAssertEqual(degradations.seconds(of: staged, at: 100), 50)
        degrade("a", until: now + 60)
        XCTAssertEqual(degradations.seconds(of: staged, at: 100), 60, "in all environments")
    }

    func testTheLastWordCountsAndATimeInThePastTakesItBack() {
        degrade("a", until: .distantFuture)
        XCTAssertNotNil(seconds(.test, "a", at: 1e6))
        degrade("a", until: now + 5)
        XCTAssertEqual(seconds(.test, "a", at: 100), 5)
        degrade("a", until: now)
        XCTAssertNil(seconds(.test, "a", at: 100))
        degrade("a", until: Date(timeIntervalSince1970: .nan))
        XCTAssertNil(seconds(.test, "a", at: 100))
    }

    private func degrade(_ methodName: String?, until: Date) {
        degradations.degrade(
            EndpointPlace(service: .test, methodName: methodName), until: until, now: now, at: 100)
    }

    private func seconds(
        _ service: ServiceIdentifier, _ methodName: String, at uptime: TimeInterval
    ) -> TimeInterval? {
        degradations.seconds(of: EndpointPlace(service: service, methodName: methodName), at: uptime)
    }
}
