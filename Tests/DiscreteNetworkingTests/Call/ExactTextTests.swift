import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Swift's strings are equal if they are canonically equivalent (Unicode, section 3.7); the resources of a server are not.
final class ExactTextTests: XCTestCase {
    private let composed = "caf\u{E9}"
    private let decomposed = "cafe\u{301}"

    func testMethodNamesAreComparedByTheirBytes() async throws {
        XCTAssertEqual(composed, decomposed)
        var paths: [String] = []
        for name in [composed, decomposed, composed] {
            paths.append(try await request(.stub("exact/" + name)).url.absoluteString)
        }
        XCTAssertEqual(
            paths, ["caf%C3%A9", "cafe%CC%81", "caf%C3%A9"].map { "https://api.example.com/exact/" + $0 })
    }

    func testVersionsAreComparedByTheirBytes() throws {
        let base = try XCTUnwrap(URL(string: "https://h"))
        let urls = try [composed, decomposed].map {
            try APICall.stub("exact").url(baseURL: base, apiVersion: $0).absoluteString
        }
        XCTAssertEqual(urls, ["https://h/caf%C3%A9", "https://h/cafe%CC%81"])
    }
}
