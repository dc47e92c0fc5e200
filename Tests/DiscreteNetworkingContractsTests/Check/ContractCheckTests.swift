import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

#if canImport(FoundationXML)
    import FoundationXML
#endif

@MainActor
final class ContractCheckTests: XCTestCase {
    private var folder: URL!
    private var out: [String] = []
    private var errors: [String] = []
    private let good = #"{"code":0,"content":{"id":7,"state":"packed"}}"#
    private let renamed = #"{"code":0,"content":{"number":7,"state":"packed"}}"#

    override func setUp() async throws { folder = try temporaryFolder() }

    private func run(
        _ arguments: String..., over transport: any Transport,
        prepare: (@MainActor (ApiProxy) async throws -> Void)? = nil
    ) async -> Int32 {
        out = []
        errors = []
        return await ContractCheck(
            services: [.depot: DepotService.self],
            managers: [
                .init(ParcelManager(), params: ["id": 7]), .init(AnythingManager(), name: "Any & <thing>"),
            ],
            transport: transport, prepare: prepare
        ).run(
            ["--contracts", folder.path] + arguments, out: { out.append($0) }, error: { errors.append($0) })
    }

    func testRecordThenFineThenBreaking() async throws {
        let recorded = await run("--record", over: CannedTransport(good))
        let fine = await run(over: CannedTransport(good))
        XCTAssertEqual(out.last, "2 checked: 2 ok.")
        let broken = await run(over: CannedTransport(renamed))

        XCTAssertEqual([recorded, fine, broken], [0, 0, 1])
        XCTAssertEqual(
            out,
            [
                "Contract       Endpoint                Verdict",
                "-------------  ----------------------  --------",
                "ParcelManager  depot GET parcels/{id}  BREAKING",
                "    breaking content.id: removed (was integer). The output cannot be made: at content.id: the key is missing.",
                "    news content.number: added (integer)",
                "Any & <thing>  depot POST anything     warning",
                "    warning content.id: removed (was integer)",
                "    news content.number: added (integer)",
                "",
                "2 checked: 1 warning, 1 breaking.",
            ])
        XCTAssertEqual(errors, [])
    }

