import Foundation

extension Charset {
    /// Returns a JSON text in UTF-8: the data itself, unless it has another encoding.
    ///
    /// UTF-16 and UTF-32 are recognized by their byte order mark or their zeros (RFC 4627 section 3), all others by the
    /// charset of `Content-Type`. Many servers name a charset of single bytes by default, and send UTF-8: bytes that are
    /// UTF-8 are read as UTF-8 then.
    /// - Parameter limit: The maximum size of the text, in bytes.
    static func json(_ data: Data, named name: String?, limit: Int) throws(CharsetError) -> Data {
        if let (charset, mark) = unicode(data) {
            return try charset.utf8(of: data.dropFirst(mark), limit: limit)
        }
        guard let name, let charset = Charset(name), charset != .utf8 else { return data }
        if charset.hasSingleBytes, String(data: data, encoding: .utf8) != nil { return data }
        return try charset.utf8(of: data, limit: limit)
    }

    /// The encoding of a text with a byte order mark of so many bytes, or with units of 16 or 32 bits that begin with an ASCII
    /// character; `nil` if it has neither.
    private static func unicode(_ data: Data) -> (Charset, mark: Int)? {
        guard data.count >= 2 else { return nil }
        let (first, second) = (data[data.startIndex], data[data.startIndex + 1])
        if first != 0, second != 0, first < 0xEF { return nil }
        if data.starts(with: mark) {
            // The reader passes over one as well, and finds the second only with the first before it.
            return (.utf8, data.dropFirst(3).starts(with: mark) ? 0 : 3)
        }
        let more = data.dropFirst(2).prefix(2)
        let hasZeros = more.count == 2 && more.allSatisfy { $0 == 0 }
        switch (first, second) {
        case (0xFF, 0xFE):
            return hasZeros ? (.foundation(.utf32LittleEndian), 4) : (.foundation(.utf16LittleEndian), 2)
        case (0xFE, 0xFF): return (.foundation(.utf16BigEndian), 2)
        case (0, 0): return (.foundation(.utf32BigEndian), Array(more) == [0xFE, 0xFF] ? 4 : 0)
        case (0, _): return (.foundation(.utf16BigEndian), 0)
        case (_, 0): return (.foundation(hasZeros ? .utf32LittleEndian : .utf16LittleEndian), 0)
        default: return nil
        }
    }

    /// U+FEFF in UTF-8.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var hasSingleBytes: Bool {
        guard case .foundation(let encoding) = self else { return false }
        let encodings: [String.Encoding] = [
            .ascii, .isoLatin1, .isoLatin2, .windowsCP1250, .windowsCP1251, .windowsCP1252,
        ]
        return encodings.contains(encoding)
    }
}
