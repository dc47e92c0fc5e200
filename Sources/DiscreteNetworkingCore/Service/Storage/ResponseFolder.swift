package import Foundation

/// Where responses are on disk, unless the app chooses another folder: in a folder for each service.
///
/// Here, because a logout removes what an earlier launch of the app has stored, also if nothing has been stored or read since.
package enum ResponseFolder {
    private static let queue = DiskQueue("ResponseFolder")

    /// Includes the program's name, because programs that are not sandboxed share a caches directory.
    package static var standard: URL {
        let caches =
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return caches.appendingPathComponent("DiscreteNetworking")
            .appendingPathComponent(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
    }

    /// The name of a service's folder: a digest, 32 hexadecimal digits.
    package static func name(of service: ServiceIdentifier) -> String {
        let text = service.rawValue.utf8
        return MessageDigest(.sha256, of: Array("\(text.count) ".utf8) + text).hexadecimal(prefix: 16)
    }

    static func remove(_ service: ServiceIdentifier) async {
        await queue.run {
            try? FileManager.default.removeItem(at: standard.appendingPathComponent(name(of: service)))
        }
    }
}
