#if os(macOS) || os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// httpbin under gunicorn as a child process, on a free port.
    final class HttpbinServer: Sendable {
        let baseURL: URL
        private let process: ServerProcess?
        private let folder: URL?

        /// One that another process has started, and will stop.
        init(existing baseURL: URL) {
            self.baseURL = baseURL
            (folder, process) = (nil, nil)
        }

        init() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "httpbin-" + UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let port = try LoopbackServer.refusedPort()
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
            baseURL = url
            self.folder = folder
            process = try ServerProcess(
                "gunicorn", ["--bind", "127.0.0.1:\(port)", "httpbin:app"], port: port, folder: folder)
        }

        func stop() {
            process?.stop()
            if let folder { try? FileManager.default.removeItem(at: folder) }
        }
    }

    /// A class of tests that share one httpbin. Without it they are skipped, unless `CI_REQUIRE_TOOLS` is 1.
    @MainActor
    class HttpbinTestCase: XCTestCase {
        /// A proxy whose service is httpbin.
        func httpbin(
            over transport: any Transport = URLSessionTransport(),
            _ change: (inout TestService.Rules) -> Void = { _ in }
        ) async throws -> Stack {
            let server = try SharedServers.httpbin()
            // gunicorn listens before httpbin is loaded, which may fail.
            guard case .success = await transport.outcome(of: APIRequest(url: server.baseURL)) else {
                throw Tool.missing("httpbin does not answer; pip install httpbin gunicorn")
            }
            return Stack(transport) { rules in
                rules.baseURL = server.baseURL
                rules.timeout = 120
                change(&rules)
            }
        }
    }

    /// A manager for any method, path and encoding.
    final class HttpbinManager<Output: Decodable & Sendable>: APIManager<Output> {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName: String
        let requestType: HTTPMethod
        private let ownEncoding: (any ParamEncoding)?

        init(_ requestType: HTTPMethod, _ methodName: String, _ encoding: (any ParamEncoding)? = nil) {
            self.requestType = requestType
            self.methodName = methodName
            ownEncoding = encoding
        }

        override var encoding: (any ParamEncoding)? { ownEncoding }
    }
#endif
