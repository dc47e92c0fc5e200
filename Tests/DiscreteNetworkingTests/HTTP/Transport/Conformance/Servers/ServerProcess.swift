#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// A server that somebody else wrote, as a child process. It is ready when this is made, and ends when it
    /// is stopped or this process dies.
    final class ServerProcess: Sendable {
        private let process: Process
        private let lifeline: Pipe
        private let log: URL

        /// - Parameters:
        ///   - port: the loopback port that it will listen on.
        ///   - folder: where it works, and where its log goes.
        init(_ program: String, _ arguments: [String], port: UInt16, folder: URL) throws {
            log = folder.appendingPathComponent(
                "\(URL(fileURLWithPath: program).lastPathComponent)-\(port).log")
            process = Process()
            lifeline = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            // The shell ends the server when its own input ends: on `stop`, and also when this process dies.
            process.arguments =
                [
                    "-c",
                    """
                    exec 3<&0; log=$1; shift
                    "$@" < /dev/null > "$log" 2>&1 3<&- & server=$!
                    (read line <&3; kill $server) & wait $server; kill $! 2> /dev/null
                    """,
                    "sh", log.path, try Tool.path(program),
                ] + arguments
            process.currentDirectoryURL = folder
            process.standardInput = lifeline
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.runWithAllSignals()
            let deadline = Date(timeIntervalSinceNow: 30)
            while !Self.accepts(port) {
                guard process.isRunning, Date() < deadline else {
                    stop()
                    throw Tool.Failed(log: "\(program) does not start:\n" + text)
                }
                usleep(5000)
            }
        }

        deinit { stop() }

        func stop() {
            try? lifeline.fileHandleForWriting.close()
            process.waitUntilExit(atMost: 10)
        }

        /// What the server wrote to its log.
        var text: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

        /// Whether somebody listens on a loopback port.
        private static func accepts(_ port: UInt16) -> Bool {
            #if canImport(Glibc)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM), 0)
            #endif
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            } == 0
        }
    }
#endif
