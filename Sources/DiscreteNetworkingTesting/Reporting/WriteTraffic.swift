#if canImport(XCTest)
    public import DiscreteNetworkingCore
    public import DiscreteNetworkingTraffic
    import Foundation
    public import XCTest

    extension XCTestCase {
        /// When the calls of a test are written.
        public enum TrafficCondition: Sendable {
            /// At the end of a test that failed.
            case failed
            /// At the end of every test.
            case always
        }

        /// Records the calls of a proxy, and writes them as an HTTP Archive (HAR 1.2) when the test ends: by default only
        /// if it failed. The developer tools of browsers open such a file.
        ///
        /// ```swift
        /// @MainActor
        /// final class ProductManagerTests: XCTestCase {
        ///     private let stubs = StubTransport()
        ///     private let manager = ProductManager()
        ///
        ///     override func setUp() async throws {
        ///         manager.proxy = ApiProxy(
        ///             stubbing: stubs, [.storefront: StorefrontService.self])
        ///         writeTraffic(of: manager.proxy)
        ///     }
        /// }
        /// ```
        ///
        /// The file has the name of the test; its path is written to standard error.
        /// - Parameters:
        ///   - folder: The folder of the file, created if needed. Default: `Traffic` in the temporary directory.
        ///   - condition: When the file is written.
        /// - Returns: The recorder.
        @discardableResult
        public func writeTraffic(
            of proxy: ApiProxy, to folder: URL? = nil, when condition: TrafficCondition = .failed,
            recorder: TrafficRecorder = TrafficRecorder()
        ) -> TrafficRecorder {
            let observer = proxy.addObserver(recorder)
            let folder = folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("Traffic")
            let file = folder.appendingPathComponent(Self.fileName(name) + ".har")
            // Not Sendable, but XCTest does not write to it while a teardown block runs.
            nonisolated(unsafe) let run = testRun
            addTeardownBlock {
                proxy.removeObserver(observer)
                guard condition == .always || (run?.totalFailureCount ?? 0) > 0 else { return }
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try recorder.write(to: file)
                FileHandle.standardError.write(Data("The calls of the test are in \(file.path)\n".utf8))
            }
            return recorder
        }

        /// `-[Module.Class test]` on Apple platforms and `Class.test` on Linux, as the name of a file.
        private static func fileName(_ name: String) -> String {
            name.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "_") }.joined(separator: ".")
        }
    }
#endif
