import Foundation
import XCTest

@testable import DiscreteNetworkingCore

final class StandardTransportTests: XCTestCase {
    func testThePlatformsOwn() {
        #if os(Linux)
            XCTAssertTrue(StandardTransport.make() is CurlTransport)
        #else
            XCTAssertTrue(StandardTransport.make() is URLSessionTransport)
        #endif
    }

    func testURLSessionTakesOverAndSaysSoOnce() {
        let said = Locked<[String]>([])
        for _ in 0..<3 {
            let transport = StandardTransport.make(
                log: { text in said.withLock { $0.append(text) } },
                preferred: { () throws(TransportError) in
                    throw TransportError(.unsupported, message: "libcurl.so.4 was not found.")
                })
            XCTAssertTrue(transport is URLSessionTransport)
        }
        XCTAssertEqual(
            said.current, ["DiscreteNetworking: libcurl.so.4 was not found. URLSession is used instead."])
    }
}
