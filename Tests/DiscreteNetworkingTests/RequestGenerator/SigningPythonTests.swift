import DiscreteNetworkingSigning
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Signatures of random requests, against what python3 makes of the same.
final class SigningPythonTests: XCTestCase {
    /// Reads one JSON object a line, and writes one signature a line.
    private static let script = """
        import sys, json, hashlib, hmac
        from urllib.parse import urlsplit, unquote_plus, quote
        for line in sys.stdin.buffer:
            case = json.loads(line)
            if case['rule'] == 'hmac':
                url = urlsplit(case['url'])
                pairs = [p.partition('=') for p in url.query.split('&') if p]
                pairs = sorted((quote(unquote_plus(n), safe='-._~'), quote(unquote_plus(v), safe='-._~'))
                    for n, _, v in pairs)
                headers = {n.lower(): v.strip(' \\t') for n, v in case['headers']}
                lines = [case['method'], url.path or '/', '&'.join(n + '=' + v for n, v in pairs)]
                lines += [n.lower() + ':' + headers.get(n.lower(), '') for n in case['signed']]
                lines += [case['time'], case['nonce'], hashlib.sha256(case['body'].encode()).hexdigest()]
                text = '\\n'.join(lines).encode()
                print(hmac.new(case['key'].encode(), text, hashlib.sha256).hexdigest())
            else:
                fields = sorted((n.encode(), v.encode()) for n, v in case['fields'].items() if v and n != 'sign')
                text = case['separator'].encode().join(n + b'=' + v for n, v in fields)
                if case['isHMAC']: print(hmac.new(case['key'].encode(), text, case['rule']).hexdigest())
                else: print(hashlib.new(case['rule'], text + case['key'].encode()).hexdigest())
        """

    private func python(_ cases: [JSONValue]) throws -> [String] {
        #if os(macOS) || os(Linux)
            let folder = try temporaryFolder()
            let input = try folder.write("cases", Data(cases.map { $0.canonicalText + "\n" }.joined().utf8))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", Self.script]
            process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONIOENCODING": "utf-8"]) {
                $1
            }
            process.standardInput = try FileHandle(forReadingFrom: input)
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            if process.terminationStatus == 127 { throw XCTSkip("python3 is not installed") }
            XCTAssertEqual(process.terminationStatus, 0)
            return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        #else
            throw XCTSkip("Nothing can run other programs here.")
        #endif
    }

    private static func text(_ random: inout FixedRandom, _ lengths: ClosedRange<Int> = 0...12) -> String {
        let letters = Array("abcXYZ019-._~ &=+%/?#;:@!$'()*,[]{}\"\\|<>^`éß茶🫖\u{301}\u{7FF}\u{FFFD}")
        return String(
            (0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random)! })
    }

    func testRandomFieldsAreSignedLikePython() throws {
        var random = FixedRandom(seed: 7)
        let rules: [(String, DigestAlgorithm)] = [("md5", .md5), ("sha1", .sha1), ("sha256", .sha256)]
        var cases: [JSONValue] = []
        var ours: [String] = []
        for round in 0..<600 {
            var fields: [String: JSONValue] = ["sign": "forged"]
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                fields[Self.text(&random)] = .string(Self.text(&random))
            }
            let (rule, algorithm) = rules[round % 3]
            let key = Self.text(&random)
            let separator = ["&", ";", "", "||"].randomElement(using: &random)!
            let use = [FieldSigner.KeyUse.appended, .hmac].randomElement(using: &random)!
            let signer = FieldSigner(
                key: SigningKey(key), keyUse: use, algorithm: algorithm, separator: separator)
            ours.append(signer.signature(of: SignedFields(Params(values: fields))))
            cases.append([
                "rule": .string(rule), "key": .string(key), "separator": .string(separator),
                "isHMAC": .bool(use == .hmac), "fields": .object(fields),
            ])
        }
        XCTAssertEqual(ours, try python(cases))
    }

    func testRandomRequestsAreSignedLikePython() async throws {
        var random = FixedRandom(seed: 8)
        var cases: [JSONValue] = []
        var ours: [String] = []
        let encodings: [any ParamEncoding] = [
            .query, .query(QueryEncoder(arrays: .repeated, spaces: .plus)), .form, .json,
        ]
        for round in 0..<FullLength.rounds(120, of: 400) {
            var params: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                params[Self.text(&random)] = [.string(Self.text(&random)), .string(Self.text(&random))]
            }
            let (key, nonce) = (Self.text(&random), "n\(round)")
            let time = Int64.random(in: 0...4_000_000_000, using: &random)
            let signer = HMACSigner(
                key: SigningKey(key), headers: ["content-type", "X-A", "X-None"],
                nonceSource: NonceSource {
                    Date(timeIntervalSince1970: TimeInterval(time))
                } nonce: {
                    nonce
                })
            let value = Self.text(&random).filter { $0.isASCII && $0 != "\"" }
            let encoding = encodings[round % 4]
            let built = try await request(
                .stub("p%2Fq/茶-\(round)", Params(values: params), method: round % 2 == 0 ? .post : .get)
            ) { rules in
                rules.encoding = { _ in encoding }
                rules.extraHeaders = ["X-A": " \(value)\t"]
                rules.signer = signer
            }
            ours.append(built.headers["X-Signature"] ?? "")
            cases.append([
                "rule": "hmac", "key": .string(key), "nonce": .string(nonce), "time": .string(String(time)),
                "method": .string(built.method.rawValue), "url": .string(built.url.absoluteString),
                "headers": .array(built.headers.map { [.string($0.name.rawName), .string($0.value)] }),
                "signed": ["content-type", "X-A", "X-None"], "body": .string(built.body.text ?? ""),
            ])
        }
        XCTAssertEqual(ours, try python(cases))
    }
}
