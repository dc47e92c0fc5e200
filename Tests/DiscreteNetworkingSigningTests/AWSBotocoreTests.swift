#if os(macOS) || os(Linux)
    import DiscreteNetworkingSigning
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Signatures of AWS as botocore, Amazon's own client, makes them.
    final class AWSBotocoreTests: XCTestCase {
        /// Writes the signature of each request.
        private static let judge = """
            import sys, json, datetime
            from botocore import auth
            from botocore.awsrequest import AWSRequest
            from botocore.credentials import Credentials
            for line in sys.stdin.buffer:
                case = json.loads(line)
                now = datetime.datetime.strptime(case['time'], '%Y%m%dT%H%M%SZ')
                auth.get_current_datetime = lambda *arguments, **names: now
                request = AWSRequest(case['method'], case['url'], data=case['body'].encode())
                for name, value in case['headers']: request.headers.add_header(name, value)
                if case['isUnsigned']: request.context['payload_signing_enabled'] = False
                who = Credentials(case['id'], case['secret'], case['token'])
                kind = {'normalized header': auth.SigV4Auth, 's3 header': auth.S3SigV4Auth,
                    'normalized query': auth.SigV4QueryAuth, 's3 query': auth.S3SigV4QueryAuth}[case['kind']]
                kind(who, case['service'], case['region']).add_auth(request)
                found = request.headers.get('Authorization') or request.url
                print(found.rpartition('Signature=')[2])
            """

        private static let time = "20260131T235959Z"

        func testRandomRequestsAreSignedLikeBotocore() async throws {
            var random = SeededRandom(seed: 30)
            var (cases, ours): ([JSONValue], [String]) = ([], [])
            let now = try Date(amazon: Self.time)
            for round in 0..<FullLength.rounds(200, of: 800) {
                let isS3 = round.isMultiple(of: 2)
                let isQuery = round % 4 > 1
                let isUnsigned =
                    isS3 == isQuery && isQuery || !isS3 && !isQuery && Bool.random(using: &random)
                let secret = random.text(1...40)
                let token = Bool.random(using: &random) ? random.text(1...60, from: "abc/+=019") : nil
                let signer = AWSSigner(
                    credentials: AWSCredentials(
                        accessKeyID: random.text(1...20, from: "AKID09"), secretAccessKey: SigningKey(secret),
                        sessionToken: token),
                    region: random.text(1...12, from: "eu-west1"), service: isS3 ? "s3" : "es",
                    payload: isUnsigned ? .unsigned : .signed,
                    placement: isQuery ? .query(expiresAfter: 3600) : .header,
                    signedHeaders: ["X-Own"], now: { now })
                let url = url(&random, isS3: isS3)
                let method = ["GET", "PUT", "POST"].randomElement(using: &random)!
                // In the query, botocore moves a body there.
                let body = isQuery ? "" : random.text(0...50)
                let headers = headers(&random)
                var request = try APIRequest(method, url, body: body)
                request.headers = headers
                let signed = try await request.signed(by: signer)
                let found = signed.headers["Authorization"] ?? signed.url.absoluteString
                ours.append(String(found[(try XCTUnwrap(found.range(of: "Signature="))).upperBound...]))
                cases.append([
                    "kind": .string("\(isS3 ? "s3" : "normalized") \(isQuery ? "query" : "header")"),
                    "time": .string(Self.time), "method": .string(method), "url": .string(url),
                    "headers": .array(headers.map { [.string($0.name.rawName), .string($0.value)] }),
                    "body": .string(body), "id": .string(signer.credentials.accessKeyID),
                    "secret": .string(secret), "token": token.map { .string($0) } ?? .null,
                    "region": .string(signer.region), "service": .string(signer.service),
                    "isUnsigned": .bool(isUnsigned && !isQuery),
                ])
            }
            let theirs = try Python.lines(of: Self.judge, for: cases)
            XCTAssertEqual(theirs.count, ours.count)
            for (index, pair) in zip(ours, theirs).enumerated() where pair.0 != pair.1 {
                return XCTFail("\(pair), \(cases[index].canonicalText)")
            }
        }

        /// An address with a path and a query in which no name occurs twice. botocore expects S3's path as a server encodes it,
        /// without an encoded slash.
        private func url(_ random: inout SeededRandom, isS3: Bool) -> String {
            let encoding = isS3 ? PercentEncoding.unreserved : .path
            let path = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                ["..", ".", "", encoding.encode(random.text()).replacingOccurrences(of: "%2F", with: "")]
                    .randomElement(using: &random)!
            }
            let host = ["es.example.com", "Example.com:8443", "127.0.0.1:80", "example.com:443", "[::1]:9"]
                .randomElement(using: &random)!
            let pairs = (0..<Int.random(in: 0...4, using: &random)).map {
                "\(PercentEncoding.unreserved.encode(random.text()))\($0)=\(PercentEncoding.unreserved.encode(random.text()))"
            }
            return "https://\(host)/\(path.joined(separator: "/"))"
                + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
        }

        private func headers(_ random: inout SeededRandom) -> HTTPFields {
            let all: [HTTPFields.Name] = [
                "Content-Type", "X-Amz-Meta-Name", "X-Own", "User-Agent", "x-amz-acl", "Content-MD5",
            ]
            return HTTPFields(
                all.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)).map {
                    .init(name: $0, value: random.text(1...12, from: "ab=,; /"))
                })
        }

        /// A server that computes the signature of what it has received.
        private static let server = """
            from botocore import auth
            from botocore.awsrequest import AWSRequest
            from botocore.credentials import Credentials
            import datetime, re
            def answer(method, url, headers, body):
                field = headers.get('Authorization', '')
                match = re.fullmatch('AWS4-HMAC-SHA256 Credential=AKID/(\\\\d{8})/eu-central-1/(\\\\w+)/aws4_request, '
                    'SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})', field)
                if not match: return 401, '"no signature"'
                day, service, names, signature = match.groups()
                sent = datetime.datetime.strptime(headers['X-Amz-Date'], '%Y%m%dT%H%M%SZ')
                if abs((datetime.datetime.utcnow() - sent).total_seconds()) > 300: return 403, '"skewed"'
                request = AWSRequest(method, url, data=body)
                for name in names.split(';'):
                    for value in headers.get_all(name): request.headers.add_header(name, value)
                auth.get_current_datetime = lambda *arguments, **rest: sent
                kind = auth.S3SigV4Auth if service == 's3' else auth.SigV4Auth
                kind(Credentials('AKID', 'secret', headers.get('X-Amz-Security-Token')), service, 'eu-central-1').add_auth(request)
                isRight = request.headers['Authorization'].endswith(signature)
                return (200, '"%s"' % (headers.get('Content-Encoding') or 'plain')) if isRight else (403, '"wrong"')
            """

        @MainActor
        func testServerAcceptsRequestsAsTheyAreSent() async throws {
            let server = try servePython(Self.server)
            for service in ["execute", "s3"] {
                let secret = Locked("secret")
                let manager = SignedManager(.post) {
                    $0.baseURL = server.baseURL
                    $0.compression = .gzip
                    $0.signer = { _ in
                        AWSSigner(
                            credentials: AWSCredentials(
                                accessKeyID: "AKID", secretAccessKey: SigningKey(secret.current),
                                sessionToken: "FwoGZXIvYXdzEBY"),
                            region: "eu-central-1", service: service)
                    }
                }
                manager.methodName = "orders/{name}"
                let json = try await manager.load(with: ["name": "茶 + $壶(1)", "count": 2])
                XCTAssertEqual(json, "plain")
                let long = String(repeating: "茶壶", count: 1000)
                let compressed = try await manager.load(with: ["name": "a", "text": long])
                XCTAssertEqual(compressed, "gzip")
                manager.requestType = .get
                let query = try await manager.load(with: ["name": "a", "q": "a b+c&d/é", "z": ["1", "2"]])
                XCTAssertEqual(query, "plain")
                // The signer sends a plus as %20.
                manager.ownEncoding = .query(QueryEncoder(arrays: .repeated, spaces: .plus))
                let plus = try await manager.load(with: ["name": "a", "q": "a b+c"])
                XCTAssertEqual(plus, "plain")
                secret.current = "other"
                do {
                    _ = try await manager.load(with: ["name": "a"])
                    XCTFail("accepted")
                } catch {
                    XCTAssertEqual(error.kind, .http(status: 403))
                }
            }
        }

        /// The server's `Date` corrects a clock that is wrong.
        @MainActor
        func testClockOfTheServer() async throws {
            let server = try servePython(Self.server)
            for skew in [-7200.0, 7200] {
                let clock = ServerClock(system: { Date().addingTimeInterval(skew) })
                let attempts = Locked(0)
                let manager = SignedManager {
                    $0.baseURL = server.baseURL
                    $0.signer = { _ in
                        attempts.withLock { $0 += 1 }
                        return AWSSigner(
                            credentials: AWSCredentials(
                                accessKeyID: "AKID", secretAccessKey: SigningKey("secret")),
                            region: "eu-central-1", service: "es", now: clock.now)
                    }
                    $0.intercept = { clock.adjust(to: $0) ? .retry(after: 0) : .report }
                }
                let first = try await manager.load(with: [:])
                XCTAssertEqual(first, "plain")
                XCTAssertEqual(attempts.current, 2)
                let second = try await manager.load(with: [:])
                XCTAssertEqual(second, "plain")
                XCTAssertEqual(attempts.current, 3)
            }
        }
    }
#endif
