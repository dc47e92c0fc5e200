import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Bodies from files and streams.
final class BodyTests: XCTestCase {
    private func call(_ encoding: any ParamEncoding) -> APICall {
        .stub("upload", ["q": "a b"], method: .put, overrides: .init(encoding: encoding))
    }

    func testFileBodyIsReadFromDisk() async throws {
        let file = try temporaryFolder().write("a.bin", Data(repeating: 7, count: 600_000))
        let request = try await request(call(.file(file, contentType: "image/png")))
        XCTAssertEqual(request.url.absoluteString, "https://api.example.com/upload?q=a%20b")
        XCTAssertEqual(request.headers["Content-Type"], "image/png")
        guard case .file(file) = request.body else { return XCTFail("\(request.body)") }
        XCTAssertEqual(try request.body.length, 600_000)
        let bytes = try await request.body.read()
        XCTAssertEqual(bytes, Data(repeating: 7, count: 600_000))
    }

    func testStreamBodyIsSentInPieces() async throws {
        let request = try await request(
            call(
                .stream(length: nil, contentType: "text/csv") {
                    AsyncThrowingStream { continuation in
                        continuation.yield(Data("a,b".utf8))
                        continuation.finish()
                    }
                }))
        XCTAssertEqual(request.headers["Content-Type"], "text/csv")
        XCTAssertNil(try request.body.length)
        for _ in 1...2 {
            let bytes = try await request.body.read()
            XCTAssertEqual(bytes, Data("a,b".utf8))
        }
    }

    func testPiecesOfMemoryAndOfNothing() async throws {
        let some = try await RequestBody.data(Data("abc".utf8)).read()
        XCTAssertEqual(some, Data("abc".utf8))
        let empty = try await RequestBody.data(Data()).read()
        let none = try await RequestBody.none.read()
        XCTAssertEqual(empty + none, Data())
    }

    func testBodiesThatCannotBeSentAreRefusedFirst() async throws {
        let folder = try temporaryFolder()
        let named = [
            (folder.file("gone"), "The file gone to send does not exist."),
            (folder.url, "is not a regular file"),
            (URL(string: "https://example.com/secret/a.png?token=1")!, "is not a file URL"),
        ]
        for (url, expected) in named {
            let reason = await refusal(call(.file(url, contentType: "image/png")))
            XCTAssertTrue(reason?.contains(expected) == true, "\(String(describing: reason))")
            XCTAssertFalse(reason?.contains("/") == true, "no path, no query")
        }
    }

    func testAFileThatGoesAwayMeanwhileIsAnError() async throws {
        let file = try temporaryFolder().write("a.bin", Data([1]))
        let pieces = RequestBody.file(file).pieces
        try FileManager.default.removeItem(at: file)
        do {
            _ = try await pieces.next()
            XCTFail("nothing to read")
        } catch {
            XCTAssertEqual(
                error as? TransferFailure, .unreadable(reason: "The file a.bin cannot be read."))
        }
    }

    func testACancelledReaderGetsNoSilentEnd() async {
        let stream = AsyncThrowingStream<Data, any Error> { Data([1]) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await stream.next()
        }
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
    }
}
