import DiscreteNetworking
import Foundation
import LoopbackServer

#if canImport(CBenchmarks)
    import CBenchmarks
#endif

/// The time from the start of a process to the first request that its server sees: what an app's first call waits for.
enum Start {
    /// The clients, each in a process of its own that makes one call. What the first costs, every program costs.
    static let clients = ["libcurl-c", "CurlTransport", "manager"]

    static func run(isQuick: Bool, isPinned: Bool) throws {
        #if canImport(CBenchmarks)
            let arrival = Locked<DispatchTime?>(nil)
            let server = try LoopbackServer { _ in
                arrival.withLock { $0 = $0 ?? .now() }
                return .json(String(decoding: Shop.document, as: UTF8.self))
            }
            defer { server.stop() }
            var times: [String: [Double]] = [:]
            // The first round reads the program from the disk.
            for round in 0...(isQuick ? 3 : 31) {
                for client in clients {
                    arrival.current = nil
                    let start = DispatchTime.now()
                    try launch(client, server.baseURL, isPinned)
                    guard let end = arrival.current else { throw UnexpectedAnswer() }
                    let time = Double(end.uptimeNanoseconds - start.uptimeNanoseconds) / 1e6
                    if round > 0 { times[client, default: []].append(time) }
                }
            }
            let medians = clients.map { (times[$0] ?? []).quartiles.median }
            let list = zip(clients, medians).map { "\($0) \($1.text(1))" }.joined(separator: ", ")
            print("\nms from the start of a process to its first request at the server: \(list)")
            print(
                "over libcurl-c: CurlTransport \((medians[1] - medians[0]).text(1)), manager \((medians[2] - medians[0]).text(1))"
            )
        #endif
    }

    private static func launch(_ client: String, _ url: URL, _ isPinned: Bool) throws {
        #if canImport(CBenchmarks)
            let process = Process()
            Pinning.launch(
                process, Bundle.main.executableURL, ["--first-call", client, url.absoluteString],
                as: isPinned ? .client : nil)
            process.standardInput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw UnexpectedAnswer() }
        #endif
    }

    /// In the child: one call.
    @MainActor
    static func call(_ arguments: [String]) async throws {
        #if canImport(CBenchmarks)
            guard arguments.count == 2, let url = URL(string: arguments[1])?.appendingPathComponent("item")
            else {
                throw UnexpectedAnswer()
            }
            switch arguments[0] {
            case "libcurl-c":
                guard curl_direct_once(url.absoluteString, nil) > 0 else { throw UnexpectedAnswer() }
            case "CurlTransport":
                guard try await CurlTransport().send(APIRequest(url: url)).status == 200 else {
                    throw UnexpectedAnswer()
                }
            default:
                ShopService.base.current = url.deletingLastPathComponent()
                ServiceFactory.shared.register([.shop: ShopService.self])
                _ = try await ItemManager().load()
            }
        #endif
    }
}
