import DiscreteNetworking
import Foundation

/// The part of the walk where things are big.
extension Tour {
    func transfer() async {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Storefront-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        await download(to: folder)
        await upload(from: folder)
        await visitOtherServers(from: folder)
        await hearNews()
    }

    private func download(to folder: URL) async {
        let size = Int64(ShopBackend.catalogue.count)
        let manager = screen.catalogue
        manager.destination = folder.appendingPathComponent("catalogue.pdf")
        manager.checksum = .sha256(MessageDigest(.sha256, of: ShopBackend.catalogue).hexadecimal)
        await transcript.step("Download the catalogue, and leave half-way", expecting: .cancelled) {
            let bar = ProgressBar(self, \.received, of: size)
            manager.progressDelegate = bar
            bar.onStep = { count in
                if count >= size / 2 { manager.cancelAllRequests() }
            }
            defer { bar.end() }
            _ = try await manager.load()
            return []
        }
        await transcript.step("Download the rest", expecting: .success) {
            let bar = ProgressBar(self, \.received, of: size, from: size / 2)
            manager.progressDelegate = bar
            let file = try await manager.load()
            bar.end()
            let isResumed =
                file.resumedByteCount >= size / 2 ? "went on behind the first half" : "began again"
            return ["\(file.url.lastPathComponent), \(file.byteCount) bytes, \(isResumed), checksum right"]
        }
    }

    private func upload(from folder: URL) async {
        let picture = folder.appendingPathComponent("teapot.jpg")
        try? Data(count: 4 << 20).write(to: picture)
        screen.picture.file = picture
        await transcript.step("Send a picture, with a pause", expecting: .success) {
            let bar = ProgressBar(self, \.sent, of: 4 << 20)
            let manager = screen.picture
            manager.progressDelegate = bar
            var hasPaused = false
            bar.onStep = { count in
                guard count >= 2 << 20, !hasPaused else { return }
                hasPaused = true
                manager.pause()
                Task { manager.resume() }
            }
            let picture = try await manager.load(with: ["id": 3, "caption": "在庭院里"])
            bar.end()
            return [picture.received > 4 << 20 ? "4 MB and the caption have arrived" : "something is missing"]
        }
    }

    private func hearNews() async {
        await transcript.step("Hear the news, however often the shop hangs up", expecting: .success) {
            var news: [String] = []
            for try await event in screen.news.events() { news.append("\(event.id). \(event.data)") }
            return news
        }
    }
}
