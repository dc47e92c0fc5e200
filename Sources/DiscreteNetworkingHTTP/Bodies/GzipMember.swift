package import Foundation

#if canImport(Compression)
    import Compression
#elseif os(Linux)
    import CCodings
#endif

/// A gzip member (RFC 1952): a header, data compressed with DEFLATE (RFC 1951), a checksum and a length.
package struct GzipMember: Sendable {
    /// The bytes of the member.
    package let data: Data

    /// Compresses data.
    /// - Returns: `nil` if the member would not be smaller than the data, or the system has no zlib.
    package init?(_ content: Data) {
        let room = content.count - Self.header.count - Self.trailerSize - 1
        guard room > 0, let deflated = Self.deflated(content, room: room) else { return nil }
        var data = Data(capacity: Self.header.count + deflated.count + Self.trailerSize)
        data.append(contentsOf: Self.header)
        data.append(deflated)
        for number in [Self.checksum(content), UInt32(truncatingIfNeeded: content.count)] {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                data.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        self.data = data
    }

    /// Magic number, DEFLATE, no flags, no time, default level, unknown system (RFC 1952 section 2.3.1). Equal data has equal
    /// members, so that a repeated request is identical.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    private static let trailerSize = 8

    /// Compresses data without a frame.
    /// - Returns: `nil` if it needs more room.
    private static func deflated(_ content: Data, room: Int) -> Data? {
        var output = Data(count: room)
        let count = content.withUnsafeBytes { content in
            output.withUnsafeMutableBytes { output in
                guard let source = content.bindMemory(to: UInt8.self).baseAddress,
                    let target = output.bindMemory(to: UInt8.self).baseAddress
                else { return 0 }
                #if canImport(Compression)
                    // Apple's "zlib" is DEFLATE without zlib's frame.
                    return compression_encode_buffer(
                        target, output.count, source, content.count, nil, COMPRESSION_ZLIB)
                #elseif os(Linux)
                    return ccoding_deflate(source, content.count, target, output.count)
                #else
                    return 0
                #endif
            }
        }
        return count > 0 ? output.prefix(count) : nil
    }

    // MARK: CRC-32

    /// Returns the CRC-32 of data (RFC 1952 section 8).
    package static func checksum(_ data: Data) -> UInt32 {
        let table = table
        return data.withUnsafeBytes { bytes in
            ~bytes.reduce(~0) { sum, byte in
                table[Int(truncatingIfNeeded: (sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8
            }
        }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }
}
