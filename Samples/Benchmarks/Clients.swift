import DiscreteNetworking
import Foundation

#if canImport(CurlDirect)
    import CurlDirect
#endif
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The other side did not answer as it should.
struct UnexpectedAnswer: Error {}

/// Measures one client in this process, which has nothing else to do.
enum Measurement {
    /// Managers are called on the main actor, where they live; the others off it.
    /// - Parameter seconds: how long, after a fifth of that to warm up.
    static func row(
        _ workload: Workload, _ client: Client, callers: Int, seconds: Double, server: URL
    ) async throws -> Row {
        let url = server.appendingPathComponent(workload.path)
        let run: @Sendable (Double) async throws -> Int
        #if canImport(CurlDirect)
            if client == .curlInC {
                run = { seconds in try await curlInC(workload, url, callers, seconds) }
            } else {
                let caller = try await caller(workload, client, url)
                run = { try await self.run(callers, for: $0, caller) }
            }
        #else
            let caller = try await caller(workload, client, url)
            run = { try await self.run(callers, for: $0, caller) }
        #endif
        _ = try await run(seconds / 5)
        var calls = 0
        let cost = try await Cost.of { calls = try await run(seconds) }
        return Row(
            workload: workload, client: client, callers: callers,
            requestsPerSecond: Double(calls) / cost.wall,
            cpuMicrosecondsPerRequest: cost.cpu / Double(calls) * 1e6,
            peakResidentKilobytes: peakResidentKilobytes())
    }

    /// One caller: one call after the other until a time, where it runs, and how many they were.
    private typealias Caller = @Sendable (_ end: DispatchTime) async throws -> Int

    private static func run(_ callers: Int, for seconds: Double, _ caller: @escaping Caller) async throws
        -> Int
    {
        let end = DispatchTime.now() + seconds
        let tasks = (0..<callers).map { _ in Task { try await caller(end) } }
        var calls = 0
        for task in tasks { calls += try await task.value }
        return calls
    }

    private nonisolated(nonsending) static func repeated(
        until end: DispatchTime, _ call: nonisolated(nonsending) () async throws -> Void
    ) async throws -> Int {
        var calls = 0
        repeat {
            try await call()
            calls += 1
        } while DispatchTime.now() < end
        return calls
    }

    @MainActor
    private static func caller(
        _ workload: Workload, _ client: Client, _ url: URL
    ) throws -> Caller {
        switch client {
        case .urlSession: bare(workload, url)
        case .urlSessionTransport: direct(URLSessionTransport(), workload, url)
        case .curlTransport: direct(try curl(), workload, url)
        case .managerOverURLSession: managed(URLSessionTransport(), workload, url)
        case .managerOverCurl: managed(try curl(), workload, url)
        case .curlInC: throw UnexpectedAnswer()
        }
    }

    private static func curl() throws -> any Transport {
        #if canImport(CurlDirect)
            try CurlTransport()
        #else
            throw UnexpectedAnswer()
        #endif
    }

    static let megabyte = Data(count: 1 << 20)

    /// As most would write it.
    private static func bare(_ workload: Workload, _ url: URL) -> Caller {
        let session = URLSession.shared
        let isPost = workload == .oneMegabytePost
        return { end in
            try await repeated(until: end) {
                var request = URLRequest(url: url)
                if isPost {
                    request.httpMethod = "POST"
                    request.httpBody = megabyte
                }
                let (_, response) = try await session.data(for: request)
                guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw UnexpectedAnswer() }
            }
        }
    }

    private static func direct(
        _ transport: any Transport, _ workload: Workload, _ url: URL
    ) -> Caller {
        var request = APIRequest(url: url)
        if workload == .oneMegabytePost {
            request.method = .post
            request.body = .data(megabyte)
        }
        let send = request
        return { end in
            try await repeated(until: end) {
                guard try await transport.send(send).status == 200 else { throw UnexpectedAnswer() }
            }
        }
    }

    @MainActor
    private static func managed(
        _ transport: any Transport, _ workload: Workload, _ url: URL
    ) -> Caller {
        ShopService.base.current = url.deletingLastPathComponent()
        ServiceFactory.shared.register([.shop: ShopService.self])
        ApiProxy.shared = ApiProxy(transport: transport)
        return switch workload {
        case .smallGet:
            { @MainActor end in try await repeated(until: end) { _ = try await ItemManager().load() } }
        case .oneMegabyteGet:
            { @MainActor end in try await repeated(until: end) { _ = try await MegabyteManager().load() } }
        case .oneMegabytePost:
            { @MainActor end in try await repeated(until: end) { _ = try await SinkManager().load() } }
        }
    }

    #if canImport(CurlDirect)
        /// On a thread of its own, because it does not come back before the time is over.
        private static func curlInC(
            _ workload: Workload, _ url: URL, _ callers: Int, _ seconds: Double
        ) async throws -> Int {
            let text = url.absoluteString
            let isPost = workload == .oneMegabytePost
            let count = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let count = megabyte.withUnsafeBytes { body in
                        curl_direct_repeat(
                            text, Int32(callers), seconds, isPost ? body.baseAddress : nil, body.count, 1)
                    }
                    continuation.resume(returning: count)
                }
            }
            guard count >= 0 else { throw UnexpectedAnswer() }
            return count
        }
    #endif
}
