import Foundation

/// Checks the owner and the permissions of an open file.
enum FileOwnership {
    /// Checks that only the current user can access a file.
    /// - Throws: ``CredentialStoreError/Kind/notPrivate``.
    static func check(_ descriptor: Int32, isFolder: Bool, _ path: String) throws(CredentialStoreError) {
        let name = "The \(isFolder ? "folder" : "file") \(path)"
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw CredentialStoreError(errno, name, "examined") }
        guard isFolder || status.st_mode & S_IFMT == S_IFREG else {
            throw notRegular(path)
        }
        let user = geteuid()
        guard status.st_uid == user else {
            throw CredentialStoreError(
                .notPrivate,
                message:
                    "\(name) is owned by user \(status.st_uid), but the program runs as user \(user); use another folder."
            )
        }
        let mode = status.st_mode & 0o777
        guard mode & 0o077 == 0 else {
            throw CredentialStoreError(
                .notPrivate,
                message:
                    "\(name) is accessible to other users (mode \(String(mode, radix: 8))); run chmod \(isFolder ? "700" : "600") after checking why."
            )
        }
    }

    static func notRegular(_ path: String) -> CredentialStoreError {
        CredentialStoreError(.notPrivate, message: "\(path) is not a regular file; remove it.")
    }
}

extension CredentialStoreError {
    /// Creates an error from an `errno` value.
    init(_ code: Int32, _ name: String, _ verb: String) {
        switch code {
        case ENOSPC, EDQUOT:
            self.init(
                .noSpace, message: "\(name) cannot be \(verb): no space left on the device; free some space.",
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
