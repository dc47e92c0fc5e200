import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingContracts

@MainActor
final class ContractSubjectTests: XCTestCase {
    private var folder: ContractFolder!
    private let good =
        #"{"code":0,"msg":"ok","content":{"id":7,"state":"packed","courier":"小王","sent":"2026-11-21T10:00:00Z","note":"x"}}"#

    override func setUp() async throws { folder = ContractFolder(try temporaryFolder()) }

    private func subject<Output>(_ manager: TypedAPIManager<Output>) -> ContractSubject {
        manager.proxy = .depot(over: CannedTransport("{}"))
        return ContractSubject(manager, params: ["id": 7], rules: ContractRules(enums: ["content.state"]))
    }

    /// What comes of the good answer with one text in place of another.
    private func report(_ old: String, _ new: String) -> ContractReport {
        let subject = subject(ParcelManager())
        XCTAssertEqual(
            subject.check(response: Data(good.utf8), against: folder, mode: .record).verdict, .recorded)
        return subject.check(
            response: Data(good.replacingOccurrences(of: old, with: new).utf8), against: folder)
    }

    func testEqualResponseIsUnchanged() async {
        let report = report("", "")

        XCTAssertEqual(report.verdict, .unchanged)
        XCTAssertEqual(report.text, "ParcelManager (depot, GET parcels/{id}): unchanged")
        XCTAssertNil(report.complaint())
    }

    func testChangeOfARequiredFieldIsBreaking() async {
        for (old, new, line) in [
            (
                #""id":7"#, #""number":7"#,
                "breaking content.id: removed (was integer). The output cannot be made: at content.id: the key is missing."
            ),
            (
                #""id":7"#, #""id":"7""#,
                "breaking content.id: type changed from integer to string. The output cannot be made: at content.id: expected Int."
            ),
            (
                #""id":7"#, #""id":null"#,
                "breaking content.id: became null. The output cannot be made: at content.id: expected Int"
            ),
            (
                #""packed""#, #""lost""#,
                #"breaking content.state: new enum value "lost". The output cannot be made: at content.state: "#
            ),
            (
                #""2026-11-21T10:00:00Z""#, #""yesterday""#,
                "breaking content.sent: no longer a date-time. The output cannot be made: at content"
            ),
            (
                #""code":0"#, #""code":"0""#,
                #"breaking code: type changed from integer to string. The output cannot be made: the business code "0" (string) is no success."#
            ),
            (
                #""content""#, #""data""#,
                "breaking content: removed (was object). The output cannot be made: at content: the payload is missing; if it is optional, make the output optional: Parcel?."
            ),
        ] {
            let report = report(old, new)
            XCTAssertEqual(report.verdict, .breaking, new)
            XCTAssertTrue(report.lines.contains { $0.hasPrefix(line) }, report.text)
            XCTAssertEqual(report.complaint(allowing: .warning), report.text)
        }
    }

