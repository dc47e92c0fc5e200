import XCTest

@testable import Benchmarks

final class ReportTests: XCTestCase {
    private func row(
        _ client: Client, callers: Int = 16, perSecond: Double, cpu: Double, peak: Int = 2048,
        allocations: Double? = nil
    ) -> Row {
        Row(
            workload: .stub, client: client, callers: callers, requestsPerSecond: perSecond,
            cpuMicrosecondsPerRequest: cpu, peakResidentKilobytes: peak, allocationsPerCall: allocations,
            mallocBytesPerCall: nil)
    }

    func testEachRowIsBesideItsCounterpart() {
        let now = Report([
            row(.manager, perSecond: 30_000, cpu: 20, peak: 3072, allocations: 45),
            row(.manager, callers: 1, perSecond: 5, cpu: 5),
        ])
        let then = Report([
            row(.decoder, perSecond: 1, cpu: 1),
            row(.manager, perSecond: 20_000, cpu: 40, allocations: 60),
        ])
        XCTAssertEqual(
            now.comparison(with: then).split(separator: "\n").dropFirst(3),
            [
                "| stub | 16 | manager | 20000 → 30000 (1.50) | 40.0 → 20.0 (0.50) | 60 → 45 (0.75) | 2.0 → 3.0 (1.50) |"
            ])
    }

    func testAFigureThatOneOfBothLacksIsLeftOut() {
        let line = Report([row(.manager, perSecond: 1, cpu: 1, allocations: 2)])
            .comparison(with: Report([row(.manager, perSecond: 1, cpu: 1)])).split(separator: "\n").last
        XCTAssertEqual(
            line, "| stub | 16 | manager | 1 → 1 (1.00) | 1.0 → 1.0 (1.00) |  | 2.0 → 2.0 (1.00) |")
    }

    func testAFileHoldsWhatWasWritten() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("report-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Report([row(.manager, perSecond: 1.5, cpu: 2, allocations: 3)]).write(to: file)
        let row = try XCTUnwrap(try Report(contentsOf: file).rows.first)
        XCTAssertEqual(row.requestsPerSecond, 1.5)
        XCTAssertEqual(row.allocationsPerCall, 3)
    }
}
