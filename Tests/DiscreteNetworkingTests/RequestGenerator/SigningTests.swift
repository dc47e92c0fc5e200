import DiscreteNetworkingSigning
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Ready-made signers, in known cases and against python3's hashlib and hmac.
final class SigningTests: XCTestCase {
    private static let nonceSource = NonceSource(
        now: { Date(timeIntervalSince1970: 1_700_000_000.7) }, nonce: { "n0nce" })

    private func signed(
        _ signer: any RequestSigner, _ call: APICall, _ change: (inout ShapedService.Rules) -> Void = { _ in }
    ) async throws -> APIRequest {
        try await request(call) { rules in
            change(&rules)
            rules.signer = signer
        }
    }

    // MARK: Fields

    /// printf 'a=1&b=x yk3y' | openssl dgst -md5, -sha1, -sha256
    func testKnownDigestsOfFields() async throws {
        let expected: [(DigestAlgorithm, String)] = [
            (.md5, "d72519085c987d7ba5257b87e81879ce"), (.sha1, "ba3c2ca29dc72d65e53dec4c1da8f78de8cdbb9a"),
            (.sha256, "0ff24da41babea161dfabb3e6fd2dee12cb3dd11d21502f3f20c8ad6e7ba744f"),
        ]
        for (algorithm, sign) in expected {
            let signer = FieldSigner(key: SigningKey("k3y"), algorithm: algorithm)
            let call = APICall.stub("p", ["b": "x y", "a": 1, "c": "", "sign": "forged"])
            let url = try await signed(signer, call).url.absoluteString
            XCTAssertEqual(url, "https://api.example.com/p?a=1&b=x%20y&c=&sign=\(sign)")
        }
    }

    func testExtraParamsAreSignedAndThoseInThePathAreNot() async throws {
        let signer = FieldSigner(key: SigningKey("k"), separator: ";", place: .header("X-Sign"))
        let built = try await signed(signer, .stub("p/{id}", ["id": 7, "b": 2], method: .post)) {
            $0.extraParams = ["cid": "1"]
        }
        XCTAssertEqual(built.headers["X-Sign"], MessageDigest(.sha256, of: "b=2;cid=1k").hexadecimal)
    }

