import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A pipe that turns readable once `wake` is called, so that `poll` can wait for a wake-up and a socket at once. The
/// caller of `poll` closes the pipe, at the latest when the last reference goes.
final class WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32
    private let isOpen = Locked(true)

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Socket.systemError() }
        readEnd = ends[0]
        writeEnd = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit { close() }

    /// Makes the read end readable; does nothing once the pipe is closed.
    func wake() {
        isOpen.withLock { isOpen in
            var byte: UInt8 = 1
            if isOpen { _ = write(writeEnd, &byte, 1) }
        }
    }

    func close() {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            isOpen = false
            for end in [readEnd, writeEnd] { closeDescriptor(end) }
        }
    }
}

// Of the same name as the method.
private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
