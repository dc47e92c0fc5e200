import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Content codings (RFC 9110 section 8.4): taken off, bounded, and never a part for the whole.
extension BodiesConformance {
    private static let text = teapot + teapot + teapot
    /// ``text`` in each coding.
    private static let coded: [(coding: String, base64: String)] = [
        ("gzip", "H4sIAAAAAAACA6tWykxRsjLXUcpLzE1VslJ6OXfSi66Nzydvf9Gz7enibUq11RQrAABtIe8MYwAAAA=="),
        ("x-gzip", "H4sIAAAAAAACA6tWykxRsjLXUcpLzE1VslJ6OXfSi66Nzydvf9Gz7enibUq11RQrAABtIe8MYwAAAA=="),
        ("deflate", "eJyrVspMUbIy11HKS8xNVbJSejl30ouujc8nb3/Rs+3p4m1KtdUUKwAAwfAvmA=="),
        ("br", "G2IA+I3UYs0Z7gRhO/Ln+VCSgHeBdFFxFFCykLpW6JQuVxUMVmjkhApv4c8edb9xovldTjE="),
        ("zstd", "KLUv/SRjTQEAFAJ7ImlkIjo3LCJuYW1lIjoi6Z2S6Iqx55O36Iy25aO2In0BADmR1BPe+ZsY"),
    ]
    /// `deflate` without the wrapping of zlib, which many servers send.
    private static let bareDeflate = "q1bKTFGyMtdRykvMTVWyUno5d9KLro3PJ29/0bPt6eJtSrXVFCsAAA=="

    private static func data(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }

    private static func response(_ coding: String, _ body: Data) -> LoopbackResponse {
        LoopbackResponse(headers: [("Content-Encoding", coding)], body: .data(body))
    }

    /// The codings that the transport asks for.
    private func offered() async throws -> [String] {
        let server = try serve { _ in .text("ok") }
        _ = try await transport.send(server.request())
        let value = server.requests.first?.header("Accept-Encoding") ?? ""
        return value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    }

    func testEveryCodingThatIsAskedForIsTakenOff() async throws {
        let offered = try await offered()
        XCTAssertTrue(offered.contains("gzip"), "\(offered)")
        for (coding, base64) in Self.coded where offered.contains(coding) || coding == "x-gzip" {
            let server = try serve { _ in Self.response(coding, Self.data(base64)) }
            for delivery in Delivery.allCases {
                let response = try await transport.fetch(server.request(), as: delivery).get()
                XCTAssertEqual(response.text, Self.text, "\(coding), \(delivery)")
            }
        }
    }

    func testDeflateWithoutItsWrapping() async throws {
        guard try await offered().contains("deflate") else { return }
        let server = try serve { _ in Self.response("deflate", Self.data(Self.bareDeflate)) }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, Self.text)
    }

    func testACodedBodyByteByByte() async throws {
        let pieces = Self.data(Self.coded[0].base64).map { Data([$0]) }
        let server = try serve { _ in
            LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: .chunks(pieces))
        }
        for delivery in Delivery.allCases {
            let response = try await transport.fetch(server.request(), as: delivery).get()
            XCTAssertEqual(response.text, Self.text)
        }
    }

    func testATruncatedCodedBodyIsAnError() async throws {
        let offered = try await offered()
        for (coding, base64) in Self.coded where offered.contains(coding) {
            let whole = Self.data(base64)
            let server = try serve { request in
                Self.response(coding, whole.prefix(Int(request.path.dropFirst()) ?? 0))
            }
            for count in 1..<whole.count {
                for delivery in Delivery.allCases {
                    let outcome = await transport.fetch(server.request("/\(count)"), as: delivery)
                    XCTAssertNotNil(
                        outcome.error, "\(coding) cut to \(count) of \(whole.count) bytes, \(delivery)")
                }
            }
        }
    }

    func testACorruptCodedBodyIsAnError() async throws {
        for body in [
            Data("not zipped at all".utf8), Data([0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF]),
        ] {
            let server = try serve { _ in Self.response("gzip", body) }
            for delivery in Delivery.allCases {
                let outcome = await transport.fetch(server.request(), as: delivery)
                XCTAssertNotNil(outcome.error, "\(delivery)")
            }
        }
    }

    func testABodyOfNoBytesInACoding() async throws {
        let server = try serve { request in
            LoopbackResponse(
                status: request.path == "/204" ? 204 : 200, headers: [("Content-Encoding", "gzip")])
        }
        for request in [server.request("/", .head), server.request("/204"), server.request()] {
            let response = try await transport.send(request)
            XCTAssertEqual(response.data, Data(), "\(request.method) \(request.url.path)")
        }
    }

    func testTheIdentityCodingAndOnesOwnWish() async throws {
        let server = try serve { _ in LoopbackResponse.text("ok").adding("Content-Encoding", "identity") }
        let response = try await transport.send(server.request(headers: ["Accept-Encoding": "identity"]))
        XCTAssertEqual(response.text, "ok")
        XCTAssertEqual(server.requests.first?.header("Accept-Encoding"), "identity")
    }

    // MARK: Bombs

    /// Zeros by the megabyte in a kilobyte each. The bomb has no proper end, and nobody should come there.
    private static func bomb(megabytes: Int) -> Data {
        Data(hex: "1f8b0800000000000203edc101010000008220ffaf6e484001") + Data(count: megabytes * 1016)
    }

    func testABodyOfFourMegabytesInFourKilobytes() async throws {
        var zipped = Data(hex: "1f8b0800000000000203edc101010000008220ffaf6e484001")
        zipped += Data(count: 4063) + Data(hex: "7c1b6a40471100004000")
        let whole = zipped
        let server = try serve { _ in Self.response("gzip", whole) }
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.data.count, 4 << 20)
        let kind = await transport.failure(server.request(limit: (4 << 20) - 1))
        XCTAssertEqual(kind, .responseTooLarge(limit: (4 << 20) - 1))
    }

    func testAGzipBombStopsAtTheLimit() async throws {
        let bomb = Self.bomb(megabytes: 300)
        let server = try serve { _ in Self.response("gzip", bomb) }
        let memory = MemoryWatch()
        let kind = await transport.failure(server.request(limit: 1 << 20))
        XCTAssertEqual(kind, .responseTooLarge(limit: 1 << 20))
        XCTAssertLessThan(memory.growth, 32 << 20)
    }

    func testAGzipBombGoesOffNoFasterThanItIsRead() async throws {
        let bomb = Self.bomb(megabytes: 100)
        let server = try serve { _ in Self.response("gzip", bomb) }
        let memory = MemoryWatch()
        let response = try await transport.send(Delivery.stream.apply(to: server.request()))
        var pieces = try response.stream().makeAsyncIterator()
        var taken = 0
        while taken < 2 << 20, let piece = try await pieces.next() {
            XCTAssertLessThan(piece.count, 16 << 20)
            taken += piece.count
            memory.look()
        }
        // Others are served meanwhile, so the transport had every chance to go on.
        let other = try serve { _ in .text("ok") }
        for _ in 0..<200 { _ = try await transport.send(other.request()) }
        XCTAssertLessThan(memory.growth, 32 << 20)
    }
}
