import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// `multipart/form-data` (RFC 7578), with the names as the WHATWG form algorithm writes them.
final class MultipartFormTests: XCTestCase {
    private func request(_ form: MultipartForm, _ params: Params = [:]) async throws -> APIRequest {
        try await DiscreteNetworkingTests.request(
            .stub("upload", params, method: .post, overrides: .init(encoding: .multipart(form))))
    }

    private func refusal(_ form: MultipartForm) async -> String? {
        await DiscreteNetworkingTests.refusal(
            .stub("upload", method: .post, overrides: .init(encoding: .multipart(form))))
    }

    private func stream(_ pieces: [String]) -> @Sendable () -> AsyncThrowingStream<Data, any Error> {
        {
            AsyncThrowingStream { continuation in
                for piece in pieces { continuation.yield(Data(piece.utf8)) }
                continuation.finish()
            }
        }
    }

    func testParamsComeFirstUnderTheNamesOfTheQueryThenTheParts() async throws {
        let form = MultipartForm(
            [
                .text("line 1\nline 2", named: "note"),
                .data(Data([0, 0xFF]), named: "icon", fileName: "图标.png", contentType: "image/png"),
            ], boundary: "XX")
        let request = try await request(form, ["b": ["x & y", "=+%"], "a": ["k": 1] as Params, "n": nil])
        XCTAssertEqual(request.headers["Content-Type"], "multipart/form-data; boundary=XX")
        XCTAssertEqual(request.url.absoluteString, "https://api.example.com/upload")
        var expected = Data()
        for (name, value) in [("a[k]", "1"), ("b[]", "x & y"), ("b[]", "=+%"), ("note", "line 1\nline 2")] {
            expected += Data(
                "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        expected += Data(
            "--XX\r\nContent-Disposition: form-data; name=\"icon\"; filename=\"图标.png\"\r\nContent-Type: image/png\r\n\r\n"
                .utf8)
        expected += Data([0, 0xFF]) + Data("\r\n--XX--\r\n".utf8)
        guard case .data(let body) = request.body else { return XCTFail("in memory, as its parts are") }
        XCTAssertEqual(String(decoding: body, as: UTF8.self), String(decoding: expected, as: UTF8.self))
        XCTAssertEqual(body, expected)
    }

    func testFilesAndStreamsAreReadWhileTheyAreSentAndAnewEachTime() async throws {
        let folder = try temporaryFolder()
        let bytes = Data((0..<700_000).map { UInt8($0 % 251) })
        let file = try folder.write("photo.jpg", bytes)
        let form = MultipartForm(
            [
                .file(file, named: "photo", contentType: "image/jpeg"),
                .stream(length: 5, named: "log", fileName: "a.log", stream(["ab", "", "cde"])),
            ], boundary: "XX")
        let request = try await request(form, ["id": 7])
        guard case .stream(let length, _) = request.body else { return XCTFail("not in memory") }
        let first = try await request.body.read()
        XCTAssertEqual(length, Int64(first.count))
        let head =
            "--XX\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n7\r\n--XX\r\nContent-Disposition: "
            + "form-data; name=\"photo\"; filename=\"photo.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
        let tail =
            "\r\n--XX\r\nContent-Disposition: form-data; name=\"log\"; filename=\"a.log\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\nabcde\r\n--XX--\r\n"
        XCTAssertEqual(first, Data(head.utf8) + bytes + Data(tail.utf8))
        let second = try await request.body.read()
        XCTAssertEqual(second, first)
        var largest = 0
        for try await piece in request.body.pieces { largest = max(largest, piece.count) }
        XCTAssertLessThanOrEqual(largest, 256 * 1024, "never the whole file")
    }

    func testAPartWithoutALengthLeavesTheWholeWithoutOne() async throws {
        let form = MultipartForm([.text("x", named: "a"), .stream(length: nil, named: "b", stream(["y"]))])
        guard case .stream(let length, _) = try await request(form).body else { return XCTFail() }
        XCTAssertNil(length)
    }

    func testALengthThatCannotBeIsRefused() async {
        let huge = MultipartForm([.stream(length: .max, named: "a", stream(["x"]))])
        let reason = await refusal(huge)
        XCTAssertTrue(reason?.contains("9223372036854775807") == true, "\(String(describing: reason))")
        let negative = MultipartForm([.stream(length: -5, named: "a", stream(["x"]))])
        let other = await refusal(negative)
        XCTAssertTrue(other?.contains("-5 bytes") == true, "\(String(describing: other))")
    }

    func testNamesAreEscapedAsBrowsersDo() async throws {
        let form = MultipartForm(
            [
                .text("v", named: "a\"b\nc\rd\r\ne\\f"),
                .data(Data(), named: "名", fileName: "x\"\n\r.txt", contentType: "text/plain"),
            ], boundary: "XX")
        let text = try await request(form).body.text ?? ""
        XCTAssertTrue(text.contains(#"name="a%22b%0D%0Ac%0D%0Ad%0D%0Ae\f""#), text)
        XCTAssertTrue(text.contains(#"name="名"; filename="x%22%0A%0D.txt""#), text)
    }

    func testNoPartsAtAll() async throws {
        let body = try await request(MultipartForm([], boundary: "XX")).body
        XCTAssertEqual(body.text, "--XX--\r\n")
    }

    func testEveryFormHasABoundaryOfItsOwnAndUnusualOnesAreQuoted() async throws {
        XCTAssertNotEqual(MultipartForm().boundary, MultipartForm().boundary)
        _ = try await request(MultipartForm([.text("a", named: "b")]))
        let quoted = try await request(MultipartForm([], boundary: "a b=c"))
        XCTAssertEqual(quoted.headers["Content-Type"], "multipart/form-data; boundary=\"a b=c\"")
        for bad in ["", "a ", "a\r\nX: y", String(repeating: "x", count: 71), "é"] {
            let reason = await refusal(MultipartForm([], boundary: bad))
            XCTAssertTrue(reason?.contains("boundary") == true, bad.debugDescription)
        }
    }

    func testAContentTypeCannotAddAHeader() async {
        let part = MultipartForm.Part(name: "a", contentType: "a/b\r\nX: y", body: .none)
        let reason = await refusal([part])
        XCTAssertTrue(reason?.contains("content type") == true, "\(String(describing: reason))")
    }

    func testAFileThatIsNotThereIsRefusedByItsNameOnly() async throws {
        let folder = try temporaryFolder()
        let reason = await refusal([.file(folder.file("gone.jpg"), named: "photo")])
        XCTAssertEqual(reason, "The file gone.jpg to send does not exist.")
    }
}
