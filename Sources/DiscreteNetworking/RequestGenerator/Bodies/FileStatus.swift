import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system knows about a file, links followed.
struct FileStatus: Equatable {
    let size: Int64
    let isRegular: Bool
    let isDirectory: Bool
    /// The same two numbers are the same file, whatever its name.
    private let device: UInt64
    private let inode: UInt64

    /// `nil` where there is no such file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// `nil` where the descriptor is not open.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        size = Int64(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }

    func isSameFile(as other: FileStatus?) -> Bool {
        device == other?.device && inode == other?.inode
    }
}
