import DiscreteNetworkingSigning
import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What both signers have in common: secrets, errors, samples and caches.
@MainActor
final class SignerTests: XCTestCase {
    private static let aws = AWSCredentials(
        accessKeyID: "AKIDVISIBLE", secretAccessKey: SigningKey("wJalrVISIBLE"),
        sessionToken: "FwoGVISIBLE")
    private static let oauth = OAuth1Credentials(
        consumerKey: "consumerVISIBLE", consumerSecret: SigningKey("secretVISIBLE"), token: "tokenVISIBLE",
        tokenSecret: SigningKey("tokenSecretVISIBLE"))

    private static func signer(_ placement: AWSSigner.Placement = .header) -> AWSSigner {
        AWSSigner(credentials: aws, region: "r", service: "s", placement: placement)
    }

    private func reason(
        _ request: APIRequest, _ signer: some RequestSigner, line: UInt = #line
    ) async -> String? {
        do {
            _ = try await request.signed(by: signer)
            XCTFail("signed", line: line)
        } catch let error as InvalidRequestError {
            return error.reason
        } catch {
            XCTFail("\(error)", line: line)
        }
        return nil
    }

    func testTextsHaveNoSecret() async throws {
        var shown = ""
        dump([Self.aws] as Any, to: &shown)
        dump(Self.oauth, to: &shown)
        dump(Self.signer(), to: &shown)
        dump(OAuth1Signer(credentials: Self.oauth), to: &shown)
        shown += "\(Self.aws) \(Self.oauth) \(String(reflecting: Self.oauth)) \(Self.signer())"
        for placement in [AWSSigner.Placement.header, .query(expiresAfter: 60)] {
            let request = try await APIRequest("GET", "https://example.com/a").signed(
                by: Self.signer(placement))
            shown += request.curlCommand() + "\(request)"
        }
        for placement in [OAuth1Signer.Placement.header, .query, .form] {
            for method in [OAuth1Signer.Method.hmacSHA1, .plaintext] {
                let signer = OAuth1Signer(credentials: Self.oauth, method: method, placement: placement)
                let request = try await APIRequest("POST", "https://example.com/a").signed(by: signer)
                let command = request.curlCommand()
                shown += command.replacingOccurrences(of: "consumerVISIBLE", with: "")
                // Who is no user sees: the signature is a secret like the token.
                XCTAssertFalse(command.contains("oauth_signature=s"), command)
            }
        }
        XCTAssertFalse(shown.contains("VISIBLE"), shown)
    }

    func testMissingCredentialsAreNamed() async throws {
        let request = try APIRequest("POST", "https://example.com/a")
        let empty = AWSSigner(
            credentials: AWSCredentials(accessKeyID: "", secretAccessKey: SigningKey("")), region: "r",
            service: "s")
        let nobody = OAuth1Signer(
            credentials: OAuth1Credentials(consumerKey: "", consumerSecret: SigningKey("s")))
        let first = await reason(request, empty)
        XCTAssertEqual(first, "The AWS credentials are empty; return no signer while there are none.")
        let second = await reason(request, nobody)
        XCTAssertEqual(second, "The consumer key is empty; return no signer while there is none.")
    }

    func testStreamsAreSignedOnlyWithoutTheirBody() async throws {
        var request = try APIRequest("PUT", "https://example.com/a")
        request.body = .stream(length: 3) { AsyncThrowingStream { nil } }
        var signer = Self.signer()
        let refusal = await reason(request, signer)
        XCTAssertEqual(refusal?.contains("stream"), true)
        signer.payload = .signedExceptStreams
        let stream = try await request.signed(by: signer)
        XCTAssertEqual(stream.headers["X-Amz-Content-SHA256"], "UNSIGNED-PAYLOAD")
        XCTAssertEqual(stream.headers["Authorization"]?.contains("x-amz-content-sha256"), true)
        request.body = .data(Data("a".utf8))
        let data = try await request.signed(by: signer)
        XCTAssertNil(data.headers["X-Amz-Content-SHA256"])
    }

