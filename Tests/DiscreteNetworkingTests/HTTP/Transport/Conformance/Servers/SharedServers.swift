import Foundation

@testable import DiscreteNetworking

/// Servers that the cases share: started when a case first asks for one, stopped after the last case.
enum SharedServers {
    #if os(macOS) || os(Linux)
        private struct Running: Sendable {
            var authority: TestAuthority?
            var nginx: NginxServer?
            var hypercorn: HypercornServer?
            var httpbin: HttpbinServer?
        }

        private static let running = Locked(Running())

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

        static func stop() {
            let last = running.withLock { running in
                defer { running = Running() }
                return running
            }
            last.nginx?.stop()
            last.hypercorn?.stop()
            last.httpbin?.stop()
            last.authority?.remove()
        }
    #else
        static func stop() {}
    #endif
}
