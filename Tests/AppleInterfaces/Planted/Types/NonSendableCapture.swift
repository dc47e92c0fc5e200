import Foundation

func removeLater(_ url: URL, with manager: FileManager, on queue: DispatchQueue) {
    queue.async {
        // finds: capture of 'manager' with non-Sendable type 'FileManager'
        try? manager.removeItem(at: url)
    }
}
