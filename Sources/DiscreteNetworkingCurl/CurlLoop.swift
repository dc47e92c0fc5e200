#if os(Linux)
    import CCurl
    import CPoll
    import Foundation

    /// The interface to the thread that drives libcurl: accepts commands from any thread and wakes it.
    final class CurlLoop: Sendable {
        private struct Inbox: Sendable {
            var commands: [CurlCommand] = []
            /// Whether the thread is asleep or about to be, and has not been woken yet.
            var isAsleep = false
            var isClosed = false
        }

        private let inbox = Locked(Inbox())
        /// Signaled under the inbox's lock, so that it is never signaled after it was closed.
        let wakeUp: Int32
        /// Whether the transport has a proxy.
        let usesProxy: Bool

        init(_ configuration: CurlConfiguration) throws(TransportError) {
            var why: UnsafePointer<CChar>?
            guard let library = ccurl_load(&why)?.pointee else {
                throw TransportError(
                    .unsupported, message: why.map { String(cString: $0) } ?? "libcurl is not available.")
            }
            try Self.check(configuration, library)
            let way = try CurlWay(configuration)
            usesProxy = way.usesProxy
            guard let easy = ccurl_easy_new() else {
                throw TransportError(.unsupported, message: "libcurl could not be initialized.")
            }
            let handle = CurlHandle(easy, configuration, way, sockets: nil)
            if let failure = handle.setUpFailure { throw failure }
            let wakeUp = cpoll_new_signal()
            let poll = cpoll_new()
            guard wakeUp >= 0, poll >= 0 else {
                for descriptor in [wakeUp, poll] where descriptor >= 0 { cpoll_close(descriptor) }
                throw TransportError(.unsupported, message: "The process has no file descriptors left.")
            }
            self.wakeUp = wakeUp
            let thread = Thread { [self] in
                CurlMultiHandle(configuration, way, loop: self, poll: poll)?.run()
                close()
                cpoll_close(poll)
            }
            thread.name = "CurlTransport"
            thread.start()
        }

        /// Rejects a configuration that this libcurl does not support, instead of failing on the first
        /// request.
        private static func check(
            _ configuration: CurlConfiguration, _ library: ccurl_library
        ) throws(TransportError) {
            func has(_ feature: Int) -> Bool { library.features & Int32(feature) != 0 }
            if configuration.unixSocketPath != nil, !has(CCURL_VERSION_UNIX_SOCKETS) {
                throw TransportError(.unsupported, message: "This libcurl does not support Unix sockets.")
            }
            if configuration.unixSocketPath != nil, configuration.resolution != nil {
                throw TransportError(
                    .unsupported,
                    message: "A HostResolution has no effect on a Unix socket; remove one of them.")
            }
            if configuration.httpVersion == .http2PriorKnowledge, !has(CCURL_VERSION_HTTP2) {
                throw TransportError(.unsupported, message: "This libcurl does not support HTTP/2.")
            }
            if configuration.tls != TLSPolicy(), !has(CCURL_VERSION_SSL) {
                throw TransportError(.unsupported, message: "This libcurl does not support TLS.")
            }
            guard configuration.maximumConnectionsPerHost > 0 else {
                throw TransportError(
                    .unsupported, message: "maximumConnectionsPerHost must be at least 1.")
            }
            guard configuration.connectTimeout > 0, configuration.idleTimeout > 0 else {
                throw TransportError(.unsupported, message: "Timeouts must be greater than 0 seconds.")
            }
        }

        /// Sends a command to the thread. After the end of the thread, an exchange fails immediately.
        func post(_ command: CurlCommand) {
            let isClosed = inbox.withLock { inbox in
                guard !inbox.isClosed else { return true }
                inbox.commands.append(command)
                if inbox.isAsleep {
                    inbox.isAsleep = false
                    cpoll_signal(wakeUp)
                }
                return false
            }
            if isClosed, case .start(let exchange) = command {
                exchange.fulfil(
                    .failure(TransportError(.unsupported, message: "libcurl could not be initialized.")))
            }
        }

        // MARK: Thread

        /// Takes all pending commands; if there are none, marks the thread as asleep.
        /// - Parameter commands: An empty array. Its memory is used for the next commands.
        func take(_ commands: inout [CurlCommand]) {
            inbox.withLock { inbox in
                inbox.isAsleep = inbox.commands.isEmpty
                swap(&inbox.commands, &commands)
            }
        }

        /// Closes the inbox if it is empty.
        /// - Returns: Whether it was closed.
        func closeIfEmpty() -> Bool {
            inbox.withLock { inbox in
                guard inbox.commands.isEmpty else { return false }
                inbox.isClosed = true
                return true
            }
        }

        private func close() {
            let left = inbox.withLock { inbox in
                inbox.isClosed = true
                cpoll_close(wakeUp)
                defer { inbox.commands = [] }
                return inbox.commands
            }
            for command in left { post(command) }
        }
    }
#endif
