#if os(Linux)
    import CCurl

    /// The header lines of an exchange for libcurl. If they are equal to the lines of the previous exchange, as they
    /// usually are, those lines are kept.
    final class CurlHeaderLines {
        private(set) var list: OpaquePointer?
        private var fields = HTTPFields()
        private var isForBody = false

        deinit { ccurl_list_free(list) }

        /// - Returns: Whether the list is another one than before. libcurl must then no longer use that before.
        func update(_ headers: HTTPFields, hasBody: Bool) throws(TransportError) -> Bool {
            guard list == nil || hasBody != isForBody || !headers.elementsEqual(fields) else { return false }
            do { try headers.validate() } catch { throw TransportError(error) }
            ccurl_list_free(list)
            list = Self.lines(headers, hasBody: hasBody)
            (fields, isForBody) = (headers, hasBody)
            return true
        }

        private static func lines(_ headers: HTTPFields, hasBody: Bool) -> OpaquePointer? {
            var list: OpaquePointer?
            func add(_ line: String) { list = ccurl_list_append(list, line) }
            // Only the transport knows the length and framing of the body.
            let own: [HTTPFields.Name] = ["Content-Length", "Transfer-Encoding"]
            for field in headers where !own.contains(field.name) {
                // `Name;` is libcurl's syntax for a header without a value, which blanks are, too (RFC 9110 section 5.5).
                let isEmpty = field.value.utf8.allSatisfy {
                    $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
                }
                add(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
            }
            // Removes libcurl's own default headers.
            if headers["Accept"] == nil { add("Accept:") }
            if headers["Accept-Encoding"] == nil, let accepted = ContentCoding.accepted {
                add("Accept-Encoding: \(accepted)")
            }
            if hasBody, headers["Content-Type"] == nil { add("Content-Type:") }
            if hasBody, headers["Expect"] == nil { add("Expect:") }
            return list
        }
    }
#endif
