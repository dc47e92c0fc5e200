import Dispatch
import XCTest

@testable import DiscreteNetworking

/// The objects that hear of a logout.
final class UserDataHolderTests: XCTestCase {
    /// The last reference to a holder may be released while the registry looks whether it exists.
    func testAHolderMayBeReleasedWhileAnotherIsAdded() {
        final class Holder: UserDataHolder {
            let isInMemory = true
            let registry: UserDataRegistry
            init(_ registry: UserDataRegistry) { self.registry = registry }
            // As the proxy's, it takes locks: here the one that it must not be released in.
            deinit { _ = registry.all }
            func removeUserData(of session: TokenSession) async {}
            func userMayHaveChanged() {}
        }
        let registry = UserDataRegistry()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<30_000 { registry.add(Holder(registry)) }
        }
        XCTAssertTrue(registry.all.isEmpty)
    }
}
