import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads and writes all that is asked for, where the system may take a part at a time. `errno` says why not.
package enum FileBytes {
    /// - Returns: how many bytes were read, fewer only at the end of the file; `nil` where it cannot be read.
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

    /// - Returns: whether all was written.
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

// Of the same names as the functions above.
private func readFile(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}
private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
