import XCTest

// A subclass needs one method of its own: the discovery of tests on Linux does not see one without.

class URLSessionBodiesConformanceTests: Conformance {
    func testShortcomingsAreCases() { checkShortcomings() }
}

class URLSessionConnectionsConformanceTests: Conformance {
    func testShortcomingsAreCases() { checkShortcomings() }
}

class URLSessionForeignServersConformanceTests: Conformance {
    func testShortcomingsAreCases() { checkShortcomings() }
}

class URLSessionMessagesConformanceTests: Conformance {
    func testShortcomingsAreCases() { checkShortcomings() }
}

class URLSessionSecurityConformanceTests: Conformance {
    func testShortcomingsAreCases() { checkShortcomings() }
}

// Where the cases are added.
typealias BodiesConformance = URLSessionBodiesConformanceTests
typealias ConnectionsConformance = URLSessionConnectionsConformanceTests
typealias ForeignServersConformance = URLSessionForeignServersConformanceTests
typealias MessagesConformance = URLSessionMessagesConformanceTests
typealias SecurityConformance = URLSessionSecurityConformanceTests
