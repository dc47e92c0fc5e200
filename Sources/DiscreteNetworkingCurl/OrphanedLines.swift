#if os(Linux)
    import CCurl

    /// Lines of a head that begin with a blank, and continue no field: they follow the status line.
    ///
    /// Versions 7.83 to 8.0 of libcurl append such a line to the last field of the exchange before, which they have freed, so that
    /// a server could write into the memory of the process. A recipient may pass over these lines (RFC 9112 section 2.2).
    struct OrphanedLines {
        /// Whether libcurl has to be kept from them. It says what it receives before it reads it, but only with all its reports,
        /// which take 3 to 4 % of the processor time of a small GET.
        static let areHarmful =
            ccurl_load(nil).map { (0x075300..<0x080100).contains($0.pointee.version_number) } ?? false

        private var isAfterField = false

        /// Makes an orphan a line without a name, which nobody takes for a field.
        mutating func disarm(_ line: UnsafeMutableRawBufferPointer) {
            guard let first = line.first else { return }
            switch first {
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                if !isAfterField { line[0] = UInt8(ascii: ":") }
                isAfterField = true
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
            // The fields of a proxy's response to CONNECT are not kept by libcurl.
            default: isAfterField = !line.starts(with: Self.version)
            }
        }

        private static let version: [UInt8] = Array("HTTP/".utf8)
    }
#endif
