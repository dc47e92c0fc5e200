import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingJSON

final class RFC3339Tests: XCTestCase {
    private func text(_ seconds: Double) -> String? { Date(timeIntervalSince1970: seconds).jsonValue.string }

    func testKnownDatesAreReadAndWritten() {
        let cases: [(Double, String)] = [
            (0, "1970-01-01T00:00:00.000Z"), (0.25, "1970-01-01T00:00:00.250Z"),
            (-0.001, "1969-12-31T23:59:59.999Z"),
            (-1, "1969-12-31T23:59:59.000Z"), (1_709_209_800, "2024-02-29T12:30:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"), (4_107_542_399, "2100-02-28T23:59:59.000Z"),
            (-2_208_988_800, "1900-01-01T00:00:00.000Z"), (-62_135_596_800, "0001-01-01T00:00:00.000Z"),
            (-62_167_219_200, "0000-01-01T00:00:00.000Z"), (-62_167_219_201, "-0001-12-31T23:59:59.000Z"),
            (253_402_300_799, "9999-12-31T23:59:59.000Z"), (253_402_300_800, "+10000-01-01T00:00:00.000Z"),
            (1_700_000_000.123, "2023-11-14T22:13:20.123Z"), (1.0004, "1970-01-01T00:00:01.000Z"),
            (1.9996, "1970-01-01T00:00:02.000Z"), (1.007, "1970-01-01T00:00:01.007Z"),
        ]
        for (seconds, expected) in cases {
            XCTAssertEqual(text(seconds), expected)
        }
    }

    func testExtremesDoNotCrash() {
        XCTAssertNotNil(Date.distantPast.jsonValue.string)
        XCTAssertEqual(Date.distantFuture.jsonValue, "4001-01-01T00:00:00.000Z")
        XCTAssertEqual(Date(timeIntervalSince1970: .nan).jsonValue, "NaN")
        XCTAssertEqual(Date(timeIntervalSince1970: -.infinity).jsonValue, "-Infinity")
        for seconds in [1e15, -1e15, 3.9e15, -3.9e15] { XCTAssertNotNil(text(seconds)) }
        for seconds in [4.1e15, -4.1e15, 1e30, -.greatestFiniteMagnitude] {
            XCTAssertEqual(Date(timeIntervalSince1970: seconds).jsonValue.number?.double, seconds)
        }
    }

    func testAgreesWithFoundation() {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        var random = JSONRandom(seed: 7)
        for _ in 0..<500 {
            // From 1600 on: Foundation's calendar changes to the Julian one before 1582.
            let date = Date(
                timeIntervalSince1970: Double(random.below(265_000_000_000 as Int64) - 11_600_000_000))
            XCTAssertEqual(date.jsonValue.string, formatter.string(from: date))
            XCTAssertEqual(RFC3339.date(from: formatter.string(from: date)), date)
        }
    }

    func testTextsReadBack() {
        var random = JSONRandom(seed: 8)
        for _ in 0..<2000 {
            let milliseconds = random.below(315_000_000_000_000 as Int64) - 62_000_000_000_000
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            let read = RFC3339.text(of: date).flatMap(RFC3339.date)
            XCTAssertEqual(read?.timeIntervalSince1970 ?? 0, date.timeIntervalSince1970, accuracy: 0.0005)
        }
        let same = [
            "2024-02-29T12:30:00Z", "2024-02-29t12:30:00z", "2024-02-29 14:00:00+01:30",
            "2024-02-29T07:30:00.000-05:00",
        ]
        XCTAssertEqual(Set(same.map(RFC3339.date)), [Date(timeIntervalSince1970: 1_709_209_800)])
        XCTAssertEqual(
            RFC3339.date(from: "2016-12-31T23:59:60Z"), RFC3339.date(from: "2017-01-01T00:00:00Z"),
            "leap second")
        XCTAssertEqual(
            RFC3339.date(from: "1970-01-01T00:00:00.123456Z")?.timeIntervalSince1970 ?? 0, 0.123456,
            accuracy: 1e-6)
    }

    /// What `datetime.isoformat()` and Pydantic write for times without a zone.
    func testTimesWithoutZoneOrSecondsAreRead() {
        let whole = Date(timeIntervalSince1970: 1_709_209_800)
        for text in [
            "2024-02-29T12:30:00", "2024-02-29T12:30", "2024-02-29T12:30Z", "2024-02-29 12:30",
            "2024-02-29T14:00+01:30", "2024-02-29T12:30:00.000000",
            "2024-02-29T12:30:00.0000000000000000000Z",
        ] {
            XCTAssertEqual(RFC3339.date(from: text), whole, text)
        }
        for (text, fraction) in [
            ("2024-02-29T12:30:00.1", 0.1), ("2024-02-29T12:30:00.123456", 0.123456),
            ("2024-02-29T12:30:00.123456789", 0.123456789), ("2024-02-29T12:30:00.12Z", 0.12),
        ] {
            XCTAssertEqual(
                RFC3339.date(from: text)?.timeIntervalSince(whole) ?? 0, fraction, accuracy: 1e-6, text)
        }
    }

    func testInvalidDatesAreRefused() {
        for text in [
            "", "2024", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z",
            "2024-00-01T00:00:00Z",
            "2024-01-00T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z",
            "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.", "2024-01-01T00:00:0", "2024-01-01T00:00:",
            "2024-01-01T00:00.5Z", "2024-01-01T00", "2024-01-01",
            "2024-01-01T00:00:00+1:00",
            "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+01:60", "2024-01-01T00:00:00*01:00",
            "2024-01-01T00:00:00ZZ", "2024/01/01T00:00:00Z", "x024-01-01T00:00:00Z", "2024-01-01X00:00:00Z",
            "éééééééééé", "2024-01-01T00:00:00Y",
        ] {
            XCTAssertNil(RFC3339.date(from: text), text)
        }
    }

    func testTheDefaultDecoderReadsWhatRequestsWrite() throws {
        struct Dated: Decodable, Sendable { let at: Date }
        let service = PlainService()
        if case .iso8601 = service.configuration.jsonDecoder.dateDecodingStrategy {
            XCTFail("refuses fractions on Foundation before 6.2")
        }
        for seconds in [0, 0.25, 1_700_000_000.007, -0.001, 253_402_300_799.999] {
            let date = Date(timeIntervalSince1970: seconds)
            let params = try Params(encoding: ["at": date], encoder: service.configuration.jsonEncoder)
            XCTAssertEqual(params, ["at": date], "the same text, however it is written")
            let body = Data(params.canonical.utf8)
            let read = try service.configuration.jsonDecoder.decode(Dated.self, from: body).at
            XCTAssertEqual(read.timeIntervalSince1970, seconds, accuracy: 1e-6)
        }
        for text in ["2023-11-14T22:13:20+0100", "2023-11-14T22:13:20.5+01:00", "2023-11-14T21:13:20Z"] {
            let read = try service.configuration.jsonDecoder.decode(
                Dated.self, from: Data(#"{"at":"\#(text)"}"#.utf8)
            ).at
            XCTAssertEqual(read.timeIntervalSince1970, 1_699_996_400, accuracy: 0.6, text)
        }
        XCTAssertThrowsError(
            try service.configuration.jsonDecoder.decode(Dated.self, from: Data(#"{"at":"yesterday"}"#.utf8))
        ) { XCTAssertTrue("\($0)".contains("RFC 3339"), "\($0)") }
    }
}

private final class PlainService: Service {
    let baseURL = URL(string: "https://api.example.com")!
}
