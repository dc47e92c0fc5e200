import DiscreteNetworkingSupport
package import Foundation

extension PrivateFolder {
    /// Copies a file of the app's into the directory, as a clone where the file system has clones. The copy is whole and on disk
    /// when this returns, and otherwise there is none.
    package func copy(_ source: URL, as name: String) throws(CredentialStoreError) {
        // `O_NONBLOCK`: opening a FIFO must not block.
        let file = open(source.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw CredentialStoreError(errno, "The file \(source.path)", "opened") }
        defer { close(file) }
        guard FileStatus(descriptor: file)?.isRegular == true else {
            throw CredentialStoreError(.unavailable, message: "\(source.path) is not a file.")
        }
        let new = name + ".new"
        // A leftover of a process that was killed.
        unlinkat(descriptor, new, 0)
        do throws(CredentialStoreError) {
            try copy(file, to: new)
            guard renameat(descriptor, new, descriptor, name) == 0 else { throw failure(name, "written") }
            try synchronize()
        } catch {
            unlinkat(descriptor, new, 0)
            throw error
        }
    }

    private func copy(_ source: Int32, to name: String) throws(CredentialStoreError) {
        #if canImport(Darwin)
            // A clone has the permissions of the source, which may be read-only.
            let isCloned =
                fclonefileat(source, descriptor, name, 0) == 0 && fchmodat(descriptor, name, 0o600, 0) == 0
        #else
            let isCloned = false
        #endif
        let options = isCloned ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL
        let file = openat(descriptor, name, options | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(name, "made") }
        defer { close(file) }
        guard fchmod(file, 0o600) == 0 else { throw failure(name, "made private") }
        if !isCloned {
            var buffer = [UInt8](repeating: 0, count: 256 * 1024)
            while true {
                guard let count = buffer.withUnsafeMutableBytes({ FileBytes.read(source, into: $0) }) else {
                    throw failure(name, "copied")
                }
                if count == 0 { break }
                guard buffer[..<count].withUnsafeBytes({ FileBytes.write($0, to: file) }) else {
                    throw failure(name, "written")
                }
            }
        }
        guard Self.synchronize(file) else { throw failure(name, "written") }
    }
}
