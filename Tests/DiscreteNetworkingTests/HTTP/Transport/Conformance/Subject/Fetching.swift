import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// The two ways in which a transport brings a body.
enum Delivery: CaseIterable {
    case memory
    case stream

    func apply(to request: APIRequest) -> APIRequest {
        guard self == .stream else { return request }
        var request = request
        request.destination = .stream
        return request
    }
}

extension Transport {
    /// A response with its body in memory, whichever way it came. Redirects are followed.
    ///
    /// An exchange that does not end within a minute is canceled and fails the test, not the whole run.
    func fetch(_ request: APIRequest, as delivery: Delivery = .memory) async -> Result<
        TransportResponse, TransportError
    > {
        let task = Task { await whole(request, as: delivery) }
        let limit = Deadlines.shared.schedule(after: 60) {
            XCTFail("\(request.url) as \(delivery) did not end within a minute.")
            task.cancel()
        }
        defer { Deadlines.shared.cancel(limit) }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func whole(_ request: APIRequest, as delivery: Delivery) async -> Result<
        TransportResponse, TransportError
    > {
        switch await outcome(of: delivery.apply(to: request)) {
        case .failure(let error): return .failure(error)
        case .success(var response):
            do {
                response.body = .data(try await response.collected())
                return .success(response)
            } catch let error as TransportError {
                return .failure(error)
            } catch {
                return .failure(TransportError(.unknown, message: "The body threw a \(type(of: error))."))
            }
        }
    }
}

extension Result where Failure == TransportError {
    var success: Success? { if case .success(let success) = self { success } else { nil } }
}

extension TransportResponse {
    /// The body to its end.
    func collected() async throws -> Data {
        switch body {
        case .data(let data): return data
        case .file(let url): return try Data(contentsOf: url)
        case .stream(let pieces):
            var whole = Data()
            for try await piece in pieces { whole += piece }
            // For a reader that is cancelled a stream of the standard library may just end.
            guard !Task.isCancelled else {
                throw TransportError(.cancelled, message: "The reader of the body was cancelled.")
            }
            return whole
        }
    }

    /// The pieces of a body that was asked for as a stream.
    func stream(file: StaticString = #filePath, line: UInt = #line) throws -> AsyncThrowingStream<
        Data, any Error
    > {
        guard case .stream(let stream) = body else {
            XCTFail("the body is no stream", file: file, line: line)
            throw TransportError(.unknown, message: "The body is no stream.")
        }
        return stream
    }
}

extension LoopbackResponse {
    /// A response byte for byte, after which the connection ends.
    static func bytes(_ text: String) -> LoopbackResponse { .fault(.raw(Data(text.utf8))) }
}

extension Conformance {
    /// A file of the pattern for the length of one test.
    func patternFile(_ count: Int) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try LoopbackResponse.pattern(count: count).write(to: url)
        addTeardownBlock { try? FileManager.default.removeItem(at: url) }
        return url
    }

    /// The pattern as a stream, in pieces of uneven sizes.
    static func patternStream(_ count: Int, piece: Int = 100_003)
        -> @Sendable () -> AsyncThrowingStream<Data, any Error>
    {
        {
            let left = Locked((offset: 0, count: count))
            return AsyncThrowingStream {
                left.withLock { state -> Data? in
                    let size = min(piece, state.count - state.offset)
                    guard size > 0 else { return nil }
                    defer { state.offset += size }
                    let phase = state.offset % 251
                    return LoopbackResponse.pattern(count: phase + size).dropFirst(phase)
                }
            }
        }
    }
}

/// The resident memory of this process.
enum Memory {
    /// In bytes; `nil` where the system does not tell, or says little: a sanitizer keeps what was freed.
    static var resident: Int? {
        #if os(Linux)
            guard dlsym(nil, "__asan_init") == nil, dlsym(nil, "__tsan_init") == nil else { return nil }
            let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            return status?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
        #else
            nil
        #endif
    }
}

/// What this process has open.
enum Descriptors {
    /// 0 where the system does not tell.
    static var count: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}

/// How far the resident memory grew at most, looked at now and then.
final class MemoryWatch: Sendable {
    private let start = Memory.resident ?? 0
    private let peak = Locked(0)

    func look() {
        guard let now = Memory.resident else { return }
        peak.withLock { $0 = max($0, now - start) }
    }

    /// In bytes.
    var growth: Int {
        look()
        return peak.current
    }
}
