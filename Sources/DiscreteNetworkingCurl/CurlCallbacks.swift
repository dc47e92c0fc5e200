#if os(Linux)
    import CCurl
    import Foundation

    /// The callbacks of libcurl, called on the loop's thread.
    ///
    /// Their context is the `CurlHandle`, which outlives the activity of its easy handle.
    enum CurlCallbacks {
        private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
            context.flatMap { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue().transfer }
        }

        static let header: ccurl_data_callback = { bytes, size, count, context in
            guard let transfer = transfer(context) else { return 0 }
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer.receive(headerLine: line) ? size * count : 0
        }

        static let write: ccurl_data_callback = { bytes, size, count, context in
            guard let transfer = transfer(context) else { return 0 }
            switch transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) {
            case .taken: return size * count
            case .later: return CCURL_WRITEFUNC_PAUSE
            case .refused: return size * count == 0 ? 1 : 0
            }
        }

        static let read: ccurl_data_callback = { bytes, size, count, context in
            guard let transfer = transfer(context) else { return CCURL_READFUNC_ABORT }
            switch transfer.send(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
            case .bytes(let count): return count
            case .later: return CCURL_READFUNC_PAUSE
            case .failed: return CCURL_READFUNC_ABORT
            }
        }

        static let seek: ccurl_seek_callback = { context, offset, origin in
            guard let upload = transfer(context)?.upload, offset == 0, origin == SEEK_SET else {
                return Int32(CCURL_SEEKFUNC_FAIL)
            }
            upload.rewind()
            return Int32(CCURL_SEEKFUNC_OK)
        }

        static let progress: ccurl_progress_callback = { context, toReceive, received, toSend, sent in
            transfer(context)?.tell(received: received, of: toReceive, sent: sent, of: toSend)
            return 0
        }

        /// Called with what libcurl says, and with the heads and bodies.
        static let report: ccurl_report_callback = { _, kind, bytes, count, context in
            let bytes = UnsafeMutableRawBufferPointer(start: bytes, count: count)
            switch Int(kind) {
            case CCURLINFO_TEXT:
                if let report = CurlReport(UnsafeRawBufferPointer(bytes)) { transfer(context)?.note(report) }
            case CCURLINFO_HEADER_IN:
                if OrphanedLines.areHarmful, let context {
                    Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue().orphans.disarm(bytes)
                }
            default: break
            }
            return 0
        }

        /// Called when a connection has a socket, which means that the host was resolved.
        static let socket: ccurl_socket_option_callback = { context, descriptor, _ in
            guard let context else { return 0 }
            let handle = Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
            handle.sockets?.open(descriptor)
            handle.transfer?.nameWasFound()
            return 0
        }

        /// Called instead of `close`. The context is the `CurlSockets`, because a connection may outlive its handle.
        static let close: ccurl_close_socket_callback = { context, descriptor in
            guard let context else { return 1 }
            Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().close(descriptor)
            return 0
        }

        /// Called before the request is sent on an established connection; 1 rejects it.
        static let prerequest: ccurl_prerequest_callback = { context, _, _, _, port in
            transfer(context)?.mayBeSent(from: port) == true ? 0 : 1
        }
    }
#endif
