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
    }
#endif
