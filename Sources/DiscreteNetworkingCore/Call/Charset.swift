import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The encoding of a text, converted to UTF-8.
///
/// GB2312 and GBK are read as GB18030, which contains GBK, and Big5 as code page 950, as in Windows. Linux uses the
/// tables of the C library.
enum Charset: Sendable, Hashable {
    case utf8
    /// An encoding that Foundation reads on all platforms.
    case foundation(String.Encoding)
    /// An encoding that the system reads: the names of `iconv` and the numbers of Core Foundation.
    case system(iconv: String, coreFoundation: UInt32)

    /// - Parameter name: A name of the IANA registry, or another one in use, in lower case.
    init?(_ name: String) {
        switch name {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "ascii": self = .foundation(.ascii)
        case "iso-8859-1", "latin1": self = .foundation(.isoLatin1)
        case "iso-8859-2": self = .foundation(.isoLatin2)
        case "windows-1250": self = .foundation(.windowsCP1250)
        case "windows-1251": self = .foundation(.windowsCP1251)
        case "windows-1252": self = .foundation(.windowsCP1252)
        case "utf-16": self = .foundation(.utf16)
        case "utf-16be": self = .foundation(.utf16BigEndian)
        case "utf-16le": self = .foundation(.utf16LittleEndian)
        case "shift_jis": self = .foundation(.shiftJIS)
        case "euc-jp": self = .system(iconv: "EUC-JP", coreFoundation: 0x920)
        case "iso-2022-jp": self = .system(iconv: "ISO-2022-JP", coreFoundation: 0x820)
        case "gb18030", "gbk", "x-gbk", "cp936", "ms936", "windows-936", "gb2312", "gb_2312-80", "euc-cn":
            self = .system(iconv: "GB18030", coreFoundation: 0x632)
        case "big5", "cn-big5", "csbig5", "x-x-big5", "cp950", "windows-950":
            self = .system(iconv: "CP950", coreFoundation: 0x423)
        case "big5-hkscs": self = .system(iconv: "BIG5-HKSCS", coreFoundation: 0xA06)
        default: return nil
        }
    }

    /// Returns the text of some bytes in UTF-8.
    /// - Parameter limit: The maximum size of the text, in bytes.
    func utf8(of data: Data, limit: Int) throws(CharsetError) -> Data {
        switch self {
        case .utf8: data
        case .foundation(let encoding): try Self.converted(data, from: encoding, limit: limit)
        case .system(let iconv, let coreFoundation):
            try Self.converted(data, iconv: iconv, coreFoundation: coreFoundation, limit: limit)
        }
    }

    private static func converted(
        _ data: Data, from encoding: String.Encoding, limit: Int
    ) throws(CharsetError) -> Data {
        guard let text = String(data: data, encoding: encoding) else { throw .damaged }
        guard text.utf8.count <= limit else { throw .tooLarge(limit) }
        return Data(text.utf8)
    }

    #if canImport(Darwin)
        private static func converted(
            _ data: Data, iconv: String, coreFoundation: UInt32, limit: Int
        ) throws(CharsetError) -> Data {
            let encoding = CFStringConvertEncodingToNSStringEncoding(coreFoundation)
            return try converted(data, from: String.Encoding(rawValue: encoding), limit: limit)
        }
    #else
        private static func converted(
            _ data: Data, iconv name: String, coreFoundation: UInt32, limit: Int
        ) throws(CharsetError) -> Data {
            guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
                throw .unknownToSystem(name)
            }
            defer { iconv_close(converter) }
            var text = Data(capacity: min(limit, data.count + data.count / 2))
            let failure = data.withUnsafeBytes { convert($0, to: &text, by: converter, limit: limit) }
            if let failure { throw failure }
            return text
        }

        /// - Returns: Why the bytes cannot be converted; `nil` if they are.
        private static func convert(
            _ source: UnsafeRawBufferPointer, to text: inout Data, by converter: iconv_t, limit: Int
        ) -> CharsetError? {
            let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 32 << 10)
            defer { buffer.deallocate() }
            // iconv does not change its input; its declaration has no const.
            var input = source.baseAddress.map {
                UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: CChar.self))
            }
            var rest = source.count
            while true {
                // A last round without input, as POSIX asks for, writes what the converter may have held back.
                let isLast = rest == 0
                if isLast { input = nil }
                var output = buffer.baseAddress
                var space = buffer.count
                let result = iconv(converter, &input, &rest, &output, &space)
                let problem = result == -1 ? errno : 0
                let written = UnsafeRawBufferPointer(start: buffer.baseAddress, count: buffer.count - space)
                guard text.count + written.count <= limit else { return .tooLarge(limit) }
                guard problem == 0 || problem == E2BIG else { return .damagedAt(source.count - rest) }
                text.append(contentsOf: written)
                if isLast { return nil }
            }
        }
    #endif
}

/// Why bytes are not text in a charset.
enum CharsetError: Error, CustomStringConvertible {
    case damaged
    /// The offset of the first bytes that are no character.
    case damagedAt(Int)
    case tooLarge(Int)
    case unknownToSystem(String)

    var description: String {
        switch self {
        case .damaged: "the body is not text in the charset of its Content-Type."
        case .damagedAt(let offset):
            "the body is not text in the charset of its Content-Type: the bytes at \(offset) are no character."
        case .tooLarge(let limit):
            "the body has more than \(limit) bytes in UTF-8; see ServiceConfiguration.responseSizeLimit."
        case .unknownToSystem(let name):
            "this system cannot read \(name); on Linux, install the converters of iconv (glibc-gconv-extra)."
        }
    }
}
