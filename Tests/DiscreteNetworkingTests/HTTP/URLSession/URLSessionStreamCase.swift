import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// What tests of streamed responses share.
class URLSessionStreamCase: URLSessionCase {
    func request(
        _ server: LoopbackServer, _ path: String = "/", _ method: HTTPMethod = .get
    ) -> APIRequest {
        var request = server.request(path, method)
        request.destination = .stream
        return request
    }

    /// What a stream gives until its end, and the error it ends with.
    static func all(_ response: TransportResponse) async -> (Data, (any Error)?) {
        guard case .stream(let stream) = response.body else { return (Data(), NoStream()) }
        var data = Data()
        do {
            for try await piece in stream { data += piece }
            return (data, nil)
        } catch {
            return (data, error)
        }
    }

    /// Reads until so many bytes are there.
    static func read(
        _ count: Int, from stream: AsyncThrowingStream<Data, any Error>
    ) async throws -> Data {
        var data = Data()
        for try await piece in stream {
            data += piece
            if data.count >= count { break }
        }
        return data
    }

    struct NoStream: Error {}

    func stream(_ response: TransportResponse) throws -> AsyncThrowingStream<Data, any Error> {
        guard case .stream(let stream) = response.body else { throw NoStream() }
        return stream
    }
}
