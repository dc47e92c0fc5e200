import Foundation
import LoopbackServer
import XCTest

@testable import ManagerGenerator

/// Descriptions from servers that mean harm: to other servers, and to the machine that generates.
final class RemoteDocumentTests: XCTestCase {
    private static let empty = #"{"openapi": "3.1.0", "paths": {}}"#

    private func description(_ reference: String) -> String {
        ##"{"openapi": "3.1.0", "paths": {}, "components": {"schemas": {"A": {"$ref": "\##(reference)"}}}}"##
    }

    private func run(_ server: LoopbackServer, _ path: String = "openapi.json") throws -> CommandRun {
        let folder = try TemporaryFolder()
        return CommandRun([
            server.baseURL.absoluteString + "/" + path, "--module", "A", "--output", folder.url.path + "/out",
        ])
    }

    // MARK: Where requests go

    func testARedirectReachesNoOtherServer() throws {
        let other = try LoopbackServer { _ in .json(Self.empty) }
        defer { other.stop() }
        for port in [
            "http://127.0.0.1:\(other.port)", "//127.0.0.1:\(other.port)", "http://localhost:\(other.port)",
        ] {
            for status in [301, 302, 303, 307, 308] {
                let server = try LoopbackServer { _ in
                    .redirect(to: "\(port)/private.json?token=hunter2", status: status)
                }
                defer { server.stop() }
                let run = try run(server, "openapi.json?key=hunter3")
                XCTAssertEqual(run.status, 2)
                let text = run.errors.joined()
                XCTAssertTrue(text.contains("redirects to another server"), text)
                XCTAssertTrue(text.contains("127.0.0.1:\(server.port)/openapi.json"), text)
                XCTAssertFalse(text.contains("hunter"), text)
            }
        }
        XCTAssertEqual(other.requests.count, 0)
    }

