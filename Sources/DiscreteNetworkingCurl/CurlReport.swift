#if os(Linux)
    import Foundation

    /// What libcurl says of the streams of an HTTP/2 connection, which it has no other way to say.
    ///
    /// The texts of versions 7.68 to 8.22. With other texts, nothing is known of the streams.
    enum CurlReport: Equatable {
        /// A request has a stream.
        case stream(UInt32)
        /// The server processes no stream after the last one (RFC 9113 section 6.8).
        case goAway(last: UInt32)
        /// The server has not processed the request (RFC 9113 section 8.7).
        case refused

        /// - Parameter text: A line. Parts of it may be the server's, but not its beginning.
        init?(_ text: UnsafeRawBufferPointer) {
            // Most lines are others.
            switch text.first {
            case UInt8(ascii: "U"):
                guard let number = Self.number(after: "Using Stream ID: ", in: text) else { return nil }
                self = .stream(number)
            case UInt8(ascii: "["):
                guard let number = Self.number(after: "[HTTP/2] [", in: text), Self.contains("OPENED", text)
                else { return nil }
                self = .stream(number)
            case UInt8(ascii: "r"):
                // 7.88 has misspelled it.
                guard Self.begins("recveived GOAWAY, ", text) || Self.begins("received GOAWAY, ", text),
                    let last = Self.lastStream(in: text)
                else { return nil }
                self = .goAway(last: last)
            case UInt8(ascii: "R"):
                guard Self.begins("REFUSED_STREAM, retrying", text) else { return nil }
                self = .refused
            case UInt8(ascii: "H"):
                guard Self.number(after: "HTTP/2 stream ", in: text) != nil,
                    Self.contains(" refused by server, try", text)
                else { return nil }
                self = .refused
            default: return nil
            }
        }

        private static func begins(_ start: StaticString, _ text: UnsafeRawBufferPointer) -> Bool {
            start.withUTF8Buffer { text.starts(with: $0) }
        }

        private static func contains(_ part: String, _ text: UnsafeRawBufferPointer) -> Bool {
            String(decoding: text, as: UTF8.self).contains(part)
        }

        private static func lastStream(in text: UnsafeRawBufferPointer) -> UInt32? {
            let text = String(decoding: text, as: UTF8.self)
            guard let name = text.range(of: ", last_stream=") else { return nil }
            return UInt32(text[name.upperBound...].prefix { $0.isASCII && $0.isNumber })
        }

        private static func number(after start: StaticString, in text: UnsafeRawBufferPointer) -> UInt32? {
            begins(start, text) ? number(text[start.utf8CodeUnitCount...]) : nil
        }

        private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> UInt32? {
            UInt32(String(decoding: text.prefix { 0x30...0x39 ~= $0 }, as: UTF8.self))
        }
    }
#endif
