import Observation
import XCTest

@testable import DiscreteNetworkingCore

/// A view that reads a manager is told when it changes.
@MainActor
final class ObservationTests: XCTestCase {
    private func track(_ read: () -> Void, onChange: @escaping @Sendable () -> Void) throws {
        guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) else {
            throw XCTSkip("There is no Observation here.")
        }
        withObservationTracking(read, onChange: onChange)
    }

    func testLoadingOutputAndErrorAreObserved() async throws {
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        let gate = Locked(false)
        try track {
            _ = manager.isLoading
        } onChange: {
            gate.current = true
        }
        manager.loadData()
        XCTAssertTrue(gate.current, "told when loading begins")
        gate.current = false
        try track {
            _ = manager.output
        } onChange: {
            gate.current = true
        }
        await until { !manager.isLoading }
        XCTAssertTrue(gate.current, "told when the output is there")
        gate.current = false
        try track {
            _ = manager.error
        } onChange: {
            gate.current = true
        }
        manager.cleanData()
        XCTAssertTrue(gate.current, "told when it is cleaned")
    }

    func testOneManagersChangeIsNotAnothers() async throws {
        let stack = Stack(ClosureTransport(json: teapot))
        let (watched, other) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        let hasChanged = Locked(false)
        try track {
            _ = watched.isLoading
        } onChange: {
            hasChanged.current = true
        }
        _ = try await other.load()
        XCTAssertFalse(hasChanged.current)
    }

    func testACancellationIsObserved() async throws {
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        let id = manager.loadData()
        let hasChanged = Locked(false)
        try track {
            _ = manager.isLoading
        } onChange: {
            hasChanged.current = true
        }
        manager.cancelRequest(id)
        XCTAssertTrue(hasChanged.current)
        XCTAssertFalse(manager.isLoading)
    }
}