    /// The only param there is goes where params would go.
    func testASignatureWithoutParams() async throws {
        let signer = FieldSigner(key: SigningKey("k"))
        let sign = MessageDigest(.sha256, of: "k").hexadecimal
        let json = try await signed(signer, .stub("p", method: .post))
        XCTAssertEqual(json.body.text, #"{"sign":"\#(sign)"}"#)
        XCTAssertEqual(json.headers["Content-Type"], "application/json")
        let form = try await signed(signer, .stub("p", method: .post, overrides: .init(encoding: .form)))
        XCTAssertEqual(form.body.text, "sign=\(sign)")
        XCTAssertEqual(form.headers["Content-Type"], "application/x-www-form-urlencoded")
        let get = try await signed(signer, .stub("p"))
        XCTAssertTrue(get.body.isNone)
        XCTAssertEqual(get.url.query, "sign=\(sign)")
    }

    // MARK: When

    func testTheSignerComesLastAndWhatItMadeIsChecked() async throws {
        struct Watcher: RequestSigner {
            let sign: @Sendable (inout APIRequest, APICall) throws -> Void
            func sign(_ request: inout APIRequest, for call: APICall) async throws {
                try sign(&request, call)
            }
        }
        let watcher = Watcher { request, call in
            XCTAssertEqual(request.headers["X"], "adapted")
            XCTAssertEqual(request.body.text, #"{"a":1,"cid":"7"}"#)
            XCTAssertEqual(call.params, ["a": 1, "cid": "7"])
        }
        _ = try await signed(watcher, .stub("p", ["a": 1], method: .post)) { rules in
            rules.extraParams = ["cid": "7"]
            rules.adapt = { request, _ in request.headers["X"] = "adapted" }
        }
        let careless: [(String, @Sendable (inout APIRequest) -> Void)] = [
            ("X-Sign", { $0.headers["X-Sign"] = "a\r\nEvil: 1" }),
            ("Cleartext HTTP", { $0.url = URL(string: "http://shop.example.com")! }),
        ]
        for (cause, change) in careless {
            let reason = await refusal(.stub()) { $0.signer = Watcher { request, _ in change(&request) } }
            XCTAssertTrue(reason?.contains(cause) == true, "\(reason ?? "")")
        }
        let reason = await refusal(.stub()) {
            $0.signer = Watcher { _, _ in throw InvalidRequestError("no key") }
        }
        XCTAssertEqual(reason, "no key")
    }

    func testInvalidRequestIsNotSigned() async {
        let nonces = Locked(0)
        let nonceSource = NonceSource {
            Date()
        } nonce: {
            nonces.withLock { $0 += 1 }
            return "n"
        }
        _ = await refusal(.stub()) { rules in
            rules.extraHeaders = ["X-A": "a\nb"]
            rules.signer = HMACSigner(key: SigningKey("k"), nonceSource: nonceSource)
        }
        XCTAssertEqual(nonces.current, 0)
    }

    @MainActor
    func testEveryAttemptIsSignedAnew() async throws {
        let time = Locked(1_700_000_000)
        let nonceSource = NonceSource {
            Date(
                timeIntervalSince1970: TimeInterval(
                    time.withLock {
                        $0 += 1
                        return $0
                    }))
        } nonce: {
            "nonce-\(time.current)"
        }
        let transport = ClosureTransport { request in
            request.headers["X-Nonce"] == "nonce-1700000003"
                ? TransportResponse(request, json: teapot)
                : TransportResponse(request, json: "{}", status: 503)
        }
        let stack = Stack(transport) { rules in
            rules.signer = HMACSigner(key: SigningKey("k"), nonceSource: nonceSource)
            rules.intercept = { _ in .retry }
        }
        _ = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(
            transport.requests.map { $0.headers["X-Timestamp"] }, ["1700000001", "1700000002", "1700000003"])
        XCTAssertEqual(Set(transport.requests.map { $0.headers["X-Signature"] }).count, 3)
    }

    // MARK: HMAC

    /// printf 'POST\n/v3/orders/1\na=1&b=%%E8%%8C%%B6\ncontent-type:application/json\nx-none:\n1700000000\n
    /// n0nce\n<sha256 of {"q":1}>' | openssl dgst -sha256 -hmac k3y
    func testAKnownHMAC() async throws {
        let signer = HMACSigner(
            key: SigningKey("k3y"), headers: ["Content-Type", "X-None"], nonceSource: Self.nonceSource)
        let built = try await signed(signer, .stub("orders/1", ["q": 1], method: .post)) { rules in
            rules.baseURL = URL(string: "https://api.example.com/v3?b=%e8%8c%b6&a=1")!
        }
        XCTAssertEqual(built.headers["X-Timestamp"], "1700000000")
        XCTAssertEqual(built.headers["X-Nonce"], "n0nce")
        XCTAssertEqual(
            built.headers["X-Signature"], "d69820b27b84489b11a160fc58c68031fb51204b7b0e1b693ebfa0b24b73ebb8")
    }

    func testEveryPartOfARequestMatters() async throws {
        let signer = HMACSigner(key: SigningKey("k"), headers: ["X-A"], nonceSource: Self.nonceSource)
        let original = try await signed(signer, .stub("p", ["q": 1], method: .post)) {
            $0.extraHeaders = ["X-A": "1"]
        }
        let changes: [@Sendable (inout APIRequest) -> Void] = [
            { $0.method = .put }, { $0.url = URL(string: "https://api.example.com/p2")! },
            { $0.url = URL(string: "https://api.example.com/p?a=1")! }, { $0.headers["X-A"] = "2" },
            { $0.body = .data(Data("{\"q\":2}".utf8)) }, { $0.body = .none },
        ]
        for (index, change) in changes.enumerated() {
            var changed = original
            change(&changed)
            try await signer.sign(&changed, for: .stub())
            XCTAssertNotEqual(changed.headers["X-Signature"], original.headers["X-Signature"], "\(index)")
        }
        var same = original
        same.headers["X-Other"] = "1"
        try await signer.sign(&same, for: .stub())
        XCTAssertEqual(same.headers["X-Signature"], original.headers["X-Signature"])
        for other in [
            HMACSigner(key: SigningKey("k2"), headers: ["X-A"], nonceSource: Self.nonceSource),
            HMACSigner(
                key: SigningKey("k"), headers: ["X-A"],
                nonceSource: NonceSource(now: Self.nonceSource.now, nonce: { "n" })),
            HMACSigner(
                key: SigningKey("k"), headers: ["X-A"],
                nonceSource: NonceSource(
                    now: { Date(timeIntervalSince1970: 1) }, nonce: Self.nonceSource.nonce)),
        ] {
            var changed = original
            try await other.sign(&changed, for: .stub())
            XCTAssertNotEqual(changed.headers["X-Signature"], original.headers["X-Signature"])
        }
    }

    func testBodiesOfFilesAndStreams() async throws {
        let folder = try temporaryFolder()
        let bytes = Data((0..<600_000).map { UInt8($0 % 251) })
        let file = try folder.write("photo", bytes)
        let signer = HMACSigner(key: SigningKey("k"), nonceSource: Self.nonceSource)
        func signature(_ signer: HMACSigner, _ body: RequestBody) async throws -> String? {
            var request = APIRequest(url: URL(string: "https://h/p")!, method: .put, body: body)
            try await signer.sign(&request, for: .stub())
            return request.headers["X-Signature"]
        }
        let ofFile = try await signature(signer, .file(file))
        let ofData = try await signature(signer, .data(bytes))
        XCTAssertEqual(ofFile, ofData)
        let stream = RequestBody.stream(length: 1) { AsyncThrowingStream { nil } }
        do {
            _ = try await signature(signer, stream)
            XCTFail("signed")
        } catch {
            XCTAssertTrue((error as? InvalidRequestError)?.reason.contains("stream") == true, "\(error)")
        }
        var lenient = signer
        lenient.leavesStreamsUnsigned = true
        let unsigned = try await signature(lenient, stream)
        let text = "PUT\n/p\n\n1700000000\nn0nce\nunsigned"
        XCTAssertEqual(
            unsigned, MessageDigest.hmac(.sha256, of: Data(text.utf8), key: Data("k".utf8)).hexadecimal)
    }
}
