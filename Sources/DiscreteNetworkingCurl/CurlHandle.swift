#if os(Linux)
    import CCurl
    import Foundation

    /// An easy handle, reused for consecutive exchanges: common options are set once.
    final class CurlHandle {
        let easy: OpaquePointer
        /// The transfer that the callbacks serve.
        var transfer: CurlTransfer?
        /// Whether options are set that must not apply to the next exchange.
        private var needsReset = false
        /// The user and the server of the last challenge. libcurl keeps its nonce in the handle.
        private(set) var challenge: DigestChallenge?
        /// Whether libcurl can say what it does.
        private var canReport = false
        /// What was received of the exchange's heads.
        var orphans = OrphanedLines()
        /// The socket that libcurl has last waited for.
        private var descriptor: Int32?
        /// Whether the exchange has an exclusive connection.
        private(set) var isAlone = false
        /// What was last set of the options that consecutive exchanges share; `nil` before, and after a reset.
        private var shared: SharedOptions?
        private struct SharedOptions {
            var url: String
            var isStream, waits, isFresh, isClosed, reports: Bool
        }
        private let lines = CurlHeaderLines()
        private var areLinesSet = false
        private let configuration: CurlConfiguration
        /// Tracks the connections, which may outlive this handle.
        let sockets: CurlSockets?
        let way: CurlWay
        private let hosts = CurlHostLines()
        private let detail = UnsafeMutablePointer<CChar>.allocate(capacity: CurlHandle.detailSize)
        /// The first error of setting the exchange's options.
        private var failure = Int32(CCURLE_OK)
        /// The first error of setting common options. A handle that lacks one, such as a pin, must not be
        /// used.
        private(set) var setUpFailure: TransportError?

        private static let detailSize = 256  // CURL_ERROR_SIZE

        /// - Parameters:
        ///   - way: The proxy and the authorities.
        ///   - sockets: Tracks the connections. It must outlive them.
        init(
            _ easy: OpaquePointer, _ configuration: CurlConfiguration, _ way: CurlWay, sockets: CurlSockets?
        ) {
            self.easy = easy
            self.configuration = configuration
            self.sockets = sockets
            self.way = way
            detail.initialize(repeating: 0, count: Self.detailSize)
            setUp()
        }

        deinit {
            ccurl_easy_free(easy)
            detail.deallocate()
        }

        /// The interval of TCP keep-alive probes, in seconds.
        private static let keepAliveTime = 15

        /// libcurl's description of the last error.
        var text: String { String(cString: detail) }

        // MARK: Options

        func set(_ option: Int, _ value: Int) { note(ccurl_set_long(easy, Int32(option), value)) }
        /// Sets a size that libcurl may reject, as while a handle still has the buffer of its last
        /// exchange.
        func hint(_ option: Int, _ value: Int) { _ = ccurl_set_long(easy, Int32(option), value) }
        func set(_ option: Int, _ value: String) {
            // Passing the string itself as a C string would copy it.
            note(value.withCString { ccurl_set_text(easy, Int32(option), $0) })
        }
        func set(_ option: Int, size: Int64) { note(ccurl_set_size(easy, Int32(option), size)) }
        func set(_ option: Int, _ value: UnsafeRawPointer?) {
            note(ccurl_set_pointer(easy, Int32(option), value))
        }
        func note(_ code: Int32) { if failure == Int32(CCURLE_OK) { failure = code } }

        /// Sets the options common to all exchanges.
        private func setUp() {
            let me = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
            set(CCURLOPT_PRIVATE, me)
            set(CCURLOPT_NOSIGNAL, 1)
            set(CCURLOPT_ERRORBUFFER, UnsafeRawPointer(detail))
            set(CCURLOPT_PROTOCOLS, CCURLPROTO_HTTP | CCURLPROTO_HTTPS)
            set(CCURLOPT_PATH_AS_IS, 1)
            set(CCURLOPT_HTTP09_ALLOWED, 0)
            set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            // `ChunkedCoding` decodes, since libcurl accepts malformed chunks. It still finds their end.
            set(CCURLOPT_HTTP_TRANSFER_DECODING, 0)
            // With the standard 16 KB, 1 MB takes 1.1 to 1.4 of the time. Freeing 64 KB makes glibc trim its heap each time.
            hint(CCURLOPT_BUFFERSIZE, 32 * 1024)
            set(CCURLOPT_WRITEDATA, me)
            set(CCURLOPT_HEADERDATA, me)
            note(ccurl_set_data_callback(easy, Int32(CCURLOPT_WRITEFUNCTION), CurlCallbacks.write))
            note(ccurl_set_data_callback(easy, Int32(CCURLOPT_HEADERFUNCTION), CurlCallbacks.header))
            // Available since 7.80; before that, libcurl alone decides about repeats.
            if ccurl_set_prerequest_callback(easy, CurlCallbacks.prerequest) == Int32(CCURLE_OK) {
                set(CCURLOPT_PREREQDATA, me)
            }
            canReport = ccurl_set_report_callback(easy, CurlCallbacks.report) == Int32(CCURLE_OK)
            if canReport { set(CCURLOPT_DEBUGDATA, me) }
            note(ccurl_set_socket_option_callback(easy, CurlCallbacks.socket))
            set(CCURLOPT_SOCKOPTDATA, me)
            if let sockets {
                note(ccurl_set_close_socket_callback(easy, CurlCallbacks.close))
                set(CCURLOPT_CLOSESOCKETDATA, UnsafeRawPointer(Unmanaged.passUnretained(sockets).toOpaque()))
            }
            // TCP keep-alive detects peers that vanished without closing the connection.
            set(CCURLOPT_TCP_KEEPALIVE, 1)
            set(CCURLOPT_TCP_KEEPIDLE, Self.keepAliveTime)
            set(CCURLOPT_TCP_KEEPINTVL, Self.keepAliveTime)
            set(CCURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(configuration.connectTimeout))
            switch configuration.httpVersion {
            case .automatic: set(CCURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_2TLS)
            case .http1: set(CCURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_1_1)
            case .http2PriorKnowledge: set(CCURLOPT_HTTP_VERSION, CCURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
            }
            switch way.proxy {
            // libcurl would search the environment for each exchange.
            case .environment: if !way.usesProxy { setDirect() }
            case .direct: setDirect()
            case .url(let url, let exceptions):
                set(CCURLOPT_PROXY, url.absoluteString)
                set(CCURLOPT_NOPROXY, exceptions.joined(separator: ","))
            }
            if let path = configuration.unixSocketPath { set(CCURLOPT_UNIX_SOCKET_PATH, path) }
            setUp(configuration.tls)
            setUpFailure = failure == Int32(CCURLE_OK) ? nil : TransportError(curl: failure)
            failure = Int32(CCURLE_OK)
        }

        private func setDirect() {
            set(CCURLOPT_PROXY, "")
            set(CCURLOPT_NOPROXY, "")
        }

        /// Sets the options of an exchange.
        /// - Parameter hosts: The lines of ``CurlHostTable`` for the exchange.
        func prepare(for transfer: CurlTransfer, hosts lines: [String]) throws(TransportError) {
            if needsReset {
                if let challenge, challenge == transfer.challenge { renew() } else { reset() }
            }
            if let setUpFailure { throw setUpFailure }
            challenge = transfer.challenge
            self.transfer = transfer
            orphans = OrphanedLines()
            detail[0] = 0
            let exchange = transfer.exchange
            let method = exchange.request.method
            let hasPriorKnowledge = configuration.httpVersion == .http2PriorKnowledge
            let mayMultiplex = exchange.isSecure || hasPriorKnowledge
            isAlone = hasPriorKnowledge && !exchange.isSecure && Self.cannotShareByPriorKnowledge
            set(
                SharedOptions(
                    url: exchange.url, isStream: transfer.isStream, waits: mayMultiplex,
                    isFresh: isAlone || transfer.origin.hasDeadConnection, isClosed: isAlone,
                    reports: canReport
                        && (OrphanedLines.areHarmful || isAlone
                            || mayMultiplex && transfer.origin.mayBeMultiplexed
                                && configuration.httpVersion != .http1)
                ))
            if method == .head {
                soil(CCURLOPT_NOBODY, 1)
            } else if method != .get || transfer.upload != nil {
                needsReset = true
                set(CCURLOPT_CUSTOMREQUEST, method.rawValue)
            }
            if way.usesProxy, way.proxy.leadsAway(from: HostName.normal(exchange.host)) {
                needsReset = true
                set(CCURLOPT_PROXY, "")
            }
            if let upload = transfer.upload { prepare(upload, of: exchange.request) }
            if case .digest(let user, let password)? = exchange.request.credential {
                soil(CCURLOPT_HTTPAUTH, CCURLAUTH_DIGEST)
                set(CCURLOPT_USERNAME, user)
                set(CCURLOPT_PASSWORD, password)
            }
            if exchange.request.onProgress != nil {
                soil(CCURLOPT_NOPROGRESS, 0)
                set(CCURLOPT_XFERINFODATA, UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
                note(ccurl_set_progress_callback(easy, CurlCallbacks.progress))
            }
            if hosts.update(lines) { note(ccurl_set_list(easy, Int32(CCURLOPT_RESOLVE), hosts.list)) }
            try setLines(exchange.request.headers, hasBody: transfer.upload != nil)
            guard failure == Int32(CCURLE_OK) else {
                // What was set is unknown.
                needsReset = true
                throw TransportError(curl: failure)
            }
        }

        /// Sets the options that differ from the previous exchange. Most exchanges of a handle have the same options.
        private func set(_ options: SharedOptions) {
            let last = shared
            shared = options
            if options.url != last?.url { set(CCURLOPT_URL, options.url) }
            // Each loop iteration reads one buffer; a streamed body benefits from a larger one.
            if options.isStream != last?.isStream {
                hint(CCURLOPT_BUFFERSIZE, options.isStream ? 128 * 1024 : 32 * 1024)
            }
            // Wait for the first connection to learn whether it can be multiplexed, if a handshake will
            // tell; without TLS, only the first response would.
            if options.waits != last?.waits { set(CCURLOPT_PIPEWAIT, options.waits ? 1 : 0) }
            if options.reports != last?.reports { set(CCURLOPT_VERBOSE, options.reports ? 1 : 0) }
            if options.isFresh != last?.isFresh { set(CCURLOPT_FRESH_CONNECT, options.isFresh ? 1 : 0) }
            if options.isClosed != last?.isClosed { set(CCURLOPT_FORBID_REUSE, options.isClosed ? 1 : 0) }
        }

        /// Closes the connection after its last exchange.
        func closeConnection() {
            hint(CCURLOPT_FORBID_REUSE, 1)
            shared?.isClosed = true
        }

        /// Notes that libcurl has sent the request again. It counts that for as long as a handle is not reset, and gives up after
        /// the fifth time.
        func noteRepeat() { needsReset = true }

        /// libcurl 7.88 restarts HTTP/2 for each exchange on a prior-knowledge connection; fixed in 8.0.
        private static let cannotShareByPriorKnowledge =
            (ccurl_load(nil)?.pointee.version_number ?? 0) >> 8 == 0x758

        private func soil(_ option: Int, _ value: Int) {
            needsReset = true
            set(option, value)
        }

        private func setLines(_ headers: HTTPFields, hasBody: Bool) throws(TransportError) {
            if try lines.update(headers, hasBody: hasBody) { areLinesSet = false }
            guard !areLinesSet else { return }
            note(ccurl_set_list(easy, Int32(CCURLOPT_HTTPHEADER), lines.list))
            areLinesSet = true
        }

        /// Whether libcurl has waited for a socket in this exchange.
        var hasSocket: Bool { descriptor != nil }

        /// Notes a socket that libcurl waits for.
        func waits(for descriptor: Int32) { self.descriptor = descriptor }

        /// Releases the exchange.
        /// - Parameter isMultiplexed: Whether its connection supports multiplexing; `nil` if unknown.
        func release(isMultiplexed: Bool?) {
            transfer = nil
            if let descriptor, isMultiplexed == false { sockets?.rest(descriptor) }
            descriptor = nil
            failure = Int32(CCURLE_OK)
        }

        private func reset() {
            ccurl_easy_reset(easy)
            (needsReset, shared, areLinesSet, challenge) = (false, nil, false, nil)
            setUp()
        }

        /// Sets back what an exchange may have set, but for its credential: a reset would forget the challenge.
        private func renew() {
            needsReset = false
            set(CCURLOPT_HTTPGET, 1)
            set(CCURLOPT_CUSTOMREQUEST, nil as UnsafeRawPointer?)
            set(CCURLOPT_POSTFIELDSIZE_LARGE, size: -1)
            set(CCURLOPT_INFILESIZE_LARGE, size: -1)
            set(CCURLOPT_NOPROGRESS, 1)
        }

        /// Forgets the challenge.
        func forgetChallenge() { (challenge, needsReset) = (nil, true) }

        static func milliseconds(_ seconds: TimeInterval) -> Int {
            seconds < 2_000_000 ? max(1, Int((seconds * 1000).rounded(.up))) : 2_000_000_000
        }
    }
#endif
