import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Header fields, out and back.
extension MessagesConformance {
    func testRequestHeadersArrive() async throws {
        let server = try serve { _ in .text("ok") }
        let headers: HTTPFields = [
            "X-Plain": "one", "Authorization": "Bearer abc", "Content-Type": "text/x-odd",
            "User-Agent": "Shop/1", "Accept": "application/json", "Cookie": "a=1; b=2",
            "X-Punctuation": #"a"b,c;d=e"#,
        ]
        _ = try await transport.send(
            server.request("/", .post, headers: headers, body: .data(Data("x".utf8))))
        let request = try XCTUnwrap(server.requests.first)
        for field in headers {
            XCTAssertEqual(request.header(field.name.rawName), field.value, field.name.rawName)
        }
        XCTAssertEqual(request.header("Host"), "127.0.0.1:\(server.port)")
        XCTAssertEqual(request.header("Content-Length"), "1")
        XCTAssertEqual(request.headers.filter { $0.name.lowercased() == "content-type" }.count, 1)
    }

    func testTwoRequestHeadersOfOneNameBothArrive() async throws {
        let server = try serve { _ in .text("ok") }
        _ = try await transport.send(server.request(headers: ["X-Tag": "one", "x-tag": "two"]))
        let value = try XCTUnwrap(server.requests.first?.header("X-Tag"))
        XCTAssertEqual(value.replacingOccurrences(of: " ", with: ""), "one,two")
    }

    func testARequestHeaderMayBeEmpty() async throws {
        let server = try serve { _ in .text("ok") }
        _ = try await transport.send(server.request(headers: ["X-Empty": "", "X-After": "1"]))
        XCTAssertEqual(server.requests.first?.header("X-Empty"), "")
        XCTAssertEqual(server.requests.first?.header("X-After"), "1")
    }

    func testAHostOfOnesOwn() async throws {
        let server = try serve { _ in .text("ok") }
        _ = try await transport.send(server.request(headers: ["Host": "shop.example.com"]))
        XCTAssertEqual(
            server.requests.first?.headers.filter { $0.name.lowercased() == "host" }.map(\.value),
            ["shop.example.com"])
    }

    func testNoContentTypeIsMadeUp() async throws {
        let server = try serve { _ in .text("ok") }
        _ = try await transport.send(server.request("/", .post, body: .data(Data("x".utf8))))
        XCTAssertNil(server.requests.first?.header("Content-Type"))
    }

    func testDuplicateResponseHeadersOfAnyCaseAreAllFound() async throws {
        let server = try serve { _ in
            .text("ok").adding("X-Dup", "1").adding("x-dup", "2").adding("X-Dup", "3")
        }
        let response = try await transport.send(server.request())
        let values = response.headers["X-DUP"]?.split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        XCTAssertEqual(values?.sorted(), ["1", "2", "3"])
    }

