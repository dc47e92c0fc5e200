#if os(macOS) || os(Linux)
    import Foundation

    /// The server process: nginx where there is one, else our own.
    final class Server: Sendable {
        private let process = Process()
        private let input = Pipe()
        private let folder: URL
        let name: String
        let baseURL: URL
        /// A file that it serves, under its own name.
        let largeFile: URL

        /// - Parameter largeFile: how many bytes ``largeFile`` has.
        init(largeFile size: Int, isPinned: Bool = false) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(getpid())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            largeFile = folder.appendingPathComponent("large")
            try Data().write(to: largeFile)
            let file = try FileHandle(forWritingTo: largeFile)
            let piece = Data(repeating: 0x5A, count: 1 << 20)
            for _ in 0..<size >> 20 { try file.write(contentsOf: piece) }
            try file.close()
            process.standardInput = input
            if let nginx = ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"].first(
                where: FileManager.default.isExecutableFile)
            {
                name = "nginx"
                baseURL = try Self.start(process, nginx: nginx, in: folder, isPinned: isPinned)
            } else {
                name = "LoopbackServer"
                baseURL = try Self.startShop(process, largeBody: size, isPinned: isPinned)
            }
        }

        private static func startShop(_ process: Process, largeBody size: Int, isPinned: Bool) throws -> URL {
            let output = Pipe()
            Pinning.launch(
                process, Bundle.main.executableURL, ["--serve", "\(size)"], as: isPinned ? .server : nil)
            process.standardOutput = output
            try process.run()
            var line = Data()
            while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
                line += byte
            }
            guard let port = Int(String(decoding: line, as: UTF8.self)) else {
                throw CocoaError(.fileReadUnknown)
            }
            return URL(string: "http://127.0.0.1:\(port)")!
        }

        private static func start(_ process: Process, nginx: String, in folder: URL, isPinned: Bool) throws
            -> URL
        {
            let port = try freePort()
            try Shop.document.write(to: folder.appendingPathComponent("item"))
            try Data(count: 1 << 20).write(to: folder.appendingPathComponent("megabyte"))
            let configuration = """
                daemon off; master_process off; error_log \(folder.path)/error.log; pid \(folder.path)/pid;
                events { worker_connections 8192; }
                http {
                    access_log off; keepalive_requests 1000000000; keepalive_timeout 600s; sendfile on;
                    client_max_body_size 0; client_body_temp_path \(folder.path)/body; proxy_temp_path \(folder.path)/p;
                    fastcgi_temp_path \(folder.path)/f; uwsgi_temp_path \(folder.path)/u; scgi_temp_path \(folder.path)/s;
                    server {
                        listen 127.0.0.1:\(port) backlog=4096; root \(folder.path); default_type application/json;
                        location = /sink { return 200; }
                    }
                }
                """
            let file = folder.appendingPathComponent("nginx.conf")
            try configuration.write(to: file, atomically: true, encoding: .utf8)
            Pinning.launch(
                process, URL(fileURLWithPath: nginx),
                ["-c", file.path, "-e", folder.appendingPathComponent("error.log").path],
                as: isPinned ? .server : nil)
            try process.run()
            let address = URL(string: "http://127.0.0.1:\(port)")!
            while process.isRunning {
                let isThere = (try? Data(contentsOf: address.appendingPathComponent("item"))) == Shop.document
                if isThere { return address }
                usleep(20_000)
            }
            throw CocoaError(.executableLoad)
        }

        private static func freePort() throws -> Int {
            #if canImport(Glibc)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            #else
                let descriptor = socket(AF_INET, SOCK_STREAM, 0)
            #endif
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
                }
            }
            guard isBound else { throw CocoaError(.fileReadUnknown) }
            return Int(UInt16(bigEndian: address.sin_port))
        }

        /// Stops the server when this program is interrupted or terminated: it would go on by itself.
        /// - Returns: What waits for the signals, until it is canceled.
        func stopOnSignals() -> [any DispatchSourceSignal] {
            [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler {
                    self.stop()
                    exit(128 + number)
                }
                // Until the source is registered, the signal would be ignored.
                let isRegistered = DispatchSemaphore(value: 0)
                source.setRegistrationHandler { isRegistered.signal() }
                source.resume()
                isRegistered.wait()
                return source
            }
        }

        func stop() {
            try? input.fileHandleForWriting.close()
            process.terminate()
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }
    }
#else
    import Foundation

    /// Where no other program can be run there is no server to measure against.
    final class Server: Sendable {
        let name = ""
        let baseURL = URL(fileURLWithPath: "/")
        let largeFile = URL(fileURLWithPath: "/")

        init(largeFile size: Int, isPinned: Bool = false) throws { throw CocoaError(.featureUnsupported) }

        func stopOnSignals() -> [any DispatchSourceSignal] { [] }
        func stop() {}
    }
#endif
