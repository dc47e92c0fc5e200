#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingHTTP

    /// The pins of the page about certificate pinning: what its `openssl` command prints, and what the framework compares.
    final class PinningPageTests: XCTestCase {
        private static let host = "bank.example.com"

        private func page() throws -> String {
            try Snippets.text(
                Snippets.catalog.appendingPathComponent("Articles/Questions/CertificatePinning.md"))
        }

        func testCommandOfThePagePrintsThePinOfTheServer() async throws {
            let authority = try SharedServers.authority()
            let server = try OpenSSLServer(authority.server)
            addTeardownBlock { server.stop() }
            let block = try XCTUnwrap(try page().components(separatedBy: "\n$ ").dropFirst().first)
            let port = try XCTUnwrap(server.baseURL.port)
            let command = block.components(separatedBy: "\n```")[0]
                .replacingOccurrences(of: "\(Self.host):443", with: "localhost:\(port)")
                .replacingOccurrences(of: Self.host, with: "localhost")
            XCTAssertFalse(command.contains("example.com"), command)
            let printed = String(decoding: try Tool.run("sh", ["-c", command]), as: UTF8.self)
            let pin = "sha256//" + printed.trimmingCharacters(in: .newlines)
            XCTAssertEqual(pin, try TestAuthority.pin(authority.server))

            let other = try TestAuthority.pin(authority.client)
            for (pins, status, kind) in [
                ([pin], 200, nil), ([other, pin], 200, nil), ([other], nil, .publicKeyNotPinned),
            ] as [([String], Int?, TransportError.Kind?)] {
                let transport = PlatformTransport.make(
                    tls: TLSPolicy(
                        certificateAuthorities: authority.root.certificate, pinnedPublicKeys: pins))
                let outcome = await transport.outcome(of: APIRequest(url: server.baseURL, timeout: 30))
                XCTAssertEqual(outcome.success?.status, status)
                XCTAssertEqual(outcome.error?.kind, kind)
            }
        }

        func testPinsOfThePageAreWellFormed() throws {
            let pins = try page().components(separatedBy: "\"").filter { $0.hasPrefix("sha256//") }
            XCTAssertEqual(pins.count, 2)
            for pin in pins { XCTAssertNotNil(PublicKeyPin.digest(pin), pin) }
        }

        /// On Apple platforms the framework computes the digest from the raw key.
        func testFrameworkComputesTheDigestThatOpenSSLPrints() throws {
            let folder = try temporaryFolder()
            let sizes = [2048, 3072]
            let curves = [("P-256", 65), ("P-384", 97), ("P-521", 133)]
            let keys = try Self.keys(
                sizes.map { ["RSA", "-pkeyopt", "rsa_keygen_bits:\($0)"] }
                    + curves.map { ["EC", "-pkeyopt", "ec_paramgen_curve:\($0.0)"] }, in: folder.url)
            XCTAssertEqual(keys.count, sizes.count + curves.count)
            for (bits, (file, pin)) in zip(sizes, keys) {
                let raw = try Tool.run(
                    "openssl", ["rsa", "-in", file, "-RSAPublicKey_out", "-outform", "DER"])
                XCTAssertEqual(digest(SubjectPublicKeyInfo.rsa(raw)), PublicKeyPin.digest(pin), "\(bits)")
            }
            for ((curve, count), (file, pin)) in zip(curves, keys.dropFirst(sizes.count)) {
                // The point is the last field of the key.
                let point = try Tool.run("openssl", ["pkey", "-in", file, "-pubout", "-outform", "DER"])
                    .suffix(count)
                let info = try XCTUnwrap(SubjectPublicKeyInfo.ellipticCurve(Data(point)))
                XCTAssertEqual(digest(info), PublicKeyPin.digest(pin), curve)
            }
        }

        /// Makes keys at once, because a key of 3072 bits takes a second.
        private static func keys(
            _ algorithms: [[String]], in folder: URL
        ) throws -> [(file: String, pin: String)] {
            let results = Locked<[Int: Result<(file: String, pin: String), any Error>]>([:])
            DispatchQueue.concurrentPerform(iterations: algorithms.count) { index in
                let result = Result { try key(algorithms[index], in: folder) }
                results.withLock { $0[index] = result }
            }
            return try algorithms.indices.compactMap { try results.current[$0]?.get() }
        }

        /// A new private key, and the pin of its public key as the last three commands of the page print it.
        private static func key(
            _ algorithm: [String], in folder: URL
        ) throws -> (file: String, pin: String) {
            let file = folder.appendingPathComponent("\(UUID().uuidString).pem")
            try Tool.run("openssl", ["genpkey", "-out", file.path, "-algorithm"] + algorithm)
            let line = """
                openssl pkey -in "$0" -pubout | openssl pkey -pubin -outform der \
                | openssl dgst -sha256 -binary | base64
                """
            let pin = String(decoding: try Tool.run("sh", ["-c", line, file.path]), as: UTF8.self)
            return (file.path, "sha256//" + pin.trimmingCharacters(in: .newlines))
        }

        private func digest(_ data: Data) -> Data { Data(MessageDigest(.sha256, of: data).bytes) }
    }
#endif
