#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl

    /// What the loop tells its callers, and when.
    final class CurlLoopTests: XCTestCase {
        private func loop(_ change: (inout CurlConfiguration) -> Void = { _ in }) throws -> CurlLoop {
            var configuration = CurlConfiguration()
            change(&configuration)
            let loop = try CurlLoop(configuration)
            addTeardownBlock { loop.post(.stop) }
            return loop
        }

        private func start(_ request: APIRequest, in loop: CurlLoop) throws -> CurlExchange {
            let exchange = try CurlExchange(request)
            loop.post(.start(exchange))
            return exchange
        }

        /// Its turn comes when another one ends, after which the loop has nothing to do.
        func testOneThatCannotStartWhenItsTurnComesIsTold() async throws {
            let gate = LoopbackGate()
            let server = try serve { _ in .text("x").delayed(until: gate) }
            let other = try serve { _ in .text("y") }
            let loop = try loop { $0.maximumConnectionsPerHost = 1 }
            let first = try start(server.request(), in: loop)
            var request = server.request()
            request.headers = ["X-Broken": "a\nb"]
            let broken = try start(request, in: loop)
            // When this one has ended, the loop has seen the others.
            _ = try await start(other.request(), in: loop).outcome.value.get()
            gate.open()
            _ = try await first.outcome.value.get()
            guard case .failure(let error) = await broken.outcome.value else { return XCTFail("it was sent") }
            XCTAssertEqual(error.kind, .unsupported)
        }

        func testThoseThatEndTogetherAreAllTold() async throws {
            let gate = LoopbackGate()
            let server = try serve { _ in .text("x").delayed(until: gate) }
            let loop = try loop { $0.maximumConnectionsPerHost = 64 }
            let exchanges = try (0..<64).map { _ in try start(server.request(), in: loop) }
            await until { server.requests.count == 64 }
            gate.open()
            for exchange in exchanges {
                let answer = try await exchange.outcome.value.get()
                XCTAssertEqual(answer.head.status, 200)
            }
        }

        func testTheFirstOutcomeCounts() async throws {
            let exchange = try CurlExchange(
                APIRequest(url: try XCTUnwrap(URL(string: "http://a.example/"))))
            exchange.fulfil(.failure(.exchangeCancelled))
            exchange.fulfil(.failure(TransportError(.unknown, message: "")))
            guard case .failure(let error) = await exchange.outcome.value else {
                return XCTFail("no failure")
            }
            XCTAssertEqual(error.kind, .cancelled)
        }
    }
#endif
