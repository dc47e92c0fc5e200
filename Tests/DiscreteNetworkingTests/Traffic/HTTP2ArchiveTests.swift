#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingTraffic

    /// The archive of calls over HTTP/2 and TLS, answered by nginx.
    @MainActor
    final class HTTP2ArchiveTests: XCTestCase {
        private func number(_ value: JSONValue?, _ line: UInt = #line) throws -> Double {
            try XCTUnwrap(value?.double, line: line)
        }

        func testTheVersionAndTheTimesOfAnExchangeAreThoseOfHTTP2() async throws {
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            configuration.tls.certificateAuthorities = try SharedServers.authority().root.certificate
            let nginx = try SharedServers.nginx().secureURL
            let stack = Stack(try CurlTransport(configuration: configuration)) { $0.baseURL = nginx }
            let recorder = TrafficRecorder()
            stack.proxy.addObserver(recorder)
            // A new connection, the same one, and a redirect on it.
            for path in ["text", "protocol", "moved"] {
                let manager = stack.manager(TestManager<Data>())
                manager.methodName = path
                _ = try await manager.load()
            }

            let archive = recorder.archive()
            XCTAssertEqual(HARSchema.problems(of: archive), [])
            let entries = try XCTUnwrap(archive["log"]?["entries"]?.array)
            let pages = try XCTUnwrap(archive["log"]?["pages"]?.array)
            XCTAssertEqual(entries.compactMap { $0["response"]?["status"]?.int }, [200, 200, 302, 200])
            for entry in entries {
                XCTAssertEqual(entry["request"]?["httpVersion"], "HTTP/2")
                XCTAssertEqual(entry["response"]?["httpVersion"], "HTTP/2")
                let timings = try XCTUnwrap(entry["timings"]?.object)
                let sum = timings.filter { $0.key != "ssl" }.reduce(0) { $0 + max(0, $1.value.double ?? 0) }
                XCTAssertEqual(try number(entry["time"]), sum, accuracy: 0.01)
                XCTAssertGreaterThan(try number(timings["wait"]), 0)
                let page = try XCTUnwrap(pages.first { $0["id"] == entry["pageref"] })
                XCTAssertLessThanOrEqual(
                    try number(entry["time"]), try number(page["pageTimings"]?["onLoad"]) + 0.01)
            }
            // Only the first exchange connects; the handshake is a part of that.
            let first = try XCTUnwrap(entries[0]["timings"])
            XCTAssertGreaterThan(try number(first["ssl"]), 0)
            XCTAssertGreaterThanOrEqual(try number(first["connect"]), try number(first["ssl"]))
            for entry in entries.dropFirst() {
                for phase in ["dns", "connect", "ssl"] {
                    XCTAssertLessThanOrEqual(try number(entry["timings"]?[phase]), 0, phase)
                }
            }
            // nginx compresses the text; HAR counts what that saved.
            let response = try XCTUnwrap(entries[0]["response"])
            XCTAssertEqual(response["content"]?["size"]?.int, NginxServer.text.utf8.count)
            let received = try number(response["bodySize"])
            XCTAssertLessThan(received, Double(NginxServer.text.utf8.count))
            XCTAssertEqual(
                try number(response["content"]?["compression"]),
                Double(NginxServer.text.utf8.count) - received)
        }
    }
#endif
