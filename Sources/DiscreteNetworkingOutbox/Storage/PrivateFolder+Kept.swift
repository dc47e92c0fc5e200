import DiscreteNetworkingCore
import Foundation

extension PrivateFolder {
    /// Opens a directory of calls that wait, creating it if needed. The system reads and writes its files while the device is locked,
    /// after the first unlock.
    static func kept(
        at url: URL, isExcludedFromBackup: Bool
    ) throws(CredentialStoreError) -> PrivateFolder {
        let folder = try made(at: url)
        #if canImport(Darwin)
            var url = url
            var values = URLResourceValues()
            values.isExcludedFromBackup = isExcludedFromBackup
            try? url.setResourceValues(values)
            #if !os(macOS)
                try? FileManager.default.setAttributes(
                    [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                    ofItemAtPath: url.path)
            #endif
        #endif
        return folder
    }
}