    func testUpdateWidensTheContracts() async throws {
        _ = await run("--record", over: CannedTransport(good))
        let status = await run(
            "--update", "--only", "Any & <thing>",
            over: CannedTransport(#"{"code":0,"content":{"id":null,"state":"packed"}}"#))
        XCTAssertEqual(status, 0)

        let both = await run("--only", "Any & <thing>", over: CannedTransport(good))

        XCTAssertEqual(both, 0)
        XCTAssertEqual(out.last, "1 checked: 1 ok.")
    }

    func testReportsForMachines() async throws {
        _ = await run("--record", over: CannedTransport(good))
        let (xml, json) = (folder.appendingPathComponent("r.xml"), folder.appendingPathComponent("r.json"))
        _ = await run("--junit=\(xml.path)", "--json", json.path, over: CannedTransport(renamed))

        let junit = try String(contentsOf: xml, encoding: .utf8)
        XCTAssertTrue(
            junit.contains(#"<testsuite name="contracts" tests="2" failures="1" errors="0" skipped="0">"#))
        XCTAssertTrue(junit.contains(#"<testcase name="Any &amp; &lt;thing&gt;" classname="depot">"#))
        XCTAssertTrue(
            junit.contains(#"<failure type="drift" message="breaking content.id: removed (was integer)."#))
        XCTAssertTrue(XMLParser(data: Data(junit.utf8)).parse())
        let report = try JSONValue(parsing: Data(contentsOf: json))
        XCTAssertEqual(report["status"], 1)
        XCTAssertEqual(report[path: "reports.0.verdict"], "breaking")
        XCTAssertEqual(report[path: "reports.0.drifts.0.path"], "content.id")
        XCTAssertEqual(report[path: "reports.1.drifts.0.severity"], "warning")
    }

    func testAPageForTheBackendsTeam() async throws {
        _ = await run("--record", over: CannedTransport(good))
        let file = folder.appendingPathComponent("r.html")
        let evil =
            #"{"code":0,"content":{"<script>alert(1)</script>":1,"id":"x","state":"</td><img src=x>"}}"#
        let status = await run(
            "--html", file.path, "--base-url", "https://shop.example", over: CannedTransport(evil))

        XCTAssertEqual(status, 1)
        let page = try String(contentsOf: file, encoding: .utf8)
        XCTAssertTrue(
            page.contains(
                "<section id=\"r0\" class=\"breaking\">\n<h2><code>GET parcels/{id}</code> <span class=\"badge breaking\">BREAKING</span></h2>"
            ))
        XCTAssertTrue(page.contains("Any &amp; &lt;thing&gt; of depot"))
        XCTAssertTrue(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        XCTAssertTrue(page.contains("Server: https://shop.example"))
        XCTAssertFalse(page.contains("<script"))
        XCTAssertFalse(page.contains("<img"))
        XCTAssertTrue(page.contains("default-src 'none'"))
        let unwritable = await run("--html", "/dev/null/x", over: CannedTransport(good))
        XCTAssertEqual([unwritable], [2])
    }

    func testXMLTextIsEscaped() async {
        XCTAssertEqual(
            XMLText.escape("<a b=\"c\" d='e'>&\n\u{0}\u{1B}\u{FFFF}在"),
            "&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;&#10;\u{FFFD}\u{FFFD}\u{FFFD}在")
    }

    // MARK: What cannot be checked

    func testNoContractAndNoAnswer() async {
        let none = await run(over: CannedTransport(good))
        XCTAssertTrue(out.contains("    There is no contract ParcelManager.json; record it first."))
        let answer = await run(over: CannedTransport("", status: 500))
        XCTAssertTrue(
            out.contains {
                $0.hasPrefix("    The server responded to GET ")
                    && $0.hasSuffix(
                        " with status 500 (internal server error), which the service does not accept.")
            }, "\(out)")

        XCTAssertEqual([none, answer], [2, 2])
        XCTAssertEqual(out.last, "2 checked: 2 failed.")
    }

    func testAPreparationThatFailsIsReported() async throws {
        let xml = folder.appendingPathComponent("r.xml")
        let status = await run("--junit", xml.path, over: CannedTransport(good)) { proxy in
            let manager = AnythingManager()
            manager.serviceIdentifier = "nobody"
            manager.proxy = proxy
            _ = try await manager.load()
        }

        XCTAssertEqual(status, 2)
        XCTAssertTrue(
            out[3].hasPrefix("    It was not checked, because the preparation failed: nobody/anything #"),
            out[3])
        XCTAssertTrue(out[3].contains(": No service"), out[3])
        XCTAssertTrue(try String(contentsOf: xml, encoding: .utf8).contains(#"errors="2""#))
    }

    func testWrongOptionsEndWithTheirStatus() async {
        for (arguments, expected, message) in [
            (["--colour"], 64, "Unknown option --colour."),
            (["--base-url"], 64, "--base-url needs a value."),
            (["--base-url", "shop"], 64, "--base-url needs a URL such as https://staging.example.com."),
            (
                ["--base-url=https://u:p@h"], 64,
                "--base-url needs a URL such as https://staging.example.com."
            ),
            (["--contracts", "--json"], 64, "--contracts needs a value."),
            (["--record", "--update"], 64, "--record and --update exclude each other."),
            (["--only", "Nobody"], 64, "There is no manager Nobody. There are ParcelManager."),
            (
                ["--only", "ParcelManger"], 64,
                "There is no manager ParcelManger. Did you mean ParcelManager? There are ParcelManager."
            ),
            (["--junit", "/dev/null/x"], 2, "/dev/null/x cannot be written."),
        ] as [([String], Int32, String)] {
            var errors: [String] = []
            let status = await ContractCheck(
                services: [.depot: DepotService.self], managers: [.init(ParcelManager(), params: ["id": 7])],
                transport: CannedTransport(good)
            ).run(arguments, out: { _ in }, error: { errors.append($0) })
            XCTAssertEqual(status, expected, "\(arguments)")
            XCTAssertTrue(errors.first?.hasPrefix("error: \(message)") == true, "\(errors)")
        }
        let twice = await ContractCheck(
            services: [:], managers: [.init(ParcelManager()), .init(ParcelManager())]
        ).run([], out: { _ in }, error: { errors.append($0) })
        XCTAssertEqual(twice, 2)
        XCTAssertEqual(
            errors,
            ["error: Two managers have the contract ParcelManager; give one of them a name of its own."])
    }

    // MARK: Five lines

    /// As an app's command writes it, off the main actor.
    nonisolated private static func check() async -> Int32 {
        await ContractCheck(
            services: [.depot: DepotService.self],
            managers: [
                .init(ParcelManager(), params: ["id": 7])
            ]
        ).run(["--help"], out: { _ in }, error: { _ in })
    }

    func testTheCommandOfAnApp() async {
        let status = await Self.check()
        XCTAssertEqual(status, 0)
    }

    // MARK: Another server

    func testTheBaseURLIsInPlaceOfTheServices() async {
        let transport = CannedTransport(good)
        _ = await run(
            "--record", "--only", "ParcelManager", "--base-url", "http://10.0.0.2:8080/mirror/",
            over: transport)

        XCTAssertEqual(
            transport.requests.map(\.url.absoluteString),
            ["http://10.0.0.2:8080/mirror/api/parcels/7?cid=1"])
    }

    func testMovingURLs() async throws {
        for (url, base, moved) in [
            ("https://a.com/x%2Fy?q=%20#f", "http://b.com", "http://b.com/x%2Fy?q=%20#f"),
            ("http://a.com:81/x", "https://b.com/p%20q/", "https://b.com/p%20q/x"),
            ("http://a.com", "http://[::1]:9", "http://[::1]:9"),
        ] {
            XCTAssertEqual(
                BaseURLTransport.move(URL(string: url)!, to: URL(string: base)!)?.absoluteString, moved)
        }
    }

    func testRedirectsStayOnTheServer() async throws {
        let service = URL(string: "https://depot.example.com/api")!
        for (location, base, expected) in [
            ("http://b.com/p/api/x?q=1", "http://b.com/p", "https://depot.example.com/api/x?q=1"),
            ("http://b.com/other", "http://b.com/p", nil), ("http://c.com/p/x", "http://b.com/p", nil),
            ("http://b.com/x", "http://b.com", "https://depot.example.com/x"),
        ] as [(String, String, String?)] {
            XCTAssertEqual(
                BaseURLTransport.moveBack(
                    URL(string: location)!, from: URL(string: base)!, to: service)?.absoluteString, expected)
        }
        let redirect = TransportResponse(
            url: service, status: 302, headers: ["Location": "/mirror/api/parcels/8"])
        let answer = TransportResponse(url: service, status: 200, body: .data(Data(good.utf8)))
        let transport = CannedTransport([redirect, answer])

        let status = await run(
            "--record", "--only", "ParcelManager", "--base-url", "http://10.0.0.2/mirror", over: transport)

        XCTAssertEqual(status, 0, "\(out)")
        XCTAssertEqual(
            transport.requests.map(\.url.absoluteString),
            ["http://10.0.0.2/mirror/api/parcels/7?cid=1", "http://10.0.0.2/mirror/api/parcels/8"])
    }
}
