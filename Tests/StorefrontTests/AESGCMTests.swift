#if !canImport(CryptoKit)
    import Foundation
    import XCTest

    @testable import StorefrontKit

    /// The sample's own cipher, against published vectors and the `openssl` program.
    final class AESGCMTests: XCTestCase {
        private func bytes(_ hex: String) -> [UInt8] {
            let digits = Array(hex)
            return stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            }
        }

        private func hex(_ bytes: some Sequence<UInt8>) -> String {
            bytes.map { String(format: "%02x", $0) }.joined()
        }

        private func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: .min ... .max) } }

        /// FIPS 197, appendix C.3.
        func testTheBlockOfTheStandard() {
            let cipher = AES256(
                key: bytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"))
            XCTAssertEqual(
                hex(cipher.encrypted(bytes("00112233445566778899aabbccddeeff"))),
                "8ea2b7ca516745bfeafc49904b496089")
        }

        /// Test cases 13 to 16 of "The Galois/Counter Mode of Operation", submitted to NIST.
        func testTheVectorsOfTheMode() throws {
            let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
            let plain =
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
            let sealed =
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
            let (zeros, nonce) = (String(repeating: "0", count: 64), "cafebabefacedbaddecaf888")
            let vectors = [
                Vector(key: zeros, nonce: String(zeros.prefix(24)), tag: "530f8afbc74536b9a963b4f1c4cb738b"),
                Vector(
                    key: zeros, nonce: String(zeros.prefix(24)), plain: String(zeros.prefix(32)),
                    sealed: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
                Vector(
                    key: key, nonce: nonce, plain: plain, sealed: sealed,
                    tag: "b094dac5d93471bdec1a502270e3cc6c"),
                Vector(
                    key: key, nonce: nonce, plain: String(plain.dropLast(8)),
                    authenticated: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                    sealed: String(sealed.dropLast(8)),
                    tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
            ]
            for vector in vectors {
                let (cipher, nonce) = (AESGCM(key: bytes(vector.key)), bytes(vector.nonce))
                let authenticated = bytes(vector.authenticated)
                let all = cipher.seal(bytes(vector.plain), nonce: nonce, authenticating: authenticated)
                XCTAssertEqual(hex(all), vector.sealed + vector.tag)
                let opened = try cipher.open(all, nonce: nonce, authenticating: authenticated)
                XCTAssertEqual(hex(opened), vector.plain)
            }
        }

        private struct Vector {
            let key: String
            let nonce: String
            var plain = ""
            var authenticated = ""
            var sealed = ""
            let tag: String
        }

        func testAChangedBitIsFound() throws {
            let (key, nonce) = (random(32), random(12))
            let sealed = AESGCM(key: key).seal(Array("春茶".utf8), nonce: nonce)
            for index in sealed.indices {
                var changed = sealed
                changed[index] ^= 1
                XCTAssertThrowsError(try AESGCM(key: key).open(changed, nonce: nonce))
            }
            for count in 0..<16 {
                XCTAssertThrowsError(try AESGCM(key: key).open(Array(sealed.prefix(count)), nonce: nonce))
            }
            XCTAssertThrowsError(try AESGCM(key: random(32)).open(sealed, nonce: nonce))
        }

        /// Of the mode, `openssl enc` offers the counter, and `openssl mac` the tag of data that is not encrypted.
        func testAgainstOpenSSL() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "aes-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("data")
            for count in [1, 15, 16, 17, 1000] {
                let (key, nonce, data) = (random(32), random(12), random(count))
                try Data(data).write(to: file)
                let cipher = AESGCM(key: key)
                let counted = try openssl(
                    "enc", "-aes-256-ctr", "-K", hex(key), "-iv", hex(nonce) + "00000002", "-in", file.path)
                XCTAssertEqual(
                    hex(cipher.seal(data, nonce: nonce).prefix(count)), hex(counted), "\(count) bytes")
                let tag = try openssl(
                    "mac", "-cipher", "AES-256-GCM", "-macopt", "hexkey:\(hex(key))", "-macopt",
                    "hexiv:\(hex(nonce))",
                    "-binary", "-in", file.path, "GMAC")
                XCTAssertEqual(
                    hex(cipher.seal([], nonce: nonce, authenticating: data)), hex(tag), "\(count) bytes")
            }
        }

        private func openssl(_ arguments: String...) throws -> Data {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            process.arguments = arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl") else {
                throw XCTSkip("openssl is not installed.")
            }
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0)
            return output
        }
    }
#endif
