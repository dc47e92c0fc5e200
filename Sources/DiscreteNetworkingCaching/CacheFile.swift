import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import Foundation

/// The file format of a response: a preamble of fixed size, a head and the body. Integers are
/// little-endian.
///
///     0   "DNresp\r\n" and the format version, 4 bytes
///     12  length of the head, 4 bytes
///     16  length of the body, 8 bytes
///     24  checksum of the key, the two lengths, head and body, 8 bytes
///     32  head: date of storing (8), status (8), version, URL, header names and values in order; each text is
///         preceded by its length (4)
///         body
enum CacheFile {
    static let beginningSize = 32
    /// A limit for heads, so that a damaged length does not cause a huge allocation.
    private static let headLimit = 16 << 20

    private static let title = Data("DNresp\r\n".utf8) + Data([1, 0, 0, 0])

    /// The lengths of the head and the body.
    struct Lengths: Equatable {
        var head: Int
        var body: Int
    }

    /// Returns everything before the body; `nil` if the head is too long.
    static func encode(_ response: CachedResponse, for key: CacheFileKey) -> Data? {
        var head = ByteWriter()
        head.append(response.storedAt.timeIntervalSinceReferenceDate.bitPattern)
        head.append(Int64(response.status))
        head.append(response.version)
        head.append(response.url.absoluteString)
        for field in response.headers {
            head.append(field.name.rawName)
            head.append(field.value)
        }
        guard head.data.count <= headLimit else { return nil }
        var lengths = ByteWriter()
        lengths.append(UInt32(head.data.count))
        lengths.append(UInt64(response.body.count))
        var checksum = ByteWriter()
        checksum.append(Self.checksum(key, lengths.data, head.data, response.body))
        return title + lengths.data + checksum.data + head.data
    }

    /// Returns the lengths in a preamble.
    /// - Parameter beginning: The first ``beginningSize`` bytes of the file.
    /// - Returns: `nil` if the preamble is invalid for a file of this size.
    static func lengths(_ beginning: Data, fileSize: Int64) -> Lengths? {
        var reader = ByteReader(beginning.dropFirst(title.count))
        guard beginning.prefix(title.count) == title, let head = reader.next(UInt32.self),
            let body = reader.next(UInt64.self), head <= headLimit
        else { return nil }
        let rest = fileSize - Int64(beginningSize) - Int64(head)
        guard rest >= 0, body == UInt64(rest), let body = Int(exactly: body) else { return nil }
        return Lengths(head: Int(head), body: body)
    }

    /// Decodes a file.
    /// - Returns: `nil` if the checksum does not match the content and the key.
    static func decode(beginning: Data, head: Data, body: Data, for key: CacheFileKey) -> CachedResponse? {
        let lengths = beginning.dropFirst(title.count).prefix(12)
        var reader = ByteReader(beginning.dropFirst(title.count + 12))
        guard reader.next(UInt64.self) == checksum(key, lengths, head, body) else { return nil }
        reader = ByteReader(head)
        guard let storedAt = reader.next(UInt64.self),
            let status = reader.next(Int64.self).flatMap(Int.init(exactly:)),
            let version = reader.text(), let url = reader.text().flatMap({ URL(string: $0) })
        else { return nil }
        var headers = HTTPFields()
        while !reader.isAtEnd {
            guard let name = reader.text().flatMap({ try? HTTPFields.Name(validating: $0) }),
                let value = reader.text()
            else { return nil }
            headers.append(name, value)
        }
        return CachedResponse(
            url: url, status: status, headers: headers, body: body,
            storedAt: Date(timeIntervalSinceReferenceDate: Double(bitPattern: storedAt)), version: version)
    }

    /// Includes the key, to detect a file stored under another key's name.
    private static func checksum(_ key: CacheFileKey, _ parts: Data...) -> UInt64 {
        ([Data(key.entry.utf8)] + parts).reduce(0) { before, part in
            part.withUnsafeBytes { XXHash64.hash($0, seed: before) }
        }
    }
}

/// Writes integers and texts.
private struct ByteWriter {
    var data = Data()

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    mutating func append(_ text: String) {
        append(UInt32(clamping: text.utf8.count))
        data.append(contentsOf: text.utf8)
    }
}

/// Reads integers and texts.
private struct ByteReader {
    private var rest: Data

    init(_ data: Data) { rest = data }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        take(MemoryLayout<Number>.size).map { bytes in
            Number(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: Number.self) })
        }
    }

    mutating func text() -> String? {
        // The checksum guarantees valid UTF-8; decoding this way keeps a byte order mark.
        next(UInt32.self).flatMap { take(Int(clamping: $0)) }.map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func take(_ count: Int) -> Data? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
