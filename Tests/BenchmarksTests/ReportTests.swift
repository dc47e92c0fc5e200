import DiscreteNetworkingCommands
import XCTest

@testable import Benchmarks

final class ReportTests: XCTestCase {
    private func row(
        _ client: Client, callers: Int = 16, perSecond: Double, cpu: Double, peak: Int = 2048,
        allocations: Double? = nil, retains: Double = 0
    ) -> Row {
        Row(
            workload: .stub, client: client, callers: callers, requestsPerSecond: perSecond,
            cpuMicrosecondsPerRequest: cpu, peakResidentKilobytes: peak,
            counts: allocations.map {
                Counts(
                    allocations: $0, mallocBytes: 0, retains: retains, releases: 0, switches: 0, jobs: 0,
                    copiedBytes: 0)
            })
    }

    func testEachRowIsBesideItsCounterpart() {
        let now = Report([
            row(.manager, perSecond: 30_000, cpu: 20, peak: 3072, allocations: 45, retains: 50),
            row(.manager, callers: 1, perSecond: 5, cpu: 5),
        ])
        let then = Report([
            row(.decoder, perSecond: 1, cpu: 1),
            row(.manager, perSecond: 20_000, cpu: 40, allocations: 60, retains: 100),
        ])
        XCTAssertEqual(
            now.comparison(with: then).split(separator: "\n").dropFirst(1),
            [
                "| workload | client  | callers |           requests/s |             CPU µs |    allocations |         retains |          peak MB |",
                "| -------- | ------- | ------: | -------------------: | -----------------: | -------------: | --------------: | ---------------: |",
                "| stub     | manager |      16 | 20000 → 30000 (1.50) | 40.0 → 20.0 (0.50) | 60 → 45 (0.75) | 100 → 50 (0.50) | 2.0 → 3.0 (1.50) |",
            ])
    }

    func testAFigureThatOneOfBothLacksIsLeftOut() {
        let line = Report([row(.manager, perSecond: 1, cpu: 1, allocations: 2)])
            .comparison(with: Report([row(.manager, perSecond: 1, cpu: 1)])).split(separator: "\n").last
        XCTAssertEqual(
            line,
            "| stub     | manager |      16 | 1 → 1 (1.00) | 1.0 → 1.0 (1.00) |             |         | 2.0 → 2.0 (1.00) |"
        )
    }

    func testAPictureSaysWhatItsColoursMean() {
        let picture = Report([row(.manager, perSecond: 2, cpu: 1), row(.curlInC, perSecond: 4, cpu: 1)])
            .picture
        for meaning in [
            "without the framework", "the framework's transports and decoders", "managers, with decoding",
        ] { XCTAssertTrue(picture.contains(">\(meaning)</text>"), picture) }
        // Each colour: once in the legend, and once for a bar.
        XCTAssertEqual(picture.components(separatedBy: "fill=\"#86868b\"").count, 3)
        XCTAssertEqual(picture.components(separatedBy: "fill=\"#34a853\"").count, 3)
        XCTAssertEqual(picture.components(separatedBy: "fill=\"#0066cc\"").count, 2)
    }

    func testAFileToCompareWithThatIsNone() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        XCTAssertThrowsError(try Report(comparing: file)) {
            XCTAssertEqual(($0 as? FileFailure)?.status, 66)
        }
        try Data("no rows".utf8).write(to: file)
        XCTAssertThrowsError(try Report(comparing: file)) {
            XCTAssertEqual(($0 as? FileFailure)?.status, 65)
            XCTAssertEqual(
                "\($0)", "\(file.path) is not a file of rows. Give a file that --json has written.")
        }
    }

    func testAFileHoldsWhatWasWritten() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Report([row(.manager, perSecond: 1.5, cpu: 2, allocations: 3)]).write(to: file)
        let row = try XCTUnwrap(try Report(contentsOf: file).rows.first)
        XCTAssertEqual(row.requestsPerSecond, 1.5)
        XCTAssertEqual(row.counts?.allocations, 3)
    }
}
