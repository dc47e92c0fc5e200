import DiscreteNetworking
import Foundation

#if canImport(CBenchmarks)
    import CBenchmarks
#endif
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The other side did not answer as it should.
struct UnexpectedAnswer: Error {}

/// Measures one client in this process, which has nothing else to do.
enum Measurement {
    /// Managers are called on the main actor, where they live, unless the client says otherwise; the others off it.
    ///
    /// Counts are taken in runs of their own, so that the counting is in no other figure.
    /// - Parameter seconds: how long, after a fifth of that to warm up.
    static func row(
        _ workload: Workload, _ client: Client, callers: Int, seconds: Double, server: URL
    ) async throws -> Row {
        let url = server.appendingPathComponent(workload.path)
        let run: @Sendable (Double) async throws -> Int
        #if canImport(CBenchmarks)
            if client == .curlInC || client == .curlInCFresh {
                run = { seconds in try await curlInC(workload, client, url, callers, seconds) }
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
        let peak = peakResidentKilobytes()
        let counts = try await Counts.perCall { try await run(seconds / 5) }
        return Row(
            workload: workload, client: client, callers: callers,
            requestsPerSecond: Double(calls) / cost.wall,
            cpuMicrosecondsPerRequest: cost.cpu / Double(calls) * 1e6,
            peakResidentKilobytes: peak, counts: counts)
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
        case .managerOverURLSession: onMain(call(workload, over: URLSessionTransport(), url))
        case .managerOverCurl: onMain(call(workload, over: try curl(), url))
        case .managerOffMainOverCurl: offMain(call(workload, over: try curl(), url))
        case .manager: onMain(call(workload, over: stub(for: workload), url))
        case .managerOffMain: offMain(call(workload, over: stub(for: workload), url))
        case .decoder: decoding(workload, by: Params.makeDecoder())
        case .fastDecoder: decoding(workload, by: FastJSONDecoder(Params.makeDecoder()))
        case .curlInC, .curlInCFresh: throw UnexpectedAnswer()
        }
    }

    private static func stub(for workload: Workload) -> InMemoryTransport {
        InMemoryTransport(Shop.document(of: workload))
    }

    /// The document decoded, with nothing around it.
    private static func decoding(_ workload: Workload, by decoder: some ItemDecoder) -> Caller {
        let data = Shop.document(of: workload)
        let isArray = data.first == UInt8(ascii: "[")
        return { end in
            try await repeated(until: end) {
                if isArray {
                    _ = try decoder.decode([Item].self, from: data)
                } else {
                    _ = try decoder.decode(Item.self, from: data)
                }
            }
        }
    }

    private static func curl() throws -> any Transport {
        #if canImport(CBenchmarks)
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

    /// One call of a manager.
    private typealias Call = @MainActor @Sendable () async throws -> Void

    @MainActor
    private static func call(_ workload: Workload, over transport: any Transport, _ url: URL) -> Call {
        ShopService.base.current = url.deletingLastPathComponent()
        ServiceFactory.shared.register([.shop: ShopService.self])
        ApiProxy.shared = ApiProxy(transport: transport)
        switch workload {
        case .smallGet, .stub, .decodeSmall: return { _ = try await ItemManager().load() }
        case .memoryHit:
            let manager = KeptItemManager()
            return { _ = try await manager.load() }
        case .decodeMedium, .decodeLarge, .tenMegabyteJSON:
            return { _ = try await CatalogManager().load() }
        case .oneMegabyteGet: return { _ = try await MegabyteManager().load() }
        case .oneMegabytePost: return { _ = try await SinkManager().load() }
        }
    }

    /// Every call from a task on the main actor.
    private static func onMain(_ call: @escaping Call) -> Caller {
        { @MainActor end in try await repeated(until: end) { try await call() } }
    }

    /// Every call from a task that is not on the main actor.
    private static func offMain(_ call: @escaping Call) -> Caller {
        { end in try await repeated(until: end) { try await call() } }
    }

    #if canImport(CBenchmarks)
        /// On a thread of its own, because it does not come back before the time is over.
        private static func curlInC(
            _ workload: Workload, _ client: Client, _ url: URL, _ callers: Int, _ seconds: Double
        ) async throws -> Int {
            let text = url.absoluteString
            let isPost = workload == .oneMegabytePost
            let count = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let count = megabyte.withUnsafeBytes { body in
                        curl_direct_repeat(
                            text, Int32(callers), seconds, isPost ? body.baseAddress : nil, body.count,
                            client == .curlInCFresh ? CURL_DIRECT_NEW_BODIES : CURL_DIRECT_KEEPS_BODIES)
                    }
                    continuation.resume(returning: count)
                }
            }
            guard count >= 0 else { throw UnexpectedAnswer() }
            return count
        }
    #endif
}

/// What decodes the documents.
protocol ItemDecoder: Sendable {
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: ItemDecoder {}
extension FastJSONDecoder: ItemDecoder {}
