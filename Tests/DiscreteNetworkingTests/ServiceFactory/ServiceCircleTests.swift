import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Services whose `init` asks for one that is only being made.
final class ServiceCircleTests: XCTestCase {
    /// Asks for itself.
    private final class Narcissus: Service {
        static let factory = ServiceFactory()
        let other: (any Service)?
        init() { other = Self.factory.service(for: .test) }
        let baseURL = URL(string: "https://api.example.com")!
    }

    private final class One: Service {
        static let factory = ServiceFactory()
        /// Where both are made at once, each waits here for the other to have begun.
        static let hasBegun = Locked<(@Sendable () -> Void)?>(nil)
        let other: (any Service)?
        init() {
            One.hasBegun.current?()
            other = Self.factory.service(for: .other)
        }
        let baseURL = URL(string: "https://api.example.com")!
    }

    private final class Other: Service {
        let other: (any Service)?
        init() {
            One.hasBegun.current?()
            other = One.factory.service(for: .test)
        }
        let baseURL = URL(string: "https://api.example.com")!
    }

    /// Asks for one of a circle, and is none of it.
    private final class Outsider: Service {
        let other: (any Service)?
        init() { other = One.factory.service(for: .test) }
        let baseURL = URL(string: "https://api.example.com")!
    }

    @MainActor
    private static func error(_ factory: ServiceFactory, _ identifier: ServiceIdentifier) async -> APIError? {
        let manager = ProductManager()
        manager.proxy = ApiProxy(transport: ClosureTransport(json: teapot), services: factory)
        manager.serviceIdentifier = identifier
        return await failure(manager)
    }

    func testAServiceThatAsksForItself() async {
        Narcissus.factory.register([.test: Narcissus.self])
        XCTAssertNil(Narcissus.factory.service(for: .test))
        let error = await Self.error(Narcissus.factory, .test)
        XCTAssertEqual(error?.localizedDescription.contains("test → test"), true, "\(error as Any)")
    }

    func testTwoThatAskForEachOther() async {
        One.hasBegun.current = nil
        for first in [ServiceIdentifier.test, .other] {
            One.factory.register([.test: Outsider.self, .other: Outsider.self])
            One.factory.register([.test: One.self, .other: Other.self, "outsider": Outsider.self])
            XCTAssertNil(One.factory.service(for: first))
            for identifier in [ServiceIdentifier.test, .other] {
                XCTAssertNil(One.factory.service(for: identifier))
                let error = await Self.error(One.factory, identifier)
                XCTAssertEqual(
                    error?.localizedDescription.contains(
                        first == .test ? "test → other → test" : "other → test → other"),
                    true, "\(error as Any)")
            }
            XCTAssertNotNil(One.factory.service(for: "outsider"))
        }
    }

    func testTwoThatAskForEachOtherOnTwoThreads() {
        One.factory.register([.test: Outsider.self, .other: Outsider.self])
        One.factory.register([.test: One.self, .other: Other.self])
        let both = DispatchGroup()
        both.enter()
        both.enter()
        One.hasBegun.current = {
            both.leave()
            both.wait()
        }
        defer { One.hasBegun.current = nil }
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            XCTAssertNil(One.factory.service(for: index == 0 ? .test : .other))
        }
    }
}
