import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Random header fields, the same in every run.
extension MessagesConformance {
    private static let nameBytes = Array("abcXYZ019!#$%&'*+-.^_`|~")
    private static let valueLetters = Array("abcXYZ019 \t!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~éß茶🍵")

    /// Fields of different names, their values without a blank at either end.
    private static func fields(_ random: inout FixedRandom, ascii: Bool) -> [(name: String, value: String)] {
        (0..<Int.random(in: 1...12, using: &random)).map { index in
            let name = (0..<Int.random(in: 1...16, using: &random)).map { _ in
                nameBytes[Int.random(in: 0..<nameBytes.count, using: &random)]
            }
            let letters = valueLetters.filter { !ascii || $0.isASCII }
            let value = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                letters[Int.random(in: 0..<letters.count, using: &random)]
            }
            return ("X\(index)-" + String(name), "<" + String(value) + ">")
        }
    }

    func testRandomRequestHeaders() async throws {
        let server = try serve { _ in .text("ok") }
        var random = FixedRandom(seed: 9110)
        for round in 0..<200 {
            let fields = Self.fields(&random, ascii: true)
            let headers = try HTTPFields(validating: Dictionary(uniqueKeysWithValues: fields))
            _ = try await transport.send(server.request("/\(round)", headers: headers))
            let request = try XCTUnwrap(server.requests.last)
            for field in fields {
                XCTAssertEqual(request.header(field.name), field.value, "round \(round), \(field.name)")
            }
        }
    }

    func testRandomRequestHeadersInUTF8() async throws {
        let server = try serve { _ in .text("ok") }
        var random = FixedRandom(seed: 8187)
        for round in 0..<200 {
            let fields = Self.fields(&random, ascii: false)
            let headers = try HTTPFields(validating: Dictionary(uniqueKeysWithValues: fields))
            _ = try await transport.send(server.request("/\(round)", headers: headers))
            let request = try XCTUnwrap(server.requests.last)
            for field in fields {
                XCTAssertEqual(request.header(field.name), field.value, "round \(round), \(field.name)")
            }
        }
    }

    func testRandomResponseHeaders() async throws {
        let sent = Locked<[(name: String, value: String)]>([])
        let server = try serve { _ in LoopbackResponse(headers: sent.current, body: .data(Data("ok".utf8))) }
        var random = FixedRandom(seed: 9112)
        for round in 0..<200 {
            sent.current = Self.fields(&random, ascii: false)
            let response = try await transport.send(server.request())
            for field in sent.current {
                XCTAssertEqual(
                    response.headers[try HTTPFields.Name(validating: field.name)], field.value,
                    "round \(round), \(field.name)")
            }
        }
    }
}
