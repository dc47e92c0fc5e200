import XCTest

@testable import DiscreteNetworkingCore

/// A test with a `URLSessionTransport` of its own, which is closed with it: XCTest keeps every test until the end of
/// the run, and with it the sockets of whatever it holds.
class URLSessionCase: XCTestCase {
    private var made: URLSessionTransport?

    /// Made when it is first asked for.
    var transport: URLSessionTransport {
        let transport = made ?? URLSessionTransport()
        made = transport
        return transport
    }

    override func tearDown() {
        made = nil
        super.tearDown()
    }
}
