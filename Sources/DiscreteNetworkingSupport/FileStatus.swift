import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system knows about a file.
package struct FileStatus: Equatable {
    package let size: Int64
    package let isRegular: Bool
    package let isDirectory: Bool
    package let owner: uid_t
    package let permissions: mode_t
    /// How many names it has.
    package let links: Int
    /// When it was changed last, in nanoseconds since 1970; times that no clock shows are cut off.
    package let modified: Int64
    /// The same two numbers are the same file, whatever its name.
    private let device: UInt64
    private let inode: UInt64

    /// Links followed; `nil` where there is no such file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// `nil` where the descriptor is not open.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of what stands in an open folder, links not followed; `nil` where nothing does.
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
