#if os(Linux)
    import CCurl
    import Foundation

    /// What libcurl knows of an exchange, before the handle is used for the next one.
    extension CurlHandle {
        /// Returns the handle of libcurl's.
        static func of(_ easy: OpaquePointer?) -> CurlHandle? {
            var context: UnsafeMutableRawPointer?
            guard let easy, ccurl_get_pointer(easy, Int32(CCURLINFO_PRIVATE), &context) == Int32(CCURLE_OK)
            else {
                return nil
            }
            return context.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
        }

        func size(_ info: Int) -> Int64 {
            var value: Int64 = 0
            return ccurl_get_size(easy, Int32(info), &value) == Int32(CCURLE_OK) ? value : 0
        }

        func number(_ info: Int) -> Int {
            var value = 0
            return ccurl_get_long(easy, Int32(info), &value) == Int32(CCURLE_OK) ? value : 0
        }

        /// libcurl's times are microseconds since the start, 0 if a phase did not occur.
        var metrics: TransportMetrics {
            func seconds(_ info: Int) -> TimeInterval? {
                let microseconds = size(info)
                return microseconds > 0 ? TimeInterval(microseconds) / 1e6 : nil
            }
            var metrics = TransportMetrics()
            let isReused = !isNewConnection
            metrics.reusedConnection = isReused
            if !isReused {
                metrics.nameLookup = seconds(CCURLINFO_NAMELOOKUP_TIME_T)
                metrics.connect = seconds(CCURLINFO_CONNECT_TIME_T)
                metrics.secureConnection = seconds(CCURLINFO_APPCONNECT_TIME_T)
            }
            metrics.requestStart = seconds(CCURLINFO_PRETRANSFER_TIME_T)
            metrics.firstByte = seconds(CCURLINFO_STARTTRANSFER_TIME_T)
            metrics.end = seconds(CCURLINFO_TOTAL_TIME_T)
            metrics.bytesSent = size(CCURLINFO_SIZE_UPLOAD_T)
            metrics.bytesReceived = size(CCURLINFO_SIZE_DOWNLOAD_T)
            metrics.protocolVersion = isHTTP2 ? "HTTP/2" : "HTTP/1.1"
            return metrics
        }

        /// Whether a connection was made for the exchange.
        var isNewConnection: Bool { number(CCURLINFO_NUM_CONNECTS) > 0 }

        /// Whether the TCP connection was made.
        var isConnected: Bool { size(CCURLINFO_CONNECT_TIME_T) > 0 }

        /// The IP address of the connection in canonical text.
        var remoteAddress: String? {
            var text: UnsafeMutableRawPointer?
            guard ccurl_get_pointer(easy, Int32(CCURLINFO_PRIMARY_IP), &text) == Int32(CCURLE_OK) else {
                return nil
            }
            return text.flatMap { IPAddress.server(String(cString: $0.assumingMemoryBound(to: CChar.self))) }
        }

        private var isHTTP2: Bool { number(CCURLINFO_HTTP_VERSION) == CCURL_HTTP_VERSION_2_0 }

        /// Whether the connection supports multiplexing; `nil` until a response tells.
        var isMultiplexed: Bool? { number(CCURLINFO_HTTP_VERSION) == 0 ? nil : isHTTP2 && !isAlone }
    }
#endif
