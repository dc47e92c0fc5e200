import DiscreteNetworking
import DiscreteNetworkingOutbox
import Foundation

/// What an outbox costs beside a durable file.
///
///     swift run -c release Benchmarks --outbox [--quick]
enum OutboxCost {
    private final class NoteManager: APIManager<NoContent> {
        let serviceIdentifier = ServiceIdentifier.narrow
        let methodName = "notes"
        let requestType = HTTPMethod.post
        override var concurrencyLimit: Int? { 100 }
    }

    private struct ReadyTransport: Transport {
        func send(_ request: APIRequest) async throws -> TransportResponse {
            TransportResponse(url: request.url, status: 204, headers: [:], body: .data(Data()))
        }
        func needsNetwork(for url: URL) -> Bool { true }
    }

    private struct FixedNetwork: Reachability {
        let isThere: Bool
        func isReachable(host: String) -> Bool { isThere }
        var changes: AsyncStream<Bool> { AsyncStream { $0.finish() } }
    }

    @MainActor
    static func run(isQuick: Bool) async throws {
        ServiceFactory.shared.register([.narrow: NarrowService.self])
        let count = isQuick ? 1000 : 10_000
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "benchmark-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

        let synced = try await Cost.of { try files(count, in: folder, isDurable: false) }
        let durable = try await Cost.of { try files(count, in: folder, isDurable: true) }
        let entries = folder.appendingPathComponent("entries")
        let queued = try await Cost.of {
            let outbox = try makeOutbox(entries, isThere: false)
            for number in 0..<count {
                try await outbox.send(
                    NoteManager.self, with: ["room": number % 100, "text": "note \(number)"])
            }
        }
        func rate(_ cost: Cost) -> String { (Double(count) / cost.wall).text(0) }
        print(
            "\nOutbox: \(rate(queued)) entries a second are durable; a file that is written and synced:",
            "\(rate(synced)); the same, renamed, with its folder synced: \(rate(durable))")

        let before = residentBytes()
        var outbox: Outbox? = try makeOutbox(entries, isThere: false)
        let start = try await Cost.of { [outbox] in try await outbox?.load() }
        guard let waiting = outbox?.entries.count, waiting == count else { throw UnexpectedAnswer() }
        print(
            "Start with \(count) entries: \((start.wall * 1000).text(0)) ms,",
            "\((Double(residentBytes() - before) / 1e3 / Double(count)).text(1)) kB of memory an entry")
        try await outbox?.drain()
        outbox = nil
        let sender = try makeOutbox(entries, isThere: true)
        try await sender.load()
        let drain = try await Cost.of { try await sender.drain() }
        guard sender.entries.isEmpty else { throw UnexpectedAnswer() }
        print("Drain of \(count) entries: \(drain.wall.text(1)) s, \(rate(drain)) a second")
    }

    @MainActor
    private static func makeOutbox(_ folder: URL, isThere: Bool) throws -> Outbox {
        try Outbox(
            folder: folder,
            proxy: ApiProxy(transport: ReadyTransport(), reachability: FixedNetwork(isThere: isThere)),
            managers: [
                OutboxManager(
                    "note", NoteManager.self, lane: { $0["room"]?.canonicalText ?? "" },
                    make: { _ in NoteManager() })
            ])
    }

    /// Writes files of the size of an entry, as small C programs do.
    private static func files(_ count: Int, in folder: URL, isDurable: Bool) throws {
        let data = [UInt8](repeating: 0x61, count: 500)
        let parent = open(folder.path, O_RDONLY)
        defer { close(parent) }
        for number in 0..<count {
            let name = folder.appendingPathComponent("\(number)").path
            let file = open(name + ".new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            guard file >= 0, write(file, data, data.count) == data.count, fsync(file) == 0 else {
                throw UnexpectedAnswer()
            }
            close(file)
            guard !isDurable || rename(name + ".new", name) == 0 && fsync(parent) == 0 else {
                throw UnexpectedAnswer()
            }
        }
    }
}
