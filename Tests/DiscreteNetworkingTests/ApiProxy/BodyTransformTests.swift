import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Bodies that are changed on their way: what the server sees, what the manager sees, and what fails.
@MainActor
final class BodyTransformTests: XCTestCase {
    private let seal = Seal()

    private func post<Output>(_ manager: TestManager<Output>) -> TestManager<Output> {
        manager.requestType = .post
        return manager
    }

    /// A server that opens what it is sent, and seals what it answers.
    private func sealedServer(
        status: Int = 200, _ answer: @escaping @Sendable (String) -> String = { _ in teapot }
    ) throws -> LoopbackServer {
        try serve { [seal] request in
            let text = request.body.isEmpty ? "" : ((try? seal.open(request.body)) ?? Data("?".utf8)).utf8Text
            return .data(seal.seal(Data(answer(text).utf8)), status: status)
        }
    }

    private func stack(
        _ server: LoopbackServer, _ transform: any BodyTransform = SealedBodies(),
        _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> Stack {
        Stack(StandardTransport.make(), random: 0) {
            $0.baseURL = server.baseURL
            $0.transform = { _ in transform }
            change(&$0)
        }
    }

    func testBothBodiesAreSealedOnTheWire() async throws {
        let server = try sealedServer { text in
            #"{"id":7,"name":"\#(text.contains("老王") ? "for 老王" : text)"}"#
        }
        let manager = stack(server).manager(post(ProductManager()))
        let product = try await manager.load(with: ["user": "老王"])
        XCTAssertEqual(product.name, "for 老王")
        let request = try XCTUnwrap(server.requests.last)
        XCTAssertEqual(request.header("Content-Type"), "application/octet-stream")
        XCTAssertFalse(request.body.utf8Text.contains("user"))
        XCTAssertEqual(try manager.response?.json()["id"], 7)
        XCTAssertEqual(manager.response?.headers["Content-Type"], "application/json")
    }

    /// Before the status is checked and the envelope opened.
    func testASealedFailureIsRead() async throws {
        let server = try sealedServer(status: 400) { _ in #"{"code":9,"msg":"sold out","data":null}"# }
        let envelope = Envelope(code: "code", message: "msg", payload: "data")
        let manager = stack(server) { $0.envelope = envelope }.manager(ProductManager())
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .http(status: 400))
        XCTAssertEqual(error?.businessCode, 9)
        XCTAssertEqual(error?.businessMessage, "sold out")
    }

    /// It is not sealed, and its status says more than that.
    func testAGatewaysErrorPageIsAStatus() async throws {
        let first = Locked(true)
        let server = try serve { [seal] _ in
            first.withLock { first in
                defer { first = false }
                return first
            }
                ? .text("<html>token=s3cr3t</html>", status: 502) : .data(seal.seal(Data(teapot.utf8)))
        }
        let stack = stack(server)
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.kind, .http(status: 502))
        XCTAssertEqual(error?.response?.body.utf8Text, "<html>token=s3cr3t</html>")
        XCTAssertNil(error?.snippet, "no secret could be recognized in it")
        stack.change { $0.retry = .standard }
        first.current = true
        let product = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(product.id, 7, "retried as any 502 is")
    }

    func testFailedDecryptionIsADecodingFailure() async throws {
        let server = try serve { _ in .json(teapot) }
        let error = await failure(stack(server).manager(ProductManager()))
        guard case .decoding(let reason)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertTrue(reason.reason.contains("SealedBodies"), reason.reason)
        XCTAssertTrue(reason.reason.contains("Broken"), reason.reason)
        XCTAssertFalse("\(error!)".contains("青花瓷"), "\(error!)")
    }

    func testRequestIsNotSentIfItsEncryptionFails() async throws {
        let server = try sealedServer()
        let transform = ClosureTransform(onRequest: { _ in throw Seal.Broken() })
        let error = await failure(stack(server, transform).manager(post(ProductManager())), with: ["a": 1])
        guard case .invalidRequest(let reason)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertTrue(reason.contains("ClosureTransform") && reason.contains("Broken"), reason)
        XCTAssertEqual(server.requests.count, 0)
    }

    func testTheSignatureIsThatOfTheSealedBody() async throws {
        struct BodySigner: RequestSigner {
            func sign(_ request: inout APIRequest, for call: APICall) throws {
                guard case .data(let body) = request.body else { return }
                request.headers["X-Digest"] = MessageDigest(.sha256, of: body).hexadecimal
            }
        }
        let server = try sealedServer()
        _ = try await stack(server) { $0.signer = BodySigner() }.manager(post(ProductManager())).load(with: [
            "a": 1
        ])
        let request = try XCTUnwrap(server.requests.last)
        XCTAssertEqual(request.header("X-Digest"), MessageDigest(.sha256, of: request.body).hexadecimal)
    }

