#if canImport(Combine)
    import Combine
    import XCTest

    @testable import DiscreteNetworkingCore

    /// What Combine and SwiftUI before iOS 17 are told of a manager.
    @MainActor
    final class CombineTests: XCTestCase {
        private var subscriptions: Set<AnyCancellable> = []

        func testAViewIsToldBeforeTheStateChanges() async throws {
            let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
            var wasLoading: [Bool] = []
            manager.objectWillChange.sink { wasLoading.append(manager.isLoading) }.store(in: &subscriptions)
            manager.loadData()
            await until { !manager.isLoading }
            XCTAssertEqual(wasLoading.first, false)
            XCTAssertGreaterThanOrEqual(wasLoading.count, 2)
        }

        func testPublishersGiveWhatIsAndWhatComes() async throws {
            let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
            var loading: [Bool] = []
            var names: [String?] = []
            manager.isLoadingPublisher.sink { loading.append($0) }.store(in: &subscriptions)
            manager.outputPublisher.sink { names.append($0?.name) }.store(in: &subscriptions)
            let product = try await manager.load()
            XCTAssertEqual(loading, [false, true, false])
            XCTAssertEqual(names, [nil, product.name])
        }

        func testLoadAsAPublisher() async throws {
            let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
            var names: [String] = []
            var hasEnded = false
            manager.loadPublisher()
                .sink { _ in
                    hasEnded = true
                } receiveValue: {
                    names.append($0.name)
                }
                .store(in: &subscriptions)
            await until { hasEnded }
            XCTAssertEqual(names, [manager.output?.name])
        }

        func testCancellingASubscriptionCancelsTheCall() async throws {
            let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
            let subscription = manager.loadPublisher().sink { _ in
            } receiveValue: { _ in
                XCTFail("cancelled")
            }
            subscription.cancel()
            await until { !manager.isLoading }
            XCTAssertNil(manager.output)
        }
    }
#endif
