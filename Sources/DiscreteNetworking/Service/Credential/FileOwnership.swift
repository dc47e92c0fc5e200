import Foundation

/// Whether only its owner can reach an open file.
enum FileOwnership {
    /// - Throws: ``CredentialStoreError/Kind/notPrivate`` with what to do about it.
    static func check(_ descriptor: Int32, isFolder: Bool, _ path: String) throws(CredentialStoreError) {
        let name = "The \(isFolder ? "folder" : "file") \(path)"
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw CredentialStoreError(errno, name, "examined") }
        guard isFolder || status.st_mode & S_IFMT == S_IFREG else {
            throw CredentialStoreError(.notPrivate, message: "\(path) is no regular file; remove it.")
        }
        let user = geteuid()
        guard status.st_uid == user else {
            throw CredentialStoreError(
                .notPrivate,
                message:
                    "\(name) belongs to the user \(status.st_uid), but the program runs as \(user); use a folder of its own."
            )
        }
        let mode = status.st_mode & 0o777
        guard mode & 0o077 == 0 else {
            throw CredentialStoreError(
                .notPrivate,
                message:
                    "\(name) has the mode \(String(mode, radix: 8)), so others than its owner can reach it; see who did, and then say chmod \(isFolder ? "700" : "600")."
            )
        }
    }
}

extension CredentialStoreError {
    /// What the system says about a file.
    init(_ code: Int32, _ name: String, _ verb: String) {
        switch code {
        case ENOSPC, EDQUOT:
            self.init(
                .noSpace, message: "\(name) cannot be \(verb): there is no space left; make some.",
                code: Int(code))
        case ELOOP:
            self.init(.notPrivate, message: "\(name) is a symbolic link; remove it.", code: Int(code))
        default:
            self.init(
                .unavailable, message: "\(name) cannot be \(verb): \(String(cString: strerror(code))).",
                code: Int(code))
        }
    }
}
