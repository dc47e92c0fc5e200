public import Foundation

/// A credential store that uses one file per key in a private directory, for Linux and wherever the
/// Keychain is unavailable.
///
/// ```swift
/// let store = FileCredentialStore(
///     folder: URL(fileURLWithPath: "/home/casa/.local/state/shop/credentials"))
/// ```
///
/// - Warning: Do not use it in an app-group container on iOS. A ``TokenSession`` holds a file lock during a refresh, and iOS
///   ends an app that is suspended while it locks a file there (`0xdead10cc`). Share tokens with an extension by
///   `KeychainCredentialStore` with an access group.
///
/// A damaged file is renamed and reported once as ``CredentialStoreError/Kind/damaged``. The next login can then store
/// a new credential while the damaged one remains for diagnosis; ``remove(_:)`` removes both.
public struct FileCredentialStore: CredentialStore {
    private let url: URL
    private let lockTimeout: TimeInterval
    /// The storage of the service that created the store.
    private let storage = MemoryStorage.current

    /// Creates a store in a folder, which is made at the first write.
    /// - Parameters:
    ///   - folder: A folder that is used for nothing else.
    ///   - lockTimeout: The seconds that a write waits for another process. Default: 10.
    public init(folder: URL, lockTimeout: TimeInterval = 10) {
        url = folder
        self.lockTimeout = lockTimeout
    }

    public func read(_ key: String) throws(CredentialStoreError) -> Data? {
        if let memory { return memory.read(key) }
        guard let folder = try PrivateFolder.existing(at: url) else { return nil }
        // Files are replaced atomically, so reading needs no lock and works on a read-only volume.
        switch try content(of: key, in: folder) {
        case nil: return nil
        case .credential(let credential)?: return credential
        case .newerVersion?: throw newerVersion(of: key, in: folder)
        case .damaged?: return try mended(key, in: folder)
        }
    }

    /// Reads a damaged file again under the lock, in case it was replaced in between.
    /// - Throws: ``CredentialStoreError/Kind/damaged``, after renaming the file.
    private func mended(_ key: String, in folder: PrivateFolder) throws(CredentialStoreError) -> Data? {
        let name = CredentialFile.name(of: key)
        let fault = "The credential file \(folder.path(of: name)) is damaged"
        do throws(CredentialStoreError) {
            return try folder.alone(timeout: lockTimeout) { () throws(CredentialStoreError) in
                switch try content(of: key, in: folder) {
                case nil: return nil
                case .credential(let credential)?: return credential
                case .newerVersion?: throw newerVersion(of: key, in: folder)
                case .damaged?:
                    let aside = try folder.setAside(name)
                    throw CredentialStoreError(
                        .damaged, message: "\(fault) and was moved to \(aside); log in again.")
                }
            }
        } catch let error where error.kind == .unavailable {
            throw CredentialStoreError(
                .damaged, message: "\(fault) and cannot be moved aside: \(error.message)", code: error.code)
        }
    }

    public func write(_ data: Data, for key: String) throws(CredentialStoreError) {
        if let memory { return memory.write(data, for: key) }
        _ = try change(key, to: data) { _ in true }
    }

    public func replace(
        _ old: Data?, with new: Data?, for key: String
    ) throws(CredentialStoreError) -> Bool {
        if let memory { return memory.replace(old, with: new, for: key) }
        return try change(key, to: new) { $0 == old }
    }

    /// Changes a file under the lock if its content is as expected.
    private func change(
        _ key: String, to new: Data?, if isExpected: (Data?) -> Bool
    ) throws(CredentialStoreError) -> Bool {
        if let new, new.count > CredentialFile.limit {
            throw CredentialStoreError(
                .tooLarge,
                message: "The credential has \(new.count) bytes; the maximum is \(CredentialFile.limit).")
        }
        guard let folder = try new == nil ? PrivateFolder.existing(at: url) : PrivateFolder.made(at: url)
        else { return isExpected(nil) }
        return try folder.alone(timeout: lockTimeout) { () throws(CredentialStoreError) in
            let name = CredentialFile.name(of: key)
            switch try content(of: key, in: folder) {
            case nil: guard isExpected(nil) else { return false }
            case .credential(let found)?: guard isExpected(found) else { return false }
            case .newerVersion?: throw newerVersion(of: key, in: folder)
            case .damaged?: _ = try folder.setAside(name)
            }
            if let new {
                try folder.replace(name, with: CredentialFile.encode(new, key: key))
            } else {
                try folder.removeAll(beginningWith: name)
            }
            return true
        }
    }

    public func remove(_ key: String) throws(CredentialStoreError) {
        if let memory { return memory.remove(key) }
        guard let folder = try PrivateFolder.existing(at: url) else { return }
        try folder.alone(timeout: lockTimeout) { () throws(CredentialStoreError) in
            // The file, leftovers of interrupted writes, and renamed damaged files.
            try folder.removeAll(beginningWith: CredentialFile.name(of: key))
        }
    }

    public func tryLock(_ key: String) throws(CredentialStoreError) -> CredentialLock? {
        if let memory { return try memory.tryLock(key) }
        return try PrivateFolder.made(at: url).tryLock("refresh-\(CredentialFile.name(of: key))")
    }

    private func content(
        of key: String, in folder: PrivateFolder
    ) throws(CredentialStoreError) -> CredentialFile.Content? {
        try folder.read(CredentialFile.name(of: key), limit: CredentialFile.fileLimit)
            .map { CredentialFile.decode($0, key: key) }
    }

    private func newerVersion(of key: String, in folder: PrivateFolder) -> CredentialStoreError {
        CredentialStoreError(
            .newerVersion,
            message:
                "The credential file \(folder.path(of: CredentialFile.name(of: key))) was written by a newer version of DiscreteNetworking; update the program, or remove the credential and log in again."
        )
    }
}

extension FileCredentialStore: NamedCredentialStore {
    var storageName: String { "files \(url.standardizedFileURL.path)" }

    /// `nil` for the files.
    private var memory: MemoryCredentialStore? {
        (storage ?? MemoryStorage.current)?.store(named: storageName)
    }
}
