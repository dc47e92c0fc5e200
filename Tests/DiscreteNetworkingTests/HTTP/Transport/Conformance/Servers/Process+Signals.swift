#if os(macOS) || os(Linux)
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    extension Process {
        /// Starts it with no signal blocked.
        ///
        /// A process inherits what the calling thread blocks, and threads that run async code block nearly
        /// all: a shell would never hear that its child has ended, and a server would not end when told to.
        func runWithAllSignals() throws {
            var (none, before) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            try run()
        }

        /// Waits for its end, and after so many seconds kills it with all that it has started.
        ///
        /// `waitUntilExit()` has no limit. It also waits for what the process has started: on Linux the end shows
        /// when nobody holds a socket any longer that children inherit.
        /// - Returns: whether it ended by itself.
        @discardableResult
        func waitUntilExit(atMost seconds: TimeInterval) -> Bool {
            if hasEnded(within: seconds) { return true }
            // Foundation gives each process a group of its own.
            kill(
                getpgid(processIdentifier) == processIdentifier ? -processIdentifier : processIdentifier,
                SIGKILL)
            _ = hasEnded(within: 10)
            return false
        }

        private func hasEnded(within seconds: TimeInterval) -> Bool {
            let deadline = Date(timeIntervalSinceNow: seconds)
            while isRunning {
                guard Date() < deadline else { return false }
                usleep(2000)
            }
            return true
        }
    }
#endif
