import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// One instance of each registered class, however many ask for it.
final class ServiceFactoryTests: XCTestCase {
    /// Counts how often it is made.
    final class Counted: Service {
        static let made = Locked(0)
        init() { Self.made.withLock { $0 += 1 } }
        var baseURL: URL { URL(string: "https://counted.example.com")! }
    }

    final class Lazy: Service {
        static let made = Locked(0)
        init() { Self.made.withLock { $0 += 1 } }
        var baseURL: URL { URL(string: "https://lazy.example.com")! }
    }

    final class Plain: Service {
        var baseURL: URL { URL(string: "https://plain.example.com")! }
    }

    /// Looks up another service while it is being made.
    final class Dependent: Service {
        static let factory = ServiceFactory()
        let other: (any Service)?
        init() { other = Self.factory.service(for: .other) }
        var baseURL: URL { URL(string: "https://dependent.example.com")! }
    }

    private func object(_ factory: ServiceFactory, _ identifier: ServiceIdentifier) -> AnyObject? {
        factory.service(for: identifier).map { $0 as AnyObject }
    }

    func testMadeOnceFromManyThreads() {
        let factory = ServiceFactory()
        factory.register([.test: Counted.self])
        let seen = Locked<Set<ObjectIdentifier>>([])
        let before = Counted.made.current
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            guard let service = factory.service(for: .test) as? Counted else { return }
            seen.withLock { _ = $0.insert(ObjectIdentifier(service)) }
        }
        XCTAssertEqual(seen.current.count, 1)
        XCTAssertEqual(Counted.made.current, before + 1)
    }

    func testMadeOnFirstUseOnly() {
        let factory = ServiceFactory()
        factory.register([.test: Lazy.self])
        XCTAssertEqual(factory.identifiers, [.test])
        XCTAssertEqual(Lazy.made.current, 0)
        _ = factory.service(for: .test)
        XCTAssertEqual(Lazy.made.current, 1)
    }

    func testKeptWhenItsClassIsRegisteredAgain() throws {
        let factory = ServiceFactory()
        factory.register([.test: Plain.self])
        let first = try XCTUnwrap(object(factory, .test))
        factory.register([.test: Plain.self, .other: Plain.self])
        XCTAssertTrue(first === object(factory, .test))
        XCTAssertFalse(first === object(factory, .other), "one instance for each identifier")
    }

    func testReplacedByAnotherClass() throws {
        let factory = ServiceFactory()
        factory.register([.test: Plain.self, .other: Plain.self])
        let (first, other) = (try XCTUnwrap(object(factory, .test)), object(factory, .other))
        factory.register([.test: TestService.self])
        XCTAssertTrue(factory.service(for: .test) is TestService)
        XCTAssertTrue(other === object(factory, .other))
        factory.register([.test: Plain.self])
        XCTAssertTrue(factory.service(for: .test) is Plain)
        XCTAssertFalse(first === object(factory, .test))
    }

    /// With a session of its own.
    final class Members: Service {
        var baseURL: URL { URL(string: "https://members.example.com")! }
        let configuration = ServiceConfiguration(session: TokenSession())
    }

    func testALostSessionIsToldOf() {
        let lines = Locked<[String]>([])
        let factory = ServiceFactory { line in lines.withLock { $0.append(line) } }
        factory.register([.test: Members.self, .other: Plain.self])
        factory.register([.test: Plain.self])
        XCTAssertEqual(lines.current, [], "it was never made")
        factory.register([.test: Members.self])
        _ = factory.service(for: .test)
        _ = factory.service(for: .other)
        factory.register([.test: Members.self, .other: Members.self])
        XCTAssertEqual(lines.current, [], "it is kept, or had no session")
        factory.register([.test: Plain.self])
        XCTAssertEqual(lines.current.count, 1)
        let line = lines.current.first ?? "no line"
        XCTAssertTrue(line.contains(#""test" was registered again"#), line)
        XCTAssertTrue(line.contains("Members"), line)
    }

    /// A service that needs something to be made.
    final class Region: Service {
        let name: String
        var baseURL: URL { URL(string: "https://\(name).example.com")! }
        convenience init() { self.init("default") }
        init(_ name: String) { self.name = name }
    }

    func testMadeByClosures() throws {
        let factory = ServiceFactory()
        let made = Locked(0)
        factory.register([
            .test: {
                made.withLock { $0 += 1 }
                return Region("cn")
            }, .other: { Region("eu") },
        ])
        XCTAssertEqual(made.current, 0, "on first use")
        XCTAssertEqual((factory.service(for: .test) as? Region)?.name, "cn")
        XCTAssertTrue(try XCTUnwrap(object(factory, .test)) === object(factory, .test))
        XCTAssertEqual((factory.service(for: .other) as? Region)?.name, "eu")
        XCTAssertEqual(made.current, 1)
        factory.register([.test: { Region("us") }])
        XCTAssertEqual((factory.service(for: .test) as? Region)?.name, "us")
        factory.register([.test: Region.self])
        XCTAssertEqual((factory.service(for: .test) as? Region)?.name, "default")
    }

    func testUnknownIsNil() {
        let factory = ServiceFactory()
        XCTAssertNil(factory.service(for: .test))
        factory.register([.test: Plain.self])
        XCTAssertNil(factory.service(for: .nobody))
        XCTAssertNil(factory.service(for: "TEST"))
        XCTAssertNotNil(factory.service(for: "test"))
    }

    func testIdentifiersAreSortedAndFactoriesApart() {
        let factory = ServiceFactory()
        factory.register(["b": Plain.self, "c": Plain.self, "a": Plain.self])
        XCTAssertEqual(factory.identifiers, ["a", "b", "c"])
        XCTAssertEqual(ServiceFactory().identifiers, [])
        XCTAssertEqual("\(ServiceIdentifier.test)", "test")
    }

    func testAServiceMayLookUpAnotherInItsInit() throws {
        Dependent.factory.register([.test: Dependent.self, .other: Plain.self])
        let dependent = try XCTUnwrap(Dependent.factory.service(for: .test) as? Dependent)
        XCTAssertTrue(dependent.other is Plain)
    }

    @MainActor
    func testACallToAnUnknownServiceSaysWhatToDo() async {
        let transport = ClosureTransport(json: teapot)
        let manager = ProductManager()
        manager.proxy = ApiProxy(transport: transport, services: ServiceFactory())
        manager.serviceIdentifier = .nobody
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .serviceNotRegistered)
        XCTAssertTrue(error?.localizedDescription.contains(#"register(["nobody": "#) ?? false)
        XCTAssertEqual(transport.requests.count, 0)
    }
}