    func testARedirectOfAReferenceReachesNoOtherServer() throws {
        let other = try LoopbackServer { _ in .json(#"{"type": "string"}"#) }
        defer { other.stop() }
        let port = other.port
        let text = description("types.json")
        let server = try LoopbackServer { request in
            request.path == "/openapi.json"
                ? .json(text) : .redirect(to: "http://127.0.0.1:\(port)/latest/meta-data")
        }
        defer { server.stop() }
        let run = try run(server)
        XCTAssertEqual(run.status, 2)
        XCTAssertTrue(run.errors.joined().contains("redirects to another server"), run.errors.joined())
        XCTAssertEqual(other.requests.count, 0)
    }

    func testRedirectsWithinTheServerAreFollowed() throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/openapi.json": .redirect(to: "/v2/openapi.json", status: 308)
            case "/v2/openapi.json": .redirect(to: "latest.json")
            default: .json(Self.empty)
            }
        }
        defer { server.stop() }
        let run = try run(server)
        XCTAssertEqual(run.status, 0, run.errors.joined())
        XCTAssertEqual(server.requests.map(\.path), ["/openapi.json", "/v2/openapi.json", "/v2/latest.json"])
    }

    func testNumberOfRedirectsIsLimited() throws {
        let server = try LoopbackServer { request in .redirect(to: request.path + "x") }
        defer { server.stop() }
        let run = try run(server)
        XCTAssertEqual(run.status, 2)
        XCTAssertTrue(run.errors.joined().contains("more than 5 redirects"), run.errors.joined())
        XCTAssertEqual(server.requests.count, 6)
    }

    // MARK: How much

    func testAnEndlessDocumentEnds() throws {
        for status in [200, 302, 404] {
            let server = try LoopbackServer { _ in
                LoopbackResponse(
                    status: status, headers: [("Location", "/other.json")],
                    body: .produced { writer in
                        let piece = Data(repeating: UInt8(ascii: " "), count: 1 << 20)
                        while true { try writer.send(piece) }
                    })
            }
            defer { server.stop() }
            let run = try run(server)
            XCTAssertEqual(run.status, 2)
            XCTAssertTrue(run.errors.joined().contains("is larger than 64 MiB"), run.errors.joined())
        }
    }

    /// 80 MiB of spaces, compressed twice, as 1 KB.
    func testACompressedDocumentIsMeasuredDecompressed() throws {
        let bomb = try output(
            of: "import sys,gzip; b=gzip.compress(b' '*(80<<20)); sys.stdout.buffer.write(gzip.compress(b))")
        XCTAssertLessThan(bomb.count, 1 << 20)
        let server = try LoopbackServer { _ in
            LoopbackResponse(headers: [("Content-Encoding", "gzip, gzip")], body: .data(bomb))
        }
        defer { server.stop() }
        let run = try run(server)
        XCTAssertEqual(run.status, 2)
        XCTAssertTrue(run.errors.joined().contains("is larger than 64 MiB"), run.errors.joined())
    }

    /// A byte now and then keeps a connection alive, but not longer than the time for one document.
    func testASlowDocumentEnds() throws {
        for path in ["head", "body", "redirect"] {
            let gate = LoopbackGate()
            let server = try LoopbackServer { request in
                switch path {
                case "head": LoopbackResponse.json("{}").delayed(until: gate)
                case "body":
                    LoopbackResponse(
                        body: .stream([.chunk(Data("{".utf8)), .wait(gate), .chunk(Data("}".utf8))]))
                default: request.path == "/head" ? .json("{}").delayed(until: gate) : .redirect(to: "/head")
                }
            }
            defer { server.stop() }
            defer { gate.open() }
            var loader = DocumentLoader()
            loader.limits.fetchTime = 0.2
            let url = server.baseURL.absoluteString + "/openapi.json?token=hunter2"
            XCTAssertThrowsError(try Description(at: url, loader: loader)) {
                XCTAssertTrue("\($0)".contains("was not received within 1 seconds"), "\($0)")
                XCTAssertFalse("\($0)".contains("hunter2"), "\($0)")
            }
        }
    }

    func testDocumentsAreLimitedTogether() throws {
        let text = description("d1")
        let server = try LoopbackServer { request in
            let filler = String(repeating: " ", count: 1000)
            guard let number = Int(request.path.dropFirst(2)) else { return .json(text) }
            return .json(
                ##"{"type": "object", "properties": {"next": {"$ref": "d\##(number + 1)"}}}"## + filler)
        }
        defer { server.stop() }
        var loader = DocumentLoader()
        loader.limits.totalBytes = 10_000
        let description = try Description(at: server.baseURL.absoluteString + "/openapi.json", loader: loader)
        XCTAssertThrowsError(try Generation(description, options: GeneratorOptions(module: "A"))) {
            XCTAssertTrue("\($0)".contains("are larger than 10000 bytes"), "\($0)")
        }
        XCTAssertLessThan(server.requests.count, 12)
    }

    func testDocumentsThatReferToOneAnotherEnd() throws {
        let server = try LoopbackServer { request in
            guard let number = Int(request.path.dropFirst(2)) else {
                return .json(
                    ##"{"openapi": "3.1.0", "paths": {}, "components": {"schemas": {"A": {"$ref": "d1"}}}}"##)
            }
            return .json(##"{"type": "object", "properties": {"next": {"$ref": "d\##(number + 1)"}}}"##)
        }
        defer { server.stop() }
        let run = try run(server)
        XCTAssertEqual(run.status, 2)
        XCTAssertTrue(run.errors.joined().contains("more than 500 documents"), run.errors.joined())
        XCTAssertEqual(server.requests.count, 500)
    }

    func testStatusesAndFaultsAreErrors() throws {
        for (response, expected) in [
            (LoopbackResponse.status(404), "status 404"), (.fault(.close), "cannot be read"),
            (LoopbackResponse(status: 302), "redirect without a Location"),
            (.redirect(to: "file:///etc/hosts"), "redirects to another server"),
            (.redirect(to: "http://user:hunter2@127.0.0.1:1/"), "redirects to another server"),
        ] {
            let server = try LoopbackServer { _ in response }
            defer { server.stop() }
            let run = try run(server, "openapi.json?token=hunter2")
            XCTAssertEqual(run.status, 2)
            XCTAssertTrue(run.errors.joined().contains(expected), run.errors.joined())
            XCTAssertFalse(run.errors.joined().contains("hunter2"), run.errors.joined())
        }
    }

    /// The query of a URL may hold a key: it reaches no file.
    func testTheQueryOfAURLReachesNoFile() throws {
        let server = try LoopbackServer { _ in .json(Self.empty) }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let run = CommandRun([
            "http://user:hunter2@127.0.0.1:\(server.port)/openapi.json?token=hunter2", "--module", "A",
            "--output", folder.url.path,
        ])
        XCTAssertEqual(run.status, 0, run.errors.joined())
        XCTAssertFalse(folder.files.isEmpty)
        for file in folder.files { XCTAssertFalse(try folder.text(file).contains("hunter2"), file) }
        XCTAssertFalse((run.out + run.errors).joined().contains("hunter2"))
    }

    private func output(of python: String) throws -> Data {
        #if os(macOS) || os(Linux)
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", python]
            process.standardOutput = pipe
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil {
                    XCTFail("python3 is missing.")
                }
                throw XCTSkip("python3 is not installed.")
            }
            return data
        #else
            throw XCTSkip("There are no other processes here.")
        #endif
    }
}
