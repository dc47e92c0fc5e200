import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingSigning

@MainActor
final class ServerClockRetryTests: XCTestCase {
    /// A server whose clock is an hour ahead of the device's, as the documentation of `ServerClock` has it.
    private actor Server: Transport {
        private let first: Int
        private var count = 0
        private var waiting: [CheckedContinuation<Void, Never>] = []
        init(first: Int) { self.first = first }

        nonisolated func send(_ request: APIRequest) async throws -> TransportResponse {
            await arrive()
            let isRight = request.headers["X-Amz-Date"]?.hasPrefix("20231114T2313") == true
            return TransportResponse(
                url: request.url, status: isRight ? 200 : 403,
                headers: ["Date": "Tue, 14 Nov 2023 23:13:20 GMT"], body: .data(Data("{}".utf8)))
        }

        /// The first requests are answered together.
        private func arrive() async {
            count += 1
            guard count <= first else { return }
            guard count == first else { return await withCheckedContinuation { waiting.append($0) } }
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    func testAllCallsThatWereRejectedTogetherAreRetriedWithTheRightTime() async throws {
        let clock = ServerClock(system: { Date(timeIntervalSince1970: 1_700_000_000) })
        let manager = SignedManager(over: Server(first: 3)) { rules in
            rules.baseURL = URL(string: "https://api.example.com")!
            rules.signer = { _ in
                AWSSigner(
                    credentials: AWSCredentials(accessKeyID: "id", secretAccessKey: SigningKey("secret")),
                    region: "eu-central-1", service: "es", now: clock.now)
            }
            rules.intercept = { clock.adjust(to: $0) ? .retry(after: 0) : .report }
        }
        let tasks = (0..<3).map { number in
            Task { () -> APIError.Kind? in
                do throws(APIError) {
                    _ = try await manager.load(with: ["number": number])
                    return nil
                } catch {
                    return error.kind
                }
            }
        }
        var kinds: [APIError.Kind?] = []
        for task in tasks { kinds.append(await task.value) }
        XCTAssertEqual(kinds, [nil, nil, nil])
    }
}
