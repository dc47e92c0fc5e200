#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// HTTP/2 (RFC 9113) with nginx and hypercorn, over TLS.
    extension ForeignServersConformance {
        private func secure() throws -> any Transport {
            try Self.subject.make(.init(tls: trusting(SharedServers.authority())))
        }

        private func hypercorn(
            _ path: String, _ method: HTTPMethod = .get, headers: HTTPFields = [:], body: RequestBody = .none
        ) throws -> APIRequest {
            APIRequest(
                url: try SharedServers.hypercorn().secureURL.appendingPathComponent(path), method: method,
                headers: headers, body: body, timeout: .infinity)
        }

        private func echo(_ response: TransportResponse) throws -> JSONValue {
            try JSONValue(parsing: response.data)
        }

        func testHTTP2IsAgreedOn() async throws {
            let nginx = try SharedServers.nginx().secureURL.appendingPathComponent("protocol")
            let response = try await secure().send(APIRequest(url: nginx))
            XCTAssertEqual(response.text, "HTTP/2.0")
            let echo = try await echo(secure().send(hypercorn("echo")))
            XCTAssertEqual(echo["version"], "2")
        }

        func testMethodsHeadersAndBodiesOverHTTP2() async throws {
            let transport = try secure()
            let body = Data("a=1&b=\u{0}é".utf8)
            for method in [HTTPMethod.get, .post, .put, .patch, .delete, .options, "REPORT"] {
                let sends = method != .get
                let response = try await transport.send(
                    hypercorn(
                        "echo", method, headers: ["X-One": "1", "Cookie": "a=1; b=2"],
                        body: sends ? .data(body) : .none))
                let echo = try echo(response)
                XCTAssertEqual(echo["method"]?.string, method.rawValue)
                XCTAssertEqual(echo["headers"]?["x-one"], "1")
                XCTAssertEqual(echo["headers"]?["cookie"], "a=1; b=2")
                XCTAssertEqual(echo["count"], sends ? .number(JSONNumber(body.count)) : 0)
                XCTAssertEqual(response.headers["Content-Type"], "application/json")
            }
        }

        func testStatusesOverHTTP2() async throws {
            let transport = try secure()
            for status in [200, 201, 204, 304, 400, 404, 418, 500, 503] {
                let response = try await transport.send(hypercorn("status/\(status)"))
                XCTAssertEqual(response.status, status)
            }
        }

        func testLargeBodiesOverHTTP2() async throws {
            let transport = try secure()
            let size = 2 << 20
            for delivery in Delivery.allCases {
                let down = try await transport.fetch(hypercorn("down/\(size)"), as: delivery).get()
                XCTAssertTrue(down.data == LoopbackResponse.pattern(count: size))
            }
            for body in [
                RequestBody.data(LoopbackResponse.pattern(count: size)), .file(try patternFile(size)),
                .stream(length: nil, Self.patternStream(size)),
            ] {
                let echo = try await echo(transport.send(hypercorn("echo", .post, body: body)))
                XCTAssertEqual(echo["count"], .number(JSONNumber(size)))
                // The SHA-256 of two megabytes of the pattern, by the server in Python.
                XCTAssertEqual(echo["sha256"]?.string, Self.twoMegabytes)
            }
        }

        private static let twoMegabytes = "1e075c8d478ad21844e33e830a695ef03a4d2488b69ee275bd8947618bb1be1e"

        func testManyExchangesAtOnceOverHTTP2() async throws {
            let transport = try secure()
            let request = try hypercorn("echo", .post, body: .data(Data(count: 1000)))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let response = try await transport.send(request)
                        let echo = try JSONValue(parsing: response.data)
                        XCTAssertEqual(echo["count"], 1000)
                    }
                }
                try await group.waitForAll()
            }
        }

        func testGivingUpOneStreamOfHTTP2LeavesTheOthers() async throws {
            let transport = try secure()
            let long = try hypercorn("down/\(64 << 20)")
            let whole = Task { await transport.fetch(long, as: .stream) }
            for _ in 0..<20 {
                let task = Task { await transport.outcome(of: long) }
                task.cancel()
                let outcome = await task.value
                XCTAssertEqual(outcome.error?.kind, .cancelled)
            }
            let after = try await transport.send(hypercorn("echo"))
            XCTAssertEqual(after.status, 200)
            let count = try await whole.value.get().data.count
            XCTAssertEqual(count, 64 << 20)
        }
    }
#endif
