import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

/// A check as generate-managers writes it: contracts from a description, arguments from lists, endpoints that come and go.
@MainActor
final class NightlyCheckTests: XCTestCase {
    private var folder: URL!
    private var out: [String] = []
    private var errors: [String] = []

    override func setUp() async throws { folder = try temporaryFolder() }

    /// Responds by path; 404 for all else.
    private struct Backend: Transport {
        var bodies: [String: String] = [:]
        var statuses: [String: Int] = [:]
        var failure: TransportError?
        let paths = Locked<[String]>([])

        func send(_ request: APIRequest) async throws -> TransportResponse {
            let path = String(request.url.path.dropFirst("/api/".count))
            paths.withLock { $0.append(path) }
            if let failure { throw failure }
            let body = bodies[path]
            return TransportResponse(
                url: request.url, status: statuses[path] ?? (body == nil ? 404 : 200),
                headers: ["Content-Type": "application/json"], body: .data(Data((body ?? "{}").utf8)))
        }
    }

    private final class BareService: Service {
        let baseURL = URL(string: "https://depot.example.com/api")!
    }

    private final class Endpoint: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.depot
        let methodName: String
        let requestType = HTTPMethod.get
        init(_ methodName: String) { self.methodName = methodName }
    }

    private func subject(_ path: String, _ arguments: ContractArguments = .params()) -> ContractSubject {
        ContractSubject(Endpoint(path), arguments, name: path.replacingOccurrences(of: "/", with: "-"))
    }

    private func run(
        _ subjects: [ContractSubject], over backend: Backend, _ options: String...,
        arguments: [String: ContractArguments] = [:]
    ) async -> Int32 {
        out = []
        errors = []
        return await ContractCheck(
            services: [.depot: BareService.self], managers: subjects, arguments: arguments, transport: backend
        ).run(["--contracts", folder.path] + options, out: { out.append($0) }, error: { errors.append($0) })
    }

    private func describe(_ name: String, _ fields: [FieldPath: Contract.Field]) throws {
        try ContractFolder(folder).write(
            ContractFile(name: name, contract: Contract(fields: fields), origin: .description))
    }

    private var file: ContractFile? { get throws { try ContractFolder(folder).read("settings") } }

    // MARK: The first run

    private let described: [FieldPath: Contract.Field] = [
        "$": .init([.object]), "a": .init([.integer], isOptional: true),
        "b": .init([.string, .null], isOptional: true), "never": .init([.string], isOptional: true),
        "state": .init([.string], values: .listed(["on", "off"])),
    ]

    func testAnOptionalFieldThatDisappearsIsSeenAfterTheFirstRun() async throws {
        try describe("settings", described)
        let subjects = [subject("settings")]
        let full = #"{"a":1,"b":"x","state":"on","extra":true}"#
        let first = await run(subjects, over: Backend(bodies: ["settings": full]))
        XCTAssertEqual(first, 0)
        XCTAssertEqual(out.suffix(2), ["1 checked: 1 recorded.", "1 contract was written; commit them."])
        XCTAssertEqual(try file?.origin, .both)
        XCTAssertEqual(try file?.contract.fields["a"]?.isSeen, true)
        XCTAssertEqual(try file?.contract.fields["never"]?.isSeen, false)

        // What the description allows is no news: null, another value, a field that was not there.
        for same in [full, #"{"a":2,"b":null,"state":"off","extra":false,"never":"n"}"#] {
            let status = await run(subjects, over: Backend(bodies: ["settings": same]))
            XCTAssertEqual(status, 0)
            XCTAssertEqual(out.last, "1 checked: 1 ok.", "\(out)")
        }
        let less = await run(subjects, over: Backend(bodies: ["settings": #"{"b":null,"state":"on"}"#]))
        XCTAssertEqual(less, 0)
        XCTAssertTrue(out.contains("    warning a: removed (was integer, optional)"), "\(out)")
        XCTAssertTrue(out.contains("    warning extra: removed (was boolean)"), "\(out)")
        XCTAssertFalse(out.contains { $0.contains("never") })
    }

    func testDifferencesFromTheDescriptionAreReportedOnce() async throws {
        try describe("settings", described)
        let other = Backend(bodies: ["settings": #"{"a":"text","state":"new"}"#])
        _ = await run([subject("settings")], over: other)
        XCTAssertTrue(out.contains("    warning a: type changed from integer to string"), "\(out)")
        XCTAssertTrue(out.contains(#"    warning state: new enum value "new""#), "\(out)")
        _ = await run([subject("settings")], over: other)
        XCTAssertEqual(out.last, "1 checked: 1 ok.", "\(out)")
    }

    func testRecordingADescribedContractKeepsTheDescription() async throws {
        try describe("settings", described)
        let backend = Backend(bodies: ["settings": #"{"a":1,"state":"on"}"#])
        _ = await run([subject("settings")], over: backend, "--record")
        XCTAssertEqual(try file?.contract.fields["b"]?.types, [.string, .null])
        XCTAssertEqual(try file?.contract.fields["b"]?.isSeen, false)
        _ = await run(
            [subject("settings")], over: Backend(bodies: ["settings": #"{"state":"on"}"#]), "--update")
        XCTAssertEqual(try file?.contract.fields["a"]?.isSeen, false)
    }

    func testKeysOfAMapAndPartsOfAUnionAreNoFields() async throws {
        try describe(
            "settings",
            [
                "$": .init([.object]), "map": .init([.object], isOpen: true),
                "any": .init([.string, .object], isOpen: true),
            ]
        )
        for body in [
            #"{"map":{"x":1,"y":{"z":2}},"any":{"kind":"a"}}"#, #"{"map":{"q":"w"},"any":"text"}"#,
            #"{"map":{},"any":{"other":[1]}}"#,
        ] {
            _ = await run([subject("settings")], over: Backend(bodies: ["settings": body]))
            XCTAssertFalse(out.contains { $0.contains("added") || $0.contains("removed") }, "\(out)")
        }
        XCTAssertEqual(out.last, "1 checked: 1 ok.")
        XCTAssertEqual(try file?.contract.fields.count, 3)
    }

    func testAFileKeepsWhatADescriptionSays() throws {
        let file = ContractFile(
            name: "n",
            contract: Contract(fields: ["a": .init([.string], isOptional: true, isSeen: true, isOpen: true)]),
            origin: .both)
        XCTAssertEqual(try ContractFile(parsing: Data(file.text.utf8)), file)
    }

    // MARK: Arguments

    func testAnEndpointHasItsArgumentsFromAList() async throws {
        let subjects = [
            subject("shelves/{shelf}/books/{id}", .first(["id": "items.0.id"], of: "shelves-{shelf}-books")),
            subject("shelves/{shelf}/books", .first(["shelf": "0.key"], of: "shelves")), subject("shelves"),
        ]
        let backend = Backend(bodies: [
            "shelves": #"[{"key":"s1"},{"key":"s2"}]"#, "shelves/s1/books": #"{"items":[{"id":7}]}"#,
            "shelves/s1/books/7": #"{"title":"x"}"#,
        ])
        let status = await run(subjects, over: backend, "--record")
        XCTAssertEqual(status, 0, "\(out)")
        XCTAssertEqual(backend.paths.current, ["shelves", "shelves/s1/books", "shelves/s1/books/7"])
        XCTAssertEqual(out.suffix(2).first, "3 checked: 3 recorded.")

        // Those that only one needs are called, and not reported.
        let only = await run(subjects, over: backend, "--only", "shelves-{shelf}-books-{id}")
        XCTAssertEqual(only, 0)
        XCTAssertEqual(out.last, "1 checked: 1 ok.")
        XCTAssertEqual(backend.paths.current.count, 6)
    }

    func testReportNamesManagersThatCannotBeCalled() async throws {
        let subjects = [
            subject("empty"), subject("of/{id}", .first(["id": "0.id"], of: "empty")),
            subject("repos/{owner}", .needed("owner")), subject("search", .optional),
            subject("danger", .skipped("It pays.")),
        ]
        let backend = Backend(bodies: ["empty": "[]", "repos/apple": "{}"])
        let status = await run(subjects, over: backend, "--record")
        XCTAssertEqual(status, 0)
        XCTAssertEqual(backend.paths.current, ["empty"])
        XCTAssertEqual(out.suffix(2).first, "4 checked: 3 skipped, 1 recorded.")
        for line in [
            "    The response of empty has no 0.id, which it needs as id.", "    It needs owner.",
            "    It pays.",
        ] {
            XCTAssertTrue(out.contains(line), "\(line): \(out)")
        }
        let given = await run(
            subjects, over: backend, "--record", arguments: ["repos-{owner}": .params(["owner": "apple"])])
        XCTAssertEqual(given, 0)
        XCTAssertTrue(backend.paths.current.contains("repos/apple"))
        let wrong = await run(subjects, over: backend, arguments: ["nobody": .params()])
        XCTAssertEqual(wrong, 2)
        XCTAssertEqual(
            errors,
            [
                "error: There are arguments for nobody, which the check does not have; correct the name, or remove them."
            ])
    }

    // MARK: Endpoints and servers that are gone

    func testAnEndpointThatIsGoneIsBreaking() async throws {
        for status in [404, 405, 410] {
            let result = await run([subject("gone")], over: Backend(statuses: ["gone": status]))
            XCTAssertEqual(result, 1)
            XCTAssertEqual(out.last, "1 checked: 1 breaking.")
            XCTAssertTrue(out.contains { $0.hasPrefix("    breaking: the status is \(status): ") }, "\(out)")
        }
        let forbidden = await run([subject("gone")], over: Backend(statuses: ["gone": 403]))
        XCTAssertEqual(forbidden, 2)
    }

    func testAServerThatIsDownHasAStatusOfItsOwn() async throws {
        let down = Backend(failure: TransportError(.cannotConnect, message: "refused"))
        // An endpoint with wrong arguments does not hide it.
        let refused = await run([subject("a"), subject("b/{id}")], over: down)
        let overloaded = await run([subject("a")], over: Backend(statuses: ["a": 503]))
        XCTAssertEqual([refused, overloaded], [69, 69])
        _ = await run([subject("a")], over: Backend(bodies: ["a": "{}"]), "--record")
        let partly = await run(
            [subject("a"), subject("b")], over: Backend(bodies: ["a": "{}"], statuses: ["b": 502]))
        XCTAssertEqual(partly, 69)
        let wrong = await run(
            [subject("a"), subject("b")], over: Backend(bodies: ["a": "{}"], statuses: ["b": 500]))
        XCTAssertEqual(wrong, 2)
    }

    // MARK: The page

    func testThePageShowsTheWorstFirstAndTheJSON() async throws {
        let subjects = [subject("fine"), subject("settings"), subject("gone")]
        let full = #"{"a":1,"token":"s3cret","b":"x","nested":{"z":null}}"#
        let before = Backend(bodies: ["fine": "{}", "settings": full, "gone": "{}"])
        _ = await run(subjects, over: before, "--record")
        let page = folder.appendingPathComponent("r.html")
        let changed = #"{"token":"s3cret","b":7,"nested":{"z":"<i>"},"c":1}"#
        _ = await run(
            subjects, over: Backend(bodies: ["fine": "{}", "settings": changed]), "--html", page.path)
        let text = try String(contentsOf: page, encoding: .utf8)
        for part in [
            "<a href=\"#r2\">GET gone</a>", "Apps in use call an endpoint that there is no more.",
            "已发布的 App 仍在调用该接口，但接口已不存在。", "<code>a</code> is missing. The app expects integer.",
            "<code>a</code> 缺失。App 期望的类型：integer。", "{ &quot;b&quot;: 7 }",
            "{ &quot;z&quot;: &quot;&lt;i&gt;&quot; }",
            "&quot;token&quot;: &quot;&lt;redacted&gt;&quot;", "<summary>1 ok</summary>",
            // As many as the section has.
            "<small>3 warnings, 1 news</small>",
        ] {
            XCTAssertTrue(text.contains(part), "\(part) in \(text)")
        }
        XCTAssertFalse(text.contains("s3cret"))
        let order = ["id=\"r2\"", "id=\"r1\"", "<summary>1 ok"].compactMap { text.range(of: $0)?.lowerBound }
        XCTAssertEqual(order, order.sorted())
        XCTAssertEqual(order.count, 3)
    }
}