    func testLimitsOfPlacements() async throws {
        let request = try APIRequest(
            "POST", "https://example.com/a", headers: ["Content-Type": "application/json"], body: "{}")
        for seconds in [0, 604_801] {
            let refusal = await reason(request, Self.signer(.query(expiresAfter: seconds)))
            XCTAssertEqual(
                refusal, "A signature in the query is valid for 1 to 604800 seconds, not for \(seconds).")
        }
        let form = await reason(request, OAuth1Signer(credentials: Self.oauth, placement: .form))
        XCTAssertEqual(form?.contains("no form"), true)
        let get = await reason(
            try APIRequest("GET", "https://example.com"),
            OAuth1Signer(credentials: Self.oauth, placement: .form))
        XCTAssertEqual(get?.contains("no form"), true)
        let cleartext = await reason(
            try APIRequest("GET", "http://example.com"),
            OAuth1Signer(credentials: Self.oauth, method: .plaintext))
        XCTAssertEqual(cleartext?.contains("HTTPS"), true)
    }

    func testSampleNeedsNoKey() async throws {
        let manager = SignedManager(over: StubTransport()) {
            $0.baseURL = URL(string: "https://example.com")!
            $0.signer = { _ in
                OAuth1Signer(credentials: OAuth1Credentials(consumerKey: "", consumerSecret: SigningKey("")))
            }
        }
        manager.ownSample = .json(["id": 7])
        manager.proxy.sampleMode = .immediate
        let output = try await manager.load(with: [:])
        XCTAssertEqual(output["id"], 7)
    }

    /// A new signature is no other request, another key is.
    func testCachesTellKeysApart() async throws {
        for placement in [AWSSigner.Placement.header, .query(expiresAfter: 60)] {
            let moments = Locked(0.0)
            func identity(_ key: String) async throws -> RequestIdentity? {
                let signer = AWSSigner(
                    credentials: AWSCredentials(accessKeyID: "A", secretAccessKey: SigningKey(key)),
                    region: "r", service: "s", placement: placement,
                    now: {
                        moments.withLock { $0 += 3600 }
                        return Date(timeIntervalSince1970: moments.current)
                    })
                var request = try await APIRequest("GET", "https://example.com/a").signed(by: signer)
                request.notes.identity.varying = signer.varyingFields
                return RequestIdentity(request)
            }
            let (first, second, other) = (
                try await identity("1"), try await identity("1"), try await identity("2")
            )
            XCTAssertNotNil(first)
            XCTAssertEqual(first, second)
            XCTAssertNotEqual(first, other)
        }
        for placement in [OAuth1Signer.Placement.header, .query, .form] {
            func identity(_ token: String) async throws -> RequestIdentity? {
                let signer = OAuth1Signer(
                    credentials: OAuth1Credentials(
                        consumerKey: "c", consumerSecret: SigningKey("s"), token: token), placement: placement
                )
                var request = try await APIRequest("POST", "https://example.com/a").signed(by: signer)
                request.notes.identity.varying = signer.varyingFields
                return RequestIdentity(request)
            }
            let (first, second, other) = (
                try await identity("1"), try await identity("1"), try await identity("2")
            )
            XCTAssertEqual(first, second)
            XCTAssertNotEqual(first, other)
        }
    }

    func testClockIsAdjustedOnlyByRejections() {
        let clock = ServerClock(system: { Date(timeIntervalSince1970: 1_700_000_000) })
        func adjusts(_ status: Int, _ date: String?, isRepeated: Bool = false) -> Bool {
            let call = isRepeated ? APICall.any.nextAttempt() : APICall.any
            var headers = HTTPFields()
            headers["Date"] = date
            let response = APIResponse(
                requestID: call.requestID, params: [:],
                response: Box(
                    TransportResponse(url: URL(fileURLWithPath: "/"), status: status, headers: headers)),
                to: nil)
            let error = ApiProxy(transport: StubTransport()).error(
                .http(status: status), of: call, response: response)
            return clock.adjust(to: FailureContext(call: call, error: error))
        }
        let late = "Tue, 14 Nov 2023 23:13:20 GMT"  // an hour later
        XCTAssertFalse(adjusts(500, late))
        XCTAssertFalse(adjusts(403, nil))
        XCTAssertFalse(adjusts(403, "yesterday"))
        XCTAssertFalse(adjusts(403, "Tue, 14 Nov 2023 22:13:50 GMT"), "30 seconds")
        XCTAssertTrue(adjusts(401, late))
        XCTAssertEqual(clock.now().timeIntervalSince1970, 1_700_003_600)
        XCTAssertFalse(adjusts(401, late, isRepeated: true), "twice")
        XCTAssertTrue(adjusts(401, late), "another call, which was signed before")
        XCTAssertEqual(clock.now().timeIntervalSince1970, 1_700_003_600)
    }
}
