import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responses that come piece by piece.
final class URLSessionStreamTests: URLSessionStreamCase {
    // MARK: What arrives

    func testTheHeadComesBeforeTheBody() async throws {
        let gate = LoopbackGate()
        let server = try serve { _ in
            LoopbackResponse(
                status: 201, headers: [("X-One", "1")], body: .gated(gate, Data("late".utf8)))
        }
        let request = request(server, "/where")
        let response = try await transport.send(request)
        XCTAssertEqual(response.status, 201)
        XCTAssertEqual(response.headers["x-one"], "1")
        XCTAssertEqual(response.url, request.url)
        gate.open()
        let (data, error) = await Self.all(response)
        XCTAssertEqual(data, Data("late".utf8))
        XCTAssertNil(error)
    }

    func testEachPieceComesAsSoonAsItIsSent() async throws {
        let gates = (0..<5).map { _ in LoopbackGate() }
        let server = try serve { _ in
            LoopbackResponse(body: .stream(gates.flatMap { [.wait($0), .chunk(Data("piece".utf8))] }))
        }
        let stream = try stream(try await transport.send(request(server)))
        for gate in gates {
            gate.open()
            let piece = try await Self.read(5, from: stream)
            XCTAssertEqual(piece, Data("piece".utf8))
        }
        let rest = try await Self.read(1, from: stream)
        XCTAssertEqual(rest, Data())
    }

    /// Over HTTP/1.1 each takes a connection as long as it is open.
    func testOpenStreamsDoNotDelayOtherCalls() async throws {
        let gate = LoopbackGate()
        defer { gate.open() }
        let server = try serve { request in
            request.path == "/quick"
                ? .text("quick") : LoopbackResponse(body: .gated(gate, Data("late".utf8)))
        }
        let streams = (0..<20).map { [transport, request = request(server, "/stream")] _ in
            Task { await Self.all(try await transport.send(request)).0 }
        }
        await until { server.requests.count == 20 }
        let quick = try await transport.send(server.request("/quick"))
        XCTAssertEqual(quick.text, "quick")
        gate.open()
        for stream in streams {
            let data = try await stream.value
            XCTAssertEqual(data, Data("late".utf8))
        }
    }

    func testEveryShapeOfABodyArrivesWhole() async throws {
        let size = 3 << 20
        let expected = LoopbackResponse.pattern(count: size)
        let pieces = stride(from: 0, to: size, by: 99_991).map { expected[$0..<min($0 + 99_991, size)] }
        for body in [
            LoopbackResponse.Body.generated(count: size), .chunks(pieces), .untilClose(expected),
            .data(expected),
        ] {
            let server = try serve { _ in LoopbackResponse(body: body) }
            let (data, error) = await Self.all(try await transport.send(request(server)))
            XCTAssertTrue(data == expected)
            XCTAssertNil(error)
        }
    }

    func testABodyOfNothingEnds() async throws {
        for status in [200, 204, 304, 404, 500] {
            let server = try serve { _ in .status(status) }
            for method in [HTTPMethod.get, .head] {
                let response = try await transport.send(request(server, "/", method))
                XCTAssertEqual(response.status, status)
                let (data, error) = await Self.all(response)
                XCTAssertEqual(data, Data(), "\(status) \(method)")
                XCTAssertNil(error, "\(status) \(method)")
            }
        }
    }

    func testInterimResponsesAreNotTheHead() async throws {
        let server = try serve { _ in
            var response = LoopbackResponse.text("real", status: 201)
            response.interim = [103, 103]
            return response
        }
        let response = try await transport.send(request(server))
        XCTAssertEqual(response.status, 201)
        let (data, _) = await Self.all(response)
        XCTAssertEqual(data, Data("real".utf8))
    }

