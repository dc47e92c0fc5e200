#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Random `Set-Cookie` headers: what the jar sends then, against what curl and Python's `http.cookiejar` send.
    final class CookieDifferentialTests: XCTestCase {
        private struct Case {
            let line: String
            let source: String
            /// The jar's `Cookie` headers to the targets.
            var headers: [String?] = []
        }

        private static let targets = [
            "http://shop.example.com/a/b/c", "http://shop.example.com/", "http://x.shop.example.com/a/b",
            "http://example.com/a/b", "http://localhost/a/b/c",
        ]
        private static let names = [
            "a", "a", "a", "sid", " a ", "a b", "__Host-a", "__Secure-a", "__host-a", "", "a\u{1B}", "\u{8}a",
        ]
        private static let values = [
            "1", "1", "1", "b=c", "x,y", " 1 ", "青", "x\u{1}y", "x\u{7F}y", "x\u{1F}",
            String(repeating: "x", count: 4090), String(repeating: "x", count: 4097),
        ]
        private static let attributes = [
            "Path=/", "Path=/", "Path=/a", "path=/a/b/", "Path=x", "Path=/ab", "Domain=example.com",
            "Domain=.example.com",
            "domain=SHOP.example.com", "Domain=com", "Domain=other.com", "Domain=x.shop.example.com",
            "Secure",
            "secure", "HttpOnly", "SameSite=None", "SameSite=Lax", "Partitioned", "Max-Age=0", "Max-Age=10",
            "Max-Age=-1", "Max-Age=99999999999999999999", "Expires=Wed, 21 Oct 2015 07:28:00 GMT",
            "Expires=Wed, 21-Oct-15 07:28:00 GMT", "Expires=Wed Oct 21 07:28:00 2015",
            "Expires=Fri, 31 Dec 2099 23:59:59 GMT", "Note=x\u{2}y", "Comment=1", "",
        ]

        /// - Parameter plain: Only what Netscape's cookies and RFC 6265bis have in common: printable ASCII, each attribute
        ///   once, a path that starts with a slash, and no date in the form of asctime, which Python does not read.
        private func cases(_ count: Int, plain: Bool = false) async throws -> [Case] {
            var random = FixedRandom(seed: 6265)
            let isAllowed: (String) -> Bool = { text in
                !plain
                    || text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && !text.isEmpty
                        && !text.hasPrefix("__")
                        && !text.lowercased().hasPrefix("secure") && text.utf8.count < 4000
                        && text != "Path=x" && !text.hasPrefix("Expires=Wed Oct")
            }
            let (names, values, attributes) = (
                Self.names.filter(isAllowed), Self.values.filter(isAllowed), Self.attributes.filter(isAllowed)
            )
            var cases: [Case] = []
            while cases.count < count {
                var parts = [
                    "\(names.randomElement(using: &random) ?? "")=\(values.randomElement(using: &random) ?? "")"
                ]
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let attribute = attributes.randomElement(using: &random) ?? ""
                    let key = attribute.prefix { $0 != "=" }.lowercased() + "="
                    guard !plain || !parts.dropFirst().contains(where: { $0.lowercased().hasPrefix(key) })
                    else {
                        continue
                    }
                    parts.append(attribute)
                }
                let source = plain || Bool.random(using: &random) ? Self.targets[0] : Self.targets[4]
                var one = Case(line: parts.joined(separator: "; "), source: source)
                let turn = await CookieJar().anonymousTurn()
                turn.keep([one.line], from: try XCTUnwrap(URL(string: source)))
                one.headers = try Self.targets.map { turn.header(for: try XCTUnwrap(URL(string: $0))) }
                cases.append(one)
            }
            return cases
        }

        func testTheJarSendsWhatCurlSends() async throws {
            _ = try Tool.path("curl")
            let line = Locked("")
            let server = try serve { request in
                guard request.header("X-Set") != nil else { return .text("") }
                var response = LoopbackResponse.text("")
                response.rawHeaders = Data("Set-Cookie: \(line.current)\r\n".utf8)
                return response
            }
            // A process for each of them.
            let step = FullLength.rounds(4, of: 1)
            let cases = try await cases(300).enumerated().filter { $0.offset % step == 0 }.map(\.element)
            for one in cases {
                line.current = one.line
                let known = server.requests.count
                let common = [
                    "-q", "-s", "--noproxy", "*", "-b", "", "--connect-to", "::127.0.0.1:\(server.port)",
                ]
                var arguments = common + ["-H", "X-Set: 1", one.source]
                for target in Self.targets { arguments += ["--next"] + common + [target] }
                try Tool.run("curl", arguments)
                let sent = server.requests.dropFirst(known + 1).map { $0.header("Cookie") }
                if let reason = Self.curlDifference(one.line) {
                    XCTAssertNotEqual(reason, "")
                    continue
                }
                XCTAssertEqual(
                    one.headers, sent, one.line.prefix(300).debugDescription + " from " + one.source)
            }
            let compared = cases.filter { Self.curlDifference($0.line) == nil }
            XCTAssertGreaterThan(compared.count, 200 / step)
            XCTAssertGreaterThan(
                compared.filter { $0.headers.contains { $0 != nil } }.count, 40 / step, "too few are set")
        }

        /// Why curl 7.88 sends something else; `nil` if it should not.
        private static func curlDifference(_ line: String) -> String? {
            if line.hasPrefix("=") { return "curl takes an attribute for the cookie if that has no name" }
            if line.contains("Note=x\u{2}y") {
                return "curl accepts control characters in unknown attributes"
            }
            if line.contains("path=/a/b/") { return "curl removes the slash at the end of a path" }
            return nil
        }

        func testTheJarSendsWhatPythonSends() async throws {
            let cases = try await cases(300, plain: true)
            let input = try JSONSerialization.data(
                withJSONObject: ["targets": Self.targets, "cases": cases.map { [$0.source, $0.line] }])
            let file = try temporaryFolder().write("cases.json", input)
            let output = try Tool.run("python3", ["-c", Self.script, file.path])
            let sent = try XCTUnwrap(JSONSerialization.jsonObject(with: output) as? [[Any]])
            XCTAssertEqual(sent.count, cases.count)
            for (one, sent) in zip(cases, sent) {
                XCTAssertEqual(
                    one.headers, sent.map { $0 as? String }, one.line.debugDescription + " from " + one.source
                )
            }
            XCTAssertGreaterThan(
                cases.filter { $0.headers.contains { $0 != nil } }.count, 40, "too few are set")
        }

        private static let script = """
            import email.message, http.cookiejar, json, sys, urllib.request
            class Response:
                def __init__(self, line):
                    self.message = email.message.Message()
                    self.message["Set-Cookie"] = line
                def info(self): return self.message
            cases = json.load(open(sys.argv[1]))
            answer = []
            for source, line in cases["cases"]:
                jar = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(
                    strict_ns_domain=http.cookiejar.DefaultCookiePolicy.DomainStrictNonDomain))
                jar.extract_cookies(Response(line), urllib.request.Request(source))
                sent = []
                for target in cases["targets"]:
                    request = urllib.request.Request(target)
                    jar.add_cookie_header(request)
                    sent.append(request.get_header("Cookie"))
                answer.append(sent)
            json.dump(answer, sys.stdout)
            """
    }
#endif
