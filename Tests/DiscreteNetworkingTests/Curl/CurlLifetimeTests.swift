#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// What a transport and its exchanges leave behind: nothing.
    final class CurlLifetimeTests: XCTestCase {
        func testAStreamOutlivesItsTransportAndNothingIsLeftOfBoth() async throws {
            let server = try serve { _ in LoopbackResponse(body: .generated(count: 5_000_000)) }
            weak var request: Held?
            do {
                let held = Held()
                request = held
                let count = try await Self.count(server.request(), holding: held, over: try CurlTransport())
                XCTAssertEqual(count, 5_000_000)
            }
            await until { request == nil }
        }

        private final class Held: Sendable {}

        private static func count(
            _ request: APIRequest, holding held: Held, over transport: CurlTransport
        ) async throws -> Int {
            var request = request
            request.destination = .stream
            request.onProgress = { _ in _ = held }
            let response = try await transport.send(request)
            guard case .stream(let stream) = response.body else { return -1 }
            var count = 0
            for try await data in stream { count += data.count }
            return count
        }
    }
#endif
