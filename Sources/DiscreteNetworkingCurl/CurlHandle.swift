#if os(Linux)
    import CCurl
    import Foundation

    /// One easy handle, used for one exchange after the other: options that are the same for all of them are
    /// set once.
    final class CurlHandle {
        let easy: OpaquePointer
        /// What the callbacks work for.
        var transfer: CurlTransfer?
        /// Whether options are set that the next exchange must not find.
        private var isSoiled = false
        /// Whether the exchange has a connection that is never another's.
        private var isAlone = false
        private var lines: OpaquePointer?
        private var linesOf = HTTPFields()
        private var linesAreForBody = false
        private let configuration: CurlConfiguration
        private let usesProxy: Bool
        private let detail = UnsafeMutablePointer<CChar>.allocate(capacity: CurlHandle.detailSize)
        /// The first option of the exchange that libcurl did not take.
        private var failure = Int32(CCURLE_OK)
        /// The first of those that all exchanges have in common. A handle that lacks one, a pin perhaps, is of
        /// no use to any.
        private(set) var setUpFailure: TransportError?

        private static let detailSize = 256  // CURL_ERROR_SIZE

        init(_ easy: OpaquePointer, _ configuration: CurlConfiguration) {
            self.easy = easy
            self.configuration = configuration
            usesProxy = configuration.proxy.isInUse
            detail.initialize(repeating: 0, count: Self.detailSize)
            setUp()
        }

        deinit {
            ccurl_easy_free(easy)
            ccurl_list_free(lines)
            detail.deallocate()
        }

        /// Seconds of silence before, and between, the probes of TCP.
        private static let keepAliveTime = 15

        /// libcurl's own words about the failure of the last exchange.
        var text: String { String(cString: detail) }

        // MARK: Options

        func set(_ option: Int, _ value: Int) { note(ccurl_set_long(easy, Int32(option), value)) }
        /// A size that libcurl may refuse, as it does while a handle still has the buffer of its last exchange.
        private func hint(_ option: Int, _ value: Int) { _ = ccurl_set_long(easy, Int32(option), value) }
        func set(_ option: Int, _ value: String?) { note(ccurl_set_text(easy, Int32(option), value)) }
        private func set(_ option: Int, size: Int64) { note(ccurl_set_size(easy, Int32(option), size)) }
        private func set(_ option: Int, _ value: UnsafeRawPointer?) {
            note(ccurl_set_pointer(easy, Int32(option), value))
        }
        private func note(_ code: Int32) { if failure == Int32(CCURLE_OK) { failure = code } }

        /// What all exchanges have in common.
        private func setUp() {
            let me = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            set(CCURLOPT_PRIVATE, me)
            set(CCURLOPT_NOSIGNAL, 1)
            set(CCURLOPT_ERRORBUFFER, UnsafeRawPointer(detail))
            set(CCURLOPT_PROTOCOLS, CCURLPROTO_HTTP | CCURLPROTO_HTTPS)
            set(CCURLOPT_PATH_AS_IS, 1)
            set(CCURLOPT_HTTP09_ALLOWED, 0)
            set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            // Freeing 64 KB or more makes glibc tidy up its whole heap, after each exchange.
            hint(CCURLOPT_BUFFERSIZE, 32 * 1024)
            set(CCURLOPT_WRITEDATA, me)
            set(CCURLOPT_HEADERDATA, me)
            note(ccurl_set_data_callback(easy, Int32(CCURLOPT_WRITEFUNCTION), CurlCallbacks.write))
            note(ccurl_set_data_callback(easy, Int32(CCURLOPT_HEADERFUNCTION), CurlCallbacks.header))
            // Since 7.80; before, libcurl alone decides about repeats.
            if ccurl_set_prerequest_callback(easy, CurlCallbacks.prerequest) == Int32(CCURLE_OK) {
                set(CCURLOPT_PREREQDATA, me)
            }
            note(ccurl_set_socket_option_callback(easy, CurlCallbacks.socket))
            set(CCURLOPT_SOCKOPTDATA, me)
            // A connection whose other side is gone without a word ends, though nothing is sent on it.
            set(CCURLOPT_TCP_KEEPALIVE, 1)
            set(CCURLOPT_TCP_KEEPIDLE, Self.keepAliveTime)
            set(CCURLOPT_TCP_KEEPINTVL, Self.keepAliveTime)
            set(CCURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(configuration.connectTimeout))
            switch configuration.httpVersion {
            case .automatic: set(CCURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_2TLS)
            case .http1: set(CCURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_1_1)
            case .http2PriorKnowledge: set(CCURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
            }
            switch configuration.proxy {
            case .environment: break
            case .direct: set(CCURLOPT_PROXY, "")
            case .url(let url, let exceptions):
                set(CCURLOPT_PROXY, url.absoluteString)
                set(CCURLOPT_NOPROXY, exceptions.joined(separator: ","))
            }
            if let path = configuration.unixSocketPath { set(CCURLOPT_UNIX_SOCKET_PATH, path) }
            setUp(configuration.tls)
            setUpFailure = failure == Int32(CCURLE_OK) ? nil : TransportError(curl: failure)
            failure = Int32(CCURLE_OK)
        }

        private func setUp(_ tls: TLSPolicy) {
            set(
                CCURLOPT_SSLVERSION,
                tls.minimumVersion == .tls13 ? CCURL_SSLVERSION_TLSv1_3 : CCURL_SSLVERSION_TLSv1_2)
            if let file = tls.certificateAuthorities { set(CCURLOPT_CAINFO, file.path) }
            if !tls.pinnedPublicKeys.isEmpty {
                set(CCURLOPT_PINNEDPUBLICKEY, tls.pinnedPublicKeys.joined(separator: ";"))
            }
            switch tls.clientCertificate {
            case nil: break
            case .pkcs12(let file, let passphrase):
                set(CCURLOPT_SSLCERTTYPE, "P12")
                set(CCURLOPT_SSLCERT, file.path)
                set(CCURLOPT_KEYPASSWD, passphrase)
            case .pem(let certificate, let key, let passphrase):
                set(CCURLOPT_SSLCERT, certificate.path)
                set(CCURLOPT_SSLKEY, key.path)
                if let passphrase { set(CCURLOPT_KEYPASSWD, passphrase) }
            }
        }

        /// What is particular to one exchange.
        func prepare(for transfer: CurlTransfer) throws(TransportError) {
            if isSoiled { reset() }
            if let setUpFailure { throw setUpFailure }
            self.transfer = transfer
            detail[0] = 0
            let request = transfer.request
            set(CCURLOPT_URL, transfer.url)
            // Each iteration of the loop reads one buffer. A body that is read as it comes is worth a bigger one.
            hint(CCURLOPT_BUFFERSIZE, transfer.isStream ? 128 * 1024 : 32 * 1024)
            // Whether the first connection can carry this exchange too is worth waiting for where a handshake
            // will tell; without TLS only the first response would.
            let isSecure = request.url.scheme?.lowercased() == "https"
            let hasPriorKnowledge = configuration.httpVersion == .http2PriorKnowledge
            set(CCURLOPT_PIPEWAIT, isSecure || hasPriorKnowledge ? 1 : 0)
            isAlone = hasPriorKnowledge && !isSecure && Self.cannotShareByPriorKnowledge
            set(CCURLOPT_FRESH_CONNECT, isAlone || transfer.origin.hasDeadConnection ? 1 : 0)
            set(CCURLOPT_FORBID_REUSE, isAlone ? 1 : 0)
            if request.method == .head {
                soil(CCURLOPT_NOBODY, 1)
            } else if request.method != .get || transfer.upload != nil {
                isSoiled = true
                set(CCURLOPT_CUSTOMREQUEST, request.method.rawValue)
            }
            if usesProxy, configuration.proxy.leadsAway(from: HostName.normal(request.url.host ?? "")) {
                isSoiled = true
                set(CCURLOPT_PROXY, "")
            }
            if let upload = transfer.upload { prepare(upload, of: request) }
            if case .digest(let user, let password)? = request.credential {
                soil(CCURLOPT_HTTPAUTH, CCURLAUTH_DIGEST)
                set(CCURLOPT_USERNAME, user)
                set(CCURLOPT_PASSWORD, password)
            }
            if request.onProgress != nil {
                soil(CCURLOPT_NOPROGRESS, 0)
                set(CCURLOPT_XFERINFODATA, UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
                note(ccurl_set_progress_callback(easy, CurlCallbacks.progress))
            }
            try setLines(request, hasBody: transfer.upload != nil)
            guard failure == Int32(CCURLE_OK) else { throw TransportError(curl: failure) }
        }

        /// Has the connection closed when the last exchange leaves it.
        func closeConnection() { hint(CCURLOPT_FORBID_REUSE, 1) }

        /// libcurl 7.88 begins HTTP/2 anew for each exchange of a connection that is known to speak it; mended in
        /// 8.0.
        private static let cannotShareByPriorKnowledge =
            (ccurl_load(nil)?.pointee.version_number ?? 0) >> 8 == 0x758

        private func soil(_ option: Int, _ value: Int) {
            isSoiled = true
            set(option, value)
        }

        private func prepare(_ upload: CurlUpload, of request: APIRequest) {
            if let length = upload.length, length <= Self.inlineBody, case .data(let data) = request.body {
                set(CCURLOPT_POSTFIELDSIZE_LARGE, size: length)
                data.withUnsafeBytes { bytes in
                    // libcurl copies as many bytes as it was just told; it wants a pointer even for none.
                    withUnsafePointer(to: 0) {
                        set(CCURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer($0))
                    }
                }
                return
            }
            let me = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            set(CCURLOPT_UPLOAD, 1)
            set(CCURLOPT_INFILESIZE_LARGE, size: upload.length ?? -1)
            hint(CCURLOPT_UPLOAD_BUFFERSIZE, 256 * 1024)
            set(CCURLOPT_READDATA, me)
            set(CCURLOPT_SEEKDATA, me)
            note(ccurl_set_data_callback(easy, Int32(CCURLOPT_READFUNCTION), CurlCallbacks.read))
            note(ccurl_set_seek_callback(easy, CurlCallbacks.seek))
        }

        /// A body up to this size is handed over at once, and goes out with the head.
        private static let inlineBody = 16 * 1024

        /// The header lines; those of the exchange before where they are the same, as they mostly are.
        private func setLines(_ request: APIRequest, hasBody: Bool) throws(TransportError) {
            if lines == nil || hasBody != linesAreForBody || !request.headers.elementsEqual(linesOf) {
                do { try request.headers.validate() } catch { throw TransportError(error) }
                ccurl_list_free(lines)
                lines = Self.lines(request.headers, hasBody: hasBody)
                (linesOf, linesAreForBody) = (request.headers, hasBody)
            }
            note(ccurl_set_list(easy, Int32(CCURLOPT_HTTPHEADER), lines))
        }

        private static func lines(_ headers: HTTPFields, hasBody: Bool) -> OpaquePointer? {
            var list: OpaquePointer?
            func add(_ line: String) { list = ccurl_list_append(list, line) }
            // How long the body is, and where it ends, only the transport knows.
            let own: [HTTPFields.Name] = ["Content-Length", "Transfer-Encoding"]
            for field in headers where !own.contains(field.name) {
                // A semicolon is libcurl's sign for a header without a value.
                add(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
            }
            // libcurl's own defaults are not the caller's.
            if headers["Accept"] == nil { add("Accept:") }
            if headers["Accept-Encoding"] == nil, let accepted = ContentCoding.accepted {
                add("Accept-Encoding: \(accepted)")
            }
            if hasBody, headers["Content-Type"] == nil { add("Content-Type:") }
            if hasBody, headers["Expect"] == nil { add("Expect:") }
            return list
        }

        /// Forgets the exchange.
        func release() {
            transfer = nil
            failure = Int32(CCURLE_OK)
        }

        private func reset() {
            ccurl_easy_reset(easy)
            isSoiled = false
            setUp()
        }

        static func milliseconds(_ seconds: TimeInterval) -> Int {
            seconds < 2_000_000 ? max(1, Int((seconds * 1000).rounded(.up))) : 2_000_000_000
        }

        // MARK: What came of it

        func size(_ info: Int) -> Int64 {
            var value: Int64 = 0
            return ccurl_get_size(easy, Int32(info), &value) == Int32(CCURLE_OK) ? value : 0
        }

        func number(_ info: Int) -> Int {
            var value = 0
            return ccurl_get_long(easy, Int32(info), &value) == Int32(CCURLE_OK) ? value : 0
        }

        /// Times in libcurl are microseconds from the start, 0 where a phase did not happen.
        var metrics: TransportMetrics {
            func seconds(_ info: Int) -> TimeInterval? {
                let microseconds = size(info)
                return microseconds > 0 ? TimeInterval(microseconds) / 1e6 : nil
            }
            var metrics = TransportMetrics()
            let isReused = number(CCURLINFO_NUM_CONNECTS) == 0
            metrics.reusedConnection = isReused
            if !isReused {
                metrics.nameLookup = seconds(CCURLINFO_NAMELOOKUP_TIME_T)
                metrics.connect = seconds(CCURLINFO_CONNECT_TIME_T)
                metrics.secureConnection = seconds(CCURLINFO_APPCONNECT_TIME_T)
            }
            metrics.firstByte = seconds(CCURLINFO_STARTTRANSFER_TIME_T)
            metrics.end = seconds(CCURLINFO_TOTAL_TIME_T)
            metrics.bytesSent = size(CCURLINFO_SIZE_UPLOAD_T)
            metrics.bytesReceived = size(CCURLINFO_SIZE_DOWNLOAD_T)
            metrics.protocolVersion = isHTTP2 ? "HTTP/2" : "HTTP/1.1"
            return metrics
        }

        private var isHTTP2: Bool { number(CCURLINFO_HTTP_VERSION) == CCURL_HTTP_VERSION_2_0 }

        /// Whether the connection could carry other exchanges too; `nil` before an answer tells.
        var isMultiplexed: Bool? { number(CCURLINFO_HTTP_VERSION) == 0 ? nil : isHTTP2 && !isAlone }
    }
#endif
