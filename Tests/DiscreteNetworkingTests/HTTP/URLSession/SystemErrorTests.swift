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

    func testPOSIXErrorsHaveKindsAndTexts() {
        let meanings: [(codes: [Int32], kind: TransportError.Kind, word: String)] = [
            ([ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ENODATA], .connectionLost, "was lost"),
            ([ECONNREFUSED], .cannotConnect, "check that the server is running"),
            ([EHOSTUNREACH, EHOSTDOWN], .cannotConnect, "check its name and the network"),
            ([ENETDOWN, ENETUNREACH], .notConnectedToInternet, "no connection to the Internet"),
            ([ETIMEDOUT], .timedOut, "timed out"),
            ([EMFILE, ENFILE], .unknown, "too many open files"),
            ([ENOSPC], .unknown, "disk is full"),
        ]
        for (codes, kind, word) in meanings {
            for code in codes {
                let found = error(NSPOSIXErrorDomain, Int(code))
                XCTAssertEqual(found.kind, kind, "\(code)")
                XCTAssertEqual(found.code, Int(code))
                XCTAssertTrue(found.message.contains(word), found.message)
            }
        }
        XCTAssertEqual(
            error(NSPOSIXErrorDomain, 9999).message, "The transport failed (\(NSPOSIXErrorDomain)).")
    }

    func testCFNetworkErrorsHaveKindsAndTexts() {
        let domain = "kCFErrorDomainCFNetwork"
        let meanings: [(codes: [Int], kind: TransportError.Kind, word: String)] = [
            ([1, 2], .cannotFindHost, "check the service's base URL"),
            ([303], .badResponse, "malformed"),
            ([306], .cannotConnect, "user name or password"),
            ([310, 311], .cannotConnect, "check the proxy"),
            ([NSURLErrorTimedOut], .timedOut, "timed out"),
            ([NSURLErrorNetworkConnectionLost], .connectionLost, "was lost"),
            ([-72_000, 7], .unknown, "The transport failed (\(domain))."),
        ]
        for (codes, kind, word) in meanings {
            for code in codes {
                let found = error(domain, code)
                XCTAssertEqual(found.kind, kind, "\(code)")
                XCTAssertTrue(found.message.contains(word), found.message)
            }
        }
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
