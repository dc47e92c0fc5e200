import DiscreteNetworkingCore
import Foundation

/// The right to record a cassette. One recording has it at a time, of all processes.
///
/// It is a lock (`flock`) of a hidden file beside the cassette, which is removed with it. The lock of a process that has
/// crashed ends with the process. Two locks of one process exclude each other too.
final class CassetteLock: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Acquires the lock of a cassette. Its folder must exist.
    /// - Parameter opened: Called when the file of the lock is open and not locked yet.
    /// - Throws: ``ContractError`` if another recording has it, or the file system has no locks.
    init(of file: URL, opened: () -> Void = {}) throws(ContractError) {
        let name = file.lastPathComponent
        // The same for all names of a file.
        let target = file.resolvingSymlinksInPath()
        path =
            target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).recording").path
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw ContractError("The cassette \(name) cannot be written.") }
            opened()
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let reason = errno
                let holder = Self.holder(descriptor)
                close(descriptor)
                if reason == EINTR { continue }
                throw ContractError(Self.text(name, reason, holder))
            }
            // The last holder may have removed the file after it was opened here.
            if FileStatus(descriptor: descriptor)?.isSameFile(as: FileStatus(path: path)) == true {
                self.descriptor = descriptor
                break
            }
            close(descriptor)
        }
        ftruncate(descriptor, 0)
        let holder = Data("\(getpid())".utf8)
        _ = holder.withUnsafeBytes { FileBytes.write($0, to: descriptor) }
    }

    deinit {
        // In this order: whoever locks the file in between finds that it has no name any more.
        unlink(path)
        close(descriptor)
    }

    /// Returns the process that has the lock, as far as it has said so.
    private static func holder(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Int32(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    }

    private static func text(_ name: String, _ reason: Int32, _ holder: Int32?) -> String {
        guard reason == EWOULDBLOCK else {
            return
                "The cassette \(name) cannot be locked: \(String(cString: strerror(reason))). Record it to another disk."
        }
        let other =
            switch holder {
            case nil: "another recording"
            case getpid()?: "another CassetteTransport of this process"
            case let process?: "the process \(process)"
            }
        return
            "The cassette \(name) is being recorded by \(other), so that nothing was sent. Record into another file, or after the other recording: it ends when its CassetteTransport is released."
    }
}
