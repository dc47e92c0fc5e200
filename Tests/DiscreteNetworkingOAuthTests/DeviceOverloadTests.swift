import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOAuth

final class DeviceOverloadTests: XCTestCase {
    /// A question may be asked again after 503, also if the server says in its body why it is overloaded (RFC 6749
    /// section 4.1.2.1).
    @MainActor
    func testALoginOnAnotherDeviceOutlastsAnOverloadedServer() async throws {
        for body in ["", #"{"error":"temporarily_unavailable"}"#] {
            let count = Locked(0)
            let server = try LoopbackServer { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 1 ? .json(body, status: 503) : .json(#"{"access_token":"t"}"#)
            }
            defer { server.stop() }
            let clock = TestClock()
            let proxy = ApiProxy(services: ServiceFactory(), clock: clock)
            let client = OAuthClient(
                "app", at: OAuthServer(authorization: server.baseURL, token: server.baseURL))
            let device = try DeviceAuthorization(
                [
                    "device_code": "d", "user_code": "u", "verification_uri": "https://example.com",
                    "expires_in": 600,
                ], at: clock.now)
            let login = Task { try await client.tokens(for: device, over: proxy) }
            await clock.waitForSleepers()
            clock.advance(by: 5)
            let advancing = Task {
                await clock.waitForSleepers()
                clock.advance(by: 10)
            }
            do {
                _ = try await login.value
            } catch {
                XCTFail("\(body): \(error)")
            }
            advancing.cancel()
        }
    }
}
