import Foundation
import XCTest

@testable import DiscreteNetworking

/// httpbin under gunicorn as a child process, on a free port.
final class HttpbinServer: Sendable {
    let port: Int
    private let process: Process
    private let lifeline: Pipe

    var baseURL: URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { preconditionFailure() }
        return url
    }

    /// - Returns: `nil` where gunicorn is not installed or does not start.
    init?() {
        let process = Process()
        let (lifeline, messages) = (Pipe(), Pipe())
        // The shell ends gunicorn when its input ends: on `stop`, and also when this process dies.
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            """
            command -v gunicorn > /dev/null || exit 1
            gunicorn --bind 127.0.0.1:0 httpbin:app &
            cat > /dev/null; kill $!; wait $!
            """,
        ]
        process.standardInput = lifeline
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        guard (try? process.run()) != nil else { return nil }
        self.process = process
        self.lifeline = lifeline
        let isSaid = DispatchSemaphore(value: 0)
        let port = Locked<Int?>(nil)
        let reader = Thread {
            var text = ""
            // To the end, lest gunicorn wait for somebody to read.
            while case let data = messages.fileHandleForReading.availableData, !data.isEmpty {
                text += String(decoding: data, as: UTF8.self)
                guard port.current == nil, let number = Self.port(in: text) else { continue }
                port.current = number
                isSaid.signal()
            }
            isSaid.signal()
        }
        reader.start()
        guard isSaid.wait(timeout: .now() + 30) == .success, let number = port.current else {
            try? lifeline.fileHandleForWriting.close()
            process.waitUntilExit()
            return nil
        }
        self.port = number
    }

    func stop() {
        try? lifeline.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The port in `Listening at: http://127.0.0.1:40123 (4711)`.
    private static func port(in text: String) -> Int? {
        guard let start = text.range(of: "Listening at: http://127.0.0.1:")?.upperBound else { return nil }
        let rest = text[start...]
        let digits = rest.prefix { $0.isNumber }
        return digits.endIndex == rest.endIndex ? nil : Int(digits)
    }
}

/// A class of tests that share one httpbin. Without it they are skipped, unless `CI_REQUIRE_HTTPBIN` is 1.
@MainActor
class HttpbinTestCase: XCTestCase {
    private nonisolated static let running = Locked<HttpbinServer?>(nil)

    nonisolated override class func setUp() {
        super.setUp()
        running.current = HttpbinServer()
    }

    nonisolated override class func tearDown() {
        running.current?.stop()
        running.current = nil
        super.tearDown()
    }

    /// A proxy whose service is httpbin.
    func httpbin(
        over transport: any Transport = URLSessionTransport(),
        _ change: (inout TestService.Rules) -> Void = { _ in }
    ) async throws -> Stack {
        guard let server = Self.running.current,
            case .success = await transport.outcome(of: APIRequest(url: server.baseURL))
        else {
            if ProcessInfo.processInfo.environment["CI_REQUIRE_HTTPBIN"] == "1" {
                XCTFail("httpbin did not start; pip install httpbin gunicorn")
            }
            throw XCTSkip("httpbin or gunicorn is not installed")
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
