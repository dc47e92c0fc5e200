import Foundation

/// Keeps credentials in a folder that only its owner can reach, one file for each key: for Linux, and for
/// wherever there is no Keychain.
///
/// ```swift
/// let store = FileCredentialStore(folder: URL(fileURLWithPath: "/home/casa/.local/state/shop/credentials"))
/// ```
/// The folder is made with mode 0700 on the first write, and files have mode 0600, whatever the umask. What
/// others can reach, or own, is refused. A write is on the disk, whole, when it returns, or else the old
/// credential is still there; several processes may use one folder. Files are not encrypted: who can act as
/// the owner, or take the disk, can read them.
///
/// A file that is not as it was written is set aside under another name, and reported once as
/// ``CredentialStoreError/Kind/damaged``; ``remove(_:)`` removes what was set aside, too. Setting it aside lets the next
/// login write a new one, and leaves the old one for whoever looks for the cause.
public struct FileCredentialStore: CredentialStore {
    private let url: URL
    private let lockTimeout: TimeInterval

    /// - Parameters:
    ///   - folder: used for nothing else.
    ///   - lockTimeout: seconds that a write waits for another process. Default: 10.
    public init(folder: URL, lockTimeout: TimeInterval = 10) {
        url = folder
        self.lockTimeout = lockTimeout
    }

    @available(*, deprecated, renamed: "init(folder:lockTimeout:)")
    public init(folder: URL, patience: TimeInterval) { self.init(folder: folder, lockTimeout: patience) }

    public func read(_ key: String) throws(CredentialStoreError) -> Data? {
        guard let folder = try CredentialFolder.existing(at: url) else { return nil }
        // A file is replaced as a whole, so that reading needs no lock and works where nothing can be written.
        switch try content(of: key, in: folder) {
        case nil: return nil
        case .credential(let credential)?: return credential
        case .newerVersion?: throw newerVersion(of: key, in: folder)
        case .damaged?: return try mended(key, in: folder)
        }
    }

    /// What is there instead of a damaged file by now, where a write came in between.
    /// - Throws: ``CredentialStoreError/Kind/damaged``, after setting the file aside.
    private func mended(_ key: String, in folder: CredentialFolder) throws(CredentialStoreError) -> Data? {
        let name = CredentialFile.name(of: key)
        let fault = "The credential's file \(folder.path(of: name)) is damaged or not one of this program's"
        do throws(CredentialStoreError) {
            return try folder.alone(timeout: lockTimeout) { () throws(CredentialStoreError) in
                switch try content(of: key, in: folder) {
                case nil: return nil
                case .credential(let credential)?: return credential
                case .newerVersion?: throw newerVersion(of: key, in: folder)
                case .damaged?:
                    let aside = try folder.setAside(name)
                    throw CredentialStoreError(
                        .damaged, message: "\(fault); it is kept as \(aside). Log in again.")
                }
            }
        } catch let error where error.kind == .unavailable {
            throw CredentialStoreError(
                .damaged, message: "\(fault), and cannot be set aside: \(error.message)", code: error.code)
        }
    }

    public func write(_ data: Data, for key: String) throws(CredentialStoreError) {
        guard data.count <= CredentialFile.limit else {
            throw CredentialStoreError(
                .tooLarge,
                message:
                    "A credential of \(data.count) bytes is too large; at most \(CredentialFile.limit) are kept."
            )
        }
        let folder = try CredentialFolder.made(at: url)
        try folder.alone(timeout: lockTimeout) { () throws(CredentialStoreError) in
            let name = CredentialFile.name(of: key)
            switch try content(of: key, in: folder) {
            case nil, .credential?: break
            case .newerVersion?: throw newerVersion(of: key, in: folder)
            case .damaged?: _ = try folder.setAside(name)
            }
            try folder.replace(name, with: CredentialFile.encode(data, key: key))
        }
    }

    public func remove(_ key: String) throws(CredentialStoreError) {
        guard let folder = try CredentialFolder.existing(at: url) else { return }
        try folder.alone(timeout: lockTimeout) { () throws(CredentialStoreError) in
            // The file itself, what a write that was killed has left, and what was set aside.
            try folder.removeAll(beginningWith: CredentialFile.name(of: key))
        }
    }

    public func tryLock(_ key: String) throws(CredentialStoreError) -> CredentialLock? {
        try CredentialFolder.made(at: url).tryLock("refresh-\(CredentialFile.name(of: key))")
    }

    private func content(
        of key: String, in folder: CredentialFolder
    ) throws(CredentialStoreError) -> CredentialFile.Content? {
        try folder.read(CredentialFile.name(of: key), limit: CredentialFile.fileLimit)
            .map { CredentialFile.decode($0, key: key) }
    }

    private func newerVersion(of key: String, in folder: CredentialFolder) -> CredentialStoreError {
        CredentialStoreError(
            .newerVersion,
            message:
                "The credential's file \(folder.path(of: CredentialFile.name(of: key))) was written by a newer version of DiscreteNetworking; update the program, or remove the credential and log in again."
        )
    }
}
