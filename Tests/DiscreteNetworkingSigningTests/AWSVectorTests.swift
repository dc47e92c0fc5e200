import DiscreteNetworkingSigning
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Amazon's published signatures.
final class AWSVectorTests: XCTestCase {
    /// From "aws-sig-v4-test-suite" and the example of the AWS General Reference.
    private func suite(_ service: String = "service") throws -> AWSSigner {
        let date = try Date(amazon: "20150830T123600Z")
        return AWSSigner(
            credentials: AWSCredentials(
                accessKeyID: "AKIDEXAMPLE",
                secretAccessKey: SigningKey("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")),
            region: "us-east-1", service: service, now: { date })
    }

    /// From "Signature calculations for the Authorization header" and "Authenticating requests: using query parameters" of the
    /// Amazon S3 API Reference.
    private func s3(
        _ payload: AWSSigner.Payload = .signed, _ placement: AWSSigner.Placement = .header,
        _ headers: Set<HTTPFields.Name> = []
    ) throws -> AWSSigner {
        let date = try Date(amazon: "20130524T000000Z")
        return AWSSigner(
            credentials: AWSCredentials(
                accessKeyID: "AKIAIOSFODNN7EXAMPLE",
                secretAccessKey: SigningKey("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")),
            region: "us-east-1", service: "s3", payload: payload, placement: placement,
            signedHeaders: headers, now: { date })
    }

    private func check(
        _ request: APIRequest, _ signer: AWSSigner, _ signature: String, line: UInt = #line
    ) async throws {
        let signed = try await request.signed(by: signer)
        let field = try XCTUnwrap(signed.headers["Authorization"], line: line)
        XCTAssertTrue(field.hasSuffix("Signature=\(signature)"), field, line: line)
    }

    func testTheTestSuite() async throws {
        let address = "https://example.amazonaws.com"
        let form: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
        let vanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        try await check(APIRequest("GET", address + "/"), suite(), vanilla)
        // normalize-path: these are the same path.
        for path in ["", "/example/..", "/example1/example2/../..", "/./", "//"] {
            try await check(APIRequest("GET", address + path), suite(), vanilla)
        }
        try await check(
            APIRequest("GET", address + "/?Param2=value2&Param1=value1"), suite(),
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500")
        try await check(
            APIRequest("POST", address + "/"), suite(),
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b")
        try await check(
            APIRequest("POST", address + "/", headers: form, body: "Param1=value1"), suite(),
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a")
    }

    func testTheExampleOfTheReference() async throws {
        let signed = try await APIRequest(
            "GET", "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
            headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"]
        ).signed(by: suite("iam"))
        XCTAssertEqual(
            signed.headers["Authorization"],
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
        )
        XCTAssertEqual(signed.headers["X-Amz-Date"], "20150830T123600Z")
        XCTAssertNil(signed.headers["X-Amz-Content-SHA256"])
    }

    func testTheExamplesOfS3() async throws {
        let address = "https://examplebucket.s3.amazonaws.com"
        try await check(
            APIRequest("GET", address + "/test.txt", headers: ["Range": "bytes=0-9"]),
            s3(.signed, .header, ["Range"]),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        // The path of a request of the framework leaves `$`, and the signature has `%24`.
        for name in ["test$file.text", "test%24file.text"] {
            try await check(
                APIRequest(
                    "PUT", address + "/" + name,
                    headers: [
                        "Date": "Fri, 24 May 2013 00:00:00 GMT", "X-Amz-Storage-Class": "REDUCED_REDUNDANCY",
                    ], body: "Welcome to Amazon S3."),
                s3(.signed, .header, ["Date"]),
                "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        }
        try await check(
            APIRequest("GET", address + "?lifecycle"), s3(),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        try await check(
            APIRequest("GET", address + "?max-keys=2&prefix=J"), s3(),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    func testThePresignedURLOfS3() async throws {
        let signed = try await APIRequest("GET", "https://examplebucket.s3.amazonaws.com/test.txt").signed(
            by: s3(.unsigned, .query(expiresAfter: 86_400)))
        XCTAssertEqual(
            signed.url.absoluteString,
            "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
        )
        XCTAssertTrue(signed.headers.isEmpty)
    }
}
