#if os(macOS) || os(Linux)
    import DiscreteNetworkingSigning
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Signatures of OAuth 1.0a as oauthlib makes and verifies them.
    final class OAuth1OauthlibTests: XCTestCase {
        /// Writes what oauthlib's client makes of each request: its header, URL and body.
        private static let judge = """
            import sys, json
            from oauthlib import oauth1
            for line in sys.stdin.buffer:
                case = json.loads(line)
                client = oauth1.Client(case['key'], client_secret=case['secret'], resource_owner_key=case['token'],
                    resource_owner_secret=case['tokenSecret'], signature_method=case['method'],
                    signature_type=case['place'], callback_uri=case['callback'], verifier=case['verifier'],
                    nonce=case['nonce'], timestamp=case['time'], encoding='utf-8')
                headers = {'Content-Type': case['type']} if case['type'] else {}
                url, headers, body = client.sign(case['url'], case['verb'], case['body'], headers)
                found = {'AUTH_HEADER': headers.get('Authorization'), 'QUERY': url, 'BODY': body}[case['place']]
                print(json.dumps(found.rpartition('oauth_signature=')[2].strip('"')))
            """

        func testRandomRequestsAreSignedLikeOauthlib() async throws {
            var random = SeededRandom(seed: 31)
            var (cases, ours): ([JSONValue], [String]) = ([], [])
            let places: [(OAuth1Signer.Placement, String)] = [
                (.header, "AUTH_HEADER"), (.query, "QUERY"), (.form, "BODY"),
            ]
            let methods: [OAuth1Signer.Method] = [.hmacSHA1, .hmacSHA256, .plaintext]
            for round in 0..<600 {
                let (place, placeName) = places[round % 3]
                let method = methods.randomElement(using: &random)!
                let hasToken = Bool.random(using: &random)
                let credentials = OAuth1Credentials(
                    consumerKey: random.text(1...12), consumerSecret: SigningKey(random.text(1...12)),
                    token: hasToken ? random.text(1...12) : nil,
                    tokenSecret: hasToken ? SigningKey(random.text(1...12)) : nil)
                let isForm = place == .form || Bool.random(using: &random)
                let body = isForm ? pairs(&random) : ["", "{}"].randomElement(using: &random)!
                let type = isForm ? "application/x-www-form-urlencoded" : "application/json"
                let url = url(&random)
                let nonce = random.text(1...10, from: "abc0189")
                let extra = (0..<2).map { _ in Bool.random(using: &random) ? random.text(1...8) : nil }
                let signer = OAuth1Signer(
                    credentials: credentials, method: method, placement: place, callback: extra[0],
                    verifier: extra[1],
                    nonceSource: NonceSource(
                        now: { Date(timeIntervalSince1970: 1_700_000_000) }, nonce: { nonce }))
                let signed = try await APIRequest(
                    "POST", url, headers: body.isEmpty ? [:] : ["Content-Type": type],
                    body: body.isEmpty ? nil : body
                ).signed(by: signer)
                let found =
                    switch place {
                    case .header: signed.headers["Authorization"] ?? ""
                    case .query: signed.url.absoluteString
                    case .form: signed.oauthText
                    }
                let value = found[
                    (try XCTUnwrap(found.range(of: "oauth_signature=", options: .backwards))).upperBound...]
                ours.append(value.trimmingCharacters(in: ["\""]))
                cases.append([
                    "key": .string(credentials.consumerKey), "secret": text(credentials.consumerSecret),
                    "token": credentials.token.map { .string($0) } ?? .null,
                    "tokenSecret": credentials.tokenSecret.map(text) ?? .null,
                    "method": .string(method.rawValue), "place": .string(placeName), "verb": "POST",
                    "callback": extra[0].map { .string($0) } ?? .null,
                    "verifier": extra[1].map { .string($0) } ?? .null, "nonce": .string(nonce),
                    "time": "1700000000", "url": .string(url),
                    // Of another body, oauthlib adds a hash, which is a draft of its own.
                    "type": isForm ? .string(type) : .null, "body": isForm ? .string(body) : .null,
                ])
            }
            let theirs = try Python.lines(of: Self.judge, for: cases).map {
                try XCTUnwrap(JSONValue(parsing: Data($0.utf8)).string)
            }
            XCTAssertEqual(theirs.count, ours.count)
            for (index, pair) in zip(ours, theirs).enumerated() {
                // A form has other escapes than a header: both say the same.
                let equal = pair.0.removingPercentEncoding == pair.1.removingPercentEncoding
                if !equal { return XCTFail("\(pair), \(cases[index].canonicalText)") }
            }
        }

        private func text(_ key: SigningKey) -> JSONValue {
            .string(String(decoding: key.data, as: UTF8.self))
        }

        private func pairs(_ random: inout SeededRandom) -> String {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let name = random.text(1...5, from: "ab1-é茶 ")
                return
                    "\(PercentEncoding.unreserved.encode(name))=\(PercentEncoding.unreserved.encode(random.text()))"
            }.joined(separator: "&")
        }

        private func url(_ random: inout SeededRandom) -> String {
            let host = [
                "https://api.example.com", "https://API.Example.com:443", "http://127.0.0.1:8080",
                "http://example.com:80",
            ].randomElement(using: &random)!
            // PLAINTEXT needs HTTPS, or this machine.
            let safe = host.hasPrefix("http://example") ? "https://example.com:8443" : host
            let path = PercentEncoding.path.encode(random.text(0...8, from: "ab~-/é茶 +:"))
            return "\(safe)/\(path)" + (Bool.random(using: &random) ? "?" + pairs(&random) : "")
        }

        /// A resource that oauthlib protects.
        private static let server = """
            import json
            from oauthlib import oauth1
            class Shop(oauth1.RequestValidator):
                enforce_ssl = False
                dummy_client = dummy_access_token = 'nobody'
                def __init__(self): super().__init__(); self.seen = set()
                @property
                def client_key_length(self): return 1, 30
                @property
                def access_token_length(self): return 1, 30
                @property
                def nonce_length(self): return 20, 40
                @property
                def safe_characters(self): return set(map(chr, range(32, 127)))
                allowed_signature_methods = ('HMAC-SHA1', 'HMAC-SHA256', 'PLAINTEXT')
                def get_client_secret(self, key, request): return 'secret &/1'
                def get_access_token_secret(self, key, token, request): return 'token secret'
                def validate_client_key(self, key, request): return key == 'client'
                def validate_access_token(self, key, token, request): return token == 'user'
                def validate_realms(self, *arguments, **names): return True
                def validate_timestamp_and_nonce(self, key, timestamp, nonce, request, **names):
                    isNew = (timestamp, nonce) not in self.seen
                    self.seen.add((timestamp, nonce))
                    return isNew
            endpoint = oauth1.ResourceEndpoint(Shop())
            def answer(method, url, headers, body):
                if headers.get('Content-Encoding') == 'gzip':
                    import gzip
                    body = gzip.decompress(body)
                sent = {n: v for n, v in headers.items() if n in ('Authorization', 'Content-Type')}
                isForm = sent.get('Content-Type', '').startswith('application/x-www-form-urlencoded')
                valid, request = endpoint.validate_protected_resource_request(url, method,
                    body.decode() if isForm else None, sent)
                return (200, json.dumps(headers.get('Content-Encoding', 'plain'))) if valid else (401, '"refused"')
            """

        private func credentials(_ secret: String = "secret &/1") -> OAuth1Credentials {
            OAuth1Credentials(
                consumerKey: "client", consumerSecret: SigningKey(secret), token: "user",
                tokenSecret: SigningKey("token secret"))
        }

        @MainActor
        private func manager(
            _ server: PythonServer, _ method: HTTPMethod, _ signer: @escaping @Sendable () -> OAuth1Signer
        ) -> SignedManager {
            SignedManager(method) {
                $0.baseURL = server.baseURL
                $0.compression = .gzip
                $0.signer = { _ in signer() }
            }
        }

        @MainActor
        func testServerAcceptsRequestsAsTheyAreSent() async throws {
            let server = try servePython(Self.server)
            let params: Params = ["q": "茶 +&=壶", "a": ["2", "1"], "empty": ""]
            for method in [OAuth1Signer.Method.hmacSHA1, .hmacSHA256, .plaintext] {
                for placement in [OAuth1Signer.Placement.header(realm: "a \"b\""), .query, .form] {
                    // oauthlib refuses what its own client makes of encoded secrets in a query or a form.
                    if method == .plaintext, placement == .query || placement == .form { continue }
                    let signer = OAuth1Signer(
                        credentials: credentials(), method: method, placement: placement)
                    let post = manager(server, .post) { signer }
                    post.ownEncoding = .form
                    let form = try await post.load(with: params)
                    XCTAssertEqual(form, "plain")
                    let long: Params = ["text": String(repeating: "茶 壶", count: 500)]
                    let compressed = try await post.load(with: long)
                    XCTAssertEqual(compressed, "gzip", "\(placement)")
                    let nothing = try await post.load(with: [:])
                    XCTAssertEqual(nothing, "plain")
                    guard placement != .form else { continue }
                    post.ownEncoding = .json
                    let json = try await post.load(with: params)
                    XCTAssertEqual(json, "plain")
                    let get = try await manager(server, .get) { signer }.load(with: params)
                    XCTAssertEqual(get, "plain")
                }
            }
        }

        @MainActor
        func testServerRefusesOtherSecretsAndOldNonces() async throws {
            let server = try servePython(Self.server)
            let nonces = NonceSource(nonce: { "01234567890123456789" })
            let right = manager(server, .get) { [credentials = credentials()] in
                OAuth1Signer(credentials: credentials, nonceSource: nonces)
            }
            let wrong = manager(server, .get) { [credentials = credentials("other")] in
                OAuth1Signer(credentials: credentials)
            }
            let first = try await right.load(with: [:])
            XCTAssertEqual(first, "plain")
            for manager in [right, wrong] {
                do {
                    _ = try await manager.load(with: [:])
                    XCTFail("accepted")
                } catch {
                    XCTAssertEqual(error.kind, .http(status: 401))
                }
            }
        }
    }

    extension APIRequest {
        /// The form that is sent.
        fileprivate var oauthText: String {
            if case .data(let data) = body { String(decoding: data, as: UTF8.self) } else { "" }
        }
    }
#endif
