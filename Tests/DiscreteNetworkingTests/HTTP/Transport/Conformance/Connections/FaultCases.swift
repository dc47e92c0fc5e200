import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Everything that can happen to a connection, and what the caller is told.
extension ConnectionsConformance {
    func testARefusedPort() async throws {
        let port = try LoopbackServer.refusedPort()
        let url = try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)/"))
        let kind = await transport.failure(APIRequest(url: url))
        XCTAssertEqual(kind, .cannotConnect)
    }

    func testAnUnknownHost() async throws {
        let url = try XCTUnwrap(URL(string: "http://no-such-host.invalid/"))
        let kind = await transport.failure(APIRequest(url: url))
        XCTAssertEqual(kind, .cannotFindHost)
    }

    func testAServerThatDoesNotAnswer() async throws {
        for fault in [LoopbackFault.close, .reset, .abort(atByte: 10), .cut(atByte: 10)] {
            let server = try serve { _ in LoopbackResponse.text("never").failing(with: fault) }
            for method in [HTTPMethod.get, .post] {
                let kind = await transport.failure(server.request("/", method))
                XCTAssertTrue(
                    kind == .connectionLost || kind == .badResponse,
                    "\(method), \(fault): \(String(describing: kind))")
            }
        }
    }

    func testABodyThatIsCutIsAConnectionLost() async throws {
        for body in [
            LoopbackResponse.Body.data(Data(count: 1000)), .chunks([Data(count: 300), Data(count: 700)]),
        ] {
            for fault in [LoopbackFault.cut(atByte: 500), .abort(atByte: 500)] {
                let server = try serve { _ in LoopbackResponse(body: body).failing(with: fault) }
                for delivery in Delivery.allCases {
                    let kind = await transport.fetch(server.request(), as: delivery).error?.kind
                    XCTAssertEqual(kind, .connectionLost, "\(fault), \(delivery)")
                }
            }
        }
    }

    func testALengthThatLies() async throws {
        let server = try serve { _ in
            var response = LoopbackResponse.text("short").adding("Content-Length", "50")
            response.closesConnection = true
            return response
        }
        for delivery in Delivery.allCases {
            let outcome = await transport.fetch(server.request(), as: delivery)
            XCTAssertNotNil(outcome.error)
        }
    }

    // MARK: At every byte

    private static let shapes: [LoopbackResponse.Body] = [
        .data(Data("0123456789".utf8)), .chunks([Data("01234".utf8), Data("56789".utf8)]),
    ]

    /// A server that fails as the path says, and how many bytes its whole response has.
    private func faulty(_ body: LoopbackResponse.Body) async throws -> (server: LoopbackServer, length: Int) {
        let server = try serve { request in
            let parts = request.path.split(separator: "/")
            let response = LoopbackResponse(body: body)
            guard parts.count == 2, let byte = Int(parts[1]) else { return response }
            switch parts[0] {
            case "cut": return response.failing(with: .cut(atByte: byte))
            case "abort": return response.failing(with: .abort(atByte: byte))
            default: return response.failing(with: .stall(atByte: byte))
            }
        }
        // The same head as that of a response with a fault, which says `Connection: close`.
        _ = try await transport.send(server.request("/cut/100000"))
        // The client may have it all before the server has counted it.
        await server.waitForOpenConnections(atMost: 0)
        XCTAssertGreaterThan(server.sentBytes, 60)
        return (server, server.sentBytes)
    }

    func testACutAtEveryByte() async throws {
        for (index, shape) in Self.shapes.enumerated() {
            let (server, length) = try await faulty(shape)
            for byte in 0...length {
                for delivery in Delivery.allCases {
                    let outcome = await transport.fetch(server.request("/cut/\(byte)"), as: delivery)
                    let place = "shape \(index), byte \(byte) of \(length), \(delivery)"
                    if byte < (index == 0 ? length : length - 1) {
                        XCTAssertNotNil(outcome.error, place)
                    } else if byte == length || outcome.error == nil {
                        // No data is missing where the very last line feed is.
                        XCTAssertEqual(outcome.success?.text, "0123456789", place)
                    }
                }
            }
        }
    }

    func testAResetAtEveryByte() async throws {
        for (index, shape) in Self.shapes.enumerated() {
            let (server, length) = try await faulty(shape)
            for byte in 0...length {
                for delivery in Delivery.allCases {
                    let outcome = await transport.fetch(server.request("/abort/\(byte)"), as: delivery)
                    let place = "shape \(index), byte \(byte) of \(length), \(delivery)"
                    if let response = outcome.success {
                        XCTAssertEqual(byte, length, place)
                        XCTAssertEqual(response.text, "0123456789", place)
                    }
                }
            }
        }
    }

    func testACancellationAtEveryByte() async throws {
        for (index, shape) in Self.shapes.enumerated() {
            let (server, length) = try await faulty(shape)
            var count = server.requests.count
            for byte in 0..<length {
                for delivery in Delivery.allCases {
                    let request = server.request("/stall/\(byte)")
                    let task = Task { [transport] in await transport.fetch(request, as: delivery) }
                    count += 1
                    await server.waitForRequests(count)
                    task.cancel()
                    let outcome = await task.value
                    XCTAssertEqual(
                        outcome.error?.kind, .cancelled,
                        "shape \(index), byte \(byte) of \(length), \(delivery)")
                }
            }
            await server.waitForOpenConnections(atMost: 0)
        }
    }

    func testErrorTextsHoldNeitherURLNorSecret() async throws {
        let secret = "s3cr3t-in-the-query"
        let headers: HTTPFields = ["Authorization": "Bearer \(secret)"]
        var requests: [APIRequest] = []
        for fault in [LoopbackFault.close, .reset, .cut(atByte: 105), .malformedHead] {
            let server = try serve { _ in LoopbackResponse.text(secret).failing(with: fault) }
            requests.append(server.request("/path?token=\(secret)", headers: headers))
        }
        let large = try serve { _ in .text(secret) }
        requests.append(large.request("/path?token=\(secret)", headers: headers, limit: 1))
        for base in ["http://127.0.0.1:\(try LoopbackServer.refusedPort())", "http://no-such-host.invalid"] {
            let url = try XCTUnwrap(URL(string: "\(base)/path?token=\(secret)"))
            requests.append(APIRequest(url: url, headers: headers))
        }
        for request in requests {
            let outcome = await transport.outcome(of: request)
            let error = try XCTUnwrap(outcome.error, "\(request.url)")
            var dumped = ""
            dump(error, to: &dumped)
            for text in [error.message, "\(error)", error.localizedDescription, dumped] {
                XCTAssertFalse(text.contains(secret), text)
                XCTAssertFalse(text.contains("http:"), text)
                XCTAssertFalse(text.contains("/path"), text)
            }
            XCTAssertTrue(error.message.hasSuffix("."), "a sentence: \(error.message)")
        }
    }
}
