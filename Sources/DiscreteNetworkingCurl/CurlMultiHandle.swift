#if os(Linux)
    import CCurl
    import CPoll
    import Foundation

    /// Drives libcurl's multi interface with epoll, on a single thread.
    final class CurlMultiHandle {
        private let configuration: CurlConfiguration
        private let way: CurlWay
        private let loop: CurlLoop
        private let post: @Sendable (CurlCommand) -> Void
        private let poll: Int32
        private let multi: OpaquePointer
        private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
        private let iteration = CurlLoopIteration()
        private var origins: HostConnectionLimiter
        private var lookups = CurlLookups()
        private var hostTable = CurlHostTable()
        /// Transfers that were admitted by their origin but not yet passed to libcurl.
        private var ready: [CurlTransfer] = []
        private var idleHandles: [CurlHandle] = []
        private var challengedHandles = ChallengedHandles(limit: CurlMultiHandle.idleHandleLimit)
        /// When libcurl's timer fires; `nil` if it is not set.
        private var curlTime: UInt64?
        /// When the first transfer may time out.
        private var checkTime = UInt64.max
        /// When libcurl has to be called for transfers that try addresses.
        private var addressTime = UInt64.max
        private let sockets: CurlSockets
        /// Whether the last events include the one that announces commands.
        private var wasWoken = false
        private var isStopping = false

        private static let idleHandleLimit = 64
        /// Nanoseconds.
        private static let addressInterval: UInt64 = 50_000_000

        init?(_ configuration: CurlConfiguration, _ way: CurlWay, loop: CurlLoop, poll: Int32) {
            guard let multi = ccurl_multi_new() else { return nil }
            self.configuration = configuration
            self.way = way
            self.loop = loop
            post = { loop.post($0) }
            self.poll = poll
            sockets = CurlSockets(poll: poll)
            self.multi = multi
            origins = HostConnectionLimiter(
                connections: configuration.maximumConnectionsPerHost,
                capacity: configuration.maximumIdleConnections)
            let me = Unmanaged.passUnretained(self).toOpaque()
            _ = ccurl_multi_set_callbacks(
                multi,
                { easy, socket, what, context, _ in
                    let multi = Unmanaged<CurlMultiHandle>.fromOpaque(context!).takeUnretainedValue()
                    multi.sockets.watch(socket, what)
                    if Int(what) != CCURL_POLL_REMOVE { CurlHandle.of(easy)?.waits(for: socket) }
                    return 0
                },
                { _, milliseconds, context in
                    Unmanaged<CurlMultiHandle>.fromOpaque(context!).takeUnretainedValue().wait(milliseconds)
                    return 0
                }, me)
            _ = ccurl_multi_set_long(
                multi, Int32(CCURLMOPT_MAXCONNECTS), max(1, configuration.maximumIdleConnections))
            cpoll_watch(poll, loop.wakeUp, Int32(CCURL_POLL_IN))
        }

        deinit {
            idleHandles = []
            challengedHandles.removeAll()
            ccurl_multi_free(multi)
        }

        // MARK: Loop

        func run() {
            // TLS libraries may raise SIGPIPE.
            cpoll_ignore_broken_pipes()
            var events = [cpoll_event](repeating: cpoll_event(), count: 128)
            var commands: [CurlCommand] = []
            while true {
                commands.removeAll(keepingCapacity: true)
                loop.take(&commands)
                // What was received on an idle connection counts before the next request uses it.
                if !commands.isEmpty, !wasWoken { act(&events, timeout: 0) }
                wasWoken = false
                iteration.begin()
                for command in commands { perform(command) }
                if isStopping, transfers.isEmpty, loop.closeIfEmpty() {
                    iteration.flush()
                    return
                }
                // Callers and readers are woken before the loop sleeps, or after a few rounds if it is busy.
                let mayWait = !transfers.isEmpty && iteration.mayWait()
                if !mayWait { iteration.flush() }
                if !commands.isEmpty {
                    settle()
                    continue
                }
                if act(&events, timeout: mayWait ? 0 : timeout) == 0 { iteration.flush() }
                settle()
            }
        }

        /// Waits for events and handles them.
        /// - Returns: Their number.
        @discardableResult
        private func act(_ events: inout [cpoll_event], timeout: Int32) -> Int32 {
            let count = cpoll_wait(poll, &events, Int32(events.count), timeout)
            iteration.begin()
            for event in events.prefix(Int(count)) { act(event) }
            return count
        }

        /// Handles timers, ended transfers and timeouts after any event.
        private func settle() {
            launchReady()
            if let time = curlTime, time <= iteration.now {
                curlTime = nil
                _ = ccurl_multi_act(multi, Int32(CCURL_SOCKET_TIMEOUT), 0)
            }
            if addressTime <= iteration.now { tryAddresses() }
            reap()
            if checkTime != .max, checkTime <= iteration.now { check() }
            // Starts transfers for slots that became free; adding them sets libcurl's timer for the next
            // round.
            launchReady()
        }

        /// Lets libcurl try the next addresses: after one that has refused or is silent, version 7.88 does so only when it is
        /// called again, and sets no timer for that.
        private func tryAddresses() {
            let isTrying = transfers.values.contains(where: \.triesAddresses)
            if isTrying { _ = ccurl_multi_act_all(multi) }
            addressTime = isTrying ? iteration.now + Self.addressInterval : .max
        }

        private func launchReady() {
            for exchange in iteration.takeFound() {
                guard let transfer = transfers[ObjectIdentifier(exchange)] else { continue }
                ready += lookups.found(transfer, at: iteration.now)
            }
            while !ready.isEmpty {
                let transfers = ready
                ready = []
                for transfer in transfers where transfer.place == .active { launch(transfer) }
            }
        }

        /// The milliseconds until the next timer; -1 if there is none.
        private var timeout: Int32 {
            let time = min(curlTime ?? .max, checkTime, addressTime)
            guard time != .max else { return -1 }
            let now = iteration.now
            return time <= now ? 0 : Int32(min((time - now + 999_999) / 1_000_000, 1_000_000))
        }

        private func act(_ event: cpoll_event) {
            if event.descriptor == loop.wakeUp {
                cpoll_clear(loop.wakeUp)
                wasWoken = true
            } else if sockets.isAwaited(
                event.descriptor, isInUse: transfers.values.contains { $0.handle?.hasSocket == false })
            {
                // Ignores events of sockets that an earlier event of the same round has closed. The bits
                // are libcurl's.
                _ = ccurl_multi_act(multi, event.descriptor, event.ready)
            }
        }

        // MARK: libcurl callbacks

        private func wait(_ milliseconds: Int) {
            curlTime = milliseconds < 0 ? nil : iteration.now + UInt64(milliseconds) * 1_000_000
        }

        // MARK: Transfers

        private func perform(_ command: CurlCommand) {
            switch command {
            case .start(let exchange): start(exchange)
            case .cancel(let exchange):
                guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
                giveUp(transfer, .exchangeCancelled, isLate: false)
            case .goOnReceiving(let exchange):
                transfers[ObjectIdentifier(exchange)]?.goOnReceiving()
                continueSending(exchange)
            case .continueSending(let exchange):
                transfers[ObjectIdentifier(exchange)]?.goOnSending()
                continueSending(exchange)
            case .stop: isStopping = true
            }
        }

        private func continueSending(_ exchange: CurlExchange) {
            guard let transfer = transfers[ObjectIdentifier(exchange)], let handle = transfer.handle else {
                return
            }
            checkTime = min(checkTime, transfer.deadline)
            // Resumes both directions; one that still has to wait pauses again.
            _ = ccurl_pause(handle.easy, Int32(CCURLPAUSE_CONT))
        }

        private func start(_ exchange: CurlExchange) {
            do throws(TransportError) {
                let transfer = try CurlTransfer(
                    exchange, origin: origins[exchange.origin], idleTimeout: configuration.idleTimeout,
                    iteration: iteration, onCommand: post)
                transfers[ObjectIdentifier(exchange)] = transfer
                if transfer.origin.enter(transfer) { ready.append(transfer) }
                checkTime = min(checkTime, transfer.deadline)
            } catch {
                exchange.fulfil(.failure(error))
            }
        }

        private func launch(_ transfer: CurlTransfer) {
            guard lookups.enter(transfer, at: iteration.now) else { return }
            let challenged = challengedHandles.take(for: transfer.challenge)
            transfer.usesKnownNonce = challenged != nil
            guard let handle = challenged ?? idleHandles.popLast() ?? makeHandle() else {
                return end(transfer) {
                    $0.fail(TransportError(.unknown, message: "libcurl is out of memory."))
                }
            }
            transfer.handle = handle
            transfer.touch()
            checkTime = min(checkTime, transfer.deadline)
            do throws(TransportError) {
                try handle.prepare(for: transfer, hosts: hostTable.lines(for: transfer.exchange))
                guard ccurl_multi_add(multi, handle.easy) == 0 else {
                    throw TransportError(.unknown, message: "libcurl rejected the exchange.")
                }
                if transfer.triesAddresses {
                    addressTime = min(addressTime, iteration.now + Self.addressInterval)
                }
            } catch {
                end(transfer) { $0.fail(error) }
            }
        }

        private func makeHandle() -> CurlHandle? {
            ccurl_easy_new().map { CurlHandle($0, configuration, way, sockets: sockets) }
        }

        /// Ends the transfers that libcurl has completed.
        private func reap() {
            var code: Int32 = 0
            while let easy = ccurl_multi_done(multi, &code) {
                guard let transfer = CurlHandle.of(easy)?.transfer else { continue }
                if Int(code) == CCURLE_COULDNT_RESOLVE_HOST {
                    for other in lookups.others(of: transfer) { end(other) { $0.finish(code: code) } }
                }
                if transfer.beginsAgain() {
                    _ = ccurl_multi_remove(multi, easy)
                    release(transfer, isMultiplexed: nil)
                    ready.append(transfer)
                } else {
                    end(transfer) { $0.finish(code: code) }
                }
            }
        }

        private func release(_ transfer: CurlTransfer, isMultiplexed: Bool?) {
            guard let handle = transfer.handle else { return }
            handle.release(isMultiplexed: isMultiplexed)
            transfer.handle = nil
            if challengedHandles.keep(handle) { return }
            if idleHandles.count < Self.idleHandleLimit { idleHandles.append(handle) }
        }

        /// Removes a transfer from libcurl and starts the next ones of its origin.
        private func end(_ transfer: CurlTransfer, _ finish: (CurlTransfer) -> Void) {
            transfers[ObjectIdentifier(transfer.exchange)] = nil
            let isMultiplexed = transfer.handle?.isMultiplexed
            if let handle = transfer.handle { ccurl_multi_remove(multi, handle.easy) }
            finish(transfer)
            release(transfer, isMultiplexed: isMultiplexed)
            if transfer.lookup != .none { ready += lookups.leave(transfer) }
            ready += transfer.origin.leave(transfer, isMultiplexed: isMultiplexed)
        }

        /// Ends a transfer prematurely.
        private func giveUp(_ transfer: CurlTransfer, _ error: TransportError, isLate: Bool) {
            // libcurl keeps an HTTP/2 connection after an exchange was abandoned.
            if transfer.isAbandonedByItsConnection(isLate: isLate) { transfer.handle?.closeConnection() }
            end(transfer) { $0.fail(error) }
        }

        /// Ends the transfers that have timed out.
        private func check() {
            let now = iteration.now
            for transfer in transfers.values {
                if let error = transfer.timeoutError(at: now) { giveUp(transfer, error, isLate: true) }
            }
            checkTime = transfers.values.reduce(.max) { min($0, $1.deadline) }
        }
    }
#endif
