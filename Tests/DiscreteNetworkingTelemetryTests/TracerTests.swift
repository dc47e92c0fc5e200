import DiscreteNetworking
import DiscreteNetworkingTelemetry
import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

/// The spans of calls, and what servers are told of them.
@MainActor
final class TracerTests: XCTestCase {
    private nonisolated static let item = LoopbackResponse.json(#"{"id":7}"#)

    func testACallAndItsAttemptsAreSpansOfOneTrace() async throws {
        let seen = Locked<[String?]>([])
        let server = try serve { request in
            let number = seen.withLock { seen in
                seen.append(request.header("traceparent"))
                return seen.count
            }
            return number == 1 ? .text("later", status: 503) : Self.item
        }
        let shop = Shop(server.baseURL)
        let manager = shop.manager()
        manager.retries = RetryPolicy(base: 0)
        _ = try await manager.load(with: ["id": 7, "token": "p4ssw0rd-of-ming"])
        let spans = shop.spans.list
        XCTAssertEqual(spans.map(\.name), ["GET items/{id}", "GET items/{id}", "shop items/{id}"])
        XCTAssertEqual(spans.map(\.kind), [.client, .client, .internal])
        XCTAssertEqual(Set(spans.map(\.context.traceID)).count, 1)
        XCTAssertEqual(Set(spans.map(\.context.spanID)).count, 3)
        XCTAssertEqual(spans.map(\.parentSpanID), [spans[2].context.spanID, spans[2].context.spanID, nil])
        XCTAssertEqual(seen.current, spans.prefix(2).map(\.context.traceparent))
        XCTAssertEqual(spans.map(\.isFailed), [true, false, false])
        let first = spans[0].attributes
        XCTAssertEqual(first["http.request.method"], "GET")
        XCTAssertEqual(first["http.response.status_code"], 503)
        XCTAssertEqual(first["error.type"], "503")
        XCTAssertEqual(first["server.address"], "127.0.0.1")
        XCTAssertEqual(first["server.port"], JSONValue(integerLiteral: try XCTUnwrap(server.baseURL.port)))
        XCTAssertEqual(first["url.template"], "items/{id}")
        let url = try XCTUnwrap(first["url.full"]?.string)
        XCTAssertTrue(
            url.hasSuffix("/items/7?token=%3Credacted%3E") || url.hasSuffix("/items/7?token=<redacted>"), url)
        XCTAssertEqual(first["network.protocol.version"], "1.1")
        XCTAssertNil(first["http.request.resend_count"])
        XCTAssertEqual(spans[1].attributes["http.request.resend_count"], 1)
        XCTAssertEqual(spans[1].attributes["http.response.status_code"], 200)
        XCTAssertEqual(spans[1].attributes["http.response.body.size"], 8)
        XCTAssertEqual(spans[2].events.map(\.name), ["repeated"])
        for span in spans {
            XCTAssertGreaterThanOrEqual(span.duration, 0)
            XCTAssertFalse("\(span)".contains("p4ssw0rd"), "\(span)")
        }
        XCTAssertGreaterThanOrEqual(spans[2].duration, spans[0].duration + spans[1].duration)
    }

    func testACallContinuesTheTraceOfItsTask() async throws {
        let seen = Locked<[String: String?]>([:])
        let server = try serve { request in
            seen.current = ["state": request.header("tracestate"), "baggage": request.header("baggage")]
            return Self.item
        }
        var context = try XCTUnwrap(
            TraceContext(
                traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "a=b"))
        context.baggage = ["shop": "shanghai"]
        for (propagation, baggage) in [(Tracer.Propagation.trace, nil), (.traceAndBaggage, "shop=shanghai")] {
            let shop = Shop(server.baseURL, propagation: propagation)
            _ = try await TraceContext.$current.withValue(context) {
                try await shop.manager().load(with: ["id": 7])
            }
            XCTAssertEqual(shop.spans.list.map(\.context.traceID), [context.traceID, context.traceID])
            XCTAssertEqual(shop.spans.list.last?.parentSpanID, context.spanID)
            XCTAssertEqual(seen.current["state"], "a=b")
            XCTAssertEqual(seen.current["baggage"], baggage)
        }
    }

    func testAServerThatIsToldNothing() async throws {
        let seen = Locked<String?>("?")
        let server = try serve { request in
            seen.current = request.header("traceparent")
            return Self.item
        }
        let shop = Shop(server.baseURL, propagation: .none)
        _ = try await shop.manager().load(with: ["id": 7])
        XCTAssertNil(seen.current)
        XCTAssertEqual(shop.spans.list.map(\.kind), [.client, .internal])
    }

    func testUnsampledTraceIsPropagatedAndNotExported() async throws {
        let seen = Locked<String?>(nil)
        let server = try serve { request in
            seen.current = request.header("traceparent")
            return Self.item
        }
        let shop = Shop(server.baseURL, isSampled: false)
        _ = try await shop.manager().load(with: ["id": 7])
        XCTAssertEqual(seen.current?.suffix(3), "-00")
        XCTAssertEqual(shop.spans.list, [])
    }

    func testAnotherOriginIsToldNothing() async throws {
        let seen = Locked<[String?]>([])
        let other = try serve { request in
            seen.withLock { $0.append(request.header("traceparent")) }
            return Self.item
        }
        let place = other.baseURL.absoluteString
        let server = try serve { _ in LoopbackResponse(status: 302, headers: [("Location", place)]) }
        let shop = Shop(server.baseURL, propagation: .traceAndBaggage)
        _ = try await shop.manager().load(with: ["id": 7])
        _ = try await shop.manager().load(at: other.baseURL)
        XCTAssertEqual(seen.current, [nil, nil])
        XCTAssertEqual(shop.spans.list.count, 4)
    }

    func testAFailureWithoutAResponse() async throws {
        let port = try LoopbackServer.refusedPort()
        let shop = Shop(try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)")))
        _ = try? await shop.manager().load(with: ["id": 7])
        let spans = shop.spans.list
        XCTAssertEqual(spans.map(\.isFailed), [true, true])
        XCTAssertEqual(spans[0].attributes["error.type"], spans[1].attributes["error.type"])
        XCTAssertEqual(spans[0].attributes["error.type"], "cannotConnect")
        XCTAssertNil(spans[0].attributes["http.response.status_code"])
        XCTAssertNotNil(spans[0].failure)
    }

    func testAFailureOfDecodingIsOfTheCall() async throws {
        let server = try serve { _ in .json(#"{"id":"seven"}"#) }
        let shop = Shop(server.baseURL)
        _ = try? await shop.manager().load(with: ["id": 7])
        XCTAssertEqual(shop.spans.list.map(\.isFailed), [false, true])
        XCTAssertEqual(shop.spans.list[1].attributes["error.type"], "decoding")
    }

    /// The field changes with each call; caches and requests in flight must not see it.
    /// Counts the calls that join the exchange of another.
    private final class Joins: APICallObserver {
        let count = Locked(0)
        func observe(_ event: APICallEvent) {
            if case .joined = event.kind { count.withLock { $0 += 1 } }
        }
    }

    func testCachesAndCoalescingAreInForce() async throws {
        let count = Locked(0)
        let gate = LoopbackGate()
        let server = try serve { _ in
            count.withLock { $0 += 1 }
            gate.wait()
            return Self.item
        }
        let shop = Shop(server.baseURL)
        let managers = (0..<4).map { _ in shop.manager() }
        for manager in managers {
            manager.shares = true
            manager.policy = .memory
        }
        let joins = Joins()
        shop.proxy.addObserver(joins)
        let calls = managers.map { manager in Task { _ = try await manager.load(with: ["id": 7]) } }
        let end = Date() + 30
        while joins.count.current < 3, Date() < end { await Task.yield() }
        XCTAssertEqual(joins.count.current, 3, "after 30 s")
        gate.open()
        for call in calls { try await call.value }
        XCTAssertEqual(count.current, 1, "they share one exchange")
        _ = try await managers[0].load(with: ["id": 7])
        XCTAssertEqual(count.current, 1)
        let spans = shop.spans.list
        XCTAssertEqual(spans.filter { $0.kind == .client }.count, 1, "one span for each exchange")
        XCTAssertEqual(spans.filter { $0.kind == .internal }.count, 5)
        XCTAssertEqual(spans.last?.events.map(\.name), ["cache"])
    }

    #if os(macOS) || os(Linux)
        /// What OpenTelemetry's own library reads from the header fields.
        func testOpenTelemetryReadsTheSame() async throws {
            let seen = Locked<[JSONValue]>([])
            let server = try serve { request in
                let fields = request.headers.map { ($0.name.lowercased(), JSONValue.string($0.value)) }
                seen.withLock { $0.append(.object(Dictionary(fields) { one, _ in one })) }
                return Self.item
            }
            let shop = Shop(server.baseURL, propagation: .traceAndBaggage)
            var context = try XCTUnwrap(
                TraceContext(
                    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
                    tracestate: "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"))
            context.baggage = ["user": "小明", "plan": "a b,c;d=e\"\\%"]
            _ = try await TraceContext.$current.withValue(context) {
                try await shop.manager().load(with: ["id": 7])
            }
            _ = try await shop.manager().load(with: ["id": 8])
            let lines = try python(seen.current)
            let told = try XCTUnwrap(lines.first)
            XCTAssertEqual(told["trace"], .string(context.traceID))
            XCTAssertEqual(told["sampled"], false)
            XCTAssertEqual(told["state"], ["rojo": "00f067aa0ba902b7", "congo": "t61rcWkgMzE"])
            XCTAssertEqual(told["baggage"], ["user": "小明", "plan": "a b,c;d=e\"\\%"])
            let span = try XCTUnwrap(shop.spans.list.first)
            XCTAssertEqual(lines.last?["trace"], .string(span.context.traceID))
            XCTAssertEqual(lines.last?["span"], .string(span.context.spanID))
            XCTAssertEqual(lines.last?["sampled"], true)
        }

        private func python(_ cases: [JSONValue]) throws -> [JSONValue] {
            let input = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data(cases.map { $0.canonicalText + "\n" }.joined().utf8).write(to: input)
            defer { try? FileManager.default.removeItem(at: input) }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", Self.script]
            process.standardInput = try FileHandle(forReadingFrom: input)
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                let reason = "pip install opentelemetry-api"
                if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] == nil { throw XCTSkip(reason) }
                XCTFail(reason)
                return []
            }
            return try data.split(separator: 10).map { try JSONValue(parsing: Data($0)) }
        }

        private static let script = """
            import json, sys
            from opentelemetry import baggage, trace
            from opentelemetry.baggage.propagation import W3CBaggagePropagator
            from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
            for line in sys.stdin.buffer:
                fields = json.loads(line)
                context = TraceContextTextMapPropagator().extract(fields)
                told = trace.get_current_span(context).get_span_context()
                print(json.dumps({
                    'trace': format(told.trace_id, '032x'), 'span': format(told.span_id, '016x'),
                    'sampled': told.trace_flags.sampled, 'state': dict(told.trace_state),
                    'baggage': dict(baggage.get_all(W3CBaggagePropagator().extract(fields)))}))
            """
    #endif
}
