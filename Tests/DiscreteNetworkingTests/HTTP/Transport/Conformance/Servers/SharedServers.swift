import Foundation

@testable import DiscreteNetworkingCore

/// Servers that all tests share: started when a test first asks for one, stopped when the process ends.
enum SharedServers {
    #if os(macOS) || os(Linux)
        private struct Running: Sendable {
            var authority: TestAuthority?
            var nginx: NginxServer?
            var hypercorn: HypercornServer?
            var httpbin: HttpbinServer?
            var mitmproxy: MitmproxyServer?
            /// By their programs.
            var python: [String: PythonServer] = [:]
        }

        private static let running: Locked<Running> = {
            atexit { SharedServers.stop() }
            return Locked(inherited)
        }()

        static func authority() throws -> TestAuthority {
            try running.withLock { try authority(in: &$0) }
        }

        private static func authority(in running: inout Running) throws -> TestAuthority {
            if let authority = running.authority { return authority }
            let authority = try TestAuthority()
            running.authority = authority
            return authority
        }

        static func nginx() throws -> NginxServer {
            try running.withLock { running in
                if let nginx = running.nginx { return nginx }
                let nginx = try NginxServer(authority(in: &running))
                running.nginx = nginx
                return nginx
            }
        }

        static func hypercorn() throws -> HypercornServer {
            try running.withLock { running in
                if let hypercorn = running.hypercorn { return hypercorn }
                let hypercorn = try HypercornServer(authority(in: &running))
                running.hypercorn = hypercorn
                return hypercorn
            }
        }

        static func httpbin() throws -> HttpbinServer {
            try running.withLock { running in
                if let httpbin = running.httpbin { return httpbin }
                let httpbin = try HttpbinServer()
                running.httpbin = httpbin
                return httpbin
            }
        }

        static func mitmproxy() throws -> MitmproxyServer {
            try running.withLock { running in
                if let mitmproxy = running.mitmproxy { return mitmproxy }
                let mitmproxy = try MitmproxyServer(authority(in: &running))
                running.mitmproxy = mitmproxy
                return mitmproxy
            }
        }

        static func python(_ program: String) throws -> PythonServer {
            try running.withLock { running in
                if let server = running.python[program] { return server }
                let server = try PythonServer(program)
                running.python[program] = server
                return server
            }
        }

        private static func stop() {
            let last = running.withLock { running in
                defer { running = Running() }
                return running
            }
            last.nginx?.stop()
            last.hypercorn?.stop()
            last.httpbin?.stop()
            last.mitmproxy?.stop()
            for server in last.python.values { server.stop() }
            last.authority?.remove()
        }

        // MARK: Child processes

        private static let variable = "SHARED_SERVERS"

        /// Makes a child process with this environment use the servers of this process.
        static var environment: [String: String] {
            var places: [String: String] = [:]
            // A child starts what is missing, and says so where that fails.
            places["authority"] = (try? authority())?.folder.path
            let nginx = try? nginx()
            places["nginx"] = nginx?.baseURL.absoluteString
            places["secureNginx"] = nginx?.secureURL.absoluteString
            places["hypercorn"] = (try? hypercorn())?.secureURL.absoluteString
            places["httpbin"] = (try? httpbin())?.baseURL.absoluteString
            let text = try? JSONEncoder().encode(places)
            return [variable: String(decoding: text ?? Data(), as: UTF8.self)]
        }

        /// The servers of the parent process.
        private static var inherited: Running {
            let text = ProcessInfo.processInfo.environment[variable] ?? ""
            let places = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            func url(_ name: String) -> URL? { places?[name].flatMap(URL.init(string:)) }
            var running = Running()
            if let folder = places?["authority"] {
                running.authority = TestAuthority(existing: URL(fileURLWithPath: folder))
            }
            if let base = url("nginx"), let secure = url("secureNginx") {
                running.nginx = NginxServer(existing: base, secure)
            }
            running.hypercorn = url("hypercorn").map { HypercornServer(existing: $0) }
            running.httpbin = url("httpbin").map { HttpbinServer(existing: $0) }
            return running
        }
    #endif
}
