import Foundation
import LoopbackServer
import XCTest

@testable import StorefrontKit

/// The sample as a process of its own, with full logging: no secret is in any byte that it writes.
final class RedactionTests: XCTestCase {
    func testNoSecretIsInTheOutput() throws {
        let server = try ShopBackend().start()
        defer { server.stop() }

        let output = try Self.output(of: ["--verbose", "--base-url", server.baseURL.absoluteString])

        // It is the full log: every call is there, with requests, responses and errors.
        for part in [
            "POST", "/api/v3/users/login", "/api/home/login?cid=000001&q=", "     ! ",
            " > curl -g", " < HTTP 200, ", "小明", "<redacted>", "all as expected.",
        ] {
            XCTAssertNotNil(output.range(of: Data(part.utf8)), part)
        }
        let secrets = Self.secrets(of: server)
        XCTAssertGreaterThanOrEqual(secrets.count, 8, "\(secrets)")
        for secret in secrets {
            for (form, bytes) in Self.forms(of: secret) where output.range(of: bytes) != nil {
                XCTFail("\(secret) is in the output (\(form))")
            }
        }
    }

    /// What the app knows and what went over the wire: passwords, keys, tokens, signatures.
    private static func secrets(of server: LoopbackServer) -> Set<String> {
        var secrets: Set = [
            "longjing", "pu-erh", "spring-water", "ditch-water", "storefront-demo",
            "a-wallet-key-of-thirty-two-bytes",
        ]
        for request in server.requests {
            if let token = request.header("Authorization")?.split(separator: " ").last {
                secrets.insert(String(token))
            }
            for (name, value) in request.query where ["sign", "key"].contains(name) { secrets.insert(value) }
        }
        return secrets
    }

    /// The ways in which a text may be written.
    private static func forms(of secret: String) -> [(String, Data)] {
        let bytes = Data(secret.utf8)
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        let percent = bytes.map { String(format: "%%%02X", $0) }.joined()
        let octal = bytes.map { String(format: "\\%03o", $0) }.joined()
        // Base64 depends on what stands before: three ways, of which only the inner part is sure.
        let base64 = (0..<3).map { shift in
            let text = (Data(count: shift) + bytes).base64EncodedString().filter { $0 != "=" }
            return String(text.dropFirst(shift == 0 ? 0 : 4).dropLast(2))
        }
        let texts =
            [("plain", secret), ("reversed", String(secret.reversed())), ("hexadecimal", hex)]
            + [("capital hexadecimal", hex.uppercased()), ("percent-encoded", percent), ("octal", octal)]
            + base64.map { ("Base64", $0) }
        return texts.map { ($0.0, Data($0.1.utf8)) } + [("UTF-16", secret.data(using: .utf16LittleEndian)!)]
    }

    /// Standard output and standard error, together.
    private static func output(of arguments: [String]) throws -> Data {
        #if os(macOS) || os(Linux)
            let products = Bundle(for: RedactionTests.self).bundleURL.deletingLastPathComponent()
            let folders = [
                products, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            ]
            let program = folders.map { $0.appendingPathComponent("Storefront") }.first {
                FileManager.default.isExecutableFile(atPath: $0.path)
            }
            let process = Process()
            process.executableURL = try XCTUnwrap(program, "the sample is not beside the tests")
            process.arguments = arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0, String(decoding: output, as: UTF8.self))
            return output
        #else
            throw XCTSkip("Nothing can run other programs here.")
        #endif
    }
}
