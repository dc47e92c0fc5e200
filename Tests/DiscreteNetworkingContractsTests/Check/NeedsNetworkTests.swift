import DiscreteNetworking
import Foundation
import XCTest

@testable import DiscreteNetworkingContracts

/// Whether the proxy rejects calls of a transport while there is no network.
final class NeedsNetworkTests: XCTestCase {
    /// Needs the network for one host.
    private struct HostTransport: Transport {
        var host = "api.example.com"

        func send(_ request: APIRequest) async throws -> TransportResponse {
            TransportResponse(url: request.url, status: 200)
        }

        func needsNetwork(for url: URL) -> Bool { url.host == host }
    }

    private let url = URL(string: "https://api.example.com/v3/products")!
    private let elsewhere = URL(string: "https://cdn.example.com/v3/products")!

    /// The tests themselves run without a proxy in the environment.
    func testURLSessionNeedsIt() {
        XCTAssertTrue(URLSessionTransport().needsNetwork(for: url))
        #if !canImport(FoundationNetworking)
            let waiting = URLSessionConfiguration.ephemeral
            waiting.waitsForConnectivity = true
            XCTAssertFalse(URLSessionTransport(configuration: waiting).needsNetwork(for: url))
        #endif
    }

    #if os(Linux)
        func testCurlNeedsItUnlessTheServerMayBeOnThisMachine() throws {
            func needsNetwork(_ change: (inout CurlConfiguration) -> Void) throws -> Bool {
                var configuration = CurlConfiguration()
                change(&configuration)
                return try CurlTransport(configuration: configuration).needsNetwork(for: url)
            }
            XCTAssertTrue(try needsNetwork { _ in })
            XCTAssertTrue(try needsNetwork { $0.proxy = .direct })
            XCTAssertFalse(try needsNetwork { $0.unixSocketPath = "/run/shop.socket" })
            let proxy = try XCTUnwrap(URL(string: "http://127.0.0.1:3128"))
            XCTAssertFalse(try needsNetwork { $0.proxy = .url(proxy) })
        }
    #endif

    func testATransportOfOnesOwnDoesNot() {
        struct Own: Transport {
            func send(_ request: APIRequest) async throws -> TransportResponse {
                TransportResponse(url: request.url, status: 200)
            }
        }
        XCTAssertFalse(Own().needsNetwork(for: url))
    }

    func testABaseURLDecides() throws {
        let transport = HostTransport()
        let there = BaseURLTransport(try XCTUnwrap(URL(string: "https://api.example.com")), over: transport)
        let here = BaseURLTransport(try XCTUnwrap(URL(string: "http://localhost:8080")), over: transport)
        for url in [url, elsewhere] {
            XCTAssertTrue(there.needsNetwork(for: url))
            XCTAssertFalse(here.needsNetwork(for: url))
        }
    }

    func testACassetteNeedsItOnlyToRecord() {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        let recording = CassetteTransport(at: file, mode: .record(over: HostTransport()))
        XCTAssertTrue(recording.needsNetwork(for: url))
        XCTAssertFalse(recording.needsNetwork(for: elsewhere))
        for mode in [CassetteTransport.Mode.replay, .replayExactly] {
            XCTAssertFalse(CassetteTransport(at: file, mode: mode).needsNetwork(for: url))
        }
    }
}
