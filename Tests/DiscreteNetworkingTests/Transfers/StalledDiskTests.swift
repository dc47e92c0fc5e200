import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files on a disk that does not answer. A named pipe stands in for it: who opens one to read waits for
/// somebody who writes.
@MainActor
final class StalledDiskTests: XCTestCase {
    func testAStalledDiskHoldsUpNoOtherCall() async throws {
        let folder = try temporaryFolder()
        // One more than Swift has threads.
        let files = try (0...ProcessInfo.processInfo.activeProcessorCount).map { number in
            let file = folder.file("\(number)")
            guard mkfifo(file.path, 0o600) == 0 else { throw XCTSkip("no named pipe can be made here") }
            return file
        }
        let readers = files.map { file in
            Task.detached { try await RequestBody.file(file).pieces.next() }
        }
        var writers: [Int32] = []
        for file in files {
            var writer: Int32 = -1
            await until {
                // Without a reader this is an error.
                writer = open(file.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
                return writer >= 0
            }
            writers.append(writer)
        }
        // All of them wait for bytes now.
        let product = try await Stack(ClosureTransport(json: teapot)).manager(ProductManager()).load()
        XCTAssertEqual(product.id, 7)
        for (number, writer) in writers.enumerated() {
            XCTAssertEqual(write(writer, "\(number)", 1), 1)
            close(writer)
        }
        for (number, reader) in readers.enumerated() {
            let piece = try await reader.value
            XCTAssertEqual(piece, Data("\(number)".utf8))
        }
    }
}
