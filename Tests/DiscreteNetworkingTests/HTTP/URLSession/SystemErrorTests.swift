import Foundation
import XCTest

@testable import DiscreteNetworkingHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The errors of the system get a typed cause and a text that says what to do.
final class SystemErrorTests: XCTestCase {
    private func error(_ domain: String, _ code: Int, _ info: [String: Any] = [:]) -> TransportError {
        TransportError(system: NSError(domain: domain, code: code, userInfo: info))
    }

    func testPOSIXErrorsHaveKinds() {
        let kinds: [(Int32, TransportError.Kind)] = [
            (ECONNRESET, .connectionLost), (ECONNABORTED, .connectionLost), (EPIPE, .connectionLost),
            (ENOTCONN, .connectionLost), (ENODATA, .connectionLost), (ECONNREFUSED, .cannotConnect),
            (EHOSTUNREACH, .cannotConnect), (ENETDOWN, .notConnectedToInternet),
            (ENETUNREACH, .notConnectedToInternet), (ETIMEDOUT, .timedOut), (EMFILE, .unknown),
        ]
        for (code, kind) in kinds {
            let found = error(NSPOSIXErrorDomain, Int(code))
            XCTAssertEqual(found.kind, kind, "\(code)")
            XCTAssertEqual(found.code, Int(code))
            XCTAssertFalse(found.message.contains(NSPOSIXErrorDomain), found.message)
        }
        XCTAssertEqual(
            error(NSPOSIXErrorDomain, 9999).message, "The transport failed (\(NSPOSIXErrorDomain)).")
    }

    func testCFNetworkErrorsHaveKinds() {
        let domain = "kCFErrorDomainCFNetwork"
        let kinds: [(Int, TransportError.Kind)] = [
            (1, .cannotFindHost), (2, .cannotFindHost), (303, .badResponse), (306, .cannotConnect),
            (310, .cannotConnect), (311, .cannotConnect), (NSURLErrorTimedOut, .timedOut),
            (NSURLErrorNetworkConnectionLost, .connectionLost), (-72_000, .unknown), (7, .unknown),
        ]
        for (code, kind) in kinds { XCTAssertEqual(error(domain, code).kind, kind, "\(code)") }
    }

    /// An unknown error of URLSession often wraps one of a lower layer.
    func testTheUnderlyingErrorDecidesIfURLSessionDoesNotKnow() {
        let reset = NSError(domain: NSPOSIXErrorDomain, code: Int(ECONNRESET))
        XCTAssertEqual(error(NSURLErrorDomain, -1, [NSUnderlyingErrorKey: reset]).kind, .connectionLost)
        XCTAssertEqual(
            error(NSURLErrorDomain, NSURLErrorTimedOut, [NSUnderlyingErrorKey: reset]).kind, .timedOut)
        XCTAssertEqual(error(NSURLErrorDomain, -77).message, "The exchange failed.")
    }

    func testTheReasonOfAMissingNetworkIsNamed() {
        let reasons = ["cellular", "expensive", "Low Data Mode"]
        for (reason, word) in reasons.enumerated() {
            let found = error(
                NSURLErrorDomain, NSURLErrorNotConnectedToInternet,
                ["NSURLErrorNetworkUnavailableReasonKey": reason])
            XCTAssertEqual(found.kind, .notConnectedToInternet)
            XCTAssertTrue(found.message.contains(word), found.message)
        }
        XCTAssertEqual(
            error(NSURLErrorDomain, NSURLErrorNotConnectedToInternet).message,
            "There is no connection to the Internet.")
    }

    /// It does not pass by itself, so that a retry would not help.
    func testADeniedLocalNetworkIsNoMissingNetwork() {
        let found = error(
            NSURLErrorDomain, NSURLErrorNotConnectedToInternet,
            ["_NSURLErrorNWPathKey": "unsatisfied (Local network prohibited), interface: en0"])
        XCTAssertEqual(found.kind, .unsupported)
        XCTAssertTrue(found.message.contains("NSLocalNetworkUsageDescription"), found.message)
    }

    func testACallThatTakesTheNetworkIsRetryable() {
        let found = error(NSURLErrorDomain, -1019)
        XCTAssertEqual(found.kind, .notConnectedToInternet)
        XCTAssertTrue(found.message.contains("phone call"), found.message)
    }
}
