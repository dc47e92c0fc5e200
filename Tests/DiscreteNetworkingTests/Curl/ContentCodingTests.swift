#if os(Linux)
    import CCodings
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl

    /// The codings against those who made them: gzip, zlib, brotli and zstd.
    final class ContentCodingTests: XCTestCase {
        private static let commands: [(name: String, kind: Int, command: String)] = [
            ("gzip", CCODING_GZIP, "gzip -c"),
            (
                "deflate", CCODING_DEFLATE,
                "python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.compress(sys.stdin.buffer.read()))'"
            ),
            (
                "bare deflate", CCODING_DEFLATE,
                "python3 -c 'import sys, zlib; c = zlib.compressobj(9, zlib.DEFLATED, -15); sys.stdout.buffer.write(c.compress(sys.stdin.buffer.read()) + c.flush())'"
            ),
            (
                "br", CCODING_BROTLI,
                "python3 -c 'import sys, brotlicffi; sys.stdout.buffer.write(brotlicffi.compress(sys.stdin.buffer.read()))'"
            ),
            ("zstd", CCODING_ZSTD, "zstd -c"),
        ]

        /// What has been encoded: most tests are about the same text.
        private static let known = Locked<[String: [Data: Data]]>([:])

        private func encode(_ data: Data, by command: String) throws -> Data {
            try Self.encode(data, by: command)
        }

        private static func encode(_ data: Data, by command: String) throws -> Data {
            if let coded = known.current[command]?[data] { return coded }
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try data.write(to: folder)
            defer { try? FileManager.default.removeItem(at: folder) }
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "\(command) < '\(folder.path)'"]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.runWithAllSignals()
            let coded = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                guard ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil else {
                    throw XCTSkip("\(command) is not installed")
                }
                throw CocoaError(.executableLoad)
            }
            known.withLock { $0[command, default: [:]][data] = coded }
            return coded
        }

        /// Encodes texts by all commands at once, because each takes a process. The tests say what could not be encoded.
        private static func encodeByAll(_ originals: [Data]) {
            let works = commands.flatMap { command in originals.map { (command.command, $0) } }
            _ = Concurrently.map(works) { command, original in try encode(original, by: command) }
        }

        /// Decodes pieces of the given sizes, and asks for the end.
        private func decode(_ coded: Data, kind: Int, pieces: () -> Int = { 1 << 20 }) throws -> Data {
            let coding = try ContentCoding(Int32(kind))
            var decoded = Data()
            var rest = coded
            while !rest.isEmpty {
                var piece = Data(rest.prefix(max(1, pieces())))
                rest = rest.dropFirst(piece.count)
                while let some = try coding.decode(&piece) { decoded.append(some) }
            }
            try coding.finish()
            return decoded
        }

        private static let text = Data(String(repeating: "茶壶 and cups; ", count: 40).utf8)

        func testOutputOfOtherEncodersIsDecodedInPiecesOfAnySize() throws {
            var random = FixedRandom(seed: 7)
            let zeros = FullLength.rounds(500_000, of: 3_000_000)
            let noise = random.bytes(FullLength.rounds(100_000, of: 300_000))
            let originals = [Data(), Data([0]), Self.text, noise, Data(count: zeros)]
            Self.encodeByAll(originals)
            for (name, kind, command) in Self.commands {
                for original in originals {
                    let coded = try encode(original, by: command)
                    XCTAssertEqual(try decode(coded, kind: kind), original, name)
                    let step = coded.count / 50 + 1
                    let pieces = { Int.random(in: 1...step, using: &random) }
                    XCTAssertEqual(
                        try decode(coded, kind: kind, pieces: pieces), original, "\(name) in pieces")
                }
                let coded = try encode(Self.text, by: command)
                XCTAssertEqual(
                    try decode(coded, kind: kind, pieces: { 1 }), Self.text, "\(name) byte by byte")
            }
        }

        func testEveryTruncationIsAnError() throws {
            for (name, kind, command) in Self.commands {
                let coded = try encode(Self.text, by: command)
                for count in 1..<coded.count {
                    XCTAssertThrowsError(
                        try decode(Data(coded.prefix(count)), kind: kind), "\(name) cut at \(count)")
                }
            }
        }

        func testDamageIsAnErrorOrSeenByNobody() throws {
            var random = FixedRandom(seed: 11)
            for (_, kind, command) in Self.commands {
                let coded = try encode(Self.text, by: command)
                for _ in 0..<300 {
                    var damaged = coded
                    damaged[Int.random(in: 0..<coded.count, using: &random)] ^= UInt8(
                        1 << Int.random(in: 0..<8, using: &random))
                    // Formats without a checksum cannot see all of it; none may crash, hang or grow without end.
                    if let decoded = try? decode(damaged, kind: kind) {
                        XCTAssertLessThan(decoded.count, 1 << 24)
                    }
                }
            }
        }

        func testGzipChecksItsChecksum() throws {
            var coded = try encode(Self.text, by: "gzip -c")
            coded[coded.count - 6] ^= 1
            XCTAssertThrowsError(try decode(coded, kind: CCODING_GZIP))
        }

        func testMembersAndFramesThatFollowOneAnother() throws {
            for (name, kind, command) in Self.commands where name == "gzip" || name == "zstd" {
                let one = try encode(Data("one ".utf8), by: command)
                let two = try encode(Data("two".utf8), by: command)
                XCTAssertEqual(try decode(one + two, kind: kind), Data("one two".utf8), name)
                XCTAssertEqual(try decode(one + two, kind: kind, pieces: { 1 }), Data("one two".utf8), name)
                XCTAssertEqual(
                    try decode(one + two, kind: kind, pieces: { one.count }), Data("one two".utf8), name)
                XCTAssertThrowsError(try decode(one + two.dropLast(), kind: kind), name)
            }
        }

        func testBytesAfterACompleteBodyAreIgnored() throws {
            Self.encodeByAll([Self.text])
            for (name, kind, command) in Self.commands where name != "zstd" {
                let coded = try encode(Self.text, by: command)
                XCTAssertEqual(try decode(coded + [0, 0, 0], kind: kind), Self.text, name)
            }
        }

        func testNoBytesAreAWholeBody() throws {
            for (_, kind, _) in Self.commands { XCTAssertEqual(try decode(Data(), kind: kind), Data()) }
        }

        func testBombsComeInPieces() throws {
            Self.encodeByAll([Data(count: 5_000_000)])
            for (name, kind, command) in Self.commands {
                var coded = try encode(Data(count: 5_000_000), by: command)
                let coding = try ContentCoding(Int32(kind))
                for _ in 0..<20 {
                    let piece = try XCTUnwrap(coding.decode(&coded), name)
                    XCTAssertLessThanOrEqual(piece.count, 65_536, name)
                }
            }
        }

        // MARK: Limits

        func testWorkThatComesToNothingEnds() throws {
            guard case .data(let members) = LoopbackResponse.emptyMembers(100_000).body else {
                return XCTFail()
            }
            XCTAssertThrowsError(try decode(members, kind: CCODING_GZIP)) {
                XCTAssertEqual(($0 as? TransportError)?.kind, .badResponse)
            }
            let few = members.prefix(20 * 1000)
            XCTAssertEqual(try decode(few, kind: CCODING_GZIP), Data())
        }

        func testEachLayerHasItsLimit() async throws {
            let gzip = Int32(CCODING_GZIP)
            let zeros = Data(count: 3_000_000)
            let once = try encode(zeros, by: "gzip -c")
            let twice = try encode(once, by: "gzip -c")
            let whole = try await ContentCoding.decode(twice, [gzip, gzip], limit: zeros.count)
            XCTAssertEqual(whole, zeros)
            // The inner layer is larger than what all of it may come to.
            for (coded, kinds, limit) in [
                (twice, [gzip, gzip], zeros.count - 1), (twice, [gzip, gzip], 1000), (once, [gzip], 1000),
                (try encode(zeros + twice, by: "gzip -c"), [gzip, gzip], 1000),
            ] {
                do throws(TransportError) {
                    _ = try await ContentCoding.decode(coded, kinds, limit: limit)
                    XCTFail("more than \(limit) bytes")
                } catch {
                    XCTAssertEqual(error.kind, .responseTooLarge(limit: limit))
                }
            }
        }

        func testACancelledTaskDecodesNoFurther() async throws {
            let coded = try encode(Data(count: 3_000_000), by: "gzip -c")
            let task = Task {
                await Task.yield()
                withUnsafeCurrentTask { $0?.cancel() }
                return try await ContentCoding.decode(coded, [Int32(CCODING_GZIP)], limit: 3_000_000).count
            }
            let error = await task.result
            guard case .failure(let error as TransportError) = error else { return XCTFail("\(error)") }
            XCTAssertEqual(error.kind, .cancelled)
        }

        /// What decoding would cost is not the loop's, on which all exchanges depend.
        func testTheLoopLeavesCodingsToTheCaller() async throws {
            let coded = try encode(Self.text, by: "gzip -c")
            let server = try serve { _ in LoopbackResponse.data(coded).adding("Content-Encoding", "gzip")
            }
            let loop = try CurlLoop(CurlConfiguration())
            defer { loop.post(.stop) }
            let exchange = try CurlExchange(server.request())
            loop.post(.start(exchange))
            let answer = try await exchange.outcome.value.get()
            guard case .data(let body) = answer.body else { return XCTFail("no body in memory") }
            XCTAssertEqual(body, coded)
            XCTAssertEqual(answer.codings, [Int32(CCODING_GZIP)])
            let decoded = try await answer.response(to: exchange.request)
            XCTAssertEqual(decoded.data, Self.text)
        }

        func testNamesOfCodings() throws {
            func kinds(_ value: String) throws -> [Int] {
                try ContentCoding.kinds(of: ["Content-Encoding": value]).map(Int.init)
            }
            XCTAssertEqual(try kinds("gzip"), [CCODING_GZIP])
            XCTAssertEqual(try kinds("X-GZip"), [CCODING_GZIP])
            XCTAssertEqual(try kinds("identity"), [])
            XCTAssertEqual(try kinds("gzip, br"), [CCODING_BROTLI, CCODING_GZIP])
            XCTAssertEqual(try kinds("gzip, identity, br"), [CCODING_BROTLI, CCODING_GZIP])
            XCTAssertEqual(try kinds("gzip, martian"), [])
            XCTAssertEqual(try kinds(""), [])
            XCTAssertEqual(try ContentCoding.kinds(of: [:]), [])
            XCTAssertThrowsError(try kinds("gzip, gzip, gzip"))
            XCTAssertEqual(ContentCoding.accepted, "gzip, deflate, br, zstd")
        }
    }
#endif