    /// A nonce is used once; the transform of an attempt decodes its response.
    func testEachAttemptIsSealedAnew() async throws {
        let count = Locked(0)
        let server = try serve { [seal] _ in
            let isLast = count.withLock {
                $0 += 1
                return $0 == 3
            }
            return .data(seal.seal(Data(teapot.utf8)), status: isLast ? 200 : 503)
        }
        let made = Locked<[SealedBodies]>([])
        let stack = stack(server) {
            $0.retry = RetryPolicy(attempts: 3, base: 0, retriesUnsafeMethods: true)
            $0.transform = { _ in
                let transform = SealedBodies()
                made.withLock { $0.append(transform) }
                return transform
            }
        }
        _ = try await stack.manager(post(ProductManager())).load(with: ["a": 1])
        XCTAssertEqual(Set(server.requests.map(\.body)).count, 3)
        XCTAssertEqual(made.current.map(\.encoded.current), [1, 1, 1])
        XCTAssertEqual(made.current.map(\.decoded.current), [1, 1, 1])
    }

    func testBodiesInFilesAndStreamsAreRefusedAndFormsInMemoryAreNot() async throws {
        let server = try sealedServer { $0.contains("filename") ? teapot : "{}" }
        let manager = stack(server).manager(post(ProductManager()))
        manager.ownEncoding = .file(URL(fileURLWithPath: #filePath), contentType: "text/plain")
        let error = await failure(manager)
        guard case .invalidRequest(let reason)? = error?.kind else {
            return XCTFail("\(String(describing: error))")
        }
        XCTAssertTrue(reason.contains("not in memory"), reason)
        let picture = Data("x".utf8)
        manager.ownEncoding = .multipart([
            .data(picture, named: "picture", fileName: "a.jpg", contentType: "image/jpeg")
        ])
        let product = try await manager.load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(server.requests.count, 1)
    }

    func testThereIsNothingToChangeWithoutABody() async throws {
        let server = try serve { _ in .status(204) }
        let transform = SealedBodies()
        let manager = stack(server, transform).manager(TestManager<NoContent>())
        for method in [HTTPMethod.get, .head, .delete] {
            manager.requestType = method
            _ = try await manager.load()
        }
        XCTAssertEqual([transform.encoded.current, transform.decoded.current], [0, 0])
    }

    func testAManagerDiffersFromItsService() async throws {
        let plain = try serve { _ in .json(teapot) }
        let manager = stack(plain).manager(ProductManager())
        manager.ownTransform = .plain
        let product = try await manager.load()
        XCTAssertEqual(product.id, 7)
        let other = Seal(key: 1)
        let sealed = try serve { _ in .data(other.seal(Data(teapot.utf8))) }
        let own = stack(sealed).manager(ProductManager())
        own.ownTransform = SealedBodies(other)
        let second = try await own.load()
        XCTAssertEqual(second.id, 7)
    }

    /// A body may be repaired, and with it the status and the headers.
    func testTheStatusMayBeRepaired() async throws {
        let server = try serve { _ in .json(#"{"error":"not found"}"#) }
        let repair = ClosureTransform(onResponse: { response in
            if response.body.utf8Text.contains("error") { response.status = 404 }
        })
        let error = await failure(stack(server, repair).manager(ProductManager()))
        XCTAssertEqual(error?.kind, .http(status: 404))
        XCTAssertEqual(error?.response?.status, 404)
    }

    func testASampleIsWrittenAsTheOutputNeedsIt() async throws {
        let stack = stack(try sealedServer())
        stack.proxy.sampleMode = .immediate
        let manager = stack.manager(ProductManager())
        manager.ownSample = .json(["id": 8, "name": "sample"])
        let product = try await manager.load()
        XCTAssertEqual(product.id, 8)
    }

    /// A file keeps the bytes of the wire; what came instead of it is read.
    func testAFileIsNotChangedAndItsFailureIs() async throws {
        let server = try serve { [seal] request in
            .data(
                seal.seal(Data(#"{"code":9,"msg":"gone"}"#.utf8)),
                status: request.path.hasSuffix("gone") ? 410 : 200)
        }
        let envelope = Envelope(code: "code", message: "msg")
        let manager = stack(server) { $0.envelope = envelope }.manager(TestManager<DownloadedFile>())
        let file = try await manager.load()
        XCTAssertEqual(file.byteCount, 12 + 23)
        manager.methodName = "gone"
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .http(status: 410))
        XCTAssertEqual(error?.businessMessage, "gone")
    }
}
