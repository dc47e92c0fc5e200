package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The metadata of a file.
package struct FileStatus: Equatable {
    package let size: Int64
    package let isRegular: Bool
    package let isDirectory: Bool
    package let owner: uid_t
    package let permissions: mode_t
    /// The number of hard links.
    package let links: Int
    /// The modification time in nanoseconds since 1970, clamped.
    package let modified: Int64
    /// The device and inode identify a file, regardless of its name.
    private let device: UInt64
    private let inode: UInt64

    /// Reads the metadata of a file, following symbolic links; returns `nil` if it does not exist.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the metadata of an open file; returns `nil` if the descriptor is not open.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the metadata of a directory entry, not following symbolic links; returns `nil` if it does not
    /// exist.
    package init?(_ name: String, in folder: Int32) {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        size = Int64(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        owner = status.st_uid
        permissions = status.st_mode & 0o7777
        links = Int(status.st_nlink)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified =
            min(max(Int64(time.tv_sec), -9_000_000_000), 9_000_000_000) * 1_000_000_000
            + Int64(time.tv_nsec)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    package func isSameFile(as other: FileStatus?) -> Bool {
        device == other?.device && inode == other?.inode
    }
}
