#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// A thousand callers at once for a while, of whose calls many go wrong in every way: one outcome each, and nothing
    /// is left. `SOAK_SECONDS` says for how long; a moment by default. `.ci/soak` runs it, also under sanitizers.
    @MainActor
    final class CurlSoakTests: XCTestCase {
        private static let callers = isLong || FullLength.isOn ? 1000 : 300

        private enum Fate: String, CaseIterable {
            case answer, post, redirect, resend, status, reset, cut, abort, stall, late, cancel, dropped,
                large
        }

        private nonisolated static func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            switch Fate(rawValue: String(request.path.dropFirst())) {
            case .post: request.body.count == 30_000 ? .json(teapot) : .status(400)
            case .redirect: .redirect(to: "/answer")
            case .resend: .redirect(to: "/post", status: 307)
            case .status: .json("{}", status: 503)
            case .reset: .fault(.reset)
            case .cut: LoopbackResponse.json(teapot).failing(with: .cut(atByte: 90))
            case .abort: LoopbackResponse.json(teapot).failing(with: .abort(atByte: 20))
            case .stall, .late: .fault(.stall(atByte: 30))
            case .large: LoopbackResponse(body: .generated(count: 300_000))
            default: .json(teapot)
            }
        }

        func testEveryCallHasOneOutcomeAndNothingIsLeft() async throws {
            let seconds =
                ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap(Double.init)
                ?? (FullLength.isOn ? 1.5 : 0.2)
            // The first rounds fill what the process keeps: threads, caches of libraries, the heap. A server keeps
            // all it was asked, so each round has its own.
            for seed in 1...2 { try await soak(for: min(seconds, 5), seed: UInt64(seed)) }
            let before = try URLSessionStressTests.Usage()
            let memory = Self.heapBytes()
            let end = Date() + seconds
            var seed: UInt64 = 3
            while Date() < end {
                try await soak(for: min(seconds, 5), seed: seed)
                seed += 1
            }
            await until { ((try? URLSessionStressTests.Usage())?.files ?? .max) <= before.files + 2 }
            let after = try URLSessionStressTests.Usage()
            XCTAssertLessThanOrEqual(after.threads, before.threads + 255)
            let growth = Self.heapBytes() - memory
            // A sanitizer's own memory grows with what it has seen.
            let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
            if !isSanitized { XCTAssertLessThan(growth, 64 << 20) }
            if Self.isLong {
                print(
                    "descriptors \(before.files) -> \(after.files), threads \(before.threads) -> \(after.threads),",
                    isSanitized ? "heap not measured" : "heap \(growth >> 10) KiB more")
            }
        }

        private static var isLong: Bool { ProcessInfo.processInfo.environment["SOAK_SECONDS"] != nil }

        /// How often each call began and ended, as the proxy tells it.
        private final class Tally: APICallObserver {
            let counts = Locked<[RequestID: (begun: Int, ended: Int)]>([:])

            func observe(_ event: APICallEvent) {
                counts.withLock { counts in
                    switch event.kind {
                    case .started: counts[event.call.requestID, default: (0, 0)].begun += 1
                    case .finished: counts[event.call.requestID, default: (0, 0)].ended += 1
                    default: break
                    }
                }
            }
        }

        private func soak(for seconds: TimeInterval, seed: UInt64) async throws {
            let server = try LoopbackServer(handler: Self.answer)
            defer { server.stop() }
            var configuration = CurlConfiguration()
            configuration.maximumConnectionsPerHost = 100
            let stack = Stack(try CurlTransport(configuration: configuration)) { $0.baseURL = server.baseURL }
            let tally = Tally()
            let observer = stack.proxy.addObserver(tally)
            let end = Date() + seconds
            let outcomes = Locked<[String: Int]>([:])
            let callers = (0..<Self.callers).map { number in
                Task {
                    await Self.calls(stack, until: end, seed: seed &* 100_003 &+ UInt64(number), outcomes)
                }
            }
            var calls = 0
            for caller in callers { calls += await caller.value }
            XCTAssertEqual(outcomes.current.values.reduce(0, +), calls)
            XCTAssertEqual(stack.proxy.requestIDs, [])
            XCTAssertEqual(outcomes.current.keys.filter { $0.hasPrefix("wrong") }, [])
            let counts = tally.counts.current.values
            XCTAssertEqual(counts.count, calls, "calls that the proxy knows of")
            XCTAssertEqual(counts.filter { $0.ended == 0 }.count, 0, "calls that were lost")
            XCTAssertEqual(counts.filter { $0.ended > 1 }.count, 0, "calls that were told twice")
            if Self.isLong { print(calls, "calls:", outcomes.current.sorted { $0.key < $1.key }) }
            stack.proxy.removeObserver(observer)
        }

        /// One caller: one call after the other.
        private static func calls(
            _ stack: Stack, until end: Date, seed: UInt64, _ outcomes: Locked<[String: Int]>
        ) async -> Int {
            var random = FixedRandom(seed: seed)
            var calls = 0
            repeat {
                guard let fate = Fate.allCases.randomElement(using: &random) else { break }
                calls += 1
                let outcome = await call(stack, fate, &random)
                outcomes.withLock { $0["\(outcome)", default: 0] += 1 }
            } while Date() < end
            return calls
        }

        private static func call(_ stack: Stack, _ fate: Fate, _ random: inout FixedRandom) async -> String {
            let manager = stack.manager(TestManager<Data>())
            let screen = Screen()
            manager.delegate = screen
            manager.methodName = fate.rawValue
            manager.ownTimeout = fate == .late ? 0.05 : 30
            if fate == .post || fate == .resend { manager.requestType = .post }
            let params: Params =
                manager.requestType == .post ? ["x": String(repeating: "y", count: 29_992)] : [:]
            if fate == .dropped {
                manager.loadData(with: params)
                return "dropped"
            }
            let task = Task { await failure(manager, with: params) }
            if fate == .stall || fate == .cancel {
                for _ in 0..<Int.random(in: 0..<200, using: &random) { await Task.yield() }
                if Bool.random(using: &random) { task.cancel() } else { manager.cancelAllRequests() }
            }
            if fate == .stall { task.cancel() }
            let error = await task.value
            guard screen.events.count == 1 else { return "wrong: told \(screen.events)" }
            guard isRight(error, fate) else {
                return "wrong: \(fate) ended with \(error.map { "\($0.kind)" } ?? "success")"
            }
            return fate.rawValue
        }

        private static func isRight(_ error: APIError?, _ fate: Fate) -> Bool {
            switch fate {
            case .answer, .post, .redirect, .resend, .large, .dropped: return error == nil
            case .status: return error?.kind == .http(status: 503)
            case .stall: return error?.kind == .cancelled
            case .late: return error?.kind == .timedOut
            case .cancel: return error == nil || error?.kind == .cancelled
            case .reset, .cut, .abort:
                guard case .transport(let error)? = error?.kind else { return false }
                return error.kind == .connectionLost
            }
        }

        /// What is allocated and not freed. The resident memory also has the stacks of the server's threads, and what
        /// the heaps of all threads keep for later.
        private static func heapBytes() -> Int {
            // `malloc_info` is not among what Swift imports of the C library.
            typealias Function = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
            var text: UnsafeMutablePointer<CChar>?
            var size = 0
            guard let symbol = dlsym(nil, "malloc_info"), let file = open_memstream(&text, &size) else {
                return 0
            }
            _ = unsafeBitCast(symbol, to: Function.self)(0, file)
            fclose(file)
            defer { free(text) }
            // The totals stand after the last heap: free ones, mapped ones, and what the system gave.
            let totals = text.map { String(cString: $0) }?.components(separatedBy: "</heap>").last ?? ""
            func bytes(_ name: String) -> Int {
                totals.components(separatedBy: name + "\"").dropFirst().first?
                    .components(separatedBy: "size=\"").dropFirst().first?
                    .prefix { $0.isNumber }.description.withCString { Int(atol($0)) } ?? 0
            }
            return bytes("<system type=\"current") + bytes("<total type=\"mmap")
                - bytes("<total type=\"fast") - bytes("<total type=\"rest")
        }
    }
#endif
