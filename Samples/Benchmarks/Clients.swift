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
                let call = try await call(workload, client, url)
                run = { try await repeated($0, callers, call) }
            }
        #else
            let call = try await call(workload, client, url)
            run = { try await repeated($0, callers, call) }
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

    private static func repeated(
        _ seconds: Double, _ callers: Int, _ call: @escaping @Sendable () async throws -> Void
    ) async throws -> Int {
        let end = DispatchTime.now() + seconds
        let tasks = (0..<callers).map { _ in
            Task {
                var calls = 0
                repeat {
                    try await call()
                    calls += 1
                } while DispatchTime.now() < end
                return calls
            }
        }
        var calls = 0
        for task in tasks { calls += try await task.value }
        return calls
    }

    @MainActor
    private static func call(
        _ workload: Workload, _ client: Client, _ url: URL
    ) throws -> @Sendable () async throws -> Void {
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
    private static func bare(_ workload: Workload, _ url: URL) -> @Sendable () async throws -> Void {
        let session = URLSession.shared
        let isPost = workload == .oneMegabytePost
        return {
            var request = URLRequest(url: url)
            if isPost {
                request.httpMethod = "POST"
                request.httpBody = megabyte
            }
            let (_, response) = try await session.data(for: request)
            guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw UnexpectedAnswer() }
        }
    }

    private static func direct(
        _ transport: any Transport, _ workload: Workload, _ url: URL
    ) -> @Sendable () async throws -> Void {
        var request = APIRequest(url: url)
        if workload == .oneMegabytePost {
            request.method = .post
            request.body = .data(megabyte)
        }
        let send = request
        return {
            guard try await transport.send(send).status == 200 else { throw UnexpectedAnswer() }
        }
    }

    @MainActor
    private static func managed(
        _ transport: any Transport, _ workload: Workload, _ url: URL
    ) -> @Sendable () async throws -> Void {
        ShopService.base.current = url.deletingLastPathComponent()
        ServiceFactory.shared.register([.shop: ShopService.self])
        ApiProxy.shared = ApiProxy(transport: transport)
        return switch workload {
        case .smallGet: { @MainActor in _ = try await ItemManager().load() }
        case .oneMegabyteGet: { @MainActor in _ = try await MegabyteManager().load() }
        case .oneMegabytePost: { @MainActor in _ = try await SinkManager().load() }
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