    func testResponseHeadersKeepTheirOrderAndCase() async throws {
        let server = try serve { _ in
            LoopbackResponse(
                headers: [
                    ("X-Zebra", "1"), ("x-dup", "2"), ("X-Apple", "3"), ("X-Dup", "4"), ("Set-Cookie", "a=1"),
                    ("Set-Cookie", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT"), ("X-DUP", "5"),
                ], body: .data(Data()))
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.headers.values(of: "X-Dup"), ["2", "4", "5"])
        XCTAssertEqual(
            response.headers.values(of: "Set-Cookie"), ["a=1", "b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT"])
        XCTAssertEqual(
            response.headers.map(\.name.rawName).filter { $0.lowercased().hasPrefix("x-") },
            ["X-Zebra", "x-dup", "X-Apple", "X-Dup", "X-DUP"])
    }

    func testHeaderBytesThatAreNotUTF8() async throws {
        let server = try serve { _ in
            var response = LoopbackResponse.text("ok").adding("X-Before", "1")
            response.rawHeaders = Data("X-Latin: caf".utf8) + [0xE9, 0xFF] + Data("\r\nX-After: 2\r\n".utf8)
            return response
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "ok")
        XCTAssertEqual(response.headers["X-Before"], "1")
        XCTAssertEqual(response.headers["X-After"], "2")
        XCTAssertEqual(response.headers["X-Latin"]?.hasPrefix("caf"), true)
    }

    func testAReasonPhraseThatIsNotUTF8() async throws {
        let server = try serve { _ in
            .fault(
                .raw(
                    Data("HTTP/1.1 200 Tr".utf8) + [0xE8] + Data("s bien\r\nContent-Length: 2\r\n\r\nok".utf8)
                ))
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.status, 200)
        XCTAssertEqual(response.text, "ok")
    }

    func testHeadsOfServersWithoutManners() async throws {
        let heads = [
            "no phrase": "HTTP/1.1 200\r\nContent-Length: 2\r\nX-A: 1\r\n\r\nok",
            "an empty phrase": "HTTP/1.1 200 \r\nContent-Length: 2\r\nX-A: 1\r\n\r\nok",
            "no space after the colon": "HTTP/1.1 200 OK\r\nContent-Length:2\r\nX-A:1\r\n\r\nok",
            "blanks about the value": "HTTP/1.1 200 OK\r\nContent-Length:  2 \r\nX-A: \t1\t \r\n\r\nok",
            "an empty value": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Empty:\r\nX-A: 1\r\n\r\nok",
            "HTTP/1.0": "HTTP/1.0 200 OK\r\nX-A: 1\r\n\r\nok",
        ]
        for (name, head) in heads {
            let server = try serve { _ in .bytes(head) }
            let response = await transport.fetch(server.request()).success
            XCTAssertEqual(response?.status, 200, name)
            XCTAssertEqual(response?.text, "ok", name)
            XCTAssertEqual(response?.headers["X-A"], "1", name)
        }
    }

    func testLinesThatEndInABareLineFeed() async throws {
        let server = try serve { _ in .bytes("HTTP/1.1 200 OK\nContent-Length: 2\nX-A: 1\n\nok") }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "ok")
        XCTAssertEqual(response.headers["X-A"], "1")
    }

    func testABlankBeforeTheColon() async throws {
        let server = try serve { _ in .bytes("HTTP/1.1 200 OK\r\nX-Odd : 1\r\nContent-Length: 2\r\n\r\nok") }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "ok")
        XCTAssertEqual(response.headers["X-Odd"], "1")
    }

    func testAFoldedHeaderLine() async throws {
        let server = try serve { _ in
            .bytes("HTTP/1.1 200 OK\r\nX-Fold: one\r\n two\r\nContent-Length: 2\r\n\r\nok")
        }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "ok")
        XCTAssertEqual(response.headers["X-Fold"]?.split(separator: " ").joined(separator: " "), "one two")
    }

    func testAHeaderLineOf30KB() async throws {
        let long = String(repeating: "0123456789abcdef", count: 30 << 6)
        let server = try serve { _ in .text("ok").adding("X-Long", long).adding("X-After", "1") }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "ok")
        XCTAssertTrue(response.headers["X-Long"] == long)
        XCTAssertEqual(response.headers["X-After"], "1")
    }

    /// Delivered or refused, but never a hang or a part of it.
    func testAHeaderLineOf110KB() async throws {
        let long = String(repeating: "0123456789a", count: 10 << 10)
        let server = try serve { _ in .text("ok").adding("X-Long", long) }
        switch await transport.fetch(server.request()) {
        case .success(let response):
            XCTAssertEqual(response.text, "ok")
            XCTAssertTrue(response.headers["X-Long"] == long)
        case .failure(let error): XCTAssertEqual(error.kind, .badResponse)
        }
        let after = try serve { _ in .text("ok") }
        let response = try await transport.send(after.request())
        XCTAssertEqual(response.text, "ok")
    }

    func testHeadersWithoutEndAreRefused() async throws {
        let gate = LoopbackGate()
        let block = String(
            repeating: "X-Fill: " + String(repeating: "x", count: 1000) + "\r\n", count: 8 << 10)
        let server = try serve { _ in
            var response = LoopbackResponse.text("ok")
            response.rawHeaders = Data(block.utf8)
            response.body = .gated(gate, Data())
            return response
        }
        let outcome = await transport.fetch(server.request())
        XCTAssertNotNil(outcome.error, "8 MB of headers")
    }
}
