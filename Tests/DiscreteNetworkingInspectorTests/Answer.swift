import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A response over the platform's transport.
struct Answer {
    let status: Int
    let headers: HTTPFields
    let body: Data
    var text: String { String(decoding: body, as: UTF8.self) }

    init(
        of url: URL, _ headers: HTTPFields = [:], _ method: HTTPMethod = .get, _ body: Data? = nil
    ) async throws {
        let request = APIRequest(
            url: url, method: method, headers: headers, body: body.map(RequestBody.data) ?? .none, timeout: 60
        )
        let response = try await StandardTransport.make().send(request)
        status = response.status
        self.headers = response.headers
        if case .data(let data) = response.body { self.body = data } else { self.body = Data() }
    }

    /// Why there is no response; `nil` where there is one.
    static func failure(of url: URL) async -> TransportError.Kind? {
        do {
            _ = try await StandardTransport.make().send(APIRequest(url: url, timeout: 60))
            return nil
        } catch {
            return (error as? TransportError)?.kind
        }
    }
}

/// A page that listens to the events.
struct EventReader {
    let type: String?
    private let pieces: AsyncThrowingStream<Data, any Error>

    init(_ url: URL, after revision: Int = 0) async throws {
        let request = APIRequest(
            url: url.appendingPathComponent("events"), headers: ["Last-Event-ID": "\(revision)"],
            timeout: .infinity, destination: .stream)
        let response = try await StandardTransport.make().send(request)
        type = response.headers["Content-Type"]
        pieces = response.body.pieces
    }

    /// The events up to one that contains a text. The comment after silence says that it will not come.
    func read(until end: String) async throws -> String {
        var text = ""
        while !text.contains(end), !text.contains("\n\n:\n"), let piece = try await pieces.next() {
            text += String(decoding: piece, as: UTF8.self)
        }
        XCTAssertTrue(text.contains(end), "no event with \(end) came: \(text)")
        return text
    }
}
