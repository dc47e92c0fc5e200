#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The bytes of generated bodies: byte `i` is `i % 251`, so that no power of two hides a shift.
enum BytePattern {
    private static let period = 251

    /// A whole number of periods, so that blocks join without a seam.
    static let block = (0..<period << 10).map { UInt8($0 % period) }

    /// Whether these are the pattern's bytes from a place on.
    static func matches(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        block.withUnsafeBytes { block in
            var rest = bytes
            var phase = offset % period
            while let start = rest.baseAddress, let expected = block.baseAddress, !rest.isEmpty {
                let count = min(rest.count, block.count - phase)
                guard memcmp(start, expected + phase, count) == 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                phase = 0
            }
            return true
        }
    }
}