    func testTheLimitOfMemoryIsNotThatOfAStream() async throws {
        // Four megabytes of zeros in four kilobytes.
        var bomb = Data(hex: "1f8b0800000000000203edc101010000008220ffaf6e484001")
        bomb += Data(count: 4063) + Data(hex: "7c1b6a40471100004000")
        let zipped = bomb
        let server = try serve { _ in
            LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: .data(zipped))
        }
        let (data, error) = await Self.all(try await transport.send(request(server)))
        XCTAssertEqual(data.count, 4 << 20)
        XCTAssertNil(error)
    }

    func testAConnectionIsUsedAgainAfterAStream() async throws {
        let server = try serve { _ in .text("ok") }
        for _ in 0..<5 { _ = await Self.all(try await transport.send(request(server))) }
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testManyStreamsAtOnce() async throws {
        let server = try serve { request in
            LoopbackResponse(body: .generated(count: 100_000 + (Int(request.path.dropFirst()) ?? 0)))
        }
        let counts = await withTaskGroup(of: Int?.self, returning: [Int?].self) { group in
            for number in 0..<40 {
                let request = request(server, "/\(number)")
                group.addTask { [transport] in
                    guard let response = try? await transport.send(request) else { return nil }
                    let (data, error) = await Self.all(response)
                    return error == nil ? data.count : nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(counts.compactMap { $0 }.sorted(), (0..<40).map { 100_000 + $0 })
    }

    // MARK: Redirects and challenges

    func testARedirectIsFollowedToItsStream() async throws {
        let server = try serve { request in
            guard request.path != "/end" else { return .text("there") }
            return LoopbackResponse(
                status: 302, headers: [("Location", request.path == "/a" ? "/b" : "/end")],
                body: .data(Data(count: 1000)))
        }
        let response = try await transport.outcome(of: request(server, "/a")).get()
        XCTAssertEqual(response.url.path, "/end")
        let (data, error) = await Self.all(response)
        XCTAssertEqual(data, Data("there".utf8))
        XCTAssertNil(error)
        XCTAssertEqual(server.requests.map(\.path), ["/a", "/b", "/end"])
    }

    func testARedirectThatIsTheAnswerEnds() async throws {
        for location in [nil, "/n", "http://[::1"] as [String?] {
            let server = try serve { _ in
                LoopbackResponse(
                    status: 302, headers: location.map { [("Location", $0)] } ?? [],
                    body: .data(Data("moved".utf8)))
            }
            let response = try await transport.send(request(server))
            XCTAssertEqual(response.status, 302)
            XCTAssertEqual(response.headers["Location"], location)
            let (_, error) = await Self.all(response)
            XCTAssertNil(error)
        }
    }

    func testAChallengeIsAStreamLikeAnyOther() async throws {
        for challenge in ["Basic realm=\"shop\"", "Bearer", "Digest realm=\"a\", nonce=\"b\", qop=\"auth\""] {
            let server = try serve { _ in
                .text("log in", status: 401).adding("WWW-Authenticate", challenge)
            }
            let response = try await transport.send(request(server))
            XCTAssertEqual(response.status, 401)
            let (data, error) = await Self.all(response)
            XCTAssertEqual(data, Data("log in".utf8))
            XCTAssertNil(error)
            XCTAssertEqual(server.requests.count, 1)
        }
    }

    // MARK: Time and progress

    func testAStreamMayBeSilentForLongerThanItsHeadMayTake() throws {
        let url = try XCTUnwrap(URL(string: "https://api.example.com"))
        var request = APIRequest(url: url, timeout: 5)
        XCTAssertEqual(try URLRequest(request, idleTimeout: 1000).timeoutInterval, 6)
        request.destination = .stream
        XCTAssertEqual(try URLRequest(request, idleTimeout: 1000).timeoutInterval, 1000)
        XCTAssertEqual(try URLRequest(request, idleTimeout: .infinity).timeoutInterval, 7 * 86_400)
    }

    func testProgressOfAStream() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 300_000)) }
        let seen = Locked<[TransferProgress]>([])
        var request = request(server)
        request.onProgress = { progress in seen.withLock { $0.append(progress) } }
        _ = await Self.all(try await transport.send(request))
        let received = seen.current.map(\.received)
        XCTAssertEqual(received, received.sorted())
        XCTAssertEqual(received.last, 300_000)
        XCTAssertTrue(seen.current.allSatisfy { $0.expectedToReceive == 300_000 })
    }

    func testHowMuchIsExpectedIsNotSaidWhereItIsNotKnown() async throws {
        let zipped = try XCTUnwrap(
            Data(
                base64Encoded:
                    "H4sIAAAAAAACA6tWykxRsjLXUcpLzE1VslJ6OXfSi66Nzydvf9Gz7enibUq1AEDTd+EhAAAA"))
        for response in [
            LoopbackResponse(body: .chunks([Data(count: 10)])),
            LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: .data(zipped)),
        ] {
            let server = try serve { _ in response }
            let seen = Locked<[TransferProgress]>([])
            var request = server.request()
            request.onProgress = { progress in seen.withLock { $0.append(progress) } }
            let data = try await transport.send(request).data
            XCTAssertEqual(seen.current.last?.received, Int64(data.count))
            XCTAssertTrue(seen.current.allSatisfy { $0.expectedToReceive == nil })
        }
    }
}
