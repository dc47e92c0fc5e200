import Foundation
import XCTest

/// `httpbin`, a server we did not write, behind gunicorn, on a free port.
final class Httpbin {
    let baseURL: URL
    private let process = Process()

    /// - Throws: `XCTSkip` where it is not installed, unless `CI_REQUIRE_HTTPBIN` is set.
    init() throws {
        let port = try Self.freePort()
        baseURL = URL(string: "http://127.0.0.1:\(port)")!
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-m", "gunicorn", "--bind", "127.0.0.1:\(port)", "--threads", "8", "--log-level",
            "critical",
            "httpbin:app",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while !Self.accepts(port) {
            guard process.isRunning else {
                let isRequired = ProcessInfo.processInfo.environment["CI_REQUIRE_HTTPBIN"] != nil
                struct Missing: Error {}
                throw isRequired ? Missing() as any Error : XCTSkip("httpbin and gunicorn are not installed")
            }
            Thread.sleep(forTimeInterval: 0.05)  // a poll of another process, not of our own code
        }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    private static func freePort() throws -> UInt16 {
        try withSocket { descriptor, address in
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else { throw POSIXError(.EADDRINUSE) }
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(descriptor, $0, &length)
                }
            }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    private static func accepts(_ port: UInt16) -> Bool {
        let connected = try? withSocket { descriptor, address in
            address.sin_port = port.bigEndian
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
        return connected ?? false
    }

    private static func withSocket<Result>(_ body: (Int32, inout sockaddr_in) throws -> Result) throws
        -> Result
    {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return try body(descriptor, &address)
    }
}