    func testChangeThatTheOutputCanDecodeIsAWarning() async {
        for (old, new, line) in [
            (#","courier":"小王""#, "", "warning content.courier: removed (was string)"),
            (#""小王""#, "null", "warning content.courier: became null"),
            (#","note":"x""#, #","note":7"#, "warning content.note: type changed from string to integer"),
        ] {
            let report = report(old, new)
            XCTAssertEqual(report.verdict, .warning, report.text)
            XCTAssertEqual(report.lines, [line])
            XCTAssertNil(report.complaint(allowing: .warning))
            XCTAssertNotNil(report.complaint())
        }
    }

    func testAddedFieldIsNews() async {
        let report = report(#""id":7"#, #""id":7,"weight":1.5"#)

        XCTAssertEqual(report.verdict, .news)
        XCTAssertEqual(report.lines, ["news content.weight: added (number)"])
        XCTAssertNil(report.complaint())
    }

    func testOfSeveralDriftsOnlyThoseToBlameAreBreaking() async {
        let report = report(#""id":7,"state":"packed","courier":"小王""#, #""number":7,"state":"lost""#)

        XCTAssertEqual(
            report.drifts.map { "\($0.severity) \($0.path) \($0.kind.name)" },
            [
                "warning content.courier removed", "breaking content.id removed", "news content.number added",
                "breaking content.state new-enum-value",
            ])
    }

    func testAnOutputThatTakesAnythingIsNeverBroken() async {
        let subject = subject(AnythingManager())
        _ = subject.check(response: Data(good.utf8), against: folder, mode: .record)

        let report = subject.check(
            response: Data(good.replacingOccurrences(of: #""id":7"#, with: "\"id\":[]").utf8), against: folder
        )

        XCTAssertEqual(report.verdict, .warning)
    }

    func testAFailureThatNoDriftExplains() async throws {
        let subject = subject(ParcelManager())
        // The shape is the same; the state is a text in the contract, and one that the output does not know.
        let body = good.replacingOccurrences(of: "packed", with: "melted")
        try folder.write(
            ContractFile(
                name: "ParcelManager",
                contract: Contract(
                    recording: [try json(body)], rules: ContractRules(texts: ["content.state"]))))

        let report = subject.check(response: Data(body.utf8), against: folder)

        XCTAssertEqual(report.verdict, .breaking)
        XCTAssertEqual(report.drifts, [])
        XCTAssertTrue(
            report.text.contains("breaking: the output cannot be made, at content.state: "), report.text)
    }

    func testRefusalsAreNoDrifts() async {
        let report = report(
            #"{"code":0,"msg":"ok","content":{"id":7"#, #"{"code":404,"msg":"gone","content":{"id":7"#)

        XCTAssertEqual(report.verdict, .failed)
        XCTAssertEqual(
            report.problem,
            "The endpoint refused the call with the business code 404: gone; give it other params.")
    }

    func testResponseThatCannotBeComparedIsAProblem() async {
        let subject = subject(ParcelManager())
        func problem(_ body: String) -> String? {
            subject.check(response: Data(body.utf8), against: folder).problem
        }

        XCTAssertEqual(problem(good), "There is no contract ParcelManager.json; record it first.")
        let html = subject.check(response: Data("<html>".utf8), against: folder, mode: .record)
        XCTAssertTrue(html.problem?.hasPrefix("The body is not JSON (Invalid JSON at line 1") == true)
    }

    func testABodyThatIsGoneOrNoJSONIsBreaking() async {
        for (body, reason) in [
            ("", "at $: the body is empty (status 200)"),
            ("<html>", "at $: the body is not JSON, as the envelope requires: Invalid JSON at line 1"),
        ] {
            let subject = subject(ParcelManager())
            _ = subject.check(response: Data(good.utf8), against: folder, mode: .record)

            let report = subject.check(response: Data(body.utf8), against: folder)

            XCTAssertEqual(report.verdict, .breaking)
            XCTAssertTrue(
                report.lines.first?.hasPrefix(
                    "breaking $: removed (was object). The output cannot be made: \(reason)") == true,
                report.text)
        }
    }

    func testNoBodyIsAShapeToo() async {
        let manager = EmptyManager()
        manager.proxy = .depot(over: CannedTransport("", "", "{\"code\":0}"))
        let subject = ContractSubject(manager)

        let recorded = await subject.check(against: folder, mode: .record)
        let same = await subject.check(against: folder)
        let more = await subject.check(against: folder)

        XCTAssertEqual([recorded.verdict, same.verdict, more.verdict], [.recorded, .unchanged, .news])
        XCTAssertEqual(more.lines, ["news $: added (object)"])
    }

    func testAResponseThatTheValidatorRefuses() async {
        let manager = RefusingManager()
        manager.proxy = .depot(over: CannedTransport(good))
        let subject = ContractSubject(manager)
        let recorded = await subject.check(against: folder, mode: .record)
        let report = await subject.check(against: folder)

        XCTAssertEqual([recorded.verdict, report.verdict], [.breaking, .breaking])
        XCTAssertEqual(
            report.lines, ["breaking: the output cannot be made, the manager's validator refuses it: too old"]
        )
    }

    func testABodyThatGoesElsewhere() async {
        let report = await ContractSubject(FileManagerOfParcels()).check(against: folder)

        XCTAssertEqual(
            report.problem, "The body goes to a file or a stream, so there is no shape to compare.")
    }

    func testUpdatingWidensTheContract() async {
        let subject = subject(ParcelManager())
        let other = good.replacingOccurrences(of: "packed", with: "shipped")
            .replacingOccurrences(of: #","note":"x""#, with: "")
        XCTAssertEqual(
            subject.check(response: Data(good.utf8), against: folder, mode: .update).verdict, .recorded)
        XCTAssertEqual(subject.check(response: Data(other.utf8), against: folder).verdict, .warning)

        XCTAssertEqual(
            subject.check(response: Data(other.utf8), against: folder, mode: .update).verdict, .recorded)

        XCTAssertEqual(subject.check(response: Data(other.utf8), against: folder).verdict, .unchanged)
        XCTAssertEqual(subject.check(response: Data(good.utf8), against: folder).verdict, .unchanged)
    }

    func testRecordingWhatTheOutputDoesNotTakeIsBreakingAllTheSame() async {
        let report = subject(ParcelManager()).check(
            response: Data(good.replacingOccurrences(of: "7", with: #""7""#).utf8), against: folder,
            mode: .record)

        XCTAssertEqual(report.verdict, .breaking)
        XCTAssertTrue(report.isRecorded)
    }

    // MARK: Live

    func testSeveralSamplesHaveOneContract() async {
        let other = good.replacingOccurrences(of: #""小王""#, with: "null")
        let manager = ParcelManager()
        manager.proxy = .depot(
            over: CannedTransport(good, other, good, other, good, "{\"code\":0,\"content\":{}}"))
        let subject = ContractSubject(manager, samples: [["id": 1], ["id": 2]])

        let recorded = await subject.check(against: folder, mode: .record)
        let same = await subject.check(against: folder)
        let drifted = await subject.check(against: folder)

        XCTAssertEqual(recorded.verdict, .recorded)
        XCTAssertEqual(same.verdict, .unchanged, same.text)
        XCTAssertTrue(
            drifted.lines.contains { $0.hasPrefix("breaking content.id: removed") }, drifted.text)
    }

    func testFailedCallIsAProblem() async {
        let manager = ParcelManager()
        manager.proxy = .depot(over: CannedTransport("", status: 503))

        let report = await ContractSubject(manager, params: ["id": 1]).check(against: folder)

        XCTAssertEqual(report.verdict, .failed)
        XCTAssertEqual(
            report.problem,
            "The server responded to GET https://depot.example.com/api/parcels/1 with status 503 (service unavailable), which the service does not accept."
        )
    }
}

private final class EmptyManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.depot
    let methodName = "empty"
    let requestType = HTTPMethod.get
}

private final class RefusingManager: APIManager<Parcel>, APIManagerValidator {
    let serviceIdentifier = ServiceIdentifier.depot
    let methodName = "old"
    let requestType = HTTPMethod.get
    func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult {
        .invalid(reason: "too old")
    }
}

private final class FileManagerOfParcels: APIManager<DownloadedFile> {
    let serviceIdentifier = ServiceIdentifier.depot
    let methodName = "file"
    let requestType = HTTPMethod.get
}
