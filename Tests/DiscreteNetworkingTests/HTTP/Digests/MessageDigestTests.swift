import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Digests against the vectors of their standards and against the tools of the system.
final class MessageDigestTests: XCTestCase {
    private func hex(_ algorithm: DigestAlgorithm, _ text: String) -> String {
        MessageDigest(algorithm, of: text).hexadecimal
    }

    func testMD5ByRFC1321() {
        let vectors = [
            "": "d41d8cd98f00b204e9800998ecf8427e",
            "a": "0cc175b9c0f1b6a831c399e269772661",
            "abc": "900150983cd24fb0d6963f7d28e17f72",
            "message digest": "f96b697d7cb7938d525a2f31aaf161d0",
            "abcdefghijklmnopqrstuvwxyz": "c3fcd3d76192e4007dfb496cca67e13b",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789":
                "d174ab98d277d9f5a5611c2c9f419d9f",
            String(repeating: "1234567890", count: 8): "57edf4a22be3c955ac49da2e2107b67a",
        ]
        for (text, expected) in vectors { XCTAssertEqual(hex(.md5, text), expected, text) }
    }

    func testSHAByFIPS180() {
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        XCTAssertEqual(hex(.sha1, "abc"), "a9993e364706816aba3e25717850c26c9cd0d89d")
        XCTAssertEqual(hex(.sha1, long), "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        XCTAssertEqual(
            hex(.sha256, "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        XCTAssertEqual(
            hex(.sha256, long), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        let million = Data(repeating: UInt8(ascii: "a"), count: 1_000_000)
        XCTAssertEqual(
            MessageDigest(.sha1, of: million).hexadecimal, "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
        XCTAssertEqual(
            MessageDigest(.sha256, of: million).hexadecimal,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    func testHMACByRFC4231() {
        func check(_ key: Data, _ text: Data, _ expected: String, line: UInt = #line) {
            XCTAssertEqual(
                MessageDigest.hmac(.sha256, of: text, key: key).hexadecimal, expected, line: line)
        }
        check(
            Data(repeating: 0x0B, count: 20), Data("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        check(
            Data("Jefe".utf8), Data("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        check(
            Data(repeating: 0xAA, count: 20), Data(repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
        check(
            Data(1...25), Data(repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")
        check(
            Data(repeating: 0xAA, count: 131),
            Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        check(
            Data(repeating: 0xAA, count: 131),
            Data(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2")
    }

    /// Every length from 0 to 300 and a few large ones, in one run of each tool.
    func testTheToolsOfTheSystemAgree() throws {
        let folder = try temporaryFolder()
        var random = FixedRandom(seed: 42)
        var bodies: [Data] = []
        for length in Array(0...300) + [4_095, 65_536, FullLength.rounds(100_003, of: 1_000_003)] {
            let data = random.bytes(length)
            bodies.append(data)
            _ = try folder.write(String(format: "%04d", bodies.count), data)
        }
        for (tool, algorithm) in [
            ("md5sum", DigestAlgorithm.md5), ("sha1sum", .sha1), ("sha256sum", .sha256),
        ] {
            let theirs = try run(tool, in: folder)
            guard !theirs.isEmpty else { throw XCTSkip("\(tool) is not installed") }
            let ours = bodies.map { MessageDigest(algorithm, of: $0).hexadecimal }
            XCTAssertEqual(ours.count, theirs.count)
            for (length, (ours, theirs)) in zip(ours, theirs).enumerated() where ours != theirs {
                XCTFail("\(tool) of input \(length)")
            }
        }
    }

    private func run(_ tool: String, in folder: TemporaryFolder) throws -> [String] {
        #if os(macOS) || os(Linux)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [tool] + folder.names
            process.currentDirectoryURL = folder.url
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: output, as: UTF8.self).split(separator: "\n").map {
                String($0.prefix { $0 != " " })
            }
        #else
            throw XCTSkip("Nothing can run other programs here.")
        #endif
    }

    func testPiecesOfAnySizeMakeTheSame() {
        let data = Data((0..<1_000).map { UInt8($0 % 253) })
        for algorithm in DigestAlgorithm.allCases {
            let whole = MessageDigest(algorithm, of: data)
            XCTAssertEqual(whole.bytes.count, algorithm.byteCount)
            for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 999] {
                var digester = Digester(algorithm)
                for start in stride(from: 0, to: data.count, by: size) {
                    digester.update(data[start..<min(start + size, data.count)])
                    _ = digester.finish()
                }
                XCTAssertEqual(digester.finish(), whole, "\(algorithm) by \(size)")
            }
        }
    }
}
