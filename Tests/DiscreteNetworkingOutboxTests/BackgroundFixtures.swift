import DiscreteNetworkingTesting
import DiscreteNetworkingTransfers
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

final class VideoManager: APIManager<DownloadedFile> {
    let serviceIdentifier = ServiceIdentifier.chat
    let methodName = "videos/{id}"
    let requestType = HTTPMethod.get
    let place: URL?

    init(to place: URL? = nil) {
        self.place = place
        super.init()
    }

    override var retryPolicy: RetryPolicy? { .never }
    override var download: Download? { place.map { Download(to: $0) } ?? Download() }
}

final class PhotoManager: APIManager<Receipt> {
    let serviceIdentifier = ServiceIdentifier.chat
    let methodName = "photos"
    let requestType = HTTPMethod.post
    let photo: URL

    init(_ photo: URL) {
        self.photo = photo
        super.init()
    }

    override var encoding: (any ParamEncoding)? {
        .multipart(MultipartForm([.file(photo, named: "photo")], boundary: "b"))
    }
}

final class FeedManager: APIManager<ByteStream> {
    let serviceIdentifier = ServiceIdentifier.chat
    let methodName = "feed"
    let requestType = HTTPMethod.get
}

final class StrictManager: APIManager<Receipt> {
    let serviceIdentifier = ServiceIdentifier.chat
    let methodName = "strict"
    let requestType = HTTPMethod.post
    override var responseRules: ResponseRules { ResponseRules(redirects: .refuse) }
}

/// What the delegates of all starts of an app were told.
@MainActor
final class Witness: APIManagerDelegate, APIManagerProgressDelegate {
    private(set) var told: [String] = []
    private(set) var errors: [APIError] = []
    private(set) var progress: [TransferProgress] = []
    private var waiters: [(Int, CheckedContinuation<Void, Never>)] = []

    func note(_ text: String) {
        told.append(text)
        for (count, waiter) in waiters where told.count >= count { waiter.resume() }
        waiters.removeAll { told.count >= $0.0 }
    }

    func managerDidSucceed(_ manager: BaseAPIManager) {
        switch manager {
        case let manager as MessageManager: note("message \(manager.output?.number ?? -1)")
        case let manager as PhotoManager: note("photo \(manager.output?.number ?? -1)")
        case let manager as VideoManager: note("video \(manager.output?.byteCount ?? -1)")
        default: note("other")
        }
    }

    func managerDidFail(_ manager: BaseAPIManager) {
        if let error = manager.error { errors.append(error) }
        note("failed")
    }

    func manager(_ manager: BaseAPIManager, didMake progress: TransferProgress) {
        self.progress.append(progress)
        note("progress")
    }

    func wait(for count: Int) async {
        guard told.count < count else { return }
        await withCheckedContinuation { waiters.append((count, $0)) }
    }
}

/// An app with background transfers, and its daemon.
@MainActor
final class BackgroundDesk {
    let desk: Desk
    let daemon = FakeDaemon()
    let witness = Witness()
    let identifier = "com.example.\(UUID().uuidString)"
    let files: URL
    var running: BackgroundTransfers?

    init(_ test: XCTestCase, user: String? = "ann") throws {
        desk = try Desk(test, ScriptedTransport(), user: user)
        files = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        test.addTeardownBlock { [files, self] in
            await self.stop()
            try? FileManager.default.removeItem(at: files)
        }
    }

    func make<Manager: BaseAPIManager>(_ manager: Manager) -> Manager {
        manager.delegate = witness
        return manager
    }

    var managers: [BackgroundTransferManager] {
        [
            BackgroundTransferManager("message", MessageManager.self) { [self] in make(MessageManager()) },
            BackgroundTransferManager("photo", PhotoManager.self) { [self] in
                make(PhotoManager(files.appendingPathComponent("photo.jpg")))
            },
            BackgroundTransferManager("video", VideoManager.self) { [self] in
                make(VideoManager(to: files.appendingPathComponent("video.mp4")))
            },
            BackgroundTransferManager("strict", StrictManager.self) { [self] in make(StrictManager()) },
        ]
    }

    /// A start of the app, which ends the one before.
    @discardableResult
    func launch(
        _ managers: [BackgroundTransferManager]? = nil, _ proxy: ApiProxy? = nil
    ) async throws -> BackgroundTransfers {
        stop()
        let transfers = try BackgroundTransfers(
            identifier: identifier, folder: desk.folder, proxy: proxy ?? desk.proxy(),
            managers: managers ?? self.managers, session: daemon.session)
        running = transfers
        try await transfers.load()
        return transfers
    }

    /// The end of the app's process.
    func stop() {
        running?.close()
        running = nil
    }

    /// Starts a call, and waits until the daemon has it.
    @discardableResult
    func handOver<Manager: BaseAPIManager>(
        _ type: Manager.Type, _ params: Params = [:]
    ) async throws -> BackgroundTransfer {
        let transfers = try XCTUnwrap(running)
        let events = transfers.events
        let transfer = try await transfers.start(type, with: params)
        for await event in events {
            if case .handedOver(let other) = event, other.id == transfer.id { break }
        }
        return transfer
    }

    func names(_ suffix: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: desk.folder.path)) ?? [])
            .filter { $0.hasSuffix(suffix) }.sorted()
    }

    /// The files that belong to transfers.
    var leftovers: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: desk.folder.path)) ?? [])
            .filter { $0 != "lock" }.sorted()
    }
}

extension BackgroundTransfers {
    /// Waits until something is so. Every change of a transfer is an event.
    func wait(until isSo: @MainActor () -> Bool) async {
        let events = events
        guard !isSo() else { return }
        for await _ in events where isSo() { return }
    }
}
