import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads and writes completely, although the system may transfer less at a time. Errors are in `errno`.
package enum FileBytes {
    /// - Returns: The number of bytes read, fewer than requested only at the end of the file; `nil` on an
    ///   error.
    package static func read(_ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        while count < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
            let more = readFile(descriptor, rest.baseAddress, rest.count)
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { return nil }
            if more == 0 { break }
            count += more
        }
        return count
    }

    /// - Returns: Whether all bytes were written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var count = 0
        while count < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
            let more = writeFile(descriptor, rest.baseAddress, rest.count)
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { return false }
            count += more
        }
        return true
    }
}

// Wrappers for functions with the same names as those above.
private func readFile(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
