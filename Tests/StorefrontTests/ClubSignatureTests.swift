import DiscreteNetworking
import DiscreteNetworkingSigning
import Foundation
import LoopbackServer
import XCTest

@testable import StorefrontKit

/// The club's rule, bit for bit: the sample's own against that of its backend and against python3.
final class ClubSignatureTests: XCTestCase {
    func testDigestIsWrittenInDecimal() throws {
        // python3: ''.join(str(abs(n)) for n in struct.unpack('>4i', md5(text).digest()))
        for (text, expected) in [
            ("", "7362609031895779836377484904319274370"), ("abc", "18789620241020415920694796419685866866"),
            ("茶;q={}", "63559921874848139219215231171033466424"),
        ] {
            XCTAssertEqual(ClubSignature.decimal(MessageDigest(.md5, of: text).bytes), expected, text)
        }
    }

    /// C's own `abs`, called by python3: that of INT_MIN is INT_MIN.
    func testAbsIsThatOfC() throws {
        var random = ClubRandom(state: 5)
        let words =
            [0x8000_0000, 0x8000_0001, 0xFFFF_FFFF, 0, 1, 0x7FFF_FFFF]
            + (0..<200).map { _ in
                UInt32(truncatingIfNeeded: random.next())
            }
        let script = """
            import sys, ctypes
            abs_of_c = ctypes.CDLL(None).abs
            abs_of_c.argtypes, abs_of_c.restype = [ctypes.c_int], ctypes.c_int
            for line in sys.stdin: print(abs_of_c(int(line)))
            """
        let input = words.map { "\(Int32(bitPattern: $0))\n" }.joined()
        let numbers = words.map { word in
            ClubSignature.decimal((0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - $0 * 8)) })
        }
        XCTAssertEqual(numbers, try Self.python(script, input))
        XCTAssertEqual(numbers[0], "-2147483648")
    }

    /// As a whole, `a1=x` comes before `a=x`.
    func testFieldsAreSortedAsPairs() {
        let fields = SignedFields([.init(name: "a", value: "x"), .init(name: "a1", value: "x")])
        XCTAssertEqual(fields.sorted(by: .pairs).joined(separator: ";"), "a1=x;a=x")
        XCTAssertEqual(fields.sorted().joined(separator: ";"), "a=x;a1=x")
        let signer = ClubSignature.signer(key: SigningKey("k"))
        XCTAssertEqual(
            signer.signature(of: fields), ClubSignature.decimal(MessageDigest(.md5, of: "a1=x;a=xk").bytes))
    }

    func testThereIsNoFieldForNoParams() throws {
        XCTAssertNil(try url([:], uid: nil, key: "k").query?.range(of: "q="))
    }

    /// The URL that the club would be sent.
    private func url(_ params: Params, uid: String?, key: String) throws -> URL {
        var request = APIRequest(url: URL(string: "https://club.example.com/api/home/login")!)
        try ClubParamEncoding().encode(params, into: &request)
        if let uid { try QueryParamEncoding().encode(["uid": uid], into: &request) }
        let signer = ClubSignature.signer(key: SigningKey(key))
        let fields = SignedFields(queryOf: request.url)
        try signer.place.write(signer.signature(of: fields), into: &request)
        return request.url
    }

    func testRandomParamsAgainstPython() throws {
        var random = ClubRandom(state: 11)
        var targets: [String] = []
        for _ in 0..<300 {
            var params = Params()
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                params[random.text()] = .string(random.text())
            }
            let uid = Bool.random(using: &random) ? String(Int.random(in: 1...99_999, using: &random)) : nil
            targets.append(try url(params, uid: uid, key: "s3cr3t;&=").absoluteString)
        }
        let script = """
            import sys, hashlib, struct
            from urllib.parse import urlsplit, parse_qsl
            for line in sys.stdin:
                fields = dict(parse_qsl(urlsplit(line.strip()).query, keep_blank_values=True, strict_parsing=True))
                fields.pop('sign')
                text = ';'.join(sorted(k + '=' + fields[k] for k in fields)) + 's3cr3t;&='
                print(''.join(str(abs(n)) for n in struct.unpack('>4i', hashlib.md5(text.encode()).digest())))
            """
        let signs = targets.compactMap { $0.components(separatedBy: "&sign=").last }
        XCTAssertEqual(signs, try Self.python(script, targets.joined(separator: "\n") + "\n"))
    }

    func testTheServerRefusesAChangedField() throws {
        let server = try ShopBackend().start()
        defer { server.stop() }
        let params: Params = ["username": "小明", "password": "longjing"]
        let signed = try url(params, uid: "10001", key: "spring-water")
        let pairs = try XCTUnwrap(signed.query).split(separator: "&").map(String.init)
        var others: [[String]] = []
        for (index, pair) in pairs.enumerated() {
            others.append(pairs.enumerated().filter { $0.offset != index }.map(\.element))
            others.append(pairs + [pair])
            for change in ["0", "%20", "%E8%8C%B6"] {
                var changed = pairs
                changed[index] += change
                others.append(changed)
            }
            var shortened = pairs
            shortened[index].removeLast()
            others.append(shortened)
        }
        others.append(pairs + ["extra=1"])
        let codes = try Self.ask(server, [pairs, pairs.reversed()] + others)
        XCTAssertEqual(codes.count, others.count + 2)
        XCTAssertEqual(codes.prefix(2), [0, 0], "the original is taken, in any order")
        for (other, code) in zip(others, codes.dropFirst(2)) { XCTAssertEqual(code, 40301, "\(other)") }
    }

    /// The business code that the club answers with.
    /// The codes of the responses to several requests.
    private static func ask(_ server: LoopbackServer, _ requests: [[String]]) throws -> [Int?] {
        let base = server.baseURL.absoluteString + "/api/home/login?"
        let urls = requests.map { base + $0.joined(separator: "&") }
        let answers = try run("curl", ["-sS", "-g", "-w", "\\n"] + urls, input: "")
        return try answers.split(separator: "\n").map { try JSONValue(parsing: String($0))["code"]?.int }
    }

    private static func python(_ script: String, _ input: String) throws -> [String] {
        try run("python3", ["-c", script], input: input).split(separator: "\n").map(String.init)
    }

    private static func run(_ tool: String, _ arguments: [String], input: String) throws -> String {
        #if os(macOS) || os(Linux)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "club-\(UUID().uuidString)")
            try Data(input.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [tool] + arguments
            process.standardInput = try FileHandle(forReadingFrom: file)
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            if process.terminationStatus == 127 { throw XCTSkip("\(tool) is not installed") }
            XCTAssertEqual(process.terminationStatus, 0)
            return String(decoding: data, as: UTF8.self)
        #else
            throw XCTSkip("Nothing can run other programs here.")
        #endif
    }
}

/// The same texts in every run.
private struct ClubRandom: RandomNumberGenerator {
    var state: UInt64

    /// Knuth's linear congruential generator, of which the upper half is good enough here.
    mutating func next() -> UInt64 {
        func half() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 32
        }
        return half() << 32 | half()
    }

    mutating func text() -> String {
        let letters = Array("abcXYZ019-._~ &=+%/?#;:\"\\茶🫖")
        return String(
            (0..<Int.random(in: 0...10, using: &self)).map { _ in letters.randomElement(using: &self)! })
    }
}
