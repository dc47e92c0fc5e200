import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the default configuration leaves out, and that a user's own is heeded.
final class URLSessionConfigurationTests: XCTestCase {
    private static func setsCookie(_ request: LoopbackRequest) -> LoopbackResponse {
        .text(request.header("Cookie") ?? "none").adding("Set-Cookie", "session=abc; Path=/; Max-Age=3600")
    }

    /// Otherwise the call would be rejected before `URLSession` could wait.
    func testATransportThatWaitsForConnectivityNeedsNoNetwork() {
        XCTAssertTrue(URLSessionTransport.needsNetwork(waitsForConnectivity: false, namesProxy: false))
        XCTAssertFalse(URLSessionTransport.needsNetwork(waitsForConnectivity: true, namesProxy: false))
        XCTAssertFalse(URLSessionTransport.needsNetwork(waitsForConnectivity: false, namesProxy: true))
    }

    func testNothingIsWrittenToDisk() async throws {
        let server = try serve { request in
            Self.setsCookie(request).adding("Cache-Control", "public, max-age=3600")
        }
        let before = Self.files()
        let transport = URLSessionTransport()
        for _ in 0..<3 { _ = try await transport.send(server.request()) }
        XCTAssertEqual(Self.files(), before)
    }

    /// Where Foundation would put cookies and caches of this process, and the working directory.
    private static func files() -> Set<String> {
        let manager = FileManager.default
        let name = ProcessInfo.processInfo.processName
        let places: [FileManager.SearchPathDirectory] = [
            .cachesDirectory, .applicationSupportDirectory, .libraryDirectory,
        ]
        var found = Set<String>()
        for place in places.flatMap({ manager.urls(for: $0, in: .userDomainMask) }) {
            found.formUnion(
                (try? manager.contentsOfDirectory(atPath: place.path))?.filter { $0.contains(name) } ?? [])
            let own = place.appendingPathComponent(name).path
            found.formUnion(manager.enumerator(atPath: own)?.compactMap { $0 as? String } ?? [])
        }
        return found.union(
            (try? manager.contentsOfDirectory(atPath: manager.currentDirectoryPath)) ?? [])
    }

    func testHeadersOfAUsersConfigurationAreSent() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Company": "Acme", "X-Both": "configuration"]
        let server = try serve { _ in .text("ok") }
        let transport = URLSessionTransport(configuration: configuration)
        _ = try await transport.send(server.request(headers: ["X-Both": "request"]))
        XCTAssertEqual(server.requests.first?.header("X-Company"), "Acme")
        XCTAssertEqual(server.requests.first?.header("X-Both"), "request")
    }

    func testTheCookieStorageOfAUsersConfigurationWorks() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try XCTUnwrap(configuration.httpCookieStorage)
        let server = try serve(Self.setsCookie)
        let transport = URLSessionTransport(configuration: configuration)
        _ = try await transport.send(server.request())
        let second = try await transport.send(server.request())
        XCTAssertEqual(second.text, "session=abc")
        XCTAssertEqual(storage.cookies(for: server.baseURL)?.map(\.value), ["abc"])
    }

    func testChangingTheConfigurationAfterwardsChangesNothing() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        let server = try serve { _ in .text("ok") }
        let transport = URLSessionTransport(configuration: configuration)
        configuration.httpAdditionalHeaders = ["X-Late": "1"]
        _ = try await transport.send(server.request())
        XCTAssertNil(server.requests.first?.header("X-Late"))
    }

    func testABackgroundConfigurationIsRefused() async throws {
        XCTAssertNil(URLSessionTransport.refusal(ofBackground: nil))
        let refusal = URLSessionTransport.refusal(ofBackground: "com.example.shop")
        XCTAssertEqual(refusal?.kind, .unsupported)
        XCTAssertTrue(refusal?.message.contains("background") == true, "\(String(describing: refusal))")
        #if !canImport(FoundationNetworking)
            let server = try serve { _ in .text("ok") }
            let transport = URLSessionTransport(
                configuration: .background(withIdentifier: "com.example.shop"))
            let outcome = await transport.outcome(of: server.request())
            XCTAssertThrowsError(try outcome.get()) {
                XCTAssertEqual(($0 as? TransportError)?.kind, .unsupported)
            }
            XCTAssertEqual(server.requests.count, 0)
        #endif
    }

    func testACacheOfAUsersConfigurationDoesNotEndTheProcess() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        #if canImport(FoundationNetworking)
            configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0, diskPath: nil)
        #else
            configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        #endif
        let server = try serve { _ in .text("ok").adding("Cache-Control", "max-age=3600") }
        let transport = URLSessionTransport(configuration: configuration)
        let request = server.request()
        for _ in 0..<200 {
            let task = Task { await transport.outcome(of: request) }
            task.cancel()
            _ = await task.value
        }
        let response = try await transport.send(request)
        XCTAssertEqual(response.text, "ok")
        XCTAssertNotNil(configuration.urlCache, "the user's own configuration is not touched")
    }
}
