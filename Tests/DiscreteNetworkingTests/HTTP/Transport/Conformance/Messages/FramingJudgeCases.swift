#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Random responses, well-formed and malformed, compared with what `h11` reads in them.
    extension MessagesConformance {
        /// What `h11` says of a response.
        private struct Verdict: Decodable {
            /// Why it refuses; `nil` if it reads a whole response.
            let error: String?
            let body: [UInt8]
        }

        func testLengthsThatAnotherClientRefusesAreNoSuccess() async throws {
            try await compare(FullLength.rounds(500, of: 2000), seed: 9112) { random in
                RandomResponse.start(&random) + RandomResponse.lengths(&random) + "\r\n\r\n"
                    + RandomResponse.body(&random)
            }
        }

        func testChunksThatAnotherClientRefusesAreNoSuccess() async throws {
            try await compare(FullLength.rounds(500, of: 2000), seed: 7230) { random in
                RandomResponse.start(&random) + "Transfer-Encoding: chunked\r\n\r\n"
                    + RandomResponse.chunks(&random)
            }
        }

        func testFramingsThatAnotherClientRefusesAreNoSuccess() async throws {
            try await compare(FullLength.rounds(500, of: 2000), seed: 2616) { random in
                var head = RandomResponse.start(&random)
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    head +=
                        Bool.random(using: &random)
                        ? RandomResponse.lengths(&random) : RandomResponse.coding(&random)
                    head += "\r\n"
                }
                let body = Bool.random(using: &random) ? RandomResponse.chunks : RandomResponse.body
                return RandomResponse.mutated(head + "\r\n" + body(&random), &random)
            }
        }

        private func compare(
            _ count: Int, seed: UInt64, _ make: (inout FixedRandom) -> String
        ) async throws {
            var random = FixedRandom(seed: seed)
            let responses = (0..<count).map { _ in make(&random) }
            let verdicts = try Self.verdicts(on: responses)
            let server = try serve { request in .bytes(responses[Int(request.path.dropFirst()) ?? 0]) }
            var (accepted, passed) = (0, 0)
            for (index, verdict) in verdicts.enumerated() {
                let delivery: Delivery = index.isMultiple(of: 2) ? .memory : .stream
                let outcome = await transport.fetch(server.request("/\(index)"), as: delivery)
                if verdict.error == nil { accepted += 1 }
                guard let body = outcome.success?.data else { continue }
                passed += 1
                let what = "\(delivery) \(index): \(responses[index].debugDescription)"
                if let error = verdict.error {
                    XCTAssertTrue(RandomResponse.isTolerated(error), "h11: \(error) \(what)")
                } else {
                    XCTAssertEqual(Array(body), verdict.body, what)
                }
            }
            XCTAssertGreaterThan(accepted, count / 20, "too few responses are well-formed")
            XCTAssertGreaterThan(passed * 10, accepted * 9, "too many well-formed responses are refused")
        }

        private static func verdicts(on responses: [String]) throws -> [Verdict] {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "h11-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try JSONEncoder().encode(responses).write(to: folder.appendingPathComponent("responses.json"))
            try judge.write(
                to: folder.appendingPathComponent("judge.py"), atomically: true, encoding: .utf8)
            do {
                try Tool.run("python3", ["-c", "import h11"])
            } catch is Tool.Failed {
                throw Tool.missing("h11 is not installed; .ci/run does that")
            }
            let output = try Tool.run("python3", ["judge.py"], in: folder)
            return try JSONDecoder().decode([Verdict].self, from: output)
        }

        private static let judge = """
            import h11, json

            def verdict(response):
                connection = h11.Connection(h11.CLIENT)
                connection.send(h11.Request(method="GET", target="/", headers=[("Host", "localhost")]))
                connection.send(h11.EndOfMessage())
                body = b""
                try:
                    connection.receive_data(response.encode())
                    connection.receive_data(b"")
                    while True:
                        event = connection.next_event()
                        if isinstance(event, h11.Data):
                            body += event.data
                        elif isinstance(event, h11.EndOfMessage):
                            return {"error": None, "body": list(body)}
                        elif not isinstance(event, (h11.Response, h11.InformationalResponse)):
                            return {"error": repr(event), "body": []}
                except h11.RemoteProtocolError as error:
                    return {"error": str(error), "body": []}

            print(json.dumps([verdict(response) for response in json.load(open("responses.json"))]))
            """
    }

    /// Parts of random responses. The body is `hello` where nothing is wrong.
    private enum RandomResponse {
        /// Where `h11` is stricter, and the end of the body is in no doubt.
        static func isTolerated(_ error: String) -> Bool {
            // Lines that are no fields, or have no valid name or value, are ignored, as by libcurl.
            error.hasPrefix("illegal header line") || error.hasPrefix("illegal status line")
        }

        static func start(_ random: inout FixedRandom) -> String {
            pick(["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nX: 1\r\n"], &random)
        }

        static func lengths(_ random: inout FixedRandom) -> String {
            let name = pick(
                ["Content-Length", "content-length", "Content-Length", "CONTENT-LENGTH"], &random)
            let count = pick([1, 1, 1, 2, 3], &random)
            let values = (0..<count).map { _ in
                pick(
                    [
                        "5", "5", "5", "5", "5", " 5 ", "\t5", "05", "6", "4", "0", "+5", "-5", "-1", "0x5",
                        "5;", "5 5", "",
                        "99999999999999999999", "9223372036854775807", "9223372036854775808",
                        "18446744073709551621",
                        "5.0", "5a", "a5", "\u{B}5", "5\u{C}", "４", "\"5\"",
                    ], &random)
            }
            return Bool.random(using: &random)
                ? "\(name): " + values.joined(separator: pick([", ", ",", ",,", " , "], &random))
                : values.map { "\(name): \($0)" }.joined(separator: "\r\n")
        }

        static func coding(_ random: inout FixedRandom) -> String {
            "Transfer-Encoding: "
                + pick(
                    [
                        "chunked", "chunked", "chunked", "Chunked", "identity", "gzip", "gzip, chunked",
                        "chunked, gzip",
                        "chunked, chunked", "", "xchunked", "chunked;a=b", "\u{B}chunked", "chunked,",
                    ], &random)
        }

        static func body(_ random: inout FixedRandom) -> String {
            pick(["hello", "hello", "hello", "hell", "", "hello!", "hellohello"], &random)
        }

        static func chunks(_ random: inout FixedRandom) -> String {
            var text = ""
            for piece in pick([["hello"], ["he", "llo"], ["h", "ell", "o"], []], &random) {
                text += mostly(String(piece.utf8.count, radix: 16), &random) { size in
                    [
                        "0x\(size)", "+\(size)", "-\(size)", " \(size)", "\(size) ", "\(size)g", "\(size) 1",
                        "0\(size)",
                        "", "0", "1\(size)", "\(String(repeating: "0", count: 15))\(size)",
                        "FFFFFFFFFFFFFFFF",
                        "10000000000000000\(size)", "\(size);a=b", "\(size);a=\"b\"", "\(size);", "\(size)\t",
                        "\(size).0",
                    ]
                }
                text += lineEnd(&random)
                text += mostly(piece, &random) { [$0 + "!", String($0.dropLast()), $0 + "\r\n", ""] }
                text += lineEnd(&random)
            }
            text +=
                mostly("0", &random) { _ in ["00", "0;a", "0x0", "", "-0", "0 ", "1"] } + lineEnd(&random)
            text += mostly("", &random) { _ in ["X: 1\r\n", "X: 1\r\nY: 2\r\n", "0\r\n", "X\r\n"] }
            return text + mostly("\r\n", &random) { _ in ["", "\n", "\r"] }
        }

        /// Changes a byte of some texts.
        static func mutated(_ text: String, _ random: inout FixedRandom) -> String {
            guard Int.random(in: 0..<3, using: &random) == 0 else { return text }
            var bytes = Array(text.utf8)
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(pick(Array("\r\n :;,0x5\t+-".utf8), &random), at: index)
            default: bytes.removeSubrange(index...)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        private static func lineEnd(_ random: inout FixedRandom) -> String {
            mostly("\r\n", &random) { _ in ["\n", "\r", "", "\r\r\n", " \r\n", "\r\n\r\n"] }
        }

        /// Returns a text, in one of twelve cases one of its variants.
        private static func mostly(
            _ text: String, _ random: inout FixedRandom, _ variants: (String) -> [String]
        ) -> String {
            Int.random(in: 0..<12, using: &random) == 0 ? pick(variants(text), &random) : text
        }

        private static func pick<Value>(_ values: [Value], _ random: inout FixedRandom) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
    }
#endif
