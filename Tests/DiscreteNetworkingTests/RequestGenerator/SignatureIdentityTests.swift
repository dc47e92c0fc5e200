import DiscreteNetworkingSigning
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A signature is no part of what tells requests apart, and what the app itself sends under its name is.
final class SignatureIdentityTests: XCTestCase {
    private func identity(
        _ place: SignatureLocation, _ body: String, query: String = "", type: String = "application/json"
    ) throws -> RequestIdentity? {
        let signer = FieldSigner(key: SigningKey("k"), place: place)
        var request = APIRequest(url: try XCTUnwrap(URL(string: "https://h/p" + query)), method: .post)
        request.headers["Content-Type"] = type
        request.body = .data(Data(body.utf8))
        try place.write(UUID().uuidString, into: &request)
        request.notes.identity.varying = signer.varyingFields
        return RequestIdentity(request)
    }

    func testTheSignatureItselfIsLeftOut() throws {
        for place in [SignatureLocation.param("sign"), .query("sign"), .header("X-Sign")] {
            XCTAssertEqual(try identity(place, #"{"a":1}"#), try identity(place, #"{"a":1}"#))
        }
        // A body that takes no param: the signature is in the query.
        for type in ["text/plain", "application/vnd.api+json"] {
            XCTAssertEqual(
                try identity(.param("sign"), "x", type: type), try identity(.param("sign"), "x", type: type))
        }
        let form = "application/x-www-form-urlencoded"
        XCTAssertEqual(
            try identity(.param("sign"), "a=1", type: form), try identity(.param("sign"), "a=1", type: form))
    }

    func testAMemberOfTheSameNameElsewhereTellsRequestsApart() throws {
        for place in [SignatureLocation.param("sign"), .query("sign")] {
            XCTAssertNotEqual(
                try identity(place, #"{"filter":{"sign":"aries"}}"#),
                try identity(place, #"{"filter":{"sign":"leo"}}"#))
        }
        XCTAssertNotEqual(
            try identity(.query("sign"), #"{"sign":"aries"}"#),
            try identity(.query("sign"), #"{"sign":"leo"}"#))
        XCTAssertNotEqual(
            try identity(.param("sign"), "{}", query: "?sign=aries"),
            try identity(.param("sign"), "{}", query: "?sign=leo"))
    }

    func testTheSignatureIsInTheQueryOfAURLWithAFragment() throws {
        for (url, signed) in [
            ("https://h/p#a?b", "https://h/p?sign=x#a?b"), ("https://h/p?c=1#a", "https://h/p?c=1&sign=x#a"),
            ("https://h/p", "https://h/p?sign=x"),
        ] {
            var request = APIRequest(url: try XCTUnwrap(URL(string: url)))
            try SignatureLocation.query("sign").write("x", into: &request)
            XCTAssertEqual(request.url.absoluteString, signed)
        }
    }
}
